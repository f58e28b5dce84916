"""Gestures at a whole table: what they ask for is done, kept, and put back by led hands."""

from pathlib import Path

from jetan_table.game.commands import AcceptDraw, OfferDraw, Resign, SetClock, SetConduct
from jetan_table.game.events import Ending
from jetan_table.light.words import Speaker
from jetan_table.session.view import Phase
from rules import Side, parse_square
from tests.jetan_table.sitting import Evening, sitting

AGREED = Ending("draw", "agreed")


def sign(evening: Evening, *squares: str, held_s: float = 5.0) -> None:
    """Lift pieces one after another, hold them, and put them back."""
    for name in squares:
        evening.hands.lift(parse_square(name), evening.clock.now())
        evening.wait(0.7)
    evening.wait(held_s)
    for name in reversed(squares):
        evening.hands.put(parse_square(name), evening.clock.now())
    evening.wait(2.0)


def test_a_side_gives_up_by_its_pair(evening: Evening) -> None:
    evening.move("d2", "d3")
    sign(evening, "f10", "e10")
    assert evening.table.record.ending == Ending("black", "resigned")


def test_a_draw_is_offered_and_accepted_by_gestures(evening: Evening) -> None:
    evening.move("d2", "d3")
    sign(evening, "e1", "f1", "f10")
    assert evening.table.view.record.offer is Side.BLACK
    assert evening.table.view.phase is Phase.PLAYING
    sign(evening, "f10", "e10", "e1")
    assert evening.table.record.ending == AGREED


def test_an_offer_lapses_by_the_other_sides_next_ply(evening: Evening) -> None:
    sign(evening, "e1", "f1", "f10")
    evening.move("d2", "d3")
    assert evening.table.view.record.offer is Side.BLACK
    evening.move("d9", "d8")
    assert evening.table.view.record.offer is None


def test_an_offer_outlives_a_power_cut(tmp_path: Path) -> None:
    with sitting(tmp_path) as evening:
        evening.tell(OfferDraw("orange"))
    with sitting(tmp_path) as evening:
        assert evening.table.view.record.offer is Side.ORANGE
        evening.tell(AcceptDraw())
        assert evening.table.record.ending == AGREED


def test_the_last_ply_is_taken_back_by_a_gesture_and_its_piece_led_home(evening: Evening) -> None:
    evening.move("d2", "d3")
    evening.move("d9", "d8")
    sign(evening, "e10", "f10", "f1")
    assert evening.table.record.last_number == 1
    step = evening.table.view.leading.repair
    assert step is not None
    assert (step.from_square, step.to_square) == (parse_square("d8"), parse_square("d9"))
    evening.move("d8", "d9")
    evening.move("e9", "e8")
    assert evening.table.record.moves == ("Pd2-d3", "Pe9-e8")


def test_the_clock_is_stopped_and_runs_again_by_one_gesture(evening: Evening) -> None:
    royals = ("e1", "f1", "e10", "f10")
    evening.tell(SetClock("10+5"))
    evening.move("d2", "d3")
    sign(evening, *royals)
    assert evening.table.record.terms.is_paused
    sign(evening, *royals)
    assert not evening.table.record.terms.is_paused


def test_what_cannot_be_done_is_said(evening: Evening) -> None:
    for name in ("e1", "f1", "e10"):
        evening.hands.lift(parse_square(name), evening.clock.now())
        evening.wait(0.7)
    evening.wait(4.0)
    view = evening.table.view
    assert "Note: there is no move to take back." in Speaker("en").sentences(view)
    assert "Hinweis: es gibt keinen Zug zum Zurücknehmen." in Speaker("de").sentences(view)


def test_no_gesture_takes_back_in_a_tournament_or_counts_as_a_touch(evening: Evening) -> None:
    evening.tell(SetConduct("tournament"))
    evening.move("d2", "d3")
    sign(evening, "e10", "f10", "f1", held_s=4.3)
    assert evening.table.view.refused is not None
    assert evening.table.record.moves == ("Pd2-d3",)
    assert evening.table.record.terms.touched == ()


def test_setting_up_begins_the_next_game_by_the_same_rules(evening: Evening) -> None:
    first = evening.table.game
    for start, end in (("d2", "d3"), ("d9", "d8"), ("e2", "e3"), ("e9", "e8")):
        evening.move(start, end)
    evening.tell(Resign("black"))
    for start, end in (("d3", "d2"), ("e3", "e2"), ("d8", "d9"), ("e8", "e9")):
        evening.move(start, end)
    assert evening.table.game == first
    evening.wait(3.0)
    assert evening.table.game == first + 1
    assert evening.table.record.ending is None
    evening.move("d2", "d3")
    assert evening.table.record.moves == ("Pd2-d3",)
