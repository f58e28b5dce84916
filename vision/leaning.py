"""Where the camera stands, by how the men of a known position lean in a picture.

A picture that was cut out along the board does not tell by the board's shape from where it was
taken. What stands on the board does: it covers what is behind it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np

from .arrays import Flags, Floats, Indices, Picture
from .homography import BoardView
from .layout import Layout
from .pose import Pose
from .topview import ACROSS, Colouring, colours_at, points_of

CUT_OUT = 0.04
"""A picture whose corners lie so near to the board's was cut out along it, in sides of the board.
"""

FOOT, HEAD, TYPICAL = 0.3, 0.17, 1.0
"""How broad a man is below and above to both sides of his middle, and how high; in squares."""

BREADTHS = (1.0, 1.35)
"""How broad men may be, in shares of that: slim ones taken for broad, or the other way, would have
to lean to cover what they cover."""

DIRECTIONS, NEARER = 24, np.radians((-10, -5, 0, 5, 10))
LEANS, LEANS_NEARER = np.arange(0.0, 1.7, 0.2), (-0.1, 0.0, 0.1)
"""How far a man of typical height may lean in the middle of the board, in squares."""

HEIGHTS, HEIGHTS_NEARER = (0.8, 1.4, 3.0), (0.8, 1.1, 1.4, 2.0, 4.0)
"""How high the camera may be above the board, in its sides."""

FOR_MAN, FOR_BOARD = 2.5, 0.45
"""No point says more, in nats: a man has lights and marks of other colours than most of him."""


@dataclass(frozen=True, slots=True)
class SideShown:
    """The men of one side as they are known to stand, and where such men are seen."""

    centres: Floats
    """(men, 2)."""
    spans: Floats
    seen: Floats
    """How much more each point of the board, from above, looks like such a man than like the board,
    (points, points), in nats."""


def is_cut_out(view: BoardView, layout: Layout) -> bool:
    """Whether a picture ends where the board does, so that its shape tells nothing."""
    corners = view.project(layout.corners)
    right, low = view.width - 1, view.height - 1
    rim = np.array([(0, 0), (right, 0), (right, low), (0, low)], float)
    away = np.hypot(*(corners[:, None] - rim[None]).T).min(axis=0)
    return bool(away.max() < CUT_OUT * max(right, low))


def pose_by_leaning(picture: Picture, view: BoardView, layout: Layout, occupants: Indices) -> Pose:
    """Return the pose under which men on known squares cover what looks like them in a picture.

    `occupants` are what stands on each square. Their height cannot be told from the camera's: they
    are taken for as high as a square is wide, most of them.
    """
    armies = _armies(picture, view, layout, occupants)

    def best(
        turns: Iterable[float],
        leans: Iterable[float],
        heights: Iterable[float],
        breadths: Iterable[float],
    ) -> tuple[float, float, float, float]:
        tried = product(turns, leans, heights, breadths)
        return max(tried, key=lambda each: _fit(armies, _leaning(layout, *each[:3]), each[3]))

    around = np.arange(DIRECTIONS) * 2 * np.pi / DIRECTIONS
    turn, lean, height, _ = best(around, LEANS, HEIGHTS, [float(np.mean(BREADTHS))])
    leans = [max(lean + more, 0.0) for more in LEANS_NEARER]
    turn, lean, height, broad = best(turn + NEARER, leans, [height], BREADTHS)
    turn, lean, height, _ = best([turn], [lean], HEIGHTS_NEARER, [broad])
    return _leaning(layout, turn, lean, height)


def _leaning(layout: Layout, turn: float, lean: float, height: float) -> Pose:
    """Return a pose in which what is one square high leans so far, that way, in the middle.

    It is `height` sides of the board high.
    """
    above = height * layout.size
    x, y = layout.size / 2 - lean * (above - 1) * np.array([np.cos(turn), np.sin(turn)])
    return Pose(float(x), float(y), above)


def _armies(
    picture: Picture, view: BoardView, layout: Layout, occupants: Indices
) -> list[SideShown]:
    """Return the men of each side, and where a picture shows what has their colours."""
    points = points_of(layout)
    colours = colours_at(picture, view, layout, points)
    likely = Colouring(colours, points, occupants).likelihoods(colours)
    side = round(len(colours) ** 0.5)
    return [
        SideShown(
            layout.centres[occupants == who],
            layout.spans[occupants == who],
            np.clip(np.log(of_side / likely.bare), -FOR_BOARD, FOR_MAN).reshape(side, side),
        )
        for who, of_side in likely.men.items()
    ]


def _fit(armies: Iterable[SideShown], pose: Pose, broad: float) -> float:
    """Return how much what men would cover, of such a breadth, looks like them, in nats."""
    return sum(float(army.seen[_covered(army, pose, broad)].sum()) for army in armies)


def _covered(army: SideShown, pose: Pose, broad: float) -> Flags:
    """Return which points of the board men would cover, from above."""
    covered = np.zeros(army.seen.shape, np.uint8)
    lean = pose.lean(army.centres) * army.spans[:, None]
    for share in np.linspace(0, TYPICAL, 6):
        radii = broad * army.spans * (FOOT + share * (HEAD - FOOT))
        at = np.round(16 * (ACROSS * (army.centres + share * lean) - 0.5)).astype(int)
        for (x, y), radius in zip(at.tolist(), radii.tolist(), strict=True):
            cv2.circle(covered, (x, y), round(16 * ACROSS * radius), 1, -1, shift=4)
    return covered.astype(bool)
