"""What a page asks of a table whose pieces are real, or somebody else's; and how soon it plays."""

import pytest

from jetan_table.extras.opponent.page import InviteRequest, OpponentPage
from jetan_table.game.agreements import BadTimeControl
from jetan_table.game.commands import (
    ChooseBias,
    ChooseFirst,
    CommandRefused,
    New,
    PauseGame,
    PressClock,
    Resign,
    ResumeGame,
    RollDie,
    TakeBackLast,
)
from jetan_table.game.events import DieRoll, DuelReport, Entry, Event, Header, Ply
from jetan_table.game.record import Record
from jetan_table.light.lamps import CHOICE_FILE, LampChoice, kept_choice
from jetan_table.page import asked as ask
from jetan_table.page.asked import FOUGHT_S, REPLY_S, ROLLED_S, AskedTable, Pace
from jetan_table.page.house import do
from jetan_table.page.state import state_of
from rules import Position, parse_rules, parse_square
from tests.jetan_table.sitting import Evening
from tests.sentences import all_said

ARENA = ("manator-arena", ("Fd1-e4", "Pe9-e8", "Fe4-f7", "Pd9-d8", "Ff7xe10"))


def record_of(rules: str, *events: Event) -> Record:
    header = Header.of(Position.start(parse_rules(rules)), 0.0)
    return Record.read(header, [Entry(float(at), event) for at, event in enumerate(events, 1)])


def plies(*moves: str) -> list[Event]:
    return [Ply(number, move) for number, move in enumerate(moves, 1)]


@pytest.mark.parametrize(
    ("record", "seen_s"),
    [
        (record_of("appendix"), REPLY_S),
        (record_of("appendix", *plies("Pd2-d3")), REPLY_S),
        (record_of("appendix,juggernaut=e5", *plies("Pd2-d3"), DieRoll(1, "3 hand")), ROLLED_S),
        (record_of(ARENA[0], *plies(*ARENA[1]), DuelReport(5, "1,9 hand")), FOUGHT_S),
    ],
)
def test_the_table_waits_until_what_was_played_is_seen(record: Record, seen_s: float) -> None:
    pace = Pace()
    assert not pace.allows(record, 100.0, is_watched=False)
    assert not pace.allows(record, 99.99 + seen_s, is_watched=False)
    assert pace.allows(record, 100.01 + seen_s, is_watched=False)


def test_it_waits_anew_when_the_board_has_changed_and_not_for_what_is_said() -> None:
    pace, record = Pace(), record_of("appendix")
    pace.allows(record, 0.0, is_watched=False)
    assert pace.allows(record_of("appendix"), 1.0, is_watched=False) is False
    assert pace.allows(record, 2.0, is_watched=False) is False
    assert pace.allows(record, 2.0 + REPLY_S, is_watched=False)


def test_what_is_watched_goes_as_people_want_it_and_stands_still() -> None:
    pace, record = Pace(), record_of("appendix")
    pace.allows(record, 0.0, is_watched=True)
    assert not pace.allows(record, 0.9, is_watched=True)
    assert pace.allows(record, 1.0, is_watched=True)
    pace.every_s = 4.0
    assert not pace.allows(record, 3.9, is_watched=True)
    pace.is_paused = True
    assert not pace.allows(record, 60.0, is_watched=True)
    pace.is_paused = False
    assert pace.allows(record, 60.0, is_watched=True)


# An orange Flier threatens squares about the black Princess.
THREATENED = "4c5/10/10/10/10/10/4f5/10/10/C4Q4 b - - 0 1"


@pytest.fixture
def asked(evening: Evening) -> AskedTable:
    return AskedTable(
        table=evening.table,
        archive=evening.journal.archive,
        folder=evening.journal.folder,
        clock=evening.clock,
        language="en",
        look=LampChoice(),
    )


def test_a_lamp_is_not_lit_for_a_tap_while_a_tournament_s_game_is_on(
    evening: Evening, asked: AskedTable
) -> None:
    asked.do(ask.LampRequest("d2"))
    assert asked.watch.tapped(evening.clock.now()) == parse_square("d2")
    asked.do(New("appendix", conduct="tournament"))
    with pytest.raises(CommandRefused, match="lamps show nothing but the game"):
        asked.do(ask.LampRequest("e2"))
    assert asked.watch.tapped(evening.clock.now()) == parse_square("d2")


@pytest.mark.parametrize(
    "touch",
    [
        ask.LiftRequest("d2"),
        ask.TidyRequest(),
        ask.ObligeRequest(),
        ask.AilRequest("d2", "weak"),
        ask.BoxRequest(),
    ],
)
def test_nobody_touches_pieces_that_are_not_his(asked: AskedTable, touch: ask.Request) -> None:
    with pytest.raises(CommandRefused, match="not yours to move from here"):
        asked.do(touch)


def test_words_about_the_game_are_obeyed(asked: AskedTable, evening: Evening) -> None:
    evening.move("d2", "d3")
    asked.do(TakeBackLast())
    assert evening.table.view.record.moves == ()
    asked.do(Resign("orange"))
    assert evening.table.view.record.ending is not None
    assert evening.table.view.record.ending.result == "black"
    with pytest.raises(CommandRefused, match="nothing can be typed"):
        asked.do(ask.TypeRequest("d2 d3"))
    with pytest.raises(CommandRefused, match="simulated people play both sides"):
        do(asked, InviteRequest("dwar"))


