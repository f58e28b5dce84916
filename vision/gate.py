"""Lets frames pass in which nothing moves and nobody reaches over the board.

Every frame is seen as a top view of the board and a strip around it. Points that differ from the
frame before show motion. A frame at rest is compared with the last trusted ones: a region that has
changed against all of them, and crosses the rim, is an arm. In a film, squares that the network
newly takes for hidden are so by something, too. Whatever does not move for long is scenery. Callers
trust a frame when they know that the board has not changed in it. An arm cannot be told that came
before the first trusted frame, nor one where the picture ends at the board. A board on which
nothing moves is not read again.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

import cv2
import numpy as np

from .finder import BoardPlace
from .geometry import TALLEST, BoardView, Flags, Floats, Layout, Mask, Picture, Pose, pose_of
from .patches import LOG

MOVES = 0.15
"""Least change from the frame before that is motion, in logarithms of brightness (`patches.LOG`):
37 grey levels off white, 2 off black."""

STILL = 0.01
"""Largest share of such points in a still picture, for noise and lamps that flicker: on a board of
100 squares and its surroundings, less than two squares."""

REST_S = 0.24
"""Seconds for which nothing may have moved before a frame is one at rest, however many frames that
takes. A hand that moves a piece stands still for less."""

FRAMES_KEPT = 5
"""Trusted frames with which a new one is compared: what equals any of them is no arm. Each is about
twice as old as the next, so that an arm that rests unnoticed never fills them."""

LEAST_S = 0.5
"""Seconds added to a frame's age in the choice of those to keep: nearer ones are as good as one."""

SAME_ARM = 0.8
"""Overlap with the arm seen before, as a share of both together, of one that has not moved."""

SCENERY_S = 10.0
"""Seconds after which an arm that has not moved is scenery: a book was put down, say. Between
stills one is so at once: they are taken farther apart than arms rest."""


class Gate:
    """Judges the frames of one view. `are_stills`: each was taken at rest, so none is moving."""

    def __init__(self, are_stills: bool) -> None:
        self._are_stills = are_stills
        self._arms: ArmDetector | None = None
        self._trusted: list[tuple[float, TopView]] = []
        self._now: TopView | None = None
        self._rests_since = -inf
        """Time of the first of the frames among which nothing has moved."""
        self._arm: Mask | None = None
        self._arm_since = 0.0
        self._covered_since: Floats | None = None
        """Since when each square looks covered, (squares,): minus infinity for those that look so
        without an arm, infinity for those that do not."""
        self._touching = np.empty((0, 0), bool)
        """Which squares have a corner in common, (squares, squares)."""

    def enter(self, place: BoardPlace, picture: Picture) -> None:
        """Begin with a place; after a bump, what was known of the place before still counts."""
        bumped = self._arms if place.is_bumped else None
        if bumped is None:
            self.forget()
        self._arms = ArmDetector(place.view, place.layout, bumped)
        self._now = self._arms.top_view(picture)
        self._arm = None
        corners = [{(round(x, 6), round(y, 6)) for x, y in each} for each in place.layout.outlines]
        self._touching = np.array([[bool(one & other) for other in corners] for one in corners])
        np.fill_diagonal(self._touching, False)

    def forget(self) -> None:
        """Drop the trusted frames, whose blur would differ from new ones as an arm does."""
        self._trusted.clear()

    def is_moving(self, picture: Picture, at: float) -> bool:
        """Take in a frame of `at` s; return whether something moves, or did a moment ago."""
        assert self._arms is not None, "enter comes first"
        before, self._now = self._now, self._arms.top_view(picture)
        if self._are_stills or before is None:
            return False
        change = (self._now - before).mean(axis=2)
        moving = np.abs(change - np.median(change)) > MOVES
        if moving.mean() > STILL:
            self._rests_since = at
        return at < self._rests_since + REST_S

    def is_reached_into(self, at: float) -> bool:
        """Return whether somebody reaches over the board in the last frame, taken in at `at` s."""
        assert self._arms is not None
        assert self._now is not None
        # The newest trusted frame comes first: usually there is no arm against it, and the others,
        # each a whole comparison, are not needed.
        arm: Mask | None = None
        for _, before in reversed(self._trusted):
            arm = self._arms.arm(self._now, before)
            if not arm.any():
                break
        if arm is None or not arm.any():
            self._arm = None
            return False
        if self._arm is None or (arm & self._arm).sum() < SAME_ARM * (arm | self._arm).sum():
            self._arm, self._arm_since = arm, at
            return True
        return not self._are_stills and at < self._arm_since + SCENERY_S

    def is_hidden(self, covered: Flags, at: float) -> bool:
        """Return whether something has come over squares of a film, side by side.

        `covered` are those that look so, (squares,). What looks so for long becomes part of the
        board, as a square in glare does. Stills are not asked: what covers a square there, after
        hands have rested, covers it for the rest of the game.
        """
        before = self._covered_since
        if before is None:
            before = np.where(covered, -inf, inf)
        since = np.where(covered, np.minimum(before, at), inf)
        is_usual = (before == -inf) | (since <= at - SCENERY_S)
        if self._arm is not None:  # it has rested so long that it is scenery
            is_usual |= covered
        self._covered_since = np.where(is_usual, -inf, since)
        new = covered & ~is_usual
        return bool(np.any(self._touching & new & new[:, None]))

    def trust(self, at: float) -> None:
        """Keep the last frame, taken in at `at` seconds, as one that nobody reached into."""
        if self._now is None:
            return
        self._trusted.append((at, self._now))
        if len(self._trusted) > FRAMES_KEPT:
            # The frame goes whose neighbours are nearest to each other for their age: the ages left
            # grow about twofold from one to the next.
            times = np.array([each for each, _ in self._trusted])
            gaps = (times[2:] - times[:-2]) / (at - times[:-2] + LEAST_S)
            del self._trusted[1 + int(gaps.argmin())]


