"""What two boards far apart do next, enumerated: whatever each has, in the end both have one game.

Here are no link, no table and no time: two games, two words, and people who carry out what is
wished and say what is to be said.
"""

from __future__ import annotations

from functools import cache
from itertools import product, takewhile

import pytest
from msgspec.structs import replace

from jetan_table.extras.hall.far_match import (
    NOTHING_BACK,
    FarState,
    accepted,
    answer,
    certain,
    is_own,
    next_step,
    side_of_match,
    word_of,
)
from jetan_table.extras.hall.payloads import AskedBack, MatchSide
from jetan_table.game.commands import (
    AcceptDraw,
    Command,
    CommandRefused,
    DeclineDraw,
    EndingCommand,
    OfferDraw,
    Resign,
    TakeBackLast,
)
from jetan_table.game.events import Ending, Entry, Event, Header, Ply
from jetan_table.game.record import Record
from jetan_table.session.umpire import ending_event, undoing_event
from rules import Move, Position, Termination, Worded, format_move, format_position, parse_rules

START = format_position(Position.start(parse_rules("appendix")))
HEADER = Header(
    started=1.0, rules="appendix", start=START, version="", black="Tara", orange="Gahan"
)
TARA = side_of_match("Tara", "black", "appendix", START, "none", other="beta")
GAHAN = accepted(TARA, "alpha", "Gahan")
PLIES = (("Pd2-d3", "Pe2-e3"), ("Pd9-d8", "Pe9-e8"), ("Pf2-f3", "Pg2-g3"))
LINES = [line for count in range(4) for line in product(*PLIES[:count])]
"""All games of up to three plies, with two to choose from each time."""


@cache
def played(line: tuple[str, ...]) -> Record:
    if not line:
        return Record.begin(HEADER)
    return after(played(line[:-1]), Ply(len(line), line[-1]))


def after(record: Record, event: Event) -> Record:
    return record.after(Entry(2.0, event))


class Board:
    """One of two tables: its game, what it keeps of the match, and people who follow its lead."""

    def __init__(self, side: MatchSide, record: Record, known: tuple[str, ...] = ()) -> None:
        """`known` are plies that were on this board before, as its word had them."""
        self.record = record
        self.offered: Record | None = None
        self.contradiction: Worded | None = None
        own = {(at, ply) for line in (known, certain(record)) for at, ply in enumerate(line)}
        self.state = FarState(side, started=1.0)
        own = {(at, ply) for at, ply in own if is_own(self.state, record, at)}
        self.state = replace(self.state, own=frozenset(own))
        self.is_offer_known, self.seen = False, (0, 0)

    def say(self) -> MatchSide:
        """Return the word of this table, as its disk has the game."""
        if self.seen == (id(self.state), id(self.record)):
            return self.state.side
        word = word_of(self.state, self.record, self.offered)
        is_far_offer = self.record.offer is self.state.own_side.other
        self.offered = self.record if is_far_offer else None
        if word != self.state.side:
            self.state = replace(self.state, side=replace(word, rev=word.rev + 1))
        self.seen = id(self.state), id(self.record)
        return self.state.side

    def step(self) -> bool:
        """Do what is due; return whether anything was."""
        step = next_step(self.state, self.record, 2.0, None, self.is_offer_known)
        far = self.state.far
        self.is_offer_known = far is not None and far.offers
        if isinstance(step, Worded):
            is_new, self.contradiction = self.contradiction is None, step
            return is_new
        if step is not None:
            self.do(step)
        return step is not None

    def do(self, step: object) -> None:
        match step:
            case MatchSide():
                self.state = replace(self.state, side=replace(step, rev=step.rev + 1))
            case FarState():
                self.state = step
            case Move():
                ply = Ply(len(certain(self.record)) + 1, format_move(step, self.record.position))
                self.record = after(self.record, ply)
            case AskedBack(to=to):
                while len(certain(self.record)) > to:
                    self.do(TakeBackLast())
            case TakeBackLast():
                self.record = after(self.record, undoing_event(self.record))
            case _ if isinstance(step, EndingCommand):
                if isinstance(step, DeclineDraw) and self.state.far is not None:
                    self.state = replace(self.state, declined=self.state.far.declined)
                event = ending_event(self.record, step, self.record.position.side)
                self.record = after(self.record, event)
            case Ending() if self.record.ending is None:
                self.record = after(self.record, step)
            case _:
                raise AssertionError(step)

    def tell(self, command: Command) -> None:
        """Let people say something; what makes no sense just now is refused, as at a table."""
        try:
            step = answer(self.state, self.record, command)
            self.do(command if step is None else step)
        except CommandRefused:
            pass


def boards(
    black: tuple[str, ...], orange: tuple[str, ...], known: tuple[tuple[str, ...], ...] = ((), ())
) -> tuple[Board, Board]:
    return Board(TARA, played(black), known[0]), Board(GAHAN, played(orange), known[1])


def hear(board: Board, word: MatchSide) -> None:
    if board.state.far is None or word.rev > board.state.far.rev:
        board.state = replace(board.state, far=word)


ORDERS = ("ab", "bba", "a")
"""Who is quicker: both hear and do one thing in turn, one does more, or the other waits long."""


def come_together(pair: tuple[Board, Board], order: str = "ab") -> None:
    """Let both do what is due until nothing is."""
    for _round in range(40):
        was_busy = False
        for name in [*order, *"ab"] if len(order) > 1 else order * 40 + "ab":
            board, other = pair if name == "a" else pair[::-1]
            hear(board, other.say())
            was_busy |= board.step()
            board.say()
        if not was_busy and all(b.state.far == o.say() for b, o in (pair, pair[::-1])):
            return
    raise AssertionError("the boards never come to rest")


