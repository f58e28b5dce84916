"""Typed hands at a simulated board: what they do, what they cannot, what the switches see."""

from random import Random

import pytest
from jetan_table.simulation.presets import PRESETS

from hardware.ports import presence
from hardware.simulated_contacts import Wear
from jetan_table.game.events import Question
from jetan_table.game.placement import letters
from jetan_table.simulation.board import SimulatedBoard
from jetan_table.simulation.typed import AutoHands, HandRefused, TypedHands
from rules import Position, Square, parse_rules, parse_square

START = Position.start(parse_rules("appendix"))
STILL = Wear(bounce_share=0.0)


class Looked:
    """Typed hands, and what the sensor has seen of them."""

    def __init__(self) -> None:
        board = SimulatedBoard(letters(START), Random(1), STILL)
        self.hands = TypedHands(board, letters(START))
        self._sensor = board.sensor()
        self.at = 10.0
        self.occupied: set[Square] = set()
        self.flips: list[tuple[Square, bool]] = []
        self.wait(0.1)
        self.flips.clear()

    def wait(self, seconds: float) -> None:
        until = self.at + seconds
        while self.at < until:
            self.at += 0.005
            self.hands.play(self.at)
            for observation in self._sensor.poll(self.at):
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
    assert (looked.hands.box, looked.hands.standing[a1]) == ([], "w")


def test_a_piece_knocked_over_stands_again() -> None:
    looked = Looked()
    looked.hands.tilt(parse_square("d2"), looked.at)
    looked.wait(1.0)
    assert parse_square("d2") not in looked.occupied
    looked.wait(4.0)
    assert parse_square("d2") in looked.occupied


def test_what_no_hand_can_do_is_refused() -> None:
    hands = Looked().hands
    with pytest.raises(HandRefused, match="nothing stands on e5"):
        hands.lift(parse_square("e5"), 20.0)
    with pytest.raises(HandRefused, match="e5 is empty, and so are hand and box"):
        hands.put(parse_square("e5"), 20.0)
    with pytest.raises(HandRefused, match="d2 is taken"):
        hands.put(parse_square("d2"), 20.0)
    with pytest.raises(HandRefused, match="the hand is empty"):
        hands.drop()
    with pytest.raises(HandRefused, match="no F is in the hand or the box"):
        hands.put(parse_square("e5"), 20.0, "F")


def test_all_can_be_put_right_at_once() -> None:
    looked = Looked()
    looked.hands.move(squares("d2", "d7"), looked.at)
    looked.hands.lift(parse_square("a1"), looked.at)
    looked.hands.set_up(START, looked.at)
    looked.wait(8.0)
    assert looked.occupied == set(letters(START))
    assert looked.hands.standing == letters(START)


def test_simulated_people_know_what_they_did() -> None:
    hands = AutoHands(START, PRESETS["01"], 3, 100.0)
    while len(hands.game.rows) < 5:
        hands.play(hands.game.settled + 30.0)
    row = hands.game.rows[2]
    assert hands.asked(Question(row.ply, row.from_, (row.to,))) == parse_square(row.to)
    assert hands.asked(Question(row.ply, None, (row.from_,), row.to)) == parse_square(row.from_)
