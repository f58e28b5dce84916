"""Which frames count: those in which nothing moves and nobody reaches over the board.

Every frame is looked at as a top view of the board and a strip around it. Where its points differ
from the frame before, something moves. A frame at rest is held against the last trusted ones: what
has changed and reaches in over the rim, against all of them, is an arm. In a film, squares that
newly look like nothing known are hidden by something, too. Whatever does not move for long is
scenery. A frame is trusted by whoever knows that the board has not changed in it. An arm that came
in before the first frame was trusted cannot be told, nor one where the picture ends at the board.
A board on which nothing moves is not read again.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from .finder import BoardPlace
from .geometry import TALLEST, BoardView, Flags, Floats, Layout, Mask, Picture, Pose, pose_of
from .patches import LOG

CHANGED = 0.15
"""What differs more from the frame before moves, in logarithms of brightness (`patches.LOG`): 37
grey levels off white, 2 off black."""

STILL = 0.01
"""The share of points that may do so in a still picture, for noise and lamps that flicker: on a
board of 100 squares and its surroundings, less than two squares."""

QUIET_FRAMES = 2
"""So many still frames in a row count as rest; how long that takes is the camera's affair."""

REMEMBERED = 5
"""Frames without an arm, against each of which a new one is held: what is as in any of them is no
arm. Each is about twice as old as the next, so that an arm that rests unseen never fills them."""

STRANGE_SQUARES = 2
"""Where so many squares look like nothing known, and did not before, something hides them."""

LEAST_S = 0.5
"""Of frames that are less apart than this, in seconds, one does."""

SAME_ARM = 0.8
"""An arm that covers so much of what it did, of what both cover together, has not moved."""

SCENERY_S = 10.0
"""An arm that has not moved for so many seconds is no arm: a book was laid down, say. Nor is one
that has not from one still to the next: they are taken longer apart than arms rest."""


class Gate:
    """Judges frames of one view. `are_stills`: each frame was taken at rest, so none is awaited."""

    def __init__(self, are_stills: bool) -> None:
        self._are_stills = are_stills
        self._arms: ArmDetector | None = None
        self._trusted: list[tuple[float, TopView]] = []
        self._now: TopView | None = None
        self._quiet = 0
        self._arm: Mask | None = None
        self._arm_since = 0.0
        self._usual: Flags | None = None
        """The squares that look strange without an arm."""
        self._strange: Flags | None = None
        self._strange_since = 0.0

    def enter(self, place: BoardPlace, picture: Picture) -> None:
        """Begin with a place. What was known of another is of use if a bump alone lies between."""
        bumped = self._arms if place.is_bumped else None
        if bumped is None:
            self.forget()
        self._arms = ArmDetector(place.view, place.layout, bumped)
        self._now = self._arms.top_view(picture)
        self._arm = self._strange = None

    def forget(self) -> None:
        """Hold frames against none from before: they show how blurred those were, not arms."""
        self._trusted.clear()

    def is_moving(self, picture: Picture) -> bool:
        """Take a frame in, and say whether something moves, or did a moment ago."""
        assert self._arms is not None, "enter comes first"
        before, self._now = self._now, self._arms.top_view(picture)
        if self._are_stills or before is None:
            return False
        change = (self._now - before).mean(axis=2)
        moving = np.abs(change - np.median(change)) > CHANGED
        self._quiet = 0 if moving.mean() > STILL else self._quiet + 1
        return self._quiet < QUIET_FRAMES

    def is_reached_into(self, at: float) -> bool:
        """Say whether somebody reaches over the board in the last frame taken in."""
        assert self._arms is not None
        assert self._now is not None
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

    def is_hidden(self, strange: Flags, at: float) -> bool:
        """Say whether something lies over the squares of a film that look like nothing known.

        Whatever has lain there for long belongs to the board. Stills are taken when hands have
        rested: what hides a square there hides the rest of the game as well.
        """
        if self._usual is None:
            self._usual = strange.copy()
        new = strange & ~self._usual
        if new.sum() >= STRANGE_SQUARES and self._trusted:
            assert self._arms is not None
            assert self._now is not None
            new &= ~self._arms.shadowed(self._now, self._trusted[-1][1])
        if new.sum() < STRANGE_SQUARES:
            self._strange = None
            return False
        before = self._strange
        if before is None or (new & before).sum() < SAME_ARM * (new | before).sum():
            self._strange, self._strange_since = new, at
            return True
        if at < self._strange_since + SCENERY_S:
            return True
        self._usual = self._usual | new
        return False

    def trust(self, at: float) -> None:
        """Remember the last frame taken in, at a time, as one that nobody reached into."""
        if self._now is None:
            return
        self._trusted.append((at, self._now))
        if len(self._trusted) > REMEMBERED:
            times = np.array([each for each, _ in self._trusted])
            gaps = (times[2:] - times[:-2]) / (at - times[:-2] + LEAST_S)
            del self._trusted[1 + int(gaps.argmin())]


