"""Which of a few boards an oblique picture shows: painted pictures from low over the board."""

from dataclasses import replace

import numpy as np
import pytest

from rules import Occupant, grid
from vision.arrays import Floats, Indices
from vision.layout import layout_of
from vision.painted import Stage
from vision.pose import pose_of
from vision.synthesis import Synthesis
from vision.topview import PointCutter, points_of

LAYOUT = layout_of(grid())
POINTS = points_of(LAYOUT)
NORTH = 10
"""From a square to the one behind it, as seen from the south."""


def _start() -> Indices:
    occupants = np.full(100, Occupant.EMPTY.value)
    occupants[:20] = Occupant.BLACK
    occupants[80:] = Occupant.ORANGE
    return occupants


def _moved(occupants: Indices, start: int, end: int) -> Indices:
    after = occupants.copy()
    after[start], after[end] = Occupant.EMPTY, occupants[start]
    return after


def _colours(scene: Stage, occupants: Indices, seed: int) -> Floats:
    picture = scene.paint(occupants.tolist(), seed)
    return PointCutter(scene.view, LAYOUT, POINTS).colours(picture)


def _begun(scene: Stage) -> Synthesis:
    pose = pose_of(scene.view, np.full(2, LAYOUT.size / 2))
    return Synthesis(LAYOUT, pose, _colours(scene, _start(), 1), _start())


def _nats(likelihoods: Floats, occupants: Indices) -> float:
    return float(likelihoods[np.arange(100), occupants].sum())


@pytest.mark.parametrize("turn", [0.0, 160.0])
@pytest.mark.parametrize(("start", "end"), [(14, 34), (5, 55), (86, 66)])
def test_a_move_is_likelier_than_one_farther_or_none(start: int, end: int, turn: float) -> None:
    scene = replace(Stage(LAYOUT, 40.0, turn), lens=0.0)
    likelihoods = _begun(scene).likelihoods(_colours(scene, _moved(_start(), start, end), 2))
    true = _nats(likelihoods, _moved(_start(), start, end))
    for rival in (_start(), *(_moved(_start(), start, end + by) for by in (NORTH, -NORTH, 1, -1))):
        assert true > _nats(likelihoods, rival) + 3


def test_a_board_that_stays_says_so() -> None:
    scene = replace(Stage(LAYOUT, 40.0), lens=0.0)
    likelihoods = _begun(scene).likelihoods(_colours(scene, _start(), 2))
    assert (likelihoods.argmax(axis=1) == _start()).all()


def test_what_is_not_known_of_a_square_does_not_become_its_look() -> None:
    """A move that nobody has understood is seen still, after a lesson about all other squares."""
    scene = replace(Stage(LAYOUT, 40.0), lens=0.0)
    synthesis, after = _begun(scene), _moved(_start(), 14, 34)
    known = _start()
    known[[14, 34]] = -1
    synthesis.learn(_colours(scene, after, 2), known)
    likelihoods = synthesis.likelihoods(_colours(scene, after, 3))
    assert _nats(likelihoods, after) > _nats(likelihoods, _start()) + 3
