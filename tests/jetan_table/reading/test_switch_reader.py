"""What hands do, one situation at a time, as the switches show it; and what is read from it."""

import pytest

from hardware.switches import FaultKind
from jetan_table.reading.jetan_game import JetanGame, Standing
from jetan_table.reading.switch_reader import SwitchReader
from rules import Position, parse_position, parse_rules, parse_square
from tests.jetan_table.reading.hand import (
    RULES,
    Table,
    facing,
    facing_a_dead_switch,
    line,
    table,
)


def test_a_plain_move_is_told_once_it_has_stood() -> None:
    hand = table()
    assert hand.hands("1.0-d2 1.5+d3", until=1.6) == []
    assert hand.hands("", until=2.5) == ["1 d2-d3"]


def test_what_may_have_missed_its_square_by_one_is_told_later() -> None:
    hand = table()
    assert hand.hands("1.0-d2 1.5+d3", until=2.1) == []
    assert [line(reading) for reading in hand.wait(2.2)] == ["1 d2-d3"]


@pytest.mark.parametrize(
    ("start", "script"),
    [
        ("4q5/10/10/10/10/4F5/10/10/10/5Q4 b BO - 0 1", "1.0-e5 1.5+h8"),
        (
            "4q5/10/10/10/10/4D5/10/10/10/5Q4 b BO - 0 1",
            "1.0-e5 1.1+e6 1.2-e6 1.25+e7 1.4-e7 1.5+e8",
        ),
        ("4q5/pppp6/10/10/10/4D5/10/10/10/5Q4 b BO - 0 1", "1.0-e5 1.5+e8 1.6-a9"),
    ],
    ids=["nothing beside", "slid", "the other side acts"],
)
def test_what_can_hardly_have_missed_its_square_is_told_at_once(start: str, script: str) -> None:
    lines = table(start).hands(script, until=1.8)
    assert lines in (["1 e5-h8"], ["1 e5-e8"])


def test_a_capture_victim_first() -> None:
    assert facing().hands("1.0-e8 1.8-e5 2.3+e8") == ["1 e5-e8"]


def test_a_capture_attacker_first() -> None:
    assert facing().hands("1.0-e5 1.6-h5 2.1+h5") == ["1 e5-h5"]


def test_a_capture_swept() -> None:
    assert facing().hands("1.0-e5 1.4-e8 1.5+e8") == ["1 e5-e8"]


def test_a_victim_seen_to_leave_for_an_instant_is_known_by_the_reply() -> None:
    """Until then a piece may be in a hand, and have passed by the other."""
    blinked = "1.0-e5 1.500-h5 1.506+h5"
    assert facing().hands(blinked, until=2.9) == []
    assert facing().hands(f"{blinked} 3.0-a9 3.5+a8") == ["1 e5-h5", "2 a9-a8"]


def test_nothing_is_told_that_began_before_a_stranger_came() -> None:
    """Somebody moves two pieces about; put back in turn, they look like a capture."""
    hand = facing()
    assert hand.hands("1.0-e5 1.4+b4 2.0-h5 2.4+j5 4.0-j5 4.5+h5", until=7.0) == []
    assert hand.hands("14.0-b4", until=16.0) == ["1? h5 e8"]
    assert facing().hands("1.0+b4 3.0-e5 3.5-h5 4.0+h5", until=5.0) == ["1 e5-h5"]


def test_a_square_passed_while_the_other_side_slides_is_no_landing() -> None:
    hand = facing()
    slide = "3.0-d9 3.05+d8 3.2-d8 3.21+d7 3.38-d7"
    assert not any("d8" in news for news in hand.hands(f"1.0-e5 {slide}", until=3.4))


def test_a_switch_suspected_is_followed_through_the_plies_after() -> None:
    hand = table()
    lines = hand.hands("1.0+e5 3.0-d2 3.5+d3 6.0-d9 6.5+d8 9.0-c2 9.5+c3", until=18.0)
    assert lines == ["1 d2-d3", "2 d9-d8", "3 c2-c3", "stuck e5"]


def test_a_switch_that_follows_again_is_not_named() -> None:
    hand = table()
    assert hand.hands("1.0+e5 9.0-e5 10.0-d2 10.5+d3", until=30.0) == ["1 d2-d3"]


