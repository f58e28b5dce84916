"""Which piece stands where follows the hands, however late anybody looks."""

import pytest

from jetan_table.board.piece_tracker import PieceTracker
from jetan_table.reading.occupancy import Flip
from rules import Position, parse_rules, parse_square

START = Position.start(parse_rules("appendix"))


@pytest.mark.parametrize(("start", "end"), [("e1", "e4"), ("e4", "e1")])
def test_a_whole_move_in_one_look_carries_the_piece(start: str, end: str) -> None:
    from_square, to_square, home = map(parse_square, (start, end, "e1"))
    occupied = {*START.pieces()} - {home} | {from_square}
    tracker = PieceTracker(START, occupied)
    chief = tracker.standing[from_square]
    tracker.follow(sorted([Flip(from_square, False), Flip(to_square, True)]), START)
    assert tracker.standing[to_square] == chief == "C"
