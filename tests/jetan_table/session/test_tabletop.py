"""What stands on a table: pieces followed through the hands, named by people, and put right."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.ports import Flip
from jetan_table.game.commands import CommandRefused
from jetan_table.session.tabletop import HandMove, PieceTracker, named_position, plan
from rules import Position, Side, Square, grid, letters, parse_position, parse_rules, parse_square

START = Position.start(parse_rules("appendix"))


@pytest.mark.parametrize(("start", "end"), [("e1", "e4"), ("e4", "e1")])
def test_a_whole_move_in_one_look_carries_the_piece(start: str, end: str) -> None:
    from_square, to_square, home = map(parse_square, (start, end, "e1"))
    occupied = {*START.pieces()} - {home} | {from_square}
    tracker = PieceTracker(START, occupied)
    chief = tracker.standing[from_square]
    tracker.follow(sorted([Flip(from_square, False), Flip(to_square, True)]), START)
    assert tracker.standing[to_square] == chief == "C"


def test_what_stood_on_a_dead_switch_is_known_when_it_closes_again() -> None:
    home = parse_square("e2")
    tracker = PieceTracker(START, {*START.pieces()} - {home})
    tracker.confirm(START, unsure={home})
    tracker.follow([Flip(home, True)], START)
    assert tracker.standing[home] == "P"


def test_what_has_no_place_any_more_is_not_put_under_a_dead_switch() -> None:
    home, centre = parse_square("f9"), parse_square("e5")
    tracker = PieceTracker(START, {*START.pieces(), centre} - {home}, {centre: "*"})
    tracker.confirm(START, unsure={home})
    tracker.follow([Flip(centre, False)], START)
    tracker.follow([Flip(home, True)], START)
    assert tracker.standing[home] == "p"


APPENDIX, PLAY_ON = parse_rules("appendix"), parse_rules("cazaux")
FEW = parse_position("10/10/3q6/10/4c5/10/4P5/3C6/10/2Q3W3 b BO - 0 1", APPENDIX)


def named(changes: Mapping[str, str | None], rules: str = "appendix") -> Position:
    """The position FEW by names, some of them changed; what stands is as it was."""
    named: dict[Square, str] = dict(letters(FEW))
    for name, letter in changes.items():
        named.pop(parse_square(name), None)
        if letter is not None:
            named[parse_square(name)] = letter
    return named_position(parse_rules(rules), named, letters(FEW).keys(), (), Side.ORANGE)


def test_the_position_is_what_people_name() -> None:
    position = named({})
    assert letters(position) == letters(FEW)
    assert position.side is Side.ORANGE
    assert named({"e4": "D"}).pieces()[parse_square("e4")].letter == "D"


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"e4": None, "g1": None}, "say which piece stands on g1, e4"),
        ({"a5": "P"}, "no piece is seen on a5"),
        ({"e4": "C"}, "2 of C are named: at most 1"),
        ({"e4": "*"}, "at most 0 are in a game"),
        ({"d3": "P"}, "no C is named"),
        ({"c1": "D"}, "no Q is named"),
    ],
)
def test_what_is_wrong_with_the_names_is_said(changes: dict[str, str | None], why: str) -> None:
    with pytest.raises(CommandRefused, match=why):
        named(changes)


def test_rules_that_play_on_need_no_chief() -> None:
    assert named({"d3": "P"}, "cazaux").piece_at(parse_square("d3"))


def test_a_failed_switch_may_be_named_or_not() -> None:
    named = letters(FEW)
    unsure = (parse_square("e4"), parse_square("a5"))
    with_stuck = {*named, parse_square("a5")}
    assert named_position(APPENDIX, named, with_stuck, unsure, Side.BLACK).piece_at(unsure[0])


BOARDS = st.dictionaries(st.integers(0, 8).map(Square), st.sampled_from("PTp"), max_size=6)


def square(name: str) -> Square:
    return parse_square(name)


def done(standing: dict[Square, str], steps: tuple[HandMove, ...]) -> dict[Square, str]:
    """Do the steps with hands that cannot put two things on one square."""
    board = dict(standing)
    for step in steps:
        if step.from_square is not None:
            assert board.pop(step.from_square) == step.letter
        if step.to_square is not None:
            assert step.to_square not in board
            board[step.to_square] = step.letter
    return board


def fewest(standing: dict[Square, str], target: dict[Square, str]) -> int:
    """The least number of hand moves, by trying everything, breadth first."""
    boards = {frozenset(standing.items())}
    layer = [dict(standing)]
    moves = 0
    while target not in layer:
        moves += 1
        grown = []
        for board in layer:
            for after in hand_moves(board, target):
                key = frozenset(after.items())
                if key not in boards:
                    boards.add(key)
                    grown.append(after)
        layer = grown
    return moves


def hand_moves(board: dict[Square, str], target: dict[Square, str]) -> list[dict[Square, str]]:
    found = []
    for at, letter in board.items():
        rest = {s: other for s, other in board.items() if s != at}
        found.append(rest)
        found += [{**rest, to: letter} for to in target if to not in board]
    found += [{**board, to: letter} for to, letter in target.items() if to not in board]
    return found


@given(BOARDS, BOARDS)
def test_a_plan_leads_home(standing: dict[Square, str], target: dict[Square, str]) -> None:
    assert done(standing, plan(target, standing, (), grid())) == target


SMALL = st.dictionaries(st.integers(0, 4).map(Square), st.sampled_from("PT"), max_size=4)


@given(SMALL, SMALL)
def test_no_plan_is_shorter(standing: dict[Square, str], target: dict[Square, str]) -> None:
    assert len(plan(target, standing, (), grid())) == fewest(standing, target)


def test_two_pieces_on_each_others_squares_cost_one_move_more() -> None:
    target = {square("a1"): "W", square("b1"): "A"}
    steps = plan(target, {square("a1"): "A", square("b1"): "W"}, (), grid())
    assert steps == (
        HandMove("A", square("a1"), None),
        HandMove("W", square("b1"), square("a1")),
        HandMove("A", None, square("b1")),
    )


def test_what_the_hand_holds_is_put_down_first() -> None:
    target = {square("a1"): "W", square("e5"): "P", square("f5"): "P"}
    steps = plan(target, {square("f6"): "P"}, ["W"], grid())
    assert steps[0] == HandMove("W", None, square("a1"))


def test_something_unknown_goes_where_a_piece_lacks_or_off_the_board() -> None:
    target = {square("d2"): "P"}
    assert plan(target, {square("d3"): "?"}, (), grid()) == (
        HandMove("P", square("d3"), square("d2")),
    )
    steps = plan({**target, square("e1"): "W"}, {square("d3"): "?"}, (), grid())
    assert steps[0] == HandMove("?", square("d3"), None)


def test_where_more_is_unknown_than_lacks_all_of_it_goes_off_the_board() -> None:
    """One of them came from elsewhere, and nobody knows which."""
    target = {square("d2"): "P"}
    led_off = (
        HandMove("?", square("d3"), None),
        HandMove("?", square("d7"), None),
        HandMove("P", None, square("d2")),
    )
    assert plan(target, {square("d7"): "?", square("d3"): "?"}, (), grid()) == led_off
    assert plan(target, {square("d7"): "?"}, ["?"], grid()) == led_off[1:]


def test_something_unknown_may_belong_where_nobody_can_see_whether_it_stands() -> None:
    target, standing = {square("d2"): "P"}, {square("d3"): "?"}
    assert plan(target, standing, (), grid(), ["W"])[0] == HandMove("?", square("d3"), None)
    assert plan(target, standing, (), grid(), ["P"])[0].to_square == square("d2")


def test_a_cleared_board_is_set_up_without_trying_every_pairing() -> None:
    target = letters(START)
    standing = {Square(99 - at): letter for at, letter in letters(START).items()}
    assert done(standing, plan(target, standing, (), grid())) == target


def test_pieces_are_followed_through_the_hands() -> None:
    where = PieceTracker(START, letters(START))
    where.follow([Flip(square("d1"), False), Flip(square("g9"), False)], START)
    assert where.in_hand == ["F", "p"]
    where.follow([Flip(square("g5"), True)], START)
    assert where.standing[square("g5")] == "p"
    where.follow([Flip(square("d1"), True)], START)
    assert (where.in_hand, where.standing[square("d1")]) == ([], "F")
    where.follow([Flip(square("g6"), True)], START)
    assert where.standing[square("g6")] == "?"