def test_a_slide_over_legal_squares_is_one_move() -> None:
    hand = facing()
    assert hand.hands("1.0-e5 1.01+f5 1.20-f5 1.21+f4 1.40-f4 1.41+g4") == ["1 e5-g4"]


def test_second_thoughts_amend_the_ply() -> None:
    hand = table()
    lines = hand.hands("1.0-d2 1.5+d3 2.5-d3 3.0+c3", until=5.0)
    assert lines == ["1 d2-d3", "back 1", "1 d2-c3"]


def test_second_thoughts_are_no_reply_before_the_other_side_has_touched_its_piece() -> None:
    """Both Dwars may come down on b5, and the one that does was lifted first."""
    hand = table("4q5/pppp6/1d8/10/10/4D2p2/10/10/PPPP6/5Q4 b BO - 0 1")
    assert hand.hands("1.0-e5 1.5+e2") == ["1 e5-e2"]
    lines = hand.hands("3.0-e2 3.14-b8 3.21+b5 4.5+e8")
    assert lines == ["back 1", "1 e5-b5", "2 b8-e8"]


def test_a_long_flight_may_be_another_piece_that_came_after_one_took_unseen() -> None:
    """Either Dwar came down on b5: slowly, and was taken there unseen, or fast, the other's gone.

    That b5 was empty before the first came down is no gap in which it was taken.
    """
    hand = table("4q5/pppp6/1d2P5/10/10/4D5/10/10/PPPP6/5Q4 o BO - 0 1")
    lines = hand.hands("2.7-b8 3.69-e5 3.75+b5 3.95-c9 4.5+c8", until=9.0)
    assert lines == ["1? b5 e8", "2 e5-b5", "3 c9-c8"]


def test_a_take_back_by_hand() -> None:
    hand = table()
    assert hand.hands("1.0-d2 1.5+d3 5.0-d3 5.5+d2") == ["1 d2-d3", "back 1"]
    assert hand.hands("8.0-e2 8.5+e3") == ["1 e2-e3"]


def test_two_plies_taken_back_by_hand() -> None:
    hand = table()
    hand.hands("1.0-d2 1.5+d3 4.0-d9 4.5+d8")
    assert hand.hands("7.0-d8 7.5+d9 9.0-d3 9.5+d2") == ["back 2", "back 1"]


def test_a_capture_taken_back_by_hand() -> None:
    hand = facing()
    assert hand.hands("1.0-e5 1.6-h5 2.1+h5 6.0-h5 6.5+e5 7.0+h5") == ["1 e5-h5", "back 1"]


def test_a_reply_lifted_before_the_last_piece_is_down() -> None:
    hand = table()
    assert hand.hands("1.0-d2 1.45-d9 1.5+d3 1.9+d8") == ["1 d2-d3", "2 d9-d8"]


def test_a_piece_that_has_just_landed_is_taken_at_once() -> None:
    hand = table("4q5/10/5d4/10/10/4D5/10/10/10/5Q4 b BO - 0 1")
    assert hand.hands("1.0-e5 1.5+f7 1.9-f7 2.6-f8 3.1+f7") == ["1 e5-f7", "2 f8-f7"]


def test_pieces_adjusted_and_second_looks_are_nothing() -> None:
    hand = table()
    assert hand.hands("1.0-a1 1.5+a1 3.0-b1 3.4+b1 6.0-f10 8.5+f10") == []
    assert hand.hands("10.0-d2 10.5+d3") == ["1 d2-d3"]


def test_an_illegal_move_put_right_is_nothing() -> None:
    hand = table()
    assert hand.hands("1.0-d2 1.5+d5", until=4.0) == []
    assert hand.reader.belief.extra == {parse_square("d5")}
    assert hand.hands("4.0-d5 4.5+d2 6.0-d2 6.5+d3") == ["1 d2-d3"]


