"""What the network says of squares by their looks alone: painted pictures, some from low down."""

from dataclasses import replace

import numpy as np
import pytest

from rules import Occupant, grid
from vision.geometry import Indices, layout_of, pose_of
from vision.painted import Stage
from vision.squares import SquareClassifier
from vision.witness import THEN, UNSEEN, WEIGHTS, LongPatches, SquareWitness, long_cutter

LAYOUT = layout_of(grid())
MOST_BYTES = 500_000


def _start() -> Indices:
    occupants = np.full(100, Occupant.EMPTY.value)
    occupants[:20] = Occupant.BLACK
    occupants[80:] = Occupant.ORANGE
    return occupants


def _moved(start: int, end: int) -> Indices:
    after = _start()
    after[start], after[end] = Occupant.EMPTY, after[start]
    return after


def _patches(scene: Stage, occupants: Indices, seed: int) -> LongPatches:
    pose = pose_of(scene.view, np.full(2, LAYOUT.size / 2))
    return long_cutter(scene.view, LAYOUT, pose)(scene.paint(occupants.tolist(), seed))


@pytest.mark.parametrize("elevation", [40.0, 65.0])
def test_it_says_what_stands_on_every_square(elevation: float) -> None:
    scene = replace(Stage(LAYOUT, elevation), lens=0.0)
    witness = SquareWitness(LAYOUT, _patches(scene, _start(), 1), _start())
    darker = replace(scene, light=0.8)
    after = _moved(14, 34)
    likelihoods = witness.judge(_patches(darker, after, 2))[0][:, : Occupant.NEUTRAL]
    assert (likelihoods.argmax(axis=1) != after).sum() <= 1
    assert likelihoods[14, Occupant.BLACK] < -3
    assert likelihoods[34, Occupant.EMPTY] < -3


def test_how_a_square_looked_at_first_tells_until_the_camera_moves() -> None:
    scene = replace(Stage(LAYOUT, 45.0), lens=0.0)
    first = _patches(scene, _start(), 1)
    witness = SquareWitness(LAYOUT, first, _start())
    assert (witness.inputs(_patches(scene, _start(), 2))[1] == _start()).all()
    assert (witness.inputs(first)[1] == UNSEEN).all()  # it proves nothing beside itself
    for turn, is_known in ((4.0, True), (30.0, False), (90.0, False)):
        shown, stood = witness.inputs(_patches(replace(scene, turn=turn), _start(), 3))
        assert ((stood != UNSEEN) == is_known).all()
        assert shown[..., THEN:].any() == is_known


def test_nobody_is_taught_what_it_denies() -> None:
    """A piece has moved, and the lesson says that it has not: the next look knows better."""
    scene = replace(Stage(LAYOUT, 45.0), lens=0.0)
    classifier = SquareClassifier(LAYOUT, False)
    classifier.learn(classifier.cut(scene.paint(_start().tolist(), 1), scene.view), _start())
    after = _moved(14, 34)
    for seed in range(2, 5):
        patches = classifier.cut(scene.paint(after.tolist(), seed), scene.view)
        evidence = classifier.read(patches)
        classifier.learn(patches, _start(), evidence)
    likelihoods = classifier.read(patches).likelihoods
    assert likelihoods[14].argmax() == Occupant.EMPTY
    assert likelihoods[34].argmax() == Occupant.BLACK


def test_its_weights_are_small() -> None:
    assert WEIGHTS.stat().st_size < MOST_BYTES
    assert WEIGHTS.with_suffix(".json").exists()
