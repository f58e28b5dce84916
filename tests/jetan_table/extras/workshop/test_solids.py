"""What can be said of a solid before it is printed."""

import math

import pytest
from manifold3d import Manifold

from jetan_table.extras.workshop.solids import stl, three_mf
from tests.jetan_table.extras.workshop.printable import (
    Load,
    faults,
    in_3mf,
    in_stl,
    least_wall,
    overhangs,
    surface_of,
    tip_angle,
)


def block(*size: float) -> Manifold:
    """A block that stands on the bed, with its middle over the origin."""
    return Manifold.cube(size, True).translate((0, 0, size[2] / 2))


def test_a_block_can_be_printed() -> None:
    assert faults(block(20, 20, 30), upright=30) == []


@pytest.mark.parametrize("form", ["stl", "3mf"])
def test_others_read_the_same_solid_from_its_file(form: str) -> None:
    tube = Manifold.cylinder(10, 8, 8, 24) - Manifold.cylinder(10, 5, 3, 24)
    first, again = (stl(tube) if form == "stl" else three_mf(tube, "tube") for _ in range(2))
    assert first == again
    surface = in_stl(first) if form == "stl" else in_3mf(first)
    assert surface.is_volume  # closed, and turned outwards everywhere
    assert surface.volume == pytest.approx(tube.volume(), rel=1e-4)
    assert surface.bounds.ravel() == pytest.approx(tube.bounding_box(), abs=1e-4)


def test_a_gap_in_a_file_is_seen() -> None:
    data = stl(block(5, 5, 5))
    one_less = data[:80] + (11).to_bytes(4, "little") + data[84:-50]
    assert in_stl(data).is_watertight
    assert not in_stl(one_less).is_watertight


def test_two_bodies_and_a_closed_hollow_are_named() -> None:
    apart = block(5, 5, 5) + block(5, 5, 5).translate((9, 0, 0))
    assert faults(apart) == ["2 bodies or closed hollows, not one body"]
    hollow = block(20, 20, 20) - Manifold.cube((5, 5, 5), True).translate((0, 0, 10))
    assert "2 bodies or closed hollows, not one body" in faults(hollow)


def test_a_thin_wall_is_found_where_it_is() -> None:
    fin = block(20, 20, 5) + block(1, 10, 20).translate((4, 0, 0))
    thin = least_wall(fin)
    assert thin.thickness == pytest.approx(1)
    assert abs(thin.place[0]) == pytest.approx(4, abs=0.51)
    assert thin.place[2] > 5
    assert [fault.partition(" at ")[0] for fault in faults(fin)] == ["a wall of 1.00 mm"]


def test_a_leaning_wall_is_measured_straight_through() -> None:
    sheared = block(2, 20, 20).transform(((1, 0, 0.8, 0), (0, 1, 0, 0), (0, 0, 1, 0)))
    assert least_wall(sheared).thickness == pytest.approx(2 / math.hypot(1, 0.8))


def test_a_sharp_edge_is_a_thin_wall_and_a_blunt_one_is_none() -> None:
    assert least_wall(Manifold.cylinder(20, 4, 0.01, 48)).thickness < 0.5
    assert least_wall(block(10, 10, 10)).thickness == pytest.approx(10)


@pytest.mark.parametrize(("height", "is_steep"), [(4, False), (4.4, False), (3.5, True)])
def test_a_wall_may_lean_by_45_degrees(height: float, is_steep: bool) -> None:
    goblet = Manifold.cylinder(height, 4, 8, 64)
    found = overhangs(surface_of(goblet))
    assert bool(found) == is_steep
    if is_steep:
        assert sum(over.area for over in found) == pytest.approx(
            math.pi * 12 * math.hypot(4, height), rel=0.01
        )


@pytest.mark.parametrize(("span", "is_bridge"), [(10.5, True), (12, False)])
def test_a_short_ceiling_between_two_walls_is_a_bridge(span: float, is_bridge: bool) -> None:
    gate = block(span + 6, 30, 12) - block(span, 40, 8)
    assert (overhangs(surface_of(gate)) == []) == is_bridge
    assert (faults(gate) == []) == is_bridge


@pytest.mark.parametrize(("width", "is_bridge"), [(10.8, True), (11.5, False)])
def test_the_ceiling_of_a_round_pocket_is_a_bridge(width: float, is_bridge: bool) -> None:
    foot = Manifold.cylinder(6, 12, 12, 64) - Manifold.cylinder(3, width / 2, width / 2, 64)
    assert (faults(foot) == []) == is_bridge


def test_a_shelf_is_no_bridge_and_a_hanging_thing_is_found() -> None:
    shelf = block(10, 10, 20) + block(6, 10, 4).translate((7, 0, 10))
    (over,) = overhangs(surface_of(shelf))
    assert over.area == pytest.approx(50)
    assert over.place == pytest.approx((7.5, 0, 10))
    lowered = Manifold.cylinder(4, 0.01, 4, 32).translate((6, 0, 8)) + block(10, 10, 20)
    hanging = [fault for fault in faults(lowered, wall=0) if "begins in the air" in fault]
    assert hanging == ["a layer begins in the air at (6.0, 0.0, 8.0)"]


def test_the_floor_of_a_bowl_does_not_hang() -> None:
    bowl = block(20, 20, 12) - block(10, 10, 10).translate((0, 0, 5))
    assert faults(bowl) == []


def test_the_end_of_a_leaning_pit_does_not_hang() -> None:
    drill = Manifold.cylinder(20, 0.01, 5, 24).rotate((0, 20, 0)).translate((0, 0, 5))
    assert faults(block(30, 30, 15) - drill, wall=0) == []


def test_a_tower_tips_where_its_weight_leaves_its_foot() -> None:
    tower = block(10, 20, 40)
    assert tip_angle(surface_of(tower)) == pytest.approx(math.degrees(math.atan2(5, 20)))
    low = Load(100, (0, 0, 1))
    assert tip_angle(surface_of(tower), [low]) > 50
    assert faults(tower, upright=35) == ["it tips over at 14.0 degrees: 35 at least"]
    assert faults(tower, upright=35, loads=[low]) == []
