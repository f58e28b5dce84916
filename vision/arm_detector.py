"""Watches the board and a strip around it for arms: what reaches in from outside.

Board and strip are drawn as if seen from straight above, ten points a square, in logarithms. The
difference from an earlier top view is freed of what changes alike over five squares, which is
light. What is left beyond the noise is joined into regions. A region is an arm where it is large
enough, crosses the rim over a wrist's width by more than a shadow would, and lies over the board.
A piece is none, however tall: it does not reach the rim.
"""

from __future__ import annotations

import cv2
import numpy as np

from .arrays import Flags, Floats, Mask, Picture
from .features import LOG
from .geometry import TALLEST, BoardView, Layout, Pose, pose_of

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
    """Compares the surroundings of a board with how they were."""

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
