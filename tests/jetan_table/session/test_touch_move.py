"""Touch-move and tournament games at a table: what is touched is moved, and who corrects."""

import pytest

from jetan_table.game.commands import (
    BoardIsRight,
    CommandRefused,
    Correct,
    NewGame,
    ReleaseTouched,
    SayAdjust,
    SetClockTimes,
    SetConduct,
    TakeBackLast,
)
from jetan_table.game.conduct import ADJUST_S, ConductName
from jetan_table.game.events import Fix
from jetan_table.lamps.cues import Cue, cues
from rules import Position, format_position, parse_rules, parse_square
from tests.jetan_table.hands import ASKING, Hands, assert_rebuilt, events, hands_at, header, plies


def hands_in(conduct: ConductName, start: str | None = None) -> Hands:
    hands = hands_at(start)
    hands.news += hands.session.obey(SetConduct(conduct), hands.at)
    return hands


# Touch-move


def test_a_piece_that_was_held_must_be_moved() -> None:
    hands = hands_in("strict")
    hands.lift("d2")
    hands.wait(ADJUST_S + 0.2)
    hands.put("d2")
    hands.wait()
    view = hands.session.view
    assert view.terms.touched == (parse_square("d2"),)
    assert cues(view)[parse_square("d2")] is Cue.WANTED
    hands.move("c2", "c3")
    assert plies(hands) == ()
    assert cues(hands.session.view)[parse_square("c3")] is Cue.WRONG
    hands.move("c3", "c2")
    hands.lift("d2")
    assert hands.session.view.legal == {parse_square(name) for name in ("c3", "d3", "e3")}
    hands.put("d3")
    hands.wait()
    assert plies(hands) == ("Pd2-d3",)
    assert hands.session.view.terms.touched == ()
    assert_rebuilt(hands)


def test_a_piece_put_straight_back_or_adjusted_is_free() -> None:
    hands = hands_in("strict")
    hands.lift("d2")
    hands.put("d2", after_s=ADJUST_S - 0.3)
    hands.wait()
    hands.session.obey(SayAdjust(), hands.at)
    hands.lift("c2")
    hands.wait(4.0)
    hands.put("c2")
    hands.wait()
    hands.move("e2", "e3")
    assert plies(hands) == ("Pe2-e3",)


def test_adjust_is_said_before_and_a_release_frees() -> None:
    hands = hands_in("strict")
    hands.lift("d2")
    hands.wait(ADJUST_S + 0.2)
    with pytest.raises(CommandRefused, match="d2 has been touched: say adjust before"):
        hands.session.obey(SayAdjust(), hands.at)
    hands.put("d2")
    hands.wait()
    hands.session.obey(ReleaseTouched(), hands.at)
    hands.move("c2", "c3")
    assert plies(hands) == ("Pc2-c3",)


def test_an_enemy_that_was_held_must_be_taken() -> None:
    hands = hands_in("strict", ASKING)
    hands.lift("d8")
    hands.wait(ADJUST_S + 0.2)
    hands.put("d8")
    hands.wait()
    hands.move("a2", "a3")
    assert plies(hands) == ()
    hands.move("a3", "a2")
    hands.lift("d5")
    assert hands.session.view.captures == {parse_square("d8")}
    assert hands.session.view.legal == set()
    hands.put("d5")
    hands.wait()
    hands.take("d5", "d8")
    assert plies(hands) == ("Dd5xd8",)


def test_a_piece_that_cannot_move_may_be_touched() -> None:
    hands = hands_in("strict")
    hands.lift("e1")
    hands.wait(ADJUST_S + 2)
    hands.put("e1")
    hands.wait()
    assert hands.session.view.terms.touched == ()


def test_friendly_players_touch_what_they_like() -> None:
    hands = hands_at()
    hands.lift("d2")
    hands.wait(ADJUST_S + 0.2)
    hands.put("d2")
    hands.wait()
    hands.move("c2", "c3")
    assert plies(hands) == ("Pc2-c3",)
    with pytest.raises(CommandRefused, match="touched freely"):
        hands.session.obey(SayAdjust(), hands.at)


# Tournament


def test_a_tournament_game_gives_no_hints() -> None:
    hands = hands_in("tournament")
    hands.lift("d2")
    assert hands.session.view.legal == set()
    assert hands.session.view.lifted == (parse_square("d2"),)
    hands.put("d3")
    hands.wait()
    assert plies(hands) == ("Pd2-d3",)


def test_nothing_is_taken_back_in_a_tournament_game() -> None:
    hands = hands_in("tournament")
    hands.move("d2", "d3")
    with pytest.raises(CommandRefused, match="only the arbiter"):
        hands.session.obey(TakeBackLast(), hands.at)
    hands.move("d3", "d2")
    assert plies(hands) == ("Pd2-d3",)
    assert cues(hands.session.view)[parse_square("d3")] is Cue.BELONGS


def test_only_the_arbiter_corrects_and_the_record_says_so() -> None:
    hands = hands_in("tournament")
    hands.move("d2", "d3")
    start = format_position(Position.start(parse_rules("appendix")))
    for refused in (Correct(start), BoardIsRight(), NewGame(header()), SetClockTimes("1", "1")):
        with pytest.raises(CommandRefused, match="only the arbiter"):
            hands.session.obey(refused, hands.at)
    hands.news += hands.session.obey(TakeBackLast(), hands.at, by_arbiter=True)
    assert plies(hands) == ()
    assert Fix("took back 1 Pd2-d3") in events(hands)
    hands.news += hands.session.obey(Correct(start), hands.at, by_arbiter=True)
    assert [what.split()[0] for _, what in hands.session.record.terms.fixes] == ["took", "position"]
    assert_rebuilt(hands)
