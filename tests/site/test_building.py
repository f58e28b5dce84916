"""The templates to drill by, and which reeds fit which magnet, as the guide has them."""

import pytest

from docs import building
from fabrication.templates import drilling
from hardware.build import Build, Magnet, build_of
from hardware.fitting import held, seen
from jetan_table.simulation.geometry import geometry_of
from jetan_table.simulation.reeds import CROSSED, DISK
from rules import SQUARES, grid, ninth_ray

PAGE = building.PAGE.read_text(encoding="utf-8")


def test_templates_and_tables_are_as_their_script_makes_them() -> None:
    for name, content in building.drawn().items():
        assert (building.FOLDER / name).read_bytes() == content, "run python -m docs.building"
    assert building.with_tables(PAGE) == PAGE, "run python -m docs.building"


def test_the_page_tells_the_sizes_of_what_is_built() -> None:
    """The sentences round the tables name these sizes, too."""
    for build in (building.FLAT, building.DISK):
        assert f"{build.width_mm:.0f} mm" in PAGE
        assert f"{build.turns[0]:g} to {build.turns[1]:g} ampere-turns" in PAGE
    flat, disk = building.FLAT, building.DISK
    parts = PAGE[: PAGE.index("## What is drilled")]
    assert (
        f"ten by ten squares of {flat.square_mm:g} mm, or a disk of {disk.width_mm:.0f} mm" in parts
    )
    assert f"[{flat.magnet.width:g} mm wide and {flat.magnet.height:g} mm high; for a disk" in parts
    assert f"for a disk {disk.magnet.width:g} mm and {disk.magnet.height:g} mm]" in parts
    assert f"{flat.surface_mm:g} mm thick at most (a disk {disk.surface_mm:g} mm)" in parts
    assert f"prints one, of {build_of('grid', 'paper').square_mm:g} mm squares" in parts
    assert f"The flat board, squares of {flat.square_mm:g} mm" in PAGE
    assert f"The disk, rings of {disk.square_mm:g} mm" in PAGE
    assert f"| flat board, {flat.width_mm:.0f} mm | disk, {disk.width_mm:.0f} mm |" in PAGE


@pytest.mark.parametrize("build", [building.FLAT, building.DISK])
def test_what_is_recommended_is_marked_in_the_tables(build: Build) -> None:
    share_seen, share_held = building.fit(build)
    assert (share_seen, share_held) == pytest.approx((seen(build), held(build)))
    magnet = f"{build.magnet.width:g} × {build.magnet.height:g} mm; {build.depth_mm:g} mm"
    name = "magnets" if build is building.FLAT else "disk's magnets"
    (row,) = [row for row in table_of(name) if row.startswith(f"| {magnet} |")]
    assert f"**{100 * share_seen:.0f} %, " in row


def test_only_what_is_recommended_is_marked() -> None:
    for row in (*table_of("magnets"), *table_of("disk's magnets")):
        for text in row.strip("| ").split(" | ")[1:]:
            share, most = text.strip("*").split(" %, ")
            assert text.startswith("**") is (int(share) >= 99 and float(most) <= 0.5)


def table_of(name: str) -> list[str]:
    """The rows of one of the page's tables."""
    begin, end = f"<!-- {name} -->\n", f"\n<!-- end of {name} -->"
    return PAGE.partition(begin)[2].partition(end)[0].split("\n")[2:]


def test_the_page_tells_the_sizes_that_other_squares_want() -> None:
    smaller, larger = build_of("grid", "wired", 44.0), build_of("grid", "wired", 60.0)
    assert (smaller.magnet, smaller.turns) == (Magnet(10.0, 2.0), (15.0, 20.0))
    assert (larger.magnet, larger.turns) == (building.FLAT.magnet, building.FLAT.turns)
    assert "Squares of 38 to 44 mm want magnets of 10 × 2 mm and reeds of 15 to 20 AT" in PAGE
    assert "up to 60 mm those of the" in PAGE


def test_the_simulated_boards_are_the_ones_that_are_built() -> None:
    for topology, make, build in (
        (grid(), CROSSED, build_of("grid")),
        (ninth_ray("clockwise"), DISK, build_of("ninth-ray")),
    ):
        geometry = geometry_of(topology)
        assert geometry.centres == tuple(map(build.middle, SQUARES))
        assert (2 * geometry.half, geometry.foot) == (build.width_mm, build.base_mm)
        assert geometry.turns == tuple(map(build.turn, SQUARES))
        assert (make.reeds, make.turns) == (build.sensed, build.turns)
        assert make.moment == build.magnet.moment
        assert min(geometry.pitches) == pytest.approx(build.pitch_mm())


def test_the_templates_are_as_wide_as_their_boards() -> None:
    for build in (building.FLAT, building.DISK):
        sheet = drilling(build)
        assert sheet.width == sheet.height == pytest.approx(build.width_mm + 20)
