"""Illegal moves of every kind are refused: nothing is told, blamed, asked or taken back."""

from random import Random

import pytest

from jetan_table.game.commands import AgreeDraw
from jetan_table.game.events import Fault, TakeBack
from jetan_table.game.record import Record
from jetan_table.session.session import Session
from rules import SQUARES, Move, Position, Square, format_position, format_square, parse_rules
from tests.jetan_table.hands import Hands, events, header, plies

RULES = parse_rules("appendix,thoat=jumps")
KINDS = ("wrong side", "too far", "own piece", "after the end")
FLIGHTS_S = (0.12, 0.4, 1.5, 12.0)
STANDS_S = (1.5, 4.0, 25.0)


def played(rng: Random, plies: int) -> Position:
    """A position after so many random plies of a game that has not ended."""
    while True:
        position = Position.start(RULES)
        for _ in range(plies):
            if position.ended is None:
                position = position.play(rng.choice(position.moves()))
        if position.ended is None and any(not takes(position, m) for m in position.moves()):
            return position


def takes(position: Position, move: Move) -> bool:
    return bool(position.occupied >> move.to_square & 1)


def quiet_move(position: Position, rng: Random) -> Move:
    return rng.choice([move for move in position.moves() if not takes(position, move)])


def illegal(position: Position, kind: str, rng: Random) -> tuple[Square, Square] | None:
    """An illegal move of a kind, as its ends; None where the position has none."""
    free = [square for square in SQUARES if not position.occupied >> square & 1]
    own = [s for s, piece in position.pieces().items() if piece.side is position.side]
    others = [s for s, piece in position.pieces().items() if piece.side is not position.side]
    legal = {(move.from_square, move.to_square) for move in position.moves()}
    if kind == "wrong side":
        start = rng.choice(others)
        near = [square for square in free if abs(square - start) in (1, 9, 10, 11)]
        return (start, rng.choice(near)) if near else None
    start = rng.choice(own)
    ends = [s for s in own if s != start] if kind == "own piece" else free
    if kind != "after the end":
        ends = [end for end in ends if (start, end) not in legal]
    return (start, rng.choice(ends)) if ends else None


def names(hands: Hands) -> list[object]:
    return [event for event in events(hands) if isinstance(event, Fault | TakeBack)]


def is_refused(seed: int) -> bool:
    """Play a ply, move as is not allowed, put it back, and play on: is nothing else told?"""
    rng = Random(seed)
    kind = KINDS[seed % len(KINDS)]
    position = played(rng, rng.randrange(0, 60))
    hands = Hands(Session(Record.begin(header(RULES, format_position(position)))))
    first = quiet_move(position, rng)
    after = position.play(first)
    hands.move(format_square(first.from_square), format_square(first.to_square))
    done = plies(hands)
    assert len(done) == 1, (seed, kind)
    if after.ended is not None:
        return True
    if kind == "after the end":
        hands.session.obey(AgreeDraw(), hands.at)
    ends = illegal(after, kind, rng)
    if ends is None or ends[0] == first.to_square:  # that amends the ply
        return True
    start, end = map(format_square, ends)
    if kind == "own piece":
        hands.lift(end)
    hands.lift(start)
    hands.wait(rng.choice(FLIGHTS_S))
    hands.put(end, after_s=0.05)
    hands.wait(rng.choice(STANDS_S))
    record = hands.session.record
    about = (seed, kind, start, end, format_position(after))
    assert plies(hands) == done, about
    assert record.faults == {}, about
    assert record.question is None, about
    hands.lift(end)
    hands.put(start)
    if kind == "own piece":
        hands.put(end)
    hands.wait(6.0)
    assert plies(hands) == done, about
    assert names(hands) == [], about
    if kind == "after the end":
        return hands.session.record.ending is not None
    follows = quiet_move(after, rng)
    hands.move(format_square(follows.from_square), format_square(follows.to_square))
    return len(plies(hands)) == len(done) + 1


@pytest.mark.parametrize("block", range(4))
def test_illegal_moves_are_refused_and_led_back(block: int) -> None:
    for seed in range(10 * block, 10 * block + 10):
        assert is_refused(seed)


@pytest.mark.soak("reading")
@pytest.mark.parametrize("block", range(100))
def test_a_thousand_illegal_moves_are_refused_and_led_back(block: int) -> None:
    for seed in range(100 + 10 * block, 110 + 10 * block):
        assert is_refused(seed)
