"""The templates have Build's sizes: borders, lamps' holes and reeds' slots where they are felt."""

from math import dist, hypot

import pytest

from hardware.build import Build, build_of
from jetan_table.extras.workshop.paper import (
    DRILL_MARGIN_MM,
    LAMP_MM,
    REED_HOLE_MM,
    SLOT_MM,
    borders,
    drilling,
    templates,
)
from jetan_table.extras.workshop.sheet import Point, Shape
from rules import SQUARES

FLAT, DISK = build_of("grid", "wired"), build_of("ninth-ray", "wired")
BUILDS = pytest.mark.parametrize("build", [FLAT, DISK], ids=["flat", "disk"])


def middle(shape: Shape) -> Point:
    """The middle of the box round a shape."""
    xs, ys = zip(*shape.points, strict=True)
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def width(shape: Shape) -> float:
    xs = [x for x, _ in shape.points]
    return max(xs) - min(xs)


def on_sheet(build: Build, point: Point) -> Point:
    half = build.width_mm / 2 + DRILL_MARGIN_MM
    return half + point[0], half - point[1]


def holes(build: Build, wide: float) -> list[Point]:
    """Where the sheet has rings of a width."""
    rings = [shape for shape in drilling(build).shapes if len(shape.points) > 20]
    return [middle(ring) for ring in rings if width(ring) == pytest.approx(wide, abs=0.05)]


@BUILDS
def test_each_square_has_a_lamps_hole_where_its_lamp_lies(build: Build) -> None:
    found = holes(build, LAMP_MM)
    assert len(found) == 100
    for square in SQUARES:
        lamp = on_sheet(build, build.lamp_at(square))
        assert min(dist(lamp, hole) for hole in found) < 0.05


def test_each_flat_square_has_a_slot_along_each_of_its_reeds() -> None:
    slots = [shape for shape in drilling(FLAT).shapes if len(shape.points) == 4 and shape.ink]
    slots = slots[1:]  # the paper
    assert len(slots) == 200
    for square in SQUARES:
        for place in FLAT.reeds:
            gap = on_sheet(FLAT, FLAT.placed(square, place.gap))
            nearest = min(slots, key=lambda slot: dist(middle(slot), gap))
            assert dist(middle(nearest), gap) < 0.01
            sides = dist(*nearest.points[:2]), dist(*nearest.points[1:3])
            assert sorted(sides) == pytest.approx(sorted(SLOT_MM))


def test_each_square_of_a_disk_has_a_hole_for_the_reed_that_stands_clear_of_its_lamps() -> None:
    stands, lamps = holes(DISK, REED_HOLE_MM), holes(DISK, LAMP_MM)
    assert len(stands) == 100
    for square in SQUARES:
        reed = on_sheet(DISK, DISK.middle(square))
        assert min(dist(reed, hole) for hole in stands) < 0.05
        assert min(dist(reed, lamp) for lamp in lamps) > (LAMP_MM + REED_HOLE_MM) / 2 + 1.0


@BUILDS
def test_borders_are_those_of_the_board_each_drawn_once(build: Build) -> None:
    lines = borders(build)
    assert len({(start, end) for start, end in lines}) == len(lines)
    ends = [point for line in lines for point in line]
    far = max(max(abs(x), abs(y)) for x, y in ends)
    assert far == pytest.approx(build.width_mm / 2, abs=0.01)
    if build is FLAT:
        assert {round(dist(*line), 3) for line in lines} == {build.square_mm}
        assert len(lines) == 2 * 10 * 11
    else:
        radii = {round(hypot(*point)) for point in ends}
        assert radii == {0, 74, 108, 142, 176, 210}


def test_the_templates_files() -> None:
    names = [name for name, _ in templates(build_of("ninth-ray", "wired"))]
    assert names == ["drilling/a4.pdf", "drilling/letter.pdf", "drilling/board.svg"]
