"""Clocks at a table, over perfect switches: time, flags, pauses and presses."""

import pytest

from jetan_table.game.commands import (
    ChooseFirst,
    CommandRefused,
    NewGame,
    PressClock,
    SetClock,
)
from jetan_table.game.events import (
    ClockAgreed,
    Ending,
    Entry,
    Event,
    OpeningAgreed,
)
from jetan_table.session.view import Phase
from tests.jetan_table.hands import Hands, assert_rebuilt, events, hands_at, header, plies


def hands_with(clock: str, start: str | None = None) -> Hands:
    hands = hands_at(start)
    hands.news += hands.session.obey(SetClock(clock), hands.at)
    return hands


def left(hands: Hands) -> tuple[float, float]:
    """What both clocks show now, to a tenth."""
    clocks = hands.session.view.terms.clocks
    assert clocks is not None
    now = clocks.until(hands.at).left
    return round(now.black, 1), round(now.orange, 1)


def test_a_flag_ends_the_game_at_the_moment_it_falls() -> None:
    hands = hands_with("0:10")
    hands.move("d2", "d3")
    fell_at = hands.at - 5.0 + 10.0
    hands.wait(5.5)
    assert events(hands)[-1] == Ending("black", "time forfeit")
    assert isinstance(hands.news[-1], Entry)
    assert hands.news[-1].at == pytest.approx(fell_at)
    assert hands.session.view.phase is Phase.OVER
    hands.move("e9", "e8")
    assert plies(hands) == ("Pd2-d3",)
    assert_rebuilt(hands)


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
    assert left(hands) == (600, 590)
    hands.move("e9", "e8")
    assert left(hands)[0] == 595
