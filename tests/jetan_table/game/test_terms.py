"""The terms of a game, folded from its events, in its text, and in a game that goes on from it."""

from jetan_table.game.events import (
    Answer,
    ClockAgreed,
    ClockShows,
    ConductAgreed,
    Correction,
    Ending,
    Entry,
    Event,
    Fix,
    Pause,
    Ply,
    Question,
    Release,
    Resume,
    TakeBack,
    Touch,
)
from jetan_table.game.record import Record
from jetan_table.game.texts import game_text, read_saved, start_from
from rules import Side, Termination, parse_square
from tests.jetan_table.hands import header

D2 = parse_square("d2")
CHOICES: tuple[tuple[float, Event], ...] = (
    (1.0, ClockAgreed("10+5")),
    (1.0, ConductAgreed("strict")),
)
OPENING: tuple[tuple[float, Event], ...] = (
    (10.0, Ply(1, "Pd2-d3")),
    (30.0, Ply(2, "Pe9-e8")),
    (37.0, Ply(3, "Pc2-c3")),
)
# A black Dwar may take on d8 or e7.
ASKING = "5c4/10/3p6/4p5/10/3D6/10/10/10/5QC3 b - - 0 30"


def told(*events: tuple[float, Event], start: str | None = None) -> Record:
    return Record.read(header(start=start), [Entry(at, event) for at, event in events])


def test_plies_move_the_clocks() -> None:
    record = told(*CHOICES, *OPENING)
    assert record.clocks is not None
    assert record.clocks.running is Side.ORANGE
    assert tuple(record.clocks.left) == (598, 585)


def test_a_question_makes_the_ply_and_its_answer_adds_nothing() -> None:
    first = (10.0, Ply(59, "Qf1-f4"))
    asked = (30.0, Question(60, "f10", ("e10", "f9")))
    answered = (90.0, Answer(60, "Cf10-f9"))
    before = (1.0, ClockAgreed("10"))
    record = told(before, first, asked, start=ASKING)
    assert record.clocks is not None
    assert record.clocks.running is Side.BLACK
    paused = told(
        before,
        first,
        asked,
        (30.0, Pause("table")),
        answered,
        (90.0, Resume("table")),
        start=ASKING,
    )
    assert paused.clocks is not None
    assert tuple(paused.clocks.until(95.0).left) == (595, 580)


def test_an_ending_stops_the_clocks_and_its_undoing_starts_them() -> None:
    over = (40.0, Ending("black", "no move"))
    record = told(*CHOICES, *OPENING, over)
    assert record.clocks is not None
    assert not record.clocks.is_running
    again = told(*CHOICES, *OPENING, over, (50.0, TakeBack(3, "hands")))
    assert again.clocks is not None
    assert again.clocks.running is Side.BLACK
    assert again.clocks.is_running


def test_a_flag_loses_the_game() -> None:
    record = told(*CHOICES, *OPENING, (700.0, Ending("black", "time forfeit")))
    assert record.game.outcome is not None
    assert record.game.outcome.termination is Termination.TIME
    assert record.game.outcome.winner is Side.BLACK
    text = game_text(record)
    assert '[Termination "time forfeit"]' in text
    assert read_saved(text).game.outcome == record.game.outcome


def test_a_pause_lasts_until_somebody_goes_on() -> None:
    paused = told(*CHOICES, *OPENING, (40.0, Pause("people")))
    assert paused.terms.is_paused
    on = paused.after(Entry(100.0, Resume("people")))
    assert not on.terms.is_paused
    by_ply = paused.after(Entry(100.0, Ply(4, "Pe8-e7")))
    assert not by_ply.terms.is_paused
    assert by_ply.clocks is not None
    assert tuple(by_ply.clocks.left) == (598, 587)


def test_a_touch_lasts_until_a_ply_or_a_release() -> None:
    touched = told(*CHOICES, (5.0, Touch("d2")))
    assert touched.terms.touched == (D2,)
    assert touched.after(Entry(6.0, Ply(1, "Pd2-d3"))).terms.touched == ()
    assert touched.after(Entry(6.0, Release())).terms.touched == ()


def test_hands_that_take_back_have_touched_and_words_have_not() -> None:
    record = told(*CHOICES, *OPENING)
    assert record.after(Entry(38.0, TakeBack(3, "hands"))).terms.touched == (parse_square("c2"),)
    assert record.after(Entry(38.0, TakeBack(3, "words"))).terms.touched == ()
    friendly = told(*OPENING)
    assert friendly.after(Entry(38.0, TakeBack(3, "hands"))).terms.touched == ()


def test_times_conduct_and_fixes_stand_in_the_game_text() -> None:
    text = game_text(told(*CHOICES, *OPENING, (40.0, Fix("took back 4 Pe8-e7"))))
    assert '[TimeControl "600+5"]' in text
    assert '[Conduct "strict"]' in text
    flat = " ".join(text.split())
    assert "Pe9-e8 {[%emt 0:00:20] [%clk 0:09:45]}" in flat
    assert "{[%emt 0:00:07] [%clk 0:09:58] [%fix took back 4 Pe8-e7]}" in flat


def test_a_corrected_position_is_marked_before_the_first_ply() -> None:
    record = told(*CHOICES, *OPENING, (40.0, Correction(ASKING)))
    text = game_text(record)
    assert f"{{[%fix position {ASKING}]}}" in " ".join(text.split())
    assert record.clocks is not None
    assert record.clocks.running is Side.BLACK


def test_a_game_played_on_from_its_text_has_its_clocks_and_conduct() -> None:
    text = read_saved(game_text(told(*CHOICES, *OPENING)))
    start = start_from(text, 2, 5000.0)
    record = Record.read(start.header, [Entry(5000.0, event) for event in start.events])
    assert record.conduct.name == "strict"
    assert record.clocks is not None
    assert tuple(record.clocks.until(9000.0).left) == (600, 585)
    assert record.terms.is_paused
    assert record.clocks.running is Side.BLACK


def test_what_a_clock_shows_is_noted_without_a_change() -> None:
    record = told(*CHOICES, *OPENING)
    assert record.clocks is not None
    left = record.clocks.until(52.0).left
    noted = record.after(Entry(52.0, ClockShows(*left)))
    assert noted.clocks == record.clocks.until(52.0)