@pytest.mark.parametrize("order", ORDERS)
def test_whatever_two_boards_have_they_come_to_one_game_or_say_why_not(order: str) -> None:
    for black, orange in product(LINES, LINES):
        pair = boards(black, orange)
        come_together(pair, order)
        lines = [certain(board.record) for board in pair]
        strange = [
            (at, ply)
            for board, line in zip(pair, lines[::-1], strict=True)
            for at, ply in enumerate(line)
            if is_own(board.state, board.record, at) and (at, ply) not in board.state.own
        ]
        contradictions = [board.contradiction for board in pair if board.contradiction is not None]
        assert (lines[0] == lines[1]) is not bool(contradictions), (black, orange, lines)
        assert bool(strange) is bool(contradictions), (black, orange, lines)


@pytest.mark.parametrize("order", ORDERS)
def test_a_ply_that_was_answered_stays_and_an_amended_one_is_followed(order: str) -> None:
    """Both knew the far board's plies once: then no two boards contradict each other."""
    for black, orange in product(LINES, LINES):
        pair = boards(black, orange, (orange, black))
        come_together(pair, order)
        line, other = (certain(board.record) for board in pair)
        assert line == other, (black, orange)
        assert not any(board.contradiction for board in pair)
        both = takewhile(lambda plies: plies[0] == plies[1], zip(black, orange, strict=False))
        agreed = tuple(ply for ply, _other in both)
        assert line[: len(agreed)] == agreed


def test_what_cannot_be_played_contradicts() -> None:
    for forged in (("Pd2-d9",), ("Pd2-d3", "Pd9-d1"), ("nonsense",)):
        black, orange = boards(forged[:1] if len(forged) > 1 else (), ())
        board = orange if len(forged) == 1 else black
        word = (black if board is orange else orange).say()
        hear(board, replace(word, rev=99, plies=forged, stands=len(forged)))
        assert board.step()
        assert "contradicts" in str(board.contradiction)


WORDS: tuple[Command | None, ...] = (None, Resign(), OfferDraw(), AcceptDraw(), DeclineDraw())


def spoken(line: tuple[str, ...], offer: str) -> tuple[Board, Board]:
    """Return boards that stand alike, where a draw is offered by one of them, both or none."""
    pair = boards(line, line)
    come_together(pair)
    for board in pair:
        if board.state.side.side in offer:
            board.tell(OfferDraw())
    come_together(pair)
    return pair


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("offer", ["", "black", "orange"])
def test_whatever_people_say_at_one_moment_ends_the_game_in_one_way(offer: str, order: str) -> None:
    for line, one, other, is_under_way in product(LINES[:2], WORDS, WORDS, (False, True)):
        pair = spoken(line, offer)
        if is_under_way:  # a ply that the far table has not heard of
            mover = pair[len(line)]
            mover.record = after(mover.record, Ply(len(line) + 1, PLIES[len(line)][1]))
        for board, word in zip(pair, (one, other), strict=True):
            if word is not None:
                board.tell(word)
        come_together(pair, order)
        black, orange = (board.record for board in pair)
        assert black.ending == orange.ending, (line, one, other)
        assert certain(black) == certain(orange)
        assert not any(board.contradiction for board in pair)
        # An offer that crosses another one, or a ply, stands on one board until somebody plays.
        has_crossed = isinstance(one, OfferDraw) and isinstance(other, OfferDraw) and not offer
        assert has_crossed or is_under_way or black.offer == orange.offer
        resigned = [isinstance(word, Resign) for word in (one, other)]
        if all(resigned):
            assert black.ending is not None
            assert black.ending.result == "draw"
        elif any(resigned):
            assert black.ending is not None


@pytest.mark.parametrize("line", LINES[3:])
def test_a_take_back_is_done_on_both_boards_or_on_none(line: tuple[str, ...]) -> None:
    says = (TakeBackLast(), DeclineDraw(), None)
    for asker, reply, order in product((0, 1), says, ORDERS):
        pair = boards(line, line)
        come_together(pair)
        pair[asker].tell(TakeBackLast())
        come_together(pair, order)
        asked = pair[asker].state.back
        if asked is None:  # it has no ply to take back
            assert len(line) == 1
            continue
        assert all(certain(board.record) == line for board in pair)
        if reply is not None:
            pair[1 - asker].tell(reply)
            come_together(pair, order)
        left = [certain(board.record) for board in pair]
        assert left[0] == left[1]
        assert left[0] == (line[: asked.to] if isinstance(reply, TakeBackLast) else line)
        is_open = any(board.state.is_back_open for board in pair)
        assert is_open is (reply is None)
        assert NOTHING_BACK not in [board.state.side.backs for board in pair]


def test_both_may_ask_for_a_take_back_at_one_moment() -> None:
    for line, order in product(LINES[7:], ORDERS):
        pair = boards(line, line)
        come_together(pair)
        for board in pair:
            board.tell(TakeBackLast())
        come_together(pair, order)
        lines = [certain(board.record) for board in pair]
        assert lines[0] == lines[1] == line[:2]
        assert not any(board.state.is_back_open for board in pair)


def test_a_far_end_that_nobody_here_may_know_of_contradicts() -> None:
    ends = (
        ("black", Termination.RESIGNED),
        ("draw", Termination.AGREED),
        ("orange", Termination.TIME),
    )
    for result, why in ends:
        black, orange = boards((), ())
        word = orange.say()
        hear(black, replace(word, rev=9, result=result, why=why.value))
        black.step()
        is_won = result == "black"
        assert (black.record.ending is not None) is is_won, why
        assert (black.contradiction is not None) is not is_won
