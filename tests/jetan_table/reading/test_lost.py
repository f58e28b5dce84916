"""A reader that was wrong, or does not know, finds its way back to what was played."""

from rules import parse_square
from tests.jetan_table.reading.hand import facing, line, table

ONE_VICTIM = "4q5/pppp6/10/10/10/4D2p2/10/10/PPPP6/5Q4 b BO - 0 1"
"""As `FACING`, but black's Dwar can take on h5 only."""


def test_pieces_that_were_knocked_over_and_stand_again_were_not_taken() -> None:
    """The first to stand looks taken by the other, until that stands again too.

    What then looks like a reply is the way of a piece that slides to where it takes.
    """
    hand = facing("o")
    assert hand.hands("1.0-a9 1.5+a8", until=3.0) == ["1 a9-a8"]
    assert hand.hands("4.0-e5 4.05-h5 8.0+h5 8.5+e5", until=9.0) == ["2 e5-h5", "back 2"]
    lines = hand.hands("10.0-e8 10.25-e5 10.3+e7 10.48-e7 10.51+e8", until=12.0)
    assert lines == ["2 e5-e8"]


def test_two_of_three_that_left_in_one_instant_are_no_capture() -> None:
    """One of those knocked over stands again first: it looks as if the other had taken it."""
    hand = facing()
    assert hand.hands("1.0-e5 1.15-a9 1.3-h5 2.2+h5 2.6+a9", until=4.0) == []
    assert hand.hands("5.0+e5", until=8.0) == []


def test_a_piece_that_rolls_as_another_falls_was_not_meant_for_where_it_comes_to_lie() -> None:
    """The Panthan rolls to another square it could have gone to, and is put up last."""
    hand = facing("b")
    assert hand.hands("1.0-d2 1.5+d3", until=4.0) == ["1 d2-d3"]
    fallen = "8.0-d3 8.02+e2 8.2-a2 10.5+a2"
    assert hand.hands(f"{fallen} 13.0-e2 13.1+d3", until=16.0) == []


def test_a_capture_whose_piece_stands_at_home_again_was_none() -> None:
    hand = facing()
    assert hand.hands("1.0-e5 1.4-h5 2.0+h5", until=3.0) == ["1 e5-h5"]
    assert hand.hands("4.0+e5", until=8.0) == ["back 1"]
    assert hand.hands("9.0-d2 9.5+d3", until=12.0) == ["1 d2-d3"]


def test_what_a_reply_had_answered_is_open_again_where_the_reply_is_taken_back() -> None:
    """The Princess may not end on e7 with the Dwar on e8, so that it must have taken on h5."""
    hand = facing()
    assert hand.hands("1.0-e5 3.0-e10 3.5+e7", until=4.4) == ["1 e5-h5", "2 e10-e7"]
    assert hand.hands("4.5-e7 5.0+h10", until=7.0) == ["back 2", "2 e10-h10"]
    lines = hand.hands("8.0-e8 8.5+e5", until=12.0)
    assert lines == ["back 2", "back 1", "1 e5-e8", "2 e10-h10", "3 e8-e5"]


def test_what_closes_with_no_piece_near_came_off_a_stuck_switch() -> None:
    hand = facing()
    assert hand.hands("1.0-e5", until=16.0) == ["1? h5 e8"]
    lines = hand.hands("17.0+a8 23.0-a2 23.5+a3 27.0-b9 27.5+b8", until=46.0)
    assert lines == ["2 a9-a8", "3 a2-a3", "4 b9-b8"]
    # So long no magnet beside would have held it.
    assert hand.hands("400.0-b2 400.5+b3", until=404.0) == ["stuck a9", "5 b2-b3"]


def test_a_piece_that_was_taken_may_be_put_down_on_the_board() -> None:
    assert facing().hands("1.0-h5 1.4-e5 1.9+h5 2.4+j4", until=8.0) == ["1 e5-h5"]


def test_two_pieces_are_taken_on_one_square_as_fast_as_hands_can() -> None:
    hand = table("4q5/pppp6/4p2d2/10/10/4D2p2/10/10/PPPP6/5Q4 b BO - 0 1")
    lines = hand.hands("1.0-e5 1.2-h5 1.38-h8 1.4+h5 1.55-h5 1.72+h5", until=4.0)
    assert lines == ["1 e5-h5", "2 h8-h5"]


def test_an_answer_that_what_follows_belies_is_taken_back_with_all_since() -> None:
    hand = facing()
    assert hand.hands("1.0-e5 3.0-a9 3.5+a8", until=5.0) == ["1? h5 e8", "2 a9-a8"]
    assert hand.hands("9.0-e8 9.5+e5", until=11.0) == ["1! e8", "3 e8-e5"]
    assert hand.hands("12.5-e5 13.0+e8", until=15.0) == ["back 3"]
    lines = hand.hands("20.0-h5 20.5+h8", until=23.0)
    assert lines == ["back 2", "back 1", "1 e5-h5", "2 a9-a8", "3 h5-h8"]


def test_what_the_players_answered_is_known_after_a_take_back_too() -> None:
    hand = facing()
    assert hand.hands("1.0-e5 3.0-a9 3.5+a8", until=5.0) == ["1? h5 e8", "2 a9-a8"]
    hand.reader.answer(1, parse_square("h5"))
    assert hand.hands("6.0-h5 6.5+h8", until=8.0) == ["3 h5-h8"]
    assert hand.hands("10.0-h8 10.5+h5", until=12.0) == ["back 3"]
    assert hand.hands("13.0-a8 13.5+a9", until=15.0) == ["back 2"]
    piece = hand.reader.belief.position.position.piece_at(parse_square("h5"))
    assert piece is not None
    assert piece.letter == "D"


def test_what_the_players_answered_is_not_belied_by_what_follows() -> None:
    hand = facing()
    assert hand.hands("1.0-e5 3.0-a9 3.5+a8", until=5.0) == ["1? h5 e8", "2 a9-a8"]
    hand.reader.answer(1, parse_square("e8"))
    lines = hand.hands("9.0-h5 9.5+h8 14.0-b9 14.5+b8", until=40.0)
    assert not [word for word in lines if word.startswith("back")]
    piece = hand.reader.belief.position.position.piece_at(parse_square("e8"))
    assert piece is not None
    assert piece.letter == "D"


def test_a_capture_nobody_saw_may_have_been_a_landing_on_a_dead_switch() -> None:
    hand = table(ONE_VICTIM)
    assert hand.hands("1.0-e5 3.0-a9 3.5+a8", until=14.0) == ["1 e5-h5", "2 a9-a8"]
    (asked,) = hand.hands("18.0+g7", until=36.0)
    assert asked == "3? g4 f5 h5 e6 g6 d7 f7 e8"
    answered = hand.reader.answer(3, parse_square("e6"))
    lines = [line(reading) for reading in (*answered, *hand.wait(36.0))]
    assert lines[:2] == ["3! g7", "dead e6"]
    assert lines[2:] == ["back 3", "back 2", "back 1", "1 e5-e6", "2 a9-a8", "3 e6-g7"]