# ------------------------------------------------------------------ arms


STRIP = 1.5
"""How wide the strip around the board is at least, in squares."""

FINENESS = 10
"""Points a square."""

CLEAR = 0.45
"""What differs by more than this from how it was, light taken out, has changed: in spreads of all
that is seen, since a bright or pale picture shows arms and all else with less contrast."""

NOISE = 5.0
"""It must also differ by so many times what a quarter of all points stay below: noise."""

SOFT = 5 * FINENESS
"""What changes alike over so many points is light."""

REACHES_IN = 0.05
"""How far over the board, or what leans out of it, an arm reaches at least, in squares."""

GAPS = (5, 9)
"""What is bridged between changed points, on the board and beside it: skins may be like tables."""

WRIST = 0.5
"""An arm is at least so wide where it comes in, in squares: tall pieces that lean out are not."""

LIGHTER, DARKER, HUE = 0.1, 1.2, 0.2
"""A shadow and what lies beside it differ by no more than so, in logarithms, and all colours alike
but for so much: what reaches the rim only so is the shadow of a piece or a person, not an arm."""

RIM = 7
"""Twice the width of the rim, in points: what is cut off at a picture's edge is blurred there."""

SMALLEST = 2.5
"""The area of the smallest arm, in squares."""

TopView = Floats
"""A board and its surroundings as seen from straight above: logarithms, (rows, columns, 3)."""