# ------------------------------------------------------------------ arms


STRIP = 1.5
"""Least width of the strip around the board, in squares."""

FINENESS = 10
"""Points along a square's side."""

CHANGES = 0.45
"""Least change apart from light, in standard deviations of the whole view: a bright or pale picture
shows arms and all else with less contrast."""

ABOVE_NOISE = 5.0
"""The same as a multiple of the noise, which is what a quarter of all points stay below."""

LIGHT_POINTS = 5 * FINENESS
"""Points over which light changes alike."""

REACHES_IN = 0.05
"""Least reach of an arm over the board, or over what leans out of it, in squares."""

GAPS = (5, 9)
"""Gaps in points that are closed between changed ones, on the board and beside it, where a skin
may be like the table."""

WRIST = 0.5
"""Least width of an arm at the rim, in squares: tall pieces that lean out are narrower."""

LIGHTER, DARKER, HUE = 0.1, 1.2, 0.2
"""Largest change by a shadow, lighter or darker, in logarithms, and the largest difference between
colours. What crosses the rim no more than so is the shadow of a piece or a person, not an arm."""

RIM_POINTS = 7
"""Twice the width of the rim, in points: an arm cut off at a picture's edge is blurred there."""

SMALLEST = 2.5
"""Area of the smallest arm, in squares."""

TopView = Floats
"""A board and its surroundings seen from straight above, in logarithms of brightness, (rows,
columns, 3)."""


