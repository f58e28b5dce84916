"""Which piece stands where follows the hands, however late anybody looks."""

import pytest

from hardware.ports import Flip
from jetan_table.session.tabletop import PieceTracker
from rules import Position, parse_rules, parse_square

AT_START = Position.start(parse_rules("appendix"))


@pytest.mark.parametrize(("start", "end"), [("e1", "e4"), ("e4", "e1")])
def test_a_whole_move_in_one_look_carries_the_piece(start: str, end: str) -> None:
    from_square, to_square, home = map(parse_square, (start, end, "e1"))
    occupied = {*AT_START.pieces()} - {home} | {from_square}
    tracker = PieceTracker(AT_START, occupied)
    chief = tracker.standing[from_square]
    tracker.follow(sorted([Flip(from_square, False), Flip(to_square, True)]), AT_START)
    assert tracker.standing[to_square] == chief == "C"


def test_what_stood_on_a_dead_switch_is_known_when_it_closes_again() -> None:
    home = parse_square("e2")
    tracker = PieceTracker(AT_START, {*AT_START.pieces()} - {home})
    tracker.confirm(AT_START, unsure={home})
    tracker.follow([Flip(home, True)], AT_START)
    assert tracker.standing[home] == "P"


def test_what_has_no_place_any_more_is_not_put_under_a_dead_switch() -> None:
    home, centre = parse_square("f9"), parse_square("e5")
    tracker = PieceTracker(AT_START, {*AT_START.pieces(), centre} - {home}, {centre: "*"})
    tracker.confirm(AT_START, unsure={home})
    tracker.follow([Flip(centre, False)], AT_START)
    tracker.follow([Flip(home, True)], AT_START)
    assert tracker.standing[home] == "p"