class ArmDetector:
    """Compares a board and a strip around it with how they were, for arms that reach in.

    Both are drawn as if seen from straight above, ten points a square, in logarithms. The
    difference from an earlier top view is freed of what changes alike over five squares, which is
    light. What is left beyond the noise is joined into regions. A region is an arm where it is
    large enough, crosses the rim over a wrist's width by more than a shadow would, and lies over
    the board. A piece is none, however tall: it does not reach the rim.
    """

    def __init__(self, view: BoardView, layout: Layout, bumped: ArmDetector | None = None) -> None:
        """`bumped` looked at the same surroundings before a bump: its top views are good here."""
        self.pose: Pose = bumped.pose if bumped else pose_of(view, np.full(2, layout.size / 2))
        leaning = _leaning_out(layout, self.pose)
        west, south, east, north = STRIP + leaning
        across = np.arange(-west, layout.size + east, 1 / FINENESS) + 0.5 / FINENESS
        along = np.arange(-south, layout.size + north, 1 / FINENESS) + 0.5 / FINENESS
        points = np.stack(np.meshgrid(across, along), -1)
        pixels = view.project(points)
        # Four points for one: what is averaged is less noisy.
        quarters = np.array([-0.25, 0.25]) / FINENESS
        fine = [(axis[:, None] + quarters).ravel() for axis in (across, along)]
        finer = view.project(np.stack(np.meshgrid(*fine), -1))
        self._maps = cv2.convertMaps(finer.astype(np.float32), None, cv2.CV_16SC2)
        last = (view.width - 1, view.height - 1)
        low_corner = np.array([west, south])
        spots = 0.3 * np.array([(0, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)])
        inside = layout.centres[:, None] + spots
        self._in_squares = ((inside + low_corner) * FINENESS).astype(int)
        self._is_seen = np.all((pixels > 0) & (pixels < last), axis=2)
        if bumped is not None:
            self._is_seen &= bumped._is_seen
        self._is_outside = np.any((points < 0) | (points > layout.size), axis=2)
        low, high = REACHES_IN - leaning[:2] / 2, layout.size - REACHES_IN + leaning[2:] / 2
        self._is_inside = np.all((points > low) & (points < high), axis=2)
        inner = np.pad(self._is_seen[1:-1, 1:-1], 1).astype(np.uint8)
        # The rim is where the strip ends, or the picture does.
        self._is_rim = self._is_seen & (cv2.erode(inner, np.ones((RIM, RIM), np.uint8)) == 0)
        self._has_strip = not (self._is_rim & self._is_inside).any()

    def top_view(self, picture: Picture) -> TopView:
        """Return the surroundings in a picture."""
        fine = cv2.remap(picture, *self._maps, cv2.INTER_LINEAR)
        size = self._is_seen.shape[::-1]
        top_view: TopView = LOG[cv2.resize(fine, size, interpolation=cv2.INTER_AREA)]
        return top_view

    def arm(self, now: TopView, before: TopView) -> Mask:
        """Return where something reaches in from outside, as a mask; all zero where nothing does.

        Nothing can be said where the picture ends at the board.
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
            if at_rim >= WRIST * FINENESS * RIM // 2 and (here & self._is_inside).any():
                arm[here] = 1
        return arm

    def shadowed(self, now: TopView, before: TopView) -> Flags:
        """Return for each square whether most of it is as it was, or in the shadow of something."""
        difference = now - before
        difference -= np.median(difference[::3, ::3], axis=(0, 1))
        across, along = self._in_squares[..., 0], self._in_squares[..., 1]
        points = difference[along, across]
        shadow = _is_shadow(points.reshape(-1, 3)).reshape(points.shape[:2])
        shadowed: Flags = shadow.mean(axis=1) > 0.5
        return shadowed

    def _changed(self, difference: Floats, before: TopView) -> Mask:
        """Return what has changed by more than light, small gaps in it bridged."""
        sharp = cv2.absdiff(difference, cv2.blur(difference, (SOFT, SOFT)))
        sharp = np.maximum(np.maximum(sharp[..., 0], sharp[..., 1]), sharp[..., 2])
        is_seen = self._is_seen[::3, ::3]
        quiet = float(np.percentile(sharp[::3, ::3][is_seen], 25))
        spread = float(before[::3, ::3][is_seen].std(axis=0).mean())
        clear = max(CLEAR * spread, NOISE * quiet)
        changed = ((sharp > clear) & self._is_seen).astype(np.uint8)
        changed = cv2.medianBlur(changed, 3)
        joined = [
            cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((n, n), np.uint8)) for n in GAPS
        ]
        mask: Mask = np.where(self._is_outside, joined[1], joined[0])
        return mask


def _is_shadow(difference: Floats) -> Flags:
    """Return which points differ from what they were no more than a shadow makes them."""
    least, most = difference.min(axis=1), difference.max(axis=1)
    shadow: Flags = (most < LIGHTER) & (least > -DARKER) & (most - least < HUE)
    return shadow


def _leaning_out(layout: Layout, pose: Pose) -> Floats:
    """Return how far tall pieces lean out over each side of the board: west, south, east, north."""
    middle, size = layout.size / 2, layout.size
    sides = np.array([(0, middle), (middle, 0), (size, middle), (middle, size)], float)
    outward = np.array([(-1, 0), (0, -1), (1, 0), (0, 1)])
    leans = (pose.lean(sides) * outward).sum(axis=1)
    out: Floats = TALLEST * np.clip(leans, 0.0, 2.0)
    return out


# ------------------------------------------------------------------ pictures that equal each other


COARSE = 8
"""Pictures are compared by squares of so many pixels."""

AS_MUCH = 1.5
"""What differs by no more, in grey levels over three such squares each way, is the same..."""

NOISES = 6.0
"""... or by no more than so many times what half of the picture differs by."""

READ_AGAIN_S = 2.0
"""After so long a picture is read again, equal or not: its noise is another, and light drifts."""


def equal_to(picture: Picture, at: float) -> Callable[[Picture, float], bool]:
    """Return what tells whether a picture equals this one, soon after it.

    It then shows the same but for noise, and for light that all of it shares.
    """
    before = _coarse(picture)

    def is_equal(later: Picture, now: float) -> bool:
        if now >= at + READ_AGAIN_S or later.shape[1] // COARSE != before.shape[1]:
            return False
        differs = _coarse(later) - before
        differs -= np.median(differs[::4, ::4])
        differs = np.abs(cv2.blur(differs, (3, 3)))
        return float(differs.max()) <= max(AS_MUCH, NOISES * float(np.median(differs[::4, ::4])))

    return is_equal


def _coarse(picture: Picture) -> Floats:
    height, width = picture.shape[:2]
    size = (width // COARSE, height // COARSE)
    coarse = cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    mean: Floats = coarse.mean(axis=2)
    return mean
