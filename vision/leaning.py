"""Where the camera stands, by how the men of known positions lean in its pictures.

A picture that was cut out along the board does not tell by the board's shape from where it was
taken. What stands on the board does: it covers what is behind it. So the camera stands where the
volumes of the men explain best which points have their colours, and which the board's.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import NamedTuple

import numpy as np

from .arrays import Indices, Picture
from .homography import BoardView
from .layout import Layout
from .pose import Pose
from .topview import Colouring, Likely, colours_at, points_of
from .volumes import ANY, Layers, Volumes

CUT_OUT = 0.04
"""A picture whose corners lie so near to the board's was cut out along it, in sides of the board.
"""

ACROSS = 4
"""Points a square's side."""

TYPICAL = 1.0
"""How high men are taken to be, most of them, in squares: lower ones who lean more look alike."""

TURNS, LEANS = np.radians(range(0, 360, 30)), (0.0, 0.15, 0.4, 0.7, 1.0, 1.4)
BREADTHS = (0.65, 0.95)
"""Which way and how far men may lean in the middle of the board, in squares, and how broad they may
be, at first sight."""


class Stance(NamedTuple):
    """What is looked for of a camera, and of the men."""

    turn: float
    """Which way men lean in the middle of the board."""
    lean: float
    """How far, in squares."""
    height: float
    """Of the camera above the board, in its sides."""
    breadth: float
    """Of men: see `Volumes`."""

    def pose(self, layout: Layout) -> Pose:
        """Return the camera's place."""
        above = self.height * layout.size
        away = self.lean * (above - 1) * np.array([np.cos(self.turn), np.sin(self.turn)])
        x, y = layout.size / 2 - away
        return Pose(float(x), float(y), above)


FIRST_HEIGHT = 1.2

NEARER = (
    {"turn": np.radians((-15, 0, 15)), "lean": (-0.2, 0.0, 0.2)},
    {"height": (-0.3, 0.0, 0.5, 1.2), "breadth": (-0.15, 0.0, 0.15)},
    {"turn": np.radians((-7, 0, 7)), "lean": (-0.1, 0.0, 0.1), "height": (-0.2, 0.0, 0.3)},
)
"""By how much it is changed then, round by round."""

LOWEST, NARROWEST = 0.7, 0.5
"""No camera stands lower, in sides of the board, and no men are narrower."""


def is_cut_out(view: BoardView, layout: Layout) -> bool:
    """Whether a picture ends where the board does, so that its shape tells nothing."""
    corners = view.project(layout.corners)
    right, low = view.width - 1, view.height - 1
    rim = np.array([(0, 0), (right, 0), (right, low), (0, low)], float)
    away = np.hypot(*(corners[:, None] - rim[None]).T).min(axis=0)
    return bool(away.max() < CUT_OUT * max(right, low))


class Leaning:
    """Finds the pose under which men on known squares cover what looks like them.

    Their height cannot be told from the camera's: see TYPICAL.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout, self._points = layout, points_of(layout, ACROSS)
        self._shown: list[tuple[Indices, Likely]] = []

    def show(self, picture: Picture, view: BoardView, occupants: Indices) -> None:
        """Take in one more picture of a known position."""
        colours = colours_at(picture, view, self._layout, self._points)
        palette = Colouring(colours, self._points, occupants)
        self._shown.append((occupants, palette.likelihoods(colours)))

    def pose(self) -> Pose:
        """Return the pose that explains all pictures best."""
        tried = product(TURNS, LEANS, [FIRST_HEIGHT], BREADTHS)
        best = self._best(Stance(*each) for each in tried)
        for changes in NEARER:
            best = self._best(
                best._replace(**dict(zip(changes, each, strict=True)))
                for each in product(
                    *([getattr(best, name) + by for by in bys] for name, bys in changes.items())
                )
            )
        return best.pose(self._layout)

    def _best(self, stances: Iterable[Stance]) -> Stance:
        return max(
            (
                each._replace(
                    lean=max(each.lean, 0.0),
                    height=max(each.height, LOWEST),
                    breadth=max(each.breadth, NARROWEST),
                )
                for each in stances
            ),
            key=self._fit,
        )

    def _fit(self, stance: Stance) -> float:
        """Return how well the pictures are explained, in nats."""
        volumes = Volumes(
            self._points, self._layout, stance.pose(self._layout), TYPICAL, stance.breadth
        )
        levels = np.full(len(self._layout.centres), ANY)
        return sum(
            float(np.log(Layers(volumes, occupants, levels, likely).total).sum())
            for occupants, likely in self._shown
        )
