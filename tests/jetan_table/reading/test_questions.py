"""What the board cannot show is asked, and what answers it."""

import pytest

from hardware.switches import FaultKind
from jetan_table.reading.jetan_game import JetanGame, Standing
from jetan_table.reading.switch_reader import SwitchReader
from rules import Position, parse_rules, parse_square
from tests.jetan_table.reading.hand import (
    FACING,
    Table,
    facing,
    facing_a_dead_switch,
    line,
    table,
)


def test_a_capture_whose_victim_was_not_seen_is_asked_when_the_other_side_moves() -> None:
    hand = facing()
    assert hand.hands("1.0-e5", until=3.0) == []
    assert hand.hands("3.0-a9 3.5+a8") == ["1? h5 e8", "2 a9-a8"]


def test_a_later_ply_answers_the_question() -> None:
    hand = facing()
    hand.hands("1.0-e5 3.0-a9 3.5+a8")
    assert hand.hands("9.0-e8 9.5+e5", until=11.0)[:1] == ["1! e8"]


def test_the_players_may_answer_the_question() -> None:
    hand = facing()
    hand.hands("1.0-e5 3.0-a9 3.5+a8")
    assert [line(r) for r in hand.reader.answer(1, parse_square("h5"))] == ["1! h5"]
    piece = hand.reader.belief.position.position.piece_at(parse_square("h5"))
    assert piece is not None
    assert piece.letter == "D"


def test_what_the_players_have_answered_stands_until_hands_undo_it() -> None:
    """A switch that sticks afterwards looks as if the piece had come down there."""
    hand = facing()
    hand.hands("1.0-e5 18.0-h5 18.4+h5", until=20.0)
    hand.reader.answer(1, parse_square("h5"))
    assert not {"1 e5-b5", "back 1"}.intersection(hand.hands("26.0+b5", until=46.0))
    assert "back 1" in hand.hands("46.0-h5 46.5-b5 47.0+e5", until=49.0)


def test_captures_on_one_square_in_turn_are_answered_by_touch_each() -> None:
    hand = table("4q5/10/10/5CP3/10/8p1/3pc5/10/10/5Q4 b BO - 0 1")
    hand.hands("1.0-f7 15.0-d4 15.4+d4", until=17.0)
    assert [line(r) for r in hand.reader.answer(1, parse_square("d4"))] == ["1! d4"]
    assert hand.hands("26.0-e4 40.0-d4 40.4+d4", until=42.0) == ["2? f1 d4 g7"]
    assert [line(r) for r in hand.reader.answer(2, parse_square("d4"))] == ["2! d4"]


def test_a_square_that_is_no_candidate_is_no_answer() -> None:
    hand = facing()
    hand.hands("1.0-e5 3.0-a9 3.5+a8")
    with pytest.raises(ValueError, match="no candidate"):
        hand.reader.answer(1, parse_square("a8"))


def test_a_piece_gone_for_long_is_asked_about_and_may_still_come_back() -> None:
    hand = facing()
    assert hand.hands("1.0-e5", until=14.0) == ["1? h5 e8"]
    assert hand.hands("15.0+e5") == ["back 1"]


def test_a_piece_gone_for_long_has_taken_the_only_one_it_can_have_taken() -> None:
    hand = table("4q5/pppp6/4p5/10/10/4D5/10/10/PPPP6/5Q4 b BO - 0 1")
    assert hand.hands("1.0-e5", until=7.9) == []
    assert hand.hands("", until=9.0) == ["1 e5-e8"]
    assert hand.hands("15.0-a9 15.5+a8", until=17.0) == ["2 a9-a8"]


def test_who_has_thought_for_long_with_a_piece_in_the_hand_has_not_taken_the_only_one() -> None:
    hand = table("4q5/pppp6/4p5/10/10/4D5/10/10/PPPP6/5Q4 b BO - 0 1")
    assert hand.hands("1.0-e5", until=9.0) == ["1 e5-e8"]
    assert hand.hands("12.0+h5", until=16.0) == ["back 1", "1 e5-h5"]


def test_the_only_one_that_a_piece_can_have_taken_is_taken_up_late() -> None:
    hand = table("4q5/pppp6/4p5/10/10/4D5/10/10/PPPP6/5Q4 b BO - 0 1")
    assert hand.hands("1.0-e5 12.0-e8 12.6+e8", until=16.0) == ["1 e5-e8"]


def test_captures_unseen_one_after_another_are_told_once_nobody_sets_their_pieces_up() -> None:
    hand = table("4q5/pppp6/4p2d2/10/10/4D5/10/10/PPPP6/5Q4 b BO - 0 1")
    assert hand.hands("1.0-e5 4.0-h8", until=7.0) == []
    assert hand.hands("7.0-a2 7.5+a3", until=20.0) == ["1 e5-e8", "2 h8-e8", "3 a2-a3"]


def test_knocking_own_pieces_over_does_not_take_an_asked_capture_back() -> None:
    hand = facing()
    assert hand.hands("1.0-e5", until=14.0) == ["1? h5 e8"]
    knocked = "14.0-a2 14.1-b2 14.15-c2 16.0+a2 16.5+b2 17.0+c2"
    assert hand.hands(knocked, until=19.0) == []
    assert hand.hands("20.0-a9 20.5+a8") == ["2 a9-a8"]


def test_who_waits_after_a_capture_off_a_dead_switch_is_asked_whether_it_was_one() -> None:
    hand = facing_a_dead_switch()
    assert hand.hands("4.0-h5 4.4+h5", until=15.0) == ["1? h5"]
    assert hand.hands("20.0-b9 20.5+b8") == ["1! h5", "2 b9-b8"]


def test_who_only_adjusted_what_a_dead_switch_may_have_taken_plays_on() -> None:
    hand = facing_a_dead_switch()
    assert hand.hands("4.0-h5 4.4+h5 6.0-a2 6.5+a3", until=15.0) == ["1 a2-a3"]
    hand = facing_a_dead_switch()
    lines = hand.hands("4.0-h5 4.4+h5 15.0-a2 15.5+a3 20.0-b9 20.5+b8")
    assert lines == ["1? h5", "back 1", "1 a2-a3", "2 b9-b8"]


def test_so_is_who_takes_what_has_just_come_down() -> None:
    hand = facing_a_dead_switch(FACING.replace(" b ", " o "))
    assert hand.hands("1.0-h5 1.5+g4 4.0-g4 4.4+g4", until=15.0) == ["1 h5-g4", "2? g4"]


def test_a_capture_off_a_failed_switch_where_one_was_just_made_is_asked_about() -> None:
    rules = parse_rules("ninth-ray-clockwise")
    failed = {parse_square("i9"): FaultKind.DEAD}
    hand = Table(SwitchReader(JetanGame(), Standing(Position.start(rules)), 1, failed))
    assert hand.hands("1.0-j9 1.4-a2 1.8+j9", until=5.0) == ["1 a2-j9"]
    assert hand.hands("6.0-j9 6.4+j9", until=20.0) == ["2? j9"]


def test_what_came_down_is_not_asked_about_where_it_may_be_no_ply() -> None:
    """A piece and the Juggernaut are both in the air: once one is put back, the other is known."""
    rules = parse_rules("appendix,juggernaut=e5")
    start = Position.start(rules, juggernaut=parse_square("e5"))
    hand = Table(SwitchReader(JetanGame(), Standing(start)))
    assert hand.hands("1.0-b2 1.5+b3 4.0-d9 4.4+i7 4.8-e5 5.2+d8 8.0-i7") == ["1 b2-b3"]
    assert hand.hands("9.4+d9") == ["* e5-d8"]
