"""The boards as tables: names, neighbours, colours and outlines."""

import math

import pytest

from rules import (
    SQUARE_NAMES,
    SQUARES,
    Direction,
    Topology,
    grid,
    mask_of,
    ninth_ray,
    parse_square,
    squares_of,
)

BOARDS = [grid(), ninth_ray("clockwise"), ninth_ray("counterclockwise")]


def area(outline: tuple[tuple[float, float], ...]) -> float:
    """Twice the shoelace sum is positive for a counter-clockwise polygon."""
    following = (*outline[1:], outline[0])
    return sum(x * v - y * u for (x, y), (u, v) in zip(outline, following, strict=True)) / 2


def test_squares_are_counted_along_the_ranks() -> None:
    names = {name: parse_square(name) for name in ("a1", "j1", "a10", "j10", "e5")}
    assert names == {"a1": 0, "j1": 9, "a10": 90, "j10": 99, "e5": 44}


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_straight_steps_change_the_colour_and_diagonal_ones_keep_it(board: Topology) -> None:
    for square in SQUARES:
        for way in Direction:
            there = board.neighbours[square][way]
            if there is not None:
                kept = board.colours[square] == board.colours[there]
                assert kept is bool(way % 2), (SQUARE_NAMES[square], way)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_no_square_has_a_neighbour_twice(board: Topology) -> None:
    for row in board.neighbours:
        present = [there for there in row if there is not None]
        assert len(set(present)) == len(present)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_outlines_cover_the_board_once(board: Topology) -> None:
    areas = [area(outline) for outline in board.outlines]
    assert min(areas) > 0, "counter-clockwise"
    whole = 100 if board.name == "grid" else 25 * math.pi
    assert sum(areas) == pytest.approx(whole, rel=0.002)
    assert all(0 <= x <= 10 and 0 <= y <= 10 for o in board.outlines for x, y in o)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_straight_neighbours_share_an_edge_unless_the_centre_is_between(board: Topology) -> None:
    corners = [{(round(x, 6), round(y, 6)) for x, y in outline} for outline in board.outlines]
    for square in SQUARES:
        for way in (Direction.NORTH, Direction.EAST, Direction.SOUTH, Direction.WEST):
            there = board.neighbours[square][way]
            if there is not None:
                shared = len(corners[square] & corners[there])
                innermost = {square // 10, there // 10} <= {4, 5}
                crosses = board.name != "grid" and innermost and way in (0, 4)
                assert (shared >= 2) is not crosses, (SQUARE_NAMES[square], way)


def test_the_disk_lies_as_it_is_drawn() -> None:
    """A at Black's left in the west, files counter-clockwise, rank 10 at the far rim."""
    board = ninth_ray("clockwise")
    centres = {name: board.centres[parse_square(name)] for name in ("a1", "e1", "j1", "a10")}
    assert centres["a1"][0] < 1
    assert centres["e1"][1] < 1
    assert centres["j1"][0] > 9
    assert centres["a10"][0] > 9
    triangle = board.outlines[parse_square("c5")]
    assert triangle[-1] == (5.0, 5.0)
    assert len(triangle) == 6


@pytest.mark.parametrize(
    ("bias", "steps"),
    [
        ("clockwise", {"a5": "j5", "b5": "a6", "c5": "b6", "j5": "i6", "a6": "j6", "b6": "a5"}),
        ("counterclockwise", {"a5": "b6", "i5": "j6", "j5": "a5", "a6": "b5", "j6": "a6"}),
    ],
)
def test_straight_over_the_centre(bias: str, steps: dict[str, str]) -> None:
    board = BOARDS[1] if bias == "clockwise" else BOARDS[2]
    for start, end in steps.items():
        way = Direction.NORTH if start.endswith("5") else Direction.SOUTH
        assert board.neighbours[parse_square(start)][way] == parse_square(end)


def test_the_ring_closes_at_the_seams() -> None:
    for board in BOARDS[1:]:
        for rank in range(1, 6):
            east_of_j = board.neighbours[parse_square(f"j{rank}")][Direction.EAST]
            west_of_a = board.neighbours[parse_square(f"a{rank}")][Direction.WEST]
            assert east_of_j == parse_square(f"a{11 - rank}")
            assert west_of_a == parse_square(f"j{11 - rank}")


def test_sets_of_squares_are_read_back() -> None:
    squares = [parse_square(name) for name in ("a1", "e5", "j10")]
    assert list(squares_of(mask_of(squares))) == squares


def test_ninth_ray_example_c() -> None:
    """The odwar that came h8-g7-f6 goes on to f5 or h5 where the centre bends counterclockwise."""
    inwards = {Direction.SOUTH_EAST, Direction.SOUTH_WEST}
    ends = {}
    for board in BOARDS[1:]:
        row = board.neighbours[parse_square("f6")]
        ends[board.name] = {SQUARE_NAMES[at] for way in inwards if (at := row[way]) is not None}
    assert list(ends.values()) == [{"d5", "f5"}, {"f5", "h5"}]