class ArmDetector:
    """Finds arms: regions changed from an earlier top view that reach in over the rim.

    Changes that are alike over five squares are light and are removed. What is left beyond the
    noise is joined into regions. A region is an arm if it is large enough, crosses the rim over a
    wrist's width by more than a shadow would, and covers some of the board. A piece is none,
    however tall: it does not reach the rim.
    """

    def __init__(self, view: BoardView, layout: Layout, bumped: ArmDetector | None = None) -> None:
        """`bumped` saw the same surroundings before a bump: its top views remain comparable."""
        self.pose: Pose = bumped.pose if bumped else pose_of(view, np.full(2, layout.size / 2))
        leaning = _leaning_out(layout, self.pose)
        west, south, east, north = STRIP + leaning
        across = np.arange(-west, layout.size + east, 1 / FINENESS) + 0.5 / FINENESS
        along = np.arange(-south, layout.size + north, 1 / FINENESS) + 0.5 / FINENESS
        points = np.stack(np.meshgrid(across, along), -1)
        pixels = view.project(points)
        # Each point is the mean of four, which halves its noise.
        quarters = np.array([-0.25, 0.25]) / FINENESS
        fine = [(axis[:, None] + quarters).ravel() for axis in (across, along)]
        finer = view.project(np.stack(np.meshgrid(*fine), -1))
        self._maps = cv2.convertMaps(finer.astype(np.float32), None, cv2.CV_16SC2)
        last = (view.width - 1, view.height - 1)
        self._is_seen = np.all((pixels > 0) & (pixels < last), axis=2)
        if bumped is not None:
            self._is_seen &= bumped._is_seen
        self._is_outside = np.any((points < 0) | (points > layout.size), axis=2)
        low, high = REACHES_IN - leaning[:2] / 2, layout.size - REACHES_IN + leaning[2:] / 2
        self._is_inside = np.all((points > low) & (points < high), axis=2)
        inner = np.pad(self._is_seen[1:-1, 1:-1], 1).astype(np.uint8)
        # The rim is where the strip ends, or the picture does.
        eroded = cv2.erode(inner, np.ones((RIM_POINTS, RIM_POINTS), np.uint8))
        self._is_rim = self._is_seen & (eroded == 0)
        self._has_strip = not (self._is_rim & self._is_inside).any()

    def top_view(self, picture: Picture) -> TopView:
        """Return the top view in a picture."""
        fine = cv2.remap(picture, *self._maps, cv2.INTER_LINEAR)
        size = self._is_seen.shape[::-1]
        top_view: TopView = LOG[cv2.resize(fine, size, interpolation=cv2.INTER_AREA)]
        return top_view

    def arm(self, now: TopView, before: TopView) -> Mask:
        """Return a mask of what reaches in from outside since `before`; all zero for nothing.

        It is always zero if the picture ends at the board, since no rim is seen then.
        """
        arm = np.zeros(self._is_seen.shape, np.uint8)
        if not self._has_strip:
            return arm
        difference = cv2.subtract(now, before)
        difference[~self._is_seen] = 0.0
        changed = self._changed(difference, before)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(changed, connectivity=8)
        for label in range(1, count):
            if stats[label, cv2.CC_STAT_AREA] < SMALLEST * FINENESS**2:
                continue
            here = labels == label
            at_rim = np.count_nonzero(~_is_shadow(difference[here & self._is_rim]))
            if at_rim >= WRIST * FINENESS * RIM_POINTS // 2 and (here & self._is_inside).any():
                arm[here] = 1
        return arm

    def _changed(self, difference: Floats, before: TopView) -> Mask:
        """Return a mask of what has changed by more than light, with small gaps closed."""
        sharp = cv2.absdiff(difference, cv2.blur(difference, (LIGHT_POINTS, LIGHT_POINTS)))
        sharp = np.maximum(np.maximum(sharp[..., 0], sharp[..., 1]), sharp[..., 2])
        is_seen = self._is_seen[::3, ::3]
        quiet = float(np.percentile(sharp[::3, ::3][is_seen], 25))
        spread = float(before[::3, ::3][is_seen].std(axis=0).mean())
        clear = max(CHANGES * spread, ABOVE_NOISE * quiet)
        changed = ((sharp > clear) & self._is_seen).astype(np.uint8)
        changed = cv2.medianBlur(changed, 3)
        joined = [
            cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((n, n), np.uint8)) for n in GAPS
        ]
        mask: Mask = np.where(self._is_outside, joined[1], joined[0])
        return mask


def _is_shadow(difference: Floats) -> Flags:
    """Return the points that have changed no more than by a shadow, (n, 3) to (n,)."""
    least, most = difference.min(axis=1), difference.max(axis=1)
    shadow: Flags = (most < LIGHTER) & (least > -DARKER) & (most - least < HUE)
    return shadow


def _leaning_out(layout: Layout, pose: Pose) -> Floats:
    """Return the lean of tall pieces out over the west, south, east and north side, (4,)."""
    middle, size = layout.size / 2, layout.size
    sides = np.array([(0, middle), (middle, 0), (size, middle), (middle, size)], float)
    outward = np.array([(-1, 0), (0, -1), (1, 0), (0, 1)])
    leans = (pose.lean(sides) * outward).sum(axis=1)
    out: Floats = TALLEST * np.clip(leans, 0.0, 2.0)
    return out


# ------------------------------------------------------------------ pictures that equal each other


COARSE = 8
"""Side of the blocks by which pictures are compared, in pixels."""

AS_MUCH = 1.5
"""Largest difference of equal pictures, in grey levels over three such blocks each way..."""

EQUAL_NOISES = 6.0
"""... or as a multiple of what half of the picture differs by, whichever is more."""

READ_AGAIN_S = 2.0
"""Seconds after which a picture is read again, equal or not: its noise differs, light drifts."""


def equal_to(picture: Picture, at: float) -> Callable[[Picture, float], bool]:
    """Return a test whether a later picture, at its time, equals this one, taken at `at` seconds.

    Equal pictures show the same but for noise, and for light that all of it shares.
    """
    before = _coarse(picture)

    def is_equal(later: Picture, now: float) -> bool:
        if now >= at + READ_AGAIN_S or later.shape[1] // COARSE != before.shape[1]:
            return False
        differs = _coarse(later) - before
        differs -= np.median(differs[::4, ::4])
        differs = np.abs(cv2.blur(differs, (3, 3)))
        usual = float(np.median(differs[::4, ::4]))
        return float(differs.max()) <= max(AS_MUCH, EQUAL_NOISES * usual)

    return is_equal


def _coarse(picture: Picture) -> Floats:
    height, width = picture.shape[:2]
    size = (width // COARSE, height // COARSE)
    coarse = cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    mean: Floats = coarse.mean(axis=2)
    return mean
