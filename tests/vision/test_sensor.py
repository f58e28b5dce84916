"""A board under a camera as a sensor: what it tells, when, and what it learns."""

from collections.abc import Sequence
from copy import deepcopy
from functools import cache

import numpy as np

from hardware.ports import Evidence
from rules import SQUARES, Occupant, Square, parse_square
from tests.vision.test_camera import GRID, LATER, START
from vision.camera import BoardCamera, Clarity
from vision.eye import BLIND_S, CameraSensor
from vision.finder import BoardFinder
from vision.geometry import Picture
from vision.painted import Stage
from vision.sources import Frame

SCENE = Stage(GRID)


def camera(scene: Stage = SCENE) -> BoardCamera:
    return BoardCamera(BoardFinder(GRID, corners=scene.view.project(GRID.corners)), False, True)


def sensor(known: Sequence[int] | None = START) -> CameraSensor:
    made = CameraSensor(camera)
    made.know(known)
    return made


@cache
def painted(occupants: tuple[int, ...], hand: tuple[float, float] | None = None) -> Picture:
    """Paint a board; the same one once only, for it takes long."""
    return SCENE.paint(occupants, 3, hand=hand)


def show(
    made: CameraSensor,
    at: float,
    occupants: Sequence[int] = START,
    hand: tuple[float, float] | None = None,
) -> dict[Square, Evidence | None]:
    """Let the camera see a board, and return what is told of it."""
    made.take(Frame("painted", at, painted(tuple(occupants), hand)))
    evidence_of: dict[Square, Evidence | None] = {}
    for observation in made.poll(at + 0.05):
        evidence_of |= observation.squares
    return evidence_of


@cache
def _begun() -> CameraSensor:
    made = sensor()
    show(made, 0.0)
    return made


def begun() -> CameraSensor:
    """A sensor that has seen the start at 0.0: a copy of one, for to begin takes long."""
    return deepcopy(_begun())


def read(evidence_of: dict[Square, Evidence | None]) -> list[int]:
    return [
        evidence.index(max(evidence))
        for square in SQUARES
        if (evidence := evidence_of[square]) is not None
    ]


def test_a_whole_look_is_told_once() -> None:
    made = sensor()
    assert read(show(made, 0.0)) == START
    assert made.poll(0.1) == []
    assert read(show(made, 1.0, LATER)) == LATER
    assert made.status.clarity is Clarity.SETTLED


def test_nothing_is_told_before_the_position_is_known_and_stands() -> None:
    made = sensor(known=None)
    assert show(made, 0.0) == {}
    made.know(START)
    assert show(made, 1.0, [0] * 100) == {}
    assert made.status.clarity is Clarity.NOT_SET_UP
    sentence, _, named = made.status.why.partition(": look at ")
    assert sentence == "no pieces are seen where they should stand"
    assert len(named.split(", ")) > 20
    assert all(START[parse_square(name)] for name in named.split(", "))
    assert read(show(made, 2.0)) == START


def test_a_piece_that_stands_wrong_at_the_start_is_seen() -> None:
    wrong = START.copy()
    wrong[12], wrong[32] = Occupant.EMPTY, Occupant.BLACK
    assert read(show(sensor(), 0.0, wrong)) == wrong


def test_what_people_say_stands_there_is_begun_with_anew() -> None:
    misread = START.copy()
    misread[12] = Occupant.EMPTY
    made = sensor()
    before = show(made, 0.0, misread)[Square(12)]
    assert made.doubts
    made.confirm()
    after = show(made, 1.0, misread)[Square(12)]
    assert before is not None
    assert after is not None
    assert after[Occupant.BLACK] > before[Occupant.BLACK] + 5.0
    assert not made.doubts


def test_no_board_is_said() -> None:
    made = sensor()
    made.take(Frame("black", 0.0, np.zeros((720, 1280, 3), np.uint8)))
    assert made.status.clarity is Clarity.NOT_FOUND
    assert made.status.why
    assert read(show(made, 1.0)) == START


def test_a_hindrance_lasts_though_it_changes() -> None:
    made = sensor()
    made.take(Frame("black", 0.0, np.zeros((720, 1280, 3), np.uint8)))
    show(made, 1.0, [0] * 100)
    assert (made.status.clarity, made.status.since) == (Clarity.NOT_SET_UP, 0.0)


def test_a_hand_hides_the_board_for_a_while_then_all_is_unknown() -> None:
    made = begun()
    assert show(made, 1.0, hand=(4.0, 5.0)) == {}
    assert made.status.clarity is Clarity.COVERED
    (blind,) = made.poll(0.1 + BLIND_S)
    assert set(blind.squares.values()) == {None}
    assert made.poll(1.0 + BLIND_S) == []
    assert read(show(made, 5.0)) == START


def test_a_camera_that_is_gone_says_why() -> None:
    made = begun()
    made.take(Frame("camera", 3.0, None, "the camera is gone"))
    assert (made.status.clarity, made.status.why) == (Clarity.UNREADABLE, "the camera is gone")
    assert made.status.since == 3.0
    assert read(show(made, 60.0, LATER)) == LATER


def test_what_was_told_of_a_ply_teaches() -> None:
    """A board whose light changes for good is read on, because every ply is a lesson."""
    made = begun()
    occupants = START.copy()
    for number in range(1, 4):
        scene = Stage(GRID, light=1.0 - 0.1 * number, shade=0.2 + 0.1 * number)
        occupants[10 + number], occupants[20 + number] = Occupant.EMPTY, Occupant.BLACK
        picture = scene.paint(occupants, number)
        for at in (5.0 * number, 5.0 * number + 2):
            made.take(Frame("painted", at, picture))
            (observation,) = made.poll(at)
            made.know(occupants)
        assert read(dict(observation.squares)) == occupants


def test_a_piece_that_is_away_teaches_nothing() -> None:
    """A player thinks with a piece in the air: its square does not become its look."""
    made = begun()
    lifted = START.copy()
    lifted[12] = Occupant.EMPTY
    for at in (2.0, 4.0, 6.0, 8.0):
        evidence = show(made, at, lifted)[Square(12)]
        assert evidence is not None
        assert evidence.index(max(evidence)) == Occupant.EMPTY
    assert read(show(made, 10.0)) == START


def test_another_eye_begins_anew() -> None:
    made = begun()
    moved = SCENE.bumped(60.0, 20.0)
    made.restart(lambda: camera(moved))
    made.take(Frame("moved", 1.0, moved.paint(START, 1)))
    (observation,) = made.poll(1.0)
    assert read(dict(observation.squares)) == START


def test_times_run_forward() -> None:
    made = begun()
    (blind,) = made.poll(BLIND_S)
    made.take(Frame("late", BLIND_S - 0.2, painted(tuple(START))))
    (observation,) = made.poll(BLIND_S + 0.1)
    assert observation.at >= blind.at
