"""Illegal moves of every kind are refused: nothing is told, blamed or taken back.

Nothing is asked either, but for what the piece has taken that people hold, or have put down where
one of their own stands: switches see no more of it than of one that takes unseen.
"""

from random import Random

import pytest

from jetan_table.game.commands import AgreeDraw
from jetan_table.game.events import Fault, TakeBack
from jetan_table.game.record import Record
from jetan_table.session.session import Session
from rules import (
    SQUARES,
    Move,
    Position,
    Square,
    explain,
    format_position,
    format_square,
    parse_rules,
    squares_of,
)
from rules.words import Reason
from tests.jetan_table.hands import Hands, events, header, plies

RULES = parse_rules("appendix,thoat=jumps")
KINDS = (
    *(Reason.NOT_ITS_TURN, Reason.WRONG_STEPS, Reason.OWN_PIECE),
    *(Reason.THREATENED, Reason.BLOCKED, Reason.GAME_OVER),
)
LEGAL = {Reason.STEPS, Reason.TAKES}
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


def illegal(position: Position, kind: Reason, rng: Random) -> tuple[Square, Square] | None:
    """A move that the rules refuse for that reason, as its ends; None where there is none.

    Where a game has ended it is one that would be legal if it had not.
    """
    wanted = LEGAL if kind is Reason.GAME_OVER else {kind}
    pairs = [(start, end) for start in squares_of(position.occupied) for end in SQUARES]
    rng.shuffle(pairs)
    return next((ends for ends in pairs if explain(position, *ends).reason in wanted), None)


def names(hands: Hands, asked: int) -> list[object]:
    """What was named or taken back, but for the questions that were asked."""
    back = [event for event in events(hands) if isinstance(event, TakeBack)]
    return [*(event for event in events(hands) if isinstance(event, Fault)), *back[asked:]]


def asked_of_illegal(seed: int) -> bool:
    """Play a ply, move as is not allowed, put it back, and play on; return if anything was asked.

    Nothing else may be told.
    """
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
        return False
    if kind is Reason.GAME_OVER:
        hands.session.obey(AgreeDraw(), hands.at)
    ends = illegal(after, kind, rng)
    if ends is None or ends[0] == first.to_square:  # that amends the ply
        return False
    start, end = map(format_square, ends)
    stands = bool(after.occupied >> ends[1] & 1)
    if stands:
        hands.lift(end)
    hands.lift(start)
    hands.wait(rng.choice(FLIGHTS_S))
    hands.put(end, after_s=0.05)
    hands.wait(rng.choice(STANDS_S))
    record = hands.session.record
    question = record.question
    about = (seed, kind, start, end, format_position(after))
    assert question is None or question.from_square == start, about
    assert plies(hands) == (done if question is None else (*done, f"{start}?")), about
    assert record.faults == {}, about
    hands.lift(end)
    hands.put(start)
    if stands:
        hands.put(end)
    hands.wait(6.0)
    assert plies(hands) == done, about
    assert names(hands, question is not None) == [], about
    if kind is Reason.GAME_OVER:
        assert hands.session.record.ending is not None, about
        return question is not None
    follows = quiet_move(after, rng)
    hands.move(format_square(follows.from_square), format_square(follows.to_square))
    assert len(plies(hands)) == len(done) + 1, about
    return question is not None


def test_illegal_moves_are_refused_and_led_back() -> None:
    assert not any(map(asked_of_illegal, range(4 * len(KINDS))))


@pytest.mark.soak("reading")
@pytest.mark.parametrize("block", range(100))
def test_a_thousand_illegal_moves_are_refused_and_led_back(block: int) -> None:
    assert sum(map(asked_of_illegal, range(100 + 10 * block, 110 + 10 * block))) <= 1
