"""Which frames count: what a gate remembers, and which frames need not be read again."""

from functools import cache

import numpy as np
import pytest

from tests.vision.test_camera import GRID, LATER, START
from vision.camera import BoardCamera, Clarity
from vision.finder import BoardFinder
from vision.gate import READ_AGAIN_S, REST_S, SCENERY_S, Gate, equal_to
from vision.geometry import Picture
from vision.painted import Stage
from vision.sources import Frame

SCENE = Stage(GRID)


@cache
def painted(hand: tuple[float, float] | None = None) -> Picture:
    return SCENE.paint(START, 2, hand=hand)


def entered() -> Gate:
    """Return a gate that has seen the board alone."""
    gate = Gate(are_stills=False)
    corners = SCENE.view.project(GRID.corners)
    gate.enter(BoardFinder(GRID, corners=corners).find(painted()), painted())
    gate.trust(0.0)
    return gate


def test_an_arm_that_was_trusted_for_a_while_makes_none_of_the_board_without_it() -> None:
    gate = entered()
    for number in range(1, 9):
        gate.is_moving(painted((8.0, 5.0)), 5.0 + 0.1 * number)
        gate.trust(5.0 + 0.1 * number)
    gate.is_moving(painted(), 6.0)
    assert not gate.is_reached_into(6.0)


def test_what_hides_several_squares_is_waited_for_until_it_has_lain_there_for_long() -> None:
    gate, covered = entered(), np.zeros(100, bool)
    assert not gate.is_hidden(covered, 0.0)
    gate.is_moving(painted((5.0, 5.0)), 1.0)
    covered[[45, 46, 55, 56, 65]] = True
    assert gate.is_hidden(covered, 1.0)
    assert gate.is_hidden(covered, 1.0 + SCENERY_S / 2)
    assert not gate.is_hidden(covered, 1.0 + SCENERY_S)
    assert not gate.is_hidden(covered, 2.0 + SCENERY_S)


def test_squares_apart_from_each_other_hide_nothing_and_become_usual_one_by_one() -> None:
    gate, covered = entered(), np.zeros(100, bool)
    assert not gate.is_hidden(covered, 0.0)
    covered[22] = True
    assert not gate.is_hidden(covered, 1.0)
    covered[66] = True
    assert not gate.is_hidden(covered, 5.0)
    covered[23] = True
    assert gate.is_hidden(covered, SCENERY_S)
    assert not gate.is_hidden(covered, 1.0 + SCENERY_S)
    covered[67] = True
    assert gate.is_hidden(covered, 2.0 + SCENERY_S)
    assert not gate.is_hidden(covered, 5.0 + SCENERY_S)


def dimmed(picture: Picture, light: float) -> Picture:
    return (picture * light).astype(np.uint8)


def test_a_lamp_that_dims_moves_nothing_and_a_hand_in_the_dusk_does() -> None:
    """By ratios of brightness, and not by differences: these are large in light, small in dusk."""
    gate = entered()
    moving = [gate.is_moving(dimmed(painted(), light), at) for at, light in enumerate((1, 1, 0.7))]
    assert moving[1:] == [False, False]
    moving = [gate.is_moving(dimmed(painted(), 0.1), at) for at in (3.0, 3.2, 3.4, 3.6)]
    assert not moving[-1]
    assert gate.is_moving(dimmed(painted((5.0, 5.0)), 0.1), 3.8)


@pytest.mark.parametrize("frames", [2, 4, 10, 30])
def test_rest_lasts_a_time_however_many_frames_that_takes(frames: int) -> None:
    gate = entered()
    times = [1 + number / frames for number in range(frames)]
    moving = [gate.is_moving(painted((8.0, 5.0)), at) for at in times]
    assert moving == [at - times[0] < REST_S for at in times]


def noisy(picture: Picture, seed: int) -> Picture:
    noise = np.random.default_rng(seed).normal(0.0, 3.0, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def test_noise_and_light_are_no_news_and_a_piece_is() -> None:
    still = equal_to(noisy(painted(), 1), 0.0)
    assert still(noisy(painted(), 2), 0.1)
    assert still(noisy(np.clip(painted(), 5, 250) - 4, 3), 0.1)
    assert not still(noisy(SCENE.paint(LATER, 2), 2), 0.1)
    assert not still(noisy(painted(), 2), READ_AGAIN_S)


def test_a_frame_that_equals_the_last_is_not_read_again() -> None:
    camera = BoardCamera(BoardFinder(GRID, corners=SCENE.view.project(GRID.corners)), False, False)
    first = camera.begin(Frame("0", 0.0, painted()), START)
    again = camera.look(Frame("1", 0.1, noisy(painted(), 4)))
    assert (again.is_again, again.clarity, again.frame.name) == (True, Clarity.SETTLED, "1")
    assert again.seen is first.seen
    anew = camera.look(Frame("2", READ_AGAIN_S, painted()))
    assert not anew.is_again
    assert not camera.look(Frame("3", READ_AGAIN_S + 0.1, painted((5.0, 5.0)))).is_again