def test_pieces_knocked_over_together_are_no_capture() -> None:
    """Of two it looks like one by two hands, until both stand again; of three it never does."""
    hand = table("4q5/10/10/10/10/4Dp4/10/10/10/5Q4 b BO - 0 1")
    assert hand.hands("1.0-e5 1.1-f5 4.0+f5", until=5.0) == ["1 e5-f5"]
    assert hand.hands("6.0+e5") == ["back 1"]
    hand = table("4q5/10/10/10/10/4Dp4/5p4/10/10/5Q4 b BO - 0 1")
    assert hand.hands("1.0-e5 1.1-f5 1.15-f4 4.0+f5 6.0+e5 8.0+f4", until=12.0) == []


def test_a_flickering_magnet_is_no_move_and_no_fault() -> None:
    hand = table()
    flicker = " ".join(f"{at}.0-j10 {at}.03+j10" for at in range(1, 30, 4))
    assert hand.hands(flicker) == []
    assert hand.hands("40.0-d2 40.5+d3") == ["1 d2-d3"]


def test_a_switch_that_closes_by_itself_is_named() -> None:
    """The Princess may have escaped to e5 from a switch that has stuck: what is played decides."""
    hand = table()
    assert hand.hands("1.0+e5", until=18.0) == []
    assert hand.hands("19.0-d2 19.5+d3", until=22.0) == ["stuck e5", "1 d2-d3"]
    assert hand.reader.belief.faults == {parse_square("e5"): FaultKind.STUCK}


def test_a_piece_that_vanishes_names_its_switch_once_others_play_on() -> None:
    """Who only holds it may do so for as long as they like."""
    hand = table()
    assert hand.hands("1.0-e10", until=60.0) == []
    lines = hand.hands("61.0-d2 61.5+d3 63.0-d9 63.5+d8 66.0-a2 66.5+a3", until=90.0)
    assert "dead e10" in lines
    assert [line for line in lines if "-" in line] == ["1 d2-d3", "2 d9-d8", "3 a2-a3"]


def test_a_switch_that_was_named_and_follows_again_counts_again() -> None:
    hand = table()
    hand.hands("1.0-d2 1.5+d3", until=3.0)
    hand.hands("4.0-e2 5.0-d9 5.5+d8 8.0-a2 8.5+a3", until=30.0)
    assert hand.reader.belief.faults == {parse_square("e2"): FaultKind.DEAD}
    assert hand.hands("32.0+e2 33.0-c9 33.5+c8 36.0-e2 36.5+e3", until=38.0) == [
        "e2 follows",
        "4 c9-c8",
        "5 e2-e3",
    ]
    assert hand.reader.belief.faults == {}


def test_a_landing_on_a_dead_switch_is_asked_about() -> None:
    hand = table("4q5/pppp6/10/10/10/10/10/9P/PPPP6/5Q4 b BO - 0 1")
    lines = hand.hands("1.0-j3 3.0-a9 3.5+a8 6.0-a2 6.5+a3 9.0-b9 9.5+b8", until=18.0)
    assert lines[0].startswith("1? ")
    assert "j4" in lines[0]
    assert lines[1:] == ["2 a9-a8", "3 a2-a3", "4 b9-b8"]


def test_a_piece_that_stood_unseen_is_asked_about_before_a_sound_switch_is_named() -> None:
    hand = facing()
    assert hand.hands("1.0-e5", until=14.0) == ["1? h5 e8"]
    lines = hand.hands("14.5-a9 15.0+a8 18.0+g7", until=36.0)
    assert lines == ["2 a9-a8", "3? g4 f5 h5 e6 g6 d7 f7 e8"]
    assert hand.reader.belief.faults == {}


def test_a_switch_that_a_piece_slid_over_a_moment_ago_has_not_failed() -> None:
    hand = table("4q5/pppp6/10/10/10/4C5/10/10/PPPP6/5Q4 b BO - 0 1")
    slide = "1.0-e5 1.1+e6 1.2-e6 1.21+e7 1.3-e7"
    lines = hand.hands(f"{slide} 8.0-a9 8.5+a8 14.0-a2 14.5+a3", until=26.0)
    assert lines[0].startswith("1? ")
    assert "f7" in lines[0]
    assert lines[1:] == ["2 a9-a8", "3 a2-a3"]


def test_known_faults_are_left_out_from_the_start() -> None:
    position = Standing(Position.start(RULES))
    reader = SwitchReader(JetanGame(), position, faults={parse_square("e2"): FaultKind.DEAD})
    hand = Table(reader)
    assert hand.hands("1.0-e2 20.0-d2 20.5+d3") == ["1 d2-d3"]


