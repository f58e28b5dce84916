"""The camera's reader where nothing explains what is seen: lost, shown boards, the way back."""

from __future__ import annotations

import pytest

from jetan_table.reading.camera_beam import (
    STEP,
    BoardLook,
    KeptLook,
    LookDecoder,
)
from jetan_table.reading.readings import FoundAgain, GameLost, Reading
from rules import Square
from tests.jetan_table.reading.test_camera_reader import (
    START,
    OneStep,
    Position,
    Sitting,
    after,
    moves_of,
)


def strayed() -> tuple[Sitting, GameLost[Position]]:
    """A sitting whose board shows one strange thing after another, none of them legal."""
    sitting = Sitting()
    readings: list[Reading[Position]] = []
    sitting.look(after(START, (11, 19)))
    wrong = (-20.0, 0.0, -20.0, -20.0)
    for count in (2, 3, 4):
        unlike = dict.fromkeys((32, 34, 36, 38)[:count], wrong)
        readings += sitting.look(after(START, (11, 19)), unlike=unlike)
    (lost,) = readings
    assert isinstance(lost.event, GameLost)
    return sitting, lost.event


def test_that_the_game_is_lost_is_said_within_three_looks_and_which_boards_may_stand_there() -> (
    None
):
    sitting, lost = strayed()
    assert lost.number == 2
    assert 1 <= len(lost.positions) <= 3
    assert after(START, (11, 19)) in lost.positions
    position = after(START, (11, 19))
    again: list[Reading[Position]] = []
    for move in ((52, 44), (10, 18)):
        position = after(position, move)
        again += sitting.look(position)
    assert moves_of(again) == [(52, 44), (10, 18)]
    assert any(isinstance(each.event, FoundAgain) for each in again)


def strange(sitting: Sitting, count: int, apart_s: float) -> list[Reading[Position]]:
    """Show as much that no step explains, so long after the look before."""
    sitting.now += apart_s
    wrong = dict.fromkeys((32, 34, 36, 38)[:count], (-20.0, 0.0, -20.0, -20.0))
    return sitting.look(START, unlike=wrong)


def test_a_game_is_not_lost_by_two_pictures_however_far_apart_they_are() -> None:
    sitting = Sitting()
    sitting.look(START)
    assert [strange(sitting, count, apart_s=60.0) for count in (2, 3)] == [[], []]
    assert moves_of(sitting.look(after(START, (11, 19)))) == [(11, 19)]


def test_a_game_is_lost_where_one_board_stays_unexplained_while_it_is_looked_at() -> None:
    sitting = Sitting()
    sitting.look(START)
    readings = [strange(sitting, 2, apart_s=-0.5) for _ in range(25)]
    (at,) = [index for index, each in enumerate(readings) if each]
    assert 15 <= at <= 20  # looks, half a second apart


def test_people_choose_the_board_that_stands_there() -> None:
    sitting, lost = strayed()
    with pytest.raises(ValueError, match="no board 4"):
        sitting.reader.stands(4, sitting.now)
    chosen = lost.positions.index(after(START, (11, 19))) + 1
    sitting.reader.stands(chosen, sitting.now)
    assert sitting.reader.likeliest == [(11, 19)]
    assert moves_of(sitting.look(after(START, (11, 19), (52, 44)))) == [(52, 44)]


def test_a_way_back_is_found_by_what_later_looks_show() -> None:
    """Play has gone on while nothing could be made of the looks."""
    sitting, _ = strayed()
    moves = [(11, 19), (52, 44), (10, 18), (53, 45), (14, 22), (50, 42), (9, 17)]
    hidden = dict.fromkeys((32, 34, 36), (-20.0, 0.0, -20.0, -20.0))
    readings: list[Reading[Position]] = []
    for count in range(2, len(moves)):
        readings += sitting.look(after(START, *moves[:count]), unlike=hidden)
    assert moves_of(readings) == []
    readings += [each for _ in range(2) for each in sitting.look(after(START, *moves))]
    assert moves_of(readings) == moves[1:]
    assert any(isinstance(each.event, FoundAgain) for each in readings)


def test_the_way_back_pays_for_what_each_look_shows_and_for_its_steps() -> None:
    decoder = LookDecoder(OneStep())
    evidence = {
        11: (0.0, -3.0, -9.0, -9.0),
        19: (0.0, -2.0, -9.0, -9.0),
        36: (-5.0, 0.0, -9.0, -9.0),
    }
    look = BoardLook({Square(square): nats for square, nats in evidence.items()})
    decoder.keep(KeptLook(1.0, look))
    costs = {way.position: way.cost for way in decoder.ways_from(START, 0.0)}
    assert costs[START] == 3.0 + 5.0
    assert costs[after(START, (11, 19))] == STEP + 2.0 + 5.0


def test_the_way_back_pays_once_for_a_square_that_goes_on_misleading() -> None:
    decoder = LookDecoder(OneStep())
    for at, hides, comes in ((1.0, 5.0, False), (2.0, 6.0, True), (3.0, 4.0, True)):
        evidence = {
            11: (0.0, -20.0, -20.0, -20.0) if comes else (-20.0, 0.0, -20.0, -20.0),
            19: (-3.0, 0.0, -20.0, -20.0) if comes else (0.0, -3.0, -20.0, -20.0),
            36: (-hides, 0.0, -20.0, -20.0),
            37: (at % 2 - 1.0, -(at % 2), -20.0, -20.0),  # two looks alike would be kept as one
        }
        decoder.keep(KeptLook(at, BoardLook({Square(n): nats for n, nats in evidence.items()})))
    costs = {way.position: way.cost for way in decoder.ways_from(START, 0.0)}
    assert costs[after(START, (11, 19))] == STEP + 6.0 + 1.0


def test_a_way_that_too_much_speaks_against_is_not_told() -> None:
    sitting = Sitting()
    for end in (27, 29, 35, 37):
        sitting.look(START, unlike={end: (-20.0, 0.0, -20.0, -20.0)})
    assert sitting.look(after(START, (11, 19))) == []
    assert sitting.look(START) == []
    assert moves_of(sitting.look(after(START, (11, 19)))) == [(11, 19)]