def test_a_new_game_waits_for_the_hands_to_set_it_up(asked: AskedTable, evening: Evening) -> None:
    evening.move("d2", "d3")
    asked.do(New("cazaux", black="Ghek"))
    evening.wait(1.0)
    state = state_of(evening.table, None)
    assert (state["phase"], state["rules"], state["black"], state["orange"]) == (
        "setting up",
        "cazaux",
        "Ghek",
        "?",
    )
    assert (state["step"]["from_square"], state["step"]["to_square"]) == ("d3", "d2")


def test_a_game_is_loaded_and_the_hands_led_to_it(asked: AskedTable, evening: Evening) -> None:
    evening.move("d2", "d3")
    evening.move("e9", "e8")
    asked.do(ask.LoadRequest(game=1, plies=1))
    evening.wait(1.0)
    state = state_of(evening.table, None)
    assert (state["game"], state["moves"], state["phase"]) == (2, ["Pd2-d3"], "setting up")
    evening.move("e8", "e9")
    assert evening.table.view.phase.value == "playing"


def test_lamps_are_dimmed_and_coloured(asked: AskedTable, evening: Evening) -> None:
    asked.do(ask.LightRequest(palette="mono", brightness=0.5))
    state = state_of(evening.table, None)
    assert (state["palette"], state["brightness"]) == ("mono", 0.5)


def test_what_people_choose_of_the_lamps_is_kept_until_the_settings_say_else(
    asked: AskedTable, evening: Evening
) -> None:
    asked.do(ask.LightRequest(palette="mono"))
    asked.do(ask.LightRequest(brightness=0.5))
    folder = evening.journal.folder
    assert kept_choice(folder, LampChoice()) == LampChoice("mono", 0.5)
    assert kept_choice(folder, LampChoice(brightness=0.2)) == LampChoice(brightness=0.2)
    (folder / CHOICE_FILE).write_bytes(b"{")
    assert kept_choice(folder, LampChoice()) == LampChoice()


def test_clock_and_conduct_of_a_new_game_are_as_asked_or_as_before(
    asked: AskedTable, evening: Evening
) -> None:
    asked.do(New("appendix", clock="10+5", conduct="strict"))
    state = state_of(evening.table, None)
    assert (state["clock"]["control"], state["clock"]["black_s"], state["conduct"]) == (
        "10+5",
        600,
        "strict",
    )
    asked.do(New("cazaux"))
    again = state_of(evening.table, None)
    assert (again["clock"]["control"], again["conduct"]) == ("10+5", "strict")
    asked.do(New("cazaux", clock="none", conduct="friendly"))
    assert evening.table.record.clocks is None
    with pytest.raises(BadTimeControl, match="write as in 10"):
        asked.do(New("cazaux", clock="ten"))


def test_a_page_tells_what_a_clock_needs_to_run_on(asked: AskedTable, evening: Evening) -> None:
    asked.do(New("appendix", clock="10d5 buttons"))
    asked.do(PressClock())
    evening.wait(2.0)
    asked.do(PauseGame())
    state = state_of(evening.table, None)
    assert state["is_paused"]
    assert (state["clock"]["running"], state["clock"]["stands"]) == ("black", True)
    assert state["clock"]["free_s"] == pytest.approx(3.0, abs=0.1)
    asked.do(ResumeGame())
    assert evening.table.view.record.clocks is not None
    assert evening.table.view.record.clocks.is_running


def test_a_tournament_page_helps_nobody_until_the_game_is_over(
    asked: AskedTable, evening: Evening
) -> None:
    asked.do(New("appendix", position=THREATENED, conduct="tournament"))
    state = state_of(evening.table, None)
    assert (state["helps"], state["threats"]) == (False, [])
    assert not OpponentPage().state_of(asked).may_hint
    asked.do(Resign("orange"))
    assert state_of(evening.table, None)["threats"] != []


def test_a_new_game_is_played_for_what_was_agreed(asked: AskedTable, evening: Evening) -> None:
    agreed = New(
        "ninth-ray-clockwise", "Tara", "Gahan", series="sunday", stake=10, prices="2", bias="roll"
    )
    asked.do(agreed)
    state = state_of(evening.table, None)
    assert (
        state["ledger"]["series"],
        state["ledger"]["stake"],
        state["ledger"]["prices"]["C"],
    ) == ("sunday", 10, 20)
    assert (state["opening"]["due"], state["opening"]["by"]) == ("first", "roll")
    asked.do(ChooseFirst("orange"))
    asked.do(RollDie("3"))
    state = state_of(evening.table, None)
    assert (state["opening"]["due"], state["side"], state["board"]) == (
        None,
        "orange",
        "ninth-ray-clockwise",
    )
    assert all_said(state["opening"]["told"], "de") == [
        "Orange beginnt (vereinbart)",
        "die Mitte wird im Uhrzeigersinn überquert (der eigene Würfel zeigt 3)",
    ]
    asked.do(ChooseBias("counterclockwise"))
    state = state_of(evening.table, None)
    assert state["rules"] == "ninth-ray-clockwise,board=ninth-ray-counterclockwise"
    asked.do(New("appendix"))
    assert state_of(evening.table, None)["ledger"] is None