def test_what_alone_can_have_come_to_a_square_is_told_as_it_stands() -> None:
    """The Princess stands over a dead switch, and escapes from there."""
    text = "4q5/pppp6/10/10/10/4D5/10/2Q7/PPPP6/10 b B - 0 1"
    dead = {parse_square("c3"): FaultKind.DEAD}
    hand = Table(SwitchReader(JetanGame(), Standing(parse_position(text, RULES)), faults=dead))
    assert hand.hands("1.0+h8", until=3.0) == ["1 c3-h8"]


def test_a_blink_is_no_flicker_where_a_piece_that_nobody_sees_may_have_taken() -> None:
    position = parse_position("4q5/pppp6/4p5/10/10/4D2p2/10/10/PPPP6/5Q4 o BO - 0 1", RULES)
    dead = {parse_square("e5"): FaultKind.DEAD}
    hand = Table(SwitchReader(JetanGame(), Standing(position), faults=dead))
    lines = hand.hands("1.0-a9 1.5+a8 4.0-h5 4.012+h5 7.0-b9 7.5+b8", until=9.0)
    assert lines == ["1 a9-a8", "2 e5-h5", "3 b9-b8"]


def test_a_capture_off_a_dead_switch_is_told_with_the_reply_also_at_first() -> None:
    hand = facing_a_dead_switch()
    assert hand.hands("4.0-h5 4.4+h5 7.0-b9 7.5+b8") == ["1 e5-h5", "2 b9-b8"]


def test_a_piece_touched_again_after_it_was_told_landed_when_it_was_told() -> None:
    hand = table()
    hand.hands("1.0-d2 1.5+d3", until=3.0)
    hand.hands("9.0-d3 9.8+d3", until=11.0)
    assert hand.hands("12.0-d9 12.5+d8") == ["2 d9-d8"]


def test_the_juggernaut_moved_by_hand_is_no_ply() -> None:
    rules = parse_rules("appendix+juggernaut")
    start = Position.start(rules, juggernaut=parse_square("e5"))
    hand = Table(SwitchReader(JetanGame(), Standing(start)))
    assert hand.hands("1.0-d2 1.5+d3 3.0-e5 3.5+e6") == ["1 d2-d3", "* e5-e6"]
    assert hand.hands("6.0-d9 6.5+d8") == ["2 d9-d8"]


def test_the_juggernaut_goes_home_after_a_capture_that_nobody_saw() -> None:
    rules = parse_rules("appendix+juggernaut")
    text = "4q4C/pppp6/4p5/6*3/10/4D2p2/10/10/PPPP6/5Q4 o BO - 0 1"
    hand = Table(SwitchReader(JetanGame(), Standing(parse_position(text, rules))))
    assert hand.hands("1.0-a9 1.5+a8 3.0-g7 3.5+g6") == ["1 a9-a8", "* g7-g6"]
    lines = hand.hands("4.5-a2 5.0+a2 6.0-e5 8.0-g6 8.3+g7 13.0-b9 13.5+b8", until=18.0)
    assert lines == ["2? h5 e8", "* g6-g7", "3 b9-b8"]


def test_the_juggernaut_is_not_rolled_for_before_the_ply_is_over() -> None:
    """It came down where the Dwar might have gone, which rather took a piece that nobody saw go."""
    rules = parse_rules("appendix+juggernaut")
    text = "4q4C/pppp6/4p5/6*3/10/4D2p2/10/10/PPPP6/5Q4 b BO - 0 1"
    hand = Table(SwitchReader(JetanGame(), Standing(parse_position(text, rules))))
    assert hand.hands("1.0-e5 3.2-g7 3.35+g6", until=6.0) == ["1? h5 e8", "* g7-g6"]
    assert hand.hands("7.0-a9 7.5+a8", until=10.0) == ["2 a9-a8"]


def test_belief_tells_what_is_in_the_air() -> None:
    hand = table()
    hand.hands("1.0-d2", until=1.1)
    belief = hand.reader.belief
    assert belief.lifted == (parse_square("d2"),)
    assert belief.number == 1
