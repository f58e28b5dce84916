"""Where the camera stands, by how the pieces of a known position lean in a picture.

A picture that was cut out along the board does not tell by the board's shape from where it was
taken. What stands on the board does: it covers what is behind it. So the camera stands where the
volumes of the pieces explain best which points have their colours, and which the board's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from .arrays import Indices, Picture
from .homography import BoardView
from .layout import Layout
from .pose import Pose
from .topview import Colouring, PointCutter, points_of
from .volumes import ANY, Layers, Volumes

CUT_OUT = 0.04
"""A picture whose corners lie so near to the board's was cut out along it, in sides of the board.
"""

ACROSS = 4
"""Points a square's side."""

TYPICAL = 1.0
"""How high most pieces are taken to be, in squares: lower ones that lean more look alike."""

TURNS, LEANS = np.radians(range(0, 360, 30)), (0.0, 0.15, 0.4, 0.7, 1.0, 1.4)
BREADTHS = (0.65, 0.95)
"""Which way and how far pieces may lean in the middle of the board, in squares, and how broad they
may be, at first sight."""


class Stance(NamedTuple):
    """What is looked for of a camera, and of the pieces."""

    turn: float
    """Which way pieces lean in the middle of the board."""
    lean: float
    """How far, in squares."""
    height: float
    """Of the camera above the board, in its sides."""
    breadth: float
    """Of pieces: see `Volumes`."""

    def changed(self, names: Iterable[str], by: Iterable[float]) -> Stance:
        """Return it with what has these names changed, as far as cameras and pieces can be so."""
        new = {name: getattr(self, name) + more for name, more in zip(names, by, strict=True)}
        new |= {name: max(new[name], least) for name, least in LEAST.items() if name in new}
        return self._replace(**new)

    def pose(self, layout: Layout) -> Pose:
        """Return the camera's place."""
        above = self.height * layout.size
        away = self.lean * (above - 1) * np.array([np.cos(self.turn), np.sin(self.turn)])
        x, y = layout.size / 2 - away
        return Pose(float(x), float(y), above)


FIRST_HEIGHT = 1.2

NEARER: tuple[Mapping[str, Sequence[float]], ...] = (
    {"turn": (-0.2618, 0.0, 0.2618), "lean": (-0.2, 0.0, 0.2)},
    {"height": (-0.3, 0.0, 0.5, 1.2), "breadth": (-0.15, 0.0, 0.15)},
    {"turn": (-0.1222, 0.0, 0.1222), "lean": (-0.1, 0.0, 0.1), "height": (-0.2, 0.0, 0.3)},
)
"""By how much it is changed then, round by round; turns by 15 degrees and by 7."""

LEAST = {"lean": 0.0, "height": 0.7, "breadth": 0.5}
"""No camera stands lower, and no pieces are narrower."""


def is_cut_out(view: BoardView, layout: Layout) -> bool:
    """Whether a picture ends where the board does, so that its shape tells nothing."""
    away = np.hypot(*(view.project(layout.corners)[:, None] - view.rim).T).min(axis=0)
    return bool(away.max() < CUT_OUT * max(view.width, view.height))


def pose_by_leaning(picture: Picture, view: BoardView, layout: Layout, occupants: Indices) -> Pose:
    """Return the pose under which pieces on known squares cover what looks like them in a picture.

    `occupants` are what stands on each square. Their height cannot be told from the camera's: see
    TYPICAL.
    """
    points, levels = points_of(layout, ACROSS), np.full(len(occupants), ANY)
    colours = PointCutter(view, layout, points).colours(picture)
    likely = Colouring(colours, points, occupants).likelihoods(colours)

    def fit(stance: Stance) -> float:
        """Return how well the picture is explained, in nats."""
        volumes = Volumes(points, layout, stance.pose(layout), TYPICAL, stance.breadth)
        return float(np.log(Layers(volumes, occupants, levels, likely).total).sum())

    tried = product(TURNS, LEANS, [FIRST_HEIGHT], BREADTHS)
    best = max((Stance(*each) for each in tried), key=fit)
    for changes in NEARER:
        best = max((best.changed(changes, by) for by in product(*changes.values())), key=fit)
    return best.pose(layout)
