"""Typed hands at a simulated board: what they do, what they cannot, what the switches see."""

from collections.abc import Callable
from random import Random

import pytest

from hardware.ports import FaultKind, presence
from jetan_table.boards.screen import TypedHands
from jetan_table.game.commands import CommandRefused
from jetan_table.people.board import steady_board
from jetan_table.session.orientation import Orientation
from rules import SQUARES, Position, Square, letters, parse_rules, parse_square

START = Position.start(parse_rules("appendix"))


class Looked:
    """Typed hands, and what the sensor has seen of them."""

    def __init__(self) -> None:
        self.hands = TypedHands(steady_board(letters(START), Random(1)), letters(START))
        self.at = 10.0
        self.occupied: set[Square] = set()
        self.flips: list[tuple[Square, bool]] = []
        self.wait(0.1)
        self.flips.clear()

    def wait(self, seconds: float) -> None:
        until = self.at + seconds
        while self.at < until:
            self.at += 0.005
            for observation in self.hands.board.poll(self.at):
                for square, evidence in observation.squares.items():
                    assert evidence is not None
                    is_occupied = presence(evidence) > 0
                    self.flips.append((square, is_occupied))
                    (self.occupied.add if is_occupied else self.occupied.discard)(square)


def squares(*names: str) -> list[Square]:
    return [parse_square(name) for name in names]


def test_the_board_is_seen_as_it_stands() -> None:
    assert Looked().occupied == set(letters(START))


def test_a_slide_closes_the_squares_on_its_way() -> None:
    looked = Looked()
    looked.hands.move(squares("d2", "d3", "e4"), looked.at)
    looked.wait(3.0)
    d2, d3, e4 = squares("d2", "d3", "e4")
    assert looked.flips == [(d2, False), (d3, True), (d3, False), (e4, True)]


def test_a_capture_lifts_attacker_then_victim_and_boxes_it() -> None:
    looked = Looked()
    looked.hands.move(squares("a1", "a10"), looked.at)
    looked.wait(3.0)
    a1, a10 = squares("a1", "a10")
    assert looked.flips == [(a1, False), (a10, False), (a10, True)]
    assert looked.hands.box == ["w"]
    assert looked.hands.standing[a10] == "W"
    looked.hands.put(a1, looked.at, "w")
    looked.wait(1.0)
    assert (looked.hands.box, looked.hands.standing[a1]) == ([], "w")
    assert a1 in looked.occupied


def test_a_piece_knocked_over_stands_again() -> None:
    looked = Looked()
    looked.hands.tilt(parse_square("d2"), looked.at)
    looked.wait(1.0)
    assert parse_square("d2") not in looked.occupied
    looked.wait(4.0)
    assert parse_square("d2") in looked.occupied


@pytest.mark.parametrize(
    ("does", "refusal"),
    [
        (lambda hands, e5, d2: hands.lift(e5, 20.0), "nothing stands on e5"),
        (lambda hands, e5, d2: hands.tilt(e5, 20.0), "nothing stands on e5"),
        (lambda hands, e5, d2: hands.put(e5, 20.0), "e5 is empty, and so are hand and box"),
        (lambda hands, e5, d2: hands.put(d2, 20.0), "d2 is taken"),
        (lambda hands, e5, d2: hands.drop(), "the hand is empty"),
        (lambda hands, e5, d2: hands.put(e5, 20.0, "F"), "no F is in the hand or the box"),
    ],
)
def test_what_no_hand_can_do_is_refused(does: Callable[..., None], refusal: str) -> None:
    with pytest.raises(CommandRefused, match=refusal):
        does(Looked().hands, *squares("e5", "d2"))


def test_all_can_be_put_right_at_once() -> None:
    looked = Looked()
    looked.hands.move(squares("d2", "d7"), looked.at)
    looked.hands.lift(parse_square("a1"), looked.at)
    looked.hands.set_up(START, looked.at)
    looked.wait(8.0)
    assert looked.occupied == set(letters(START))
    assert looked.hands.standing == letters(START)


def test_switches_are_broken_and_mended() -> None:
    looked = Looked()
    d2, e2, f2 = squares("d2", "e2", "f2")
    looked.hands.fail(d2, FaultKind.DEAD, looked.at)
    looked.hands.fail(e2, FaultKind.STUCK, looked.at)
    looked.hands.weaken(f2, looked.at)
    assert looked.hands.ailing == {d2: "dead", e2: "stuck", f2: "weak"}
    looked.hands.lift(e2, looked.at)
    looked.wait(30.0)
    assert {d2, e2} - looked.occupied == {d2}
    assert (f2, False) in looked.flips
    looked.hands.mend(looked.at)
    looked.wait(2.0)
    assert {d2, e2} - looked.occupied == {e2}
    assert looked.hands.ailing == {}
    looked.flips.clear()
    looked.wait(30.0)
    assert looked.flips == []


def test_a_board_that_was_found_to_lie_turned_is_named_otherwise() -> None:
    looked = Looked()
    looked.hands.turn(Orientation(tuple(reversed(SQUARES))))
    a1, j10 = squares("a1", "j10")
    assert (looked.hands.standing[j10], looked.hands.standing[a1]) == ("W", "w")
    looked.hands.lift(j10, looked.at)
    looked.wait(1.0)
    assert looked.flips == [(a1, False)]


def test_hands_sit_down_at_another_board() -> None:
    looked = Looked()
    looked.hands.lift(parse_square("a1"), looked.at)
    looked.hands.fail(parse_square("d2"), FaultKind.DEAD, looked.at)
    disk = Position.start(parse_rules("ninth-ray-clockwise"))
    looked.hands.sit_down(disk, Random(1))
    assert (looked.hands.in_hand, looked.hands.ailing) == ([], {})
    looked.at, looked.occupied = 0.0, set()
    looked.wait(1.0)
    assert looked.occupied == set(letters(disk)) == set(looked.hands.standing)
