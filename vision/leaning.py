"""Where the camera stands, by how the men of a known position lean in a picture.

A picture that was cut out along the board does not tell by the board's shape from where it was
taken. What stands on the board does: it covers what is behind it.
"""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np

from rules import Occupant

from .arrays import Floats, Indices, Picture
from .features import GRAIN, LOG, OPPONENT
from .homography import BoardView
from .layout import Layout
from .pose import Pose

CUT_OUT = 0.04
"""A picture whose corners lie so near to the board's was cut out along it, in sides of the board.
"""

ACROSS = 8
"""Points a square's side, by which a picture is held against what is expected."""

FOOT, HEAD, TYPICAL = 0.3, 0.17, 1.0
"""How broad a man is below and above to both sides of his middle, and how high; in squares."""

BREADTHS = (1.0, 1.35)
"""How broad men may be, in shares of that: slim ones taken for broad, or the other way, would have
to lean to cover what they cover."""

DIRECTIONS = 36
LEANS = np.arange(0.1, 1.7, 0.1)
"""How far a man of typical height may lean in the middle of the board, in squares."""

USUAL_HEIGHT, HEIGHTS = 1.4, (0.8, 1.1, 1.4, 2.0, 4.0)
"""How high the camera may be above the board, in its sides."""


def is_cut_out(view: BoardView, layout: Layout) -> bool:
    """Whether a picture ends where the board does, so that its shape tells nothing."""
    corners = view.project(layout.corners)
    right, low = view.width - 1, view.height - 1
    rim = np.array([(0, 0), (right, 0), (right, low), (0, low)], float)
    away = np.hypot(*(corners[:, None] - rim[None]).T).min(axis=0)
    return bool(away.max() < CUT_OUT * max(right, low))


def pose_by_leaning(picture: Picture, view: BoardView, layout: Layout, occupants: Indices) -> Pose:
    """Return the pose under which men on known squares cover what they cover in a picture.

    `occupants` are what stands on each square. Their height cannot be told from the camera's: they
    are taken for as high as a square is wide, most of them.
    """
    covered = _covered(picture, view, layout, occupants)
    is_man = occupants != Occupant.EMPTY
    men, spans = layout.centres[is_man], layout.spans[is_man]

    def fit(tried: tuple[Pose, float]) -> float:
        expected = _expected(men, spans, spans * tried[1], tried[0], covered.shape[0])
        return float(np.corrcoef(expected.ravel(), covered.ravel())[0, 1])

    turns = np.arange(DIRECTIONS) * 2 * np.pi / DIRECTIONS
    poses = [_leaning(layout, 0.0, 0.0, USUAL_HEIGHT)]
    poses += [_leaning(layout, turn, lean, USUAL_HEIGHT) for turn in turns for lean in LEANS]
    best, breadth = max(product(poses, BREADTHS), key=fit)
    lean = best.lean(np.full(2, layout.size / 2))
    turn, length = float(np.arctan2(lean[1], lean[0])), float(np.hypot(*lean))
    higher = [_leaning(layout, turn, length, height) for height in HEIGHTS]
    return max(((pose, breadth) for pose in higher), key=fit)[0]


def _leaning(layout: Layout, turn: float, lean: float, height: float) -> Pose:
    """Return a pose in which what is one square high leans so far, that way, in the middle."""
    above = height * layout.size
    x, y = layout.size / 2 - lean * (above - 1) * np.array([np.cos(turn), np.sin(turn)])
    return Pose(float(x), float(y), above)


def _covered(picture: Picture, view: BoardView, layout: Layout, occupants: Indices) -> Floats:
    """Return how surely each point of the board shows something else than it, from above."""
    side = np.arange(0.5 / ACROSS, layout.size, 1 / ACROSS)
    points = np.stack(np.meshgrid(side, side), -1)
    square = ((points[:, :, None] - layout.centres) ** 2).sum(axis=3).argmin(axis=2)
    pixels = view.project(points).astype(np.float32)
    logs = LOG[cv2.remap(picture, pixels[..., 0], pixels[..., 1], cv2.INTER_LINEAR)]
    shade, is_empty = np.array(layout.colours)[square], (occupants == Occupant.EMPTY)[square]
    bare = [np.median(logs[(shade == colour) & is_empty], axis=0) for colour in (0, 1)]
    away = np.abs((logs - np.array(bare)[shade]) @ OPPONENT).sum(axis=2)
    covered: Floats = np.clip(away / GRAIN, 0.0, 2.0)
    return covered


def _expected(men: Floats, spans: Floats, broad: Floats, pose: Pose, points: int) -> Floats:
    """Return which points of the board men would cover, from above, 0 or 1.

    Men on squares of these `spans` stand as high as those are wide, and are as broad as they are on
    squares of the spans `broad`.
    """
    expected = np.zeros((points, points), np.uint8)
    lean = pose.lean(men) * spans[:, None]
    for share in np.linspace(0, TYPICAL, 6):
        radii = broad * (FOOT + share * (HEAD - FOOT))
        at = np.round(16 * (ACROSS * (men + share * lean) - 0.5)).astype(int)
        for (x, y), radius in zip(at.tolist(), radii.tolist(), strict=True):
            cv2.circle(expected, (x, y), round(16 * ACROSS * radius), 1, -1, shift=4)
    return expected.astype(float)
