"""Clocks at a table, over perfect switches: time, flags, pauses and presses."""

import pytest

from jetan_table.game.commands import (
    ChooseFirst,
    CommandRefused,
    DecideFight,
    NewGame,
    PauseGame,
    PressClock,
    ResumeGame,
    SetClock,
    SetConduct,
    TakeBackLast,
)
from jetan_table.game.events import (
    ClockAgreed,
    ClockShows,
    Ending,
    Entry,
    Event,
    OpeningAgreed,
    Pause,
    Ply,
    Press,
    Resume,
)
from jetan_table.game.record import Record
from jetan_table.session.session import Session
from jetan_table.session.umpire import NOTE_S
from jetan_table.session.view import Phase
from rules import Side, parse_rules
from tests.jetan_table.hands import ASKING, Hands, assert_rebuilt, events, hands_at, header, plies


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


def looks_paused(hands: Hands) -> bool:
    return hands.session.view.terms.is_paused


def test_a_ply_counts_from_when_the_hand_was_done() -> None:
    hands = hands_with("10")
    hands.move("d2", "d3")
    landed_at = hands.at - 5.0  # `move` waits for five seconds after it
    assert left(hands) == (600, 595)
    ply = next(e for e in hands.news if isinstance(e, Entry) and isinstance(e.event, Ply))
    assert ply.at == pytest.approx(landed_at)
    assert_rebuilt(hands)


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


def test_a_ply_that_landed_before_the_flag_stands_though_it_is_told_after() -> None:
    hands = hands_with("0:10")
    hands.move("d2", "d3")
    hands.lift("e9")
    hands.put("e8", after_s=10.0 - 5.4 - 0.2)
    hands.wait(1.0)
    assert plies(hands) == ("Pd2-d3", "Pe9-e8")
    assert left(hands)[1] == pytest.approx(0.2, abs=0.01)


def test_a_ply_that_landed_after_the_flag_is_none() -> None:
    hands = hands_with("0:10")
    hands.move("d2", "d3")
    hands.lift("e9")
    hands.put("e8", after_s=10.0 - 5.4 + 0.2)
    hands.wait(4.0)
    assert plies(hands) == ("Pd2-d3",)
    assert events(hands)[-1] == Ending("black", "time forfeit")


def test_a_hand_in_the_air_does_not_keep_a_flag_from_falling() -> None:
    hands = hands_with("0:10")
    hands.move("d2", "d3")
    hands.lift("e9")
    hands.wait(12.0)
    assert events(hands)[-1] == Ending("black", "time forfeit")


def test_while_hands_are_led_the_clock_stands() -> None:
    hands = hands_with("10")
    hands.move("d2", "d3")
    hands.lift("e9")
    hands.put("e5")
    hands.wait(60.0)
    before = left(hands)
    assert before[1] > 590
    hands.wait(60.0)
    assert left(hands) == before
    hands.lift("e5")
    hands.put("e9")
    hands.wait(10.0)
    assert left(hands)[1] < before[1] - 5
    assert events(hands).count(Pause("table")) == events(hands).count(Resume("table"))
    assert_rebuilt(hands)


def test_while_the_table_asks_the_clock_stands() -> None:
    hands = hands_with("10", ASKING)
    hands.move("a2", "a3")
    hands.move("f10", "g10")
    hands.lift("d5")
    hands.wait(90.0)
    assert hands.session.view.question is not None
    before = left(hands)
    hands.wait(30.0)
    assert left(hands) == before
    assert_rebuilt(hands, ASKING)


def test_while_a_square_is_fought_for_the_clock_stands() -> None:
    begun = header(parse_rules("manator-arena"), ASKING)
    hands = Hands(Session(Record.begin(begun)))
    hands.news += hands.session.obey(SetClock("10"), hands.at)
    hands.move("a2", "a3")
    hands.move("f10", "g10")
    hands.take("d5", "e7")
    assert hands.session.record.fight is not None
    before = left(hands)
    hands.wait(30.0)
    assert left(hands) == before
    hands.news += hands.session.obey(DecideFight("won"), hands.at)
    hands.wait(10.0)
    assert left(hands)[1] < before[1] - 5
    entries = [entry for entry in hands.news if isinstance(entry, Entry)]
    assert Record.read(begun, entries) == hands.session.record


def test_people_pause_and_go_on() -> None:
    hands = hands_with("10")
    hands.move("d2", "d3")
    hands.news += hands.session.obey(PauseGame(), hands.at)
    assert looks_paused(hands)
    hands.wait(100.0)
    assert left(hands) == (600, 595)
    with pytest.raises(CommandRefused, match="paused already"):
        hands.session.obey(PauseGame(), hands.at)
    hands.news += hands.session.obey(ResumeGame(), hands.at)
    hands.wait(5.0)
    assert left(hands) == (600, 590)
    hands.news += hands.session.obey(PauseGame(), hands.at)
    hands.wait(100.0)
    hands.move("e9", "e8")
    assert not looks_paused(hands)
    assert left(hands) == (595, 590)
    assert_rebuilt(hands)


def test_a_take_back_in_words_gives_the_time_back() -> None:
    hands = hands_with("10+5")
    hands.move("d2", "d3")
    hands.wait(20.0)
    hands.move("e9", "e8")
    assert left(hands) == (595, 579.2)
    hands.news += hands.session.obey(TakeBackLast(), hands.at)
    assert left(hands) == (600, 600)
    assert_rebuilt(hands)


def test_buttons_end_the_turns_of_their_clock() -> None:
    hands = hands_with("10 buttons")
    hands.news += hands.session.obey(PressClock(), hands.at)
    hands.wait(10.0)
    assert left(hands) == (590, 600)
    hands.move("d2", "d3")
    assert hands.session.record.clocks is not None
    assert hands.session.record.clocks.running is Side.BLACK
    hands.news += hands.session.obey(PressClock(), hands.at)
    hands.wait(4.0)
    assert left(hands)[1] == 596
    assert events(hands).count(Press()) == 2
    assert_rebuilt(hands)


def test_a_clock_that_plies_press_takes_a_press_only_to_start() -> None:
    hands = hands_with("10")
    hands.news += hands.session.obey(PressClock(), hands.at)
    hands.wait(10.0)
    assert left(hands) == (590, 600)
    with pytest.raises(CommandRefused, match="moves press this clock"):
        hands.session.obey(PressClock(), hands.at)


def test_a_running_clock_is_noted_and_a_cut_costs_nobody_time() -> None:
    hands = hands_with("10")
    hands.move("d2", "d3")
    hands.wait(50.0)
    noted = [event for event in events(hands) if isinstance(event, ClockShows)]
    assert len(noted) == 3
    # The plug is pulled; the table is on again an hour later.
    again = Hands(Session(hands.session.record), at=hands.at + 3600)
    again.wait(30.0)
    assert looks_paused(again)
    assert 595 - 50 <= left(again)[1] <= 595 - 50 + NOTE_S
    again.move("e9", "e8")
    again.wait(10.0)
    assert left(again)[0] == 585


def test_clock_and_conduct_are_agreed_before_the_first_ply() -> None:
    hands = hands_at()
    hands.move("d2", "d3")
    with pytest.raises(CommandRefused, match="before the first"):
        hands.session.obey(SetClock("10"), hands.at)
    with pytest.raises(CommandRefused, match="before the first"):
        hands.session.obey(SetConduct("strict"), hands.at)
    with pytest.raises(CommandRefused, match="without a clock"):
        hands.session.obey(PressClock(), hands.at)


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
