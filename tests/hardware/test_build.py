"""A table to be made: its squares hold its pieces, and its parts lie where they are said to."""

from itertools import combinations, product
from math import dist, hypot, pi

import pytest

from hardware.build import Build, CannotBeBuilt, Shape, Way, build_of
from rules import SQUARES, Square, parse_square

SHAPES: tuple[Shape, ...] = ("grid", "ninth-ray")
WAYS: tuple[Way, ...] = ("paper", "strip", "wired")


def pitch_mm(build: Build) -> float:
    """Return how near two pieces stand that stand nearest."""
    return min(dist(one, other) for one, other in combinations(map(build.middle, SQUARES), 2))


@pytest.mark.parametrize(
    ("shape", "way"), [kind for kind in product(SHAPES, WAYS) if kind != ("ninth-ray", "strip")]
)
def test_every_square_holds_a_piece_with_its_neighbours(shape: Shape, way: Way) -> None:
    for square_mm in (None, *((30.0, 60.0) if way == "paper" else ())):
        build = build_of(shape, way, square_mm)
        assert pitch_mm(build) >= build.base_mm > build.magnet.width
        assert max(hypot(*build.middle(square)) for square in SQUARES) < build.width_mm
        assert 0 < build.play_mm < build.square_mm / 2


def test_the_usual_tables_have_the_sizes_that_the_guide_tells() -> None:
    assert (build_of("grid").width_mm, build_of("grid").base_mm) == (450.0, 24.0)
    disk = build_of("ninth-ray")
    assert disk.width_mm == pytest.approx(420.0)
    assert disk.base_mm == pytest.approx(19.7)
    assert pitch_mm(disk) == pytest.approx(20.02, abs=0.01)
    assert disk.play_on(Square(44)) == pytest.approx((pitch_mm(disk) - 19.7) / 2, abs=0.05)


def test_there_are_no_strips_for_a_disk() -> None:
    assert build_of("ninth-ray").way == "wired"
    with pytest.raises(CannotBeBuilt, match="--way wired or paper"):
        build_of("ninth-ray", "strip")


@pytest.mark.parametrize("square_mm", [15.9, 90.1])
def test_no_table_is_made_of_squares_that_nobody_can_use(square_mm: float) -> None:
    with pytest.raises(ValueError, match=f"squares of {square_mm:g} mm: between 16 and 90"):
        build_of("grid", "paper", square_mm)


@pytest.mark.parametrize("way", ["strip", "wired"])
@pytest.mark.parametrize("square_mm", [41.9, 60.1])
def test_no_table_is_made_whose_reeds_would_mistake_a_piece(way: Way, square_mm: float) -> None:
    with pytest.raises(CannotBeBuilt, match=f"squares of {square_mm:g} mm: between 42 and 60"):
        build_of("grid", way, square_mm)
    with pytest.raises(CannotBeBuilt, match="between 34 and 34"):
        build_of("ninth-ray", square_mm=35.0)


def test_on_a_disk_reeds_and_lamps_turn_with_their_squares() -> None:
    disk = build_of("ninth-ray", "wired")
    for square in SQUARES:
        middle, lamp = disk.middle(square), disk.lamp_at(square)
        assert dist(middle, lamp) == pytest.approx(11.5)
        assert hypot(*middle) - hypot(*lamp) == pytest.approx(11.5)  # towards the middle


@pytest.mark.parametrize("square_mm", [42.0, 45.0, 60.0])
def test_lamps_of_a_drilled_board_lie_apart_from_slots_and_from_each_other(
    square_mm: float,
) -> None:
    flat, hole, slot = build_of("grid", "wired", square_mm), 5.0, 1.25
    lamps = [flat.lamp_at(square) for square in SQUARES]
    for square, (x, y) in zip(SQUARES, lamps, strict=True):
        left, below = flat.middle(square)
        assert max(abs(x - left), abs(y - below)) + hole <= square_mm / 2 - 1
        for place in flat.reeds:
            gap = flat.placed(square, place.gap)
            assert min(dist(gap, lamp) for lamp in lamps) > hole + slot + 3
    assert min(dist(lamps[0], other) for other in lamps[1:]) == pytest.approx(square_mm)


def test_slots_at_the_rim_point_inwards() -> None:
    flat = build_of("grid", "wired")
    edge = flat.width_mm / 2
    for square in SQUARES:
        for place in flat.reeds:
            x, y = flat.placed(square, place.gap)
            assert max(abs(x), abs(y)) <= edge - flat.square_mm / 2
    turns = [flat.turn(parse_square(name)) for name in ("e5", "j5", "e10", "j10")]
    assert turns == [0.0, pi / 2, -pi / 2, pi]
    assert not any(build_of("grid", "strip").turn(square) for square in SQUARES)


def test_a_reed_that_lies_deeper_is_felt_deeper() -> None:
    flat = build_of("grid", "wired")
    depths = [-reed[0].z for reed in flat.sensed]
    assert depths == [flat.depth_mm, flat.depth_mm + flat.reeds[1].deeper]
    assert build_of("ninth-ray").turn(Square(0)) == pytest.approx(-pi + pi / 20)
