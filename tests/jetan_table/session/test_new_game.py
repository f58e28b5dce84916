"""One game after another at the same board."""

import pytest

from jetan_table.game.commands import (
    AgreeDraw,
    ChooseFirst,
    CommandRefused,
    NewGame,
    PressClock,
    Resign,
)
from jetan_table.game.events import ClockAgreed, Ending, Entry, Event, OpeningAgreed
from jetan_table.session.gestures import Deed
from jetan_table.session.session import News, Session
from jetan_table.session.tabletop import UNKNOWN_PIECE, PieceTracker
from jetan_table.session.view import Phase, View
from rules import Position, format_square, letters, parse_rules, parse_square
from tests.jetan_table.hands import Hands, hands_at, header

START = Position.start(parse_rules("appendix"))


def told(news: list[News]) -> list[Event]:
    return [entry.event for entry in news if isinstance(entry, Entry)]


def look(hands: Hands) -> View:
    return hands.session.view


def test_words_end_a_game_and_begin_another() -> None:
    hands = hands_at()
    hands.move("d2", "d3")
    news = hands.session.obey(Resign("orange"), hands.at)
    assert told(news) == [Ending("black", "resigned")]
    with pytest.raises(CommandRefused, match="over"):
        hands.session.obey(AgreeDraw(), hands.at)
    begun = hands.session.obey(NewGame(header()), hands.at)
    assert [type(item) for item in begun] == [NewGame]
    assert look(hands).phase is Phase.SETTING_UP
    hands.move("d3", "d2")
    assert look(hands).phase is Phase.PLAYING


def test_men_set_up_anew_are_what_the_next_game_says_they_are() -> None:
    hands = hands_at()
    for start, end in (("g1", "f4"), ("f9", "f8"), ("d2", "d3"), ("d9", "d8")):
        hands.move(start, end)
    assert len(look(hands).record.moves) == 4
    men = START.pieces()
    for square in sorted(look(hands).standing):
        hands.lift(format_square(square))
    for square in sorted(men):
        hands.put(format_square(square))
    begun = hands.session.obey(NewGame(header(), is_set_up=True), hands.at)
    assert [type(event) for event in told(begun)] == [Ending]
    assert look(hands).standing == letters(START)
    assert look(hands).phase is Phase.PLAYING


def test_men_set_up_anew_while_the_table_was_off_ask_for_another_game() -> None:
    first = hands_at()
    for start, end in (("g1", "f4"), ("f9", "f8"), ("d2", "d3"), ("d9", "d8")):
        first.move(start, end)
    played = first.session.record
    again = Hands(Session(played), START)
    again.wait()
    made = again.session.gestures.take_made()
    assert made is not None
    assert made.deed is Deed.NEW_GAME
    as_it_was = Hands(Session(played))
    as_it_was.wait()
    assert as_it_was.session.gestures.take_made() is None


def test_what_is_unknown_is_known_only_where_no_more_of_it_stands_than_lacks() -> None:
    stands = letters(START).keys() - {parse_square("d2")}
    one = PieceTracker(START, stands | {parse_square("d5")})
    assert one.standing[parse_square("d5")] == "P"
    two = PieceTracker(START, stands | {parse_square("d5"), parse_square("e5")})
    assert {two.standing[parse_square(name)] for name in ("d5", "e5")} == {UNKNOWN_PIECE}


def test_the_clock_of_who_begins_runs_once_that_is_settled() -> None:
    hands = hands_at()
    hands.news.clear()
    begun: tuple[Event, ...] = (ClockAgreed("10"), OpeningAgreed(first="roll"))
    hands.news += hands.session.obey(NewGame(header(), begun), hands.at)
    with pytest.raises(CommandRefused, match="settle first who begins"):
        hands.session.obey(PressClock(), hands.at)
    hands.news += hands.session.obey(ChooseFirst("orange"), hands.at)
    hands.news += hands.session.obey(PressClock(), hands.at)
    hands.wait(10.0)
    for left in (pytest.approx((600, 590)), pytest.approx((595, 590 - 0.8))):
        clocks = look(hands).record.clocks
        assert clocks is not None
        assert clocks.until(hands.at).left == left
        hands.move("e9", "e8")
