"""The templates to drill by, and which reeds fit which magnet, as the guide has them."""

import csv
import re
from collections import Counter

import pytest

from docs import building
from docs.fitting import seen
from hardware.build import REED_MM, Build, build_of
from jetan_table.extras.workshop.case.disk import disk_sizes
from jetan_table.extras.workshop.case.flat import PI_HOLES, SMALL_PILOT_MM, brains
from jetan_table.extras.workshop.case.sizes import (
    FOOT_MM,
    PILOT_MM,
    REED_AXES_MM,
    REED_GLASS_MM,
    sizes_of,
)
from jetan_table.extras.workshop.paper import drilling, height_mm
from jetan_table.extras.workshop.parts import READY, Chip, bill
from jetan_table.people.reeds import CROSSED, DISK
from jetan_table.people.world import geometry_of
from rules import SQUARES, grid, ninth_ray
from tests.hardware.test_build import pitch_mm
from tests.paths import ROOT

PAGE = building.REEDS.read_text(encoding="utf-8")
CHIPS: tuple[Chip, ...] = ("pi", "mega")
AROUND = ("M3", "neodymium", "kilogram", "board of", "supply")
"""How lines of a parts list begin that stand for nothing on a circuit board."""


def test_templates_and_tables_are_as_their_script_makes_them() -> None:
    for name, content in building.drawn().items():
        assert (building.FOLDER / name).read_bytes() == content, "run python -m docs.building"
    for path in building.pages():
        page = path.read_text(encoding="utf-8")
        assert building.with_tables(page) == page, "run python -m docs.building"


def test_the_page_tells_the_sizes_of_what_is_built() -> None:
    """The sentences round the tables name these sizes, too."""
    flat, disk = building.FLAT, building.DISK
    assert f"The flat board, squares of {flat.square_mm:g} mm" in PAGE
    assert f"The disk, rings of {disk.square_mm:g} mm" in PAGE
    wired = read("wired.md")
    least, most = disk.turns
    least_inside, most_inside = disk.inner_turns
    page = read("disk.md")
    assert f"{least:g} to {most:g} ampere-turns" in page
    assert f"{least_inside:g} to {most_inside:g} ampere-turns" in page
    assert f"{disk.magnet.width:g} × {disk.magnet.height:g} mm" in page
    assert f"clear acrylic, {flat.surface_mm:g} mm" in wired
    assert f"| flat board, {flat.width_mm:.0f} mm | disk, {disk.width_mm:.0f} mm |" in wired
    assert f"a board of {build_of(way='paper').square_mm:g} mm squares" in read("paper.md")


def test_the_page_of_strips_has_the_same_volts_as_the_table_of_all_ways() -> None:
    volts = building.farthest_v(building.WAYS["strips"])
    assert f"the farthest lamp has {volts:.1f} V at least" in read("strips.md")
    # Less where more lamps shine, and where they are all in one half.
    assert volts < building.farthest_v(building.FLAT) < 5


def test_the_camera_hangs_as_high_as_the_page_says() -> None:
    paper = read("paper.md")
    assert f"{height_mm(build_of(way='paper')) / 1000:.2f} m above" in paper


def test_every_part_on_the_boards_is_bought() -> None:
    """The list counts what the boards' own lists count, twenty times the strip's."""
    build = build_of(way="strip")
    for chip in CHIPS:
        on_boards = {"strip": 20, f"adapter-{chip}": 1}
        wanted = sum(
            times * int(row["Count"])
            for board, times in on_boards.items()
            for row in csv.DictReader((READY / board / "parts.csv").read_text().splitlines())
        )
        loose = (
            "circuit board",
            "M3",
            "lead",
            "having",
            "neodymium",
            "kilogram",
            "quarter",
            "M2.5",
            "sheet",
            "print",
            "push",
            "postage",
            "tube",
            "metre",
            "supply",
        )
        listed = [line for line in bill(build, chip) if not line.what.startswith(loose)]
        assert sum(line.count for line in listed) == wanted


def test_pages_bend_leads_where_the_holes_want_them() -> None:
    beyond = (REED_MM - REED_GLASS_MM[0]) / 2
    for name in ("strips.md", "wired.md", "disk.md", "reeds.md"):
        page = read(name).replace("*", "")
        assert re.search(rf"{beyond:g} mm from (the|its) glass", page), name


def test_trays_take_the_screws_that_are_bought() -> None:
    build = build_of(way="strip")
    for brain in brains(sizes_of(build)):
        holes = Counter(seat.pilot for seat in brain.seats for _ in seat.holes)
        for pilot, what in ((SMALL_PILOT_MM, "M2.5 × 6, pan head"), (PILOT_MM, "M3 × 6, pan head")):
            (count,) = (line.count for line in bill(build) if line.what == what)
            # Of a Mega's six holes four are enough, and its adapter has three.
            assert count == min(holes[pilot], 4) or (brain.name, holes[pilot]) == ("mega", 3)
    disk = [line.count for line in bill(build_of("ninth-ray")) if line.what == "M2.5 × 6, pan head"]
    assert disk == [len(PI_HOLES)]


def test_pages_have_the_measures_of_the_drawn_case() -> None:
    flat = sizes_of(build_of(way="strip"))
    assert f"({REED_AXES_MM[0]:.1f} mm is drawn)" in read("first.md")
    assert f"({flat.surface_low - flat.board_top:.1f} mm)" in read("first.md")
    disk = disk_sizes(building.DISK)
    size = f"{2 * disk.outer:.0f} mm across, {FOOT_MM - disk.floor_low:.0f} mm high"
    assert size in read("disk.md")
    assert f"is {disk.surface_low - disk.reed_top:.1f} mm under the walls' top" in read("disk.md")
    assert f"the reed is {REED_MM:g} mm long in all" in read("disk.md")


def test_each_test_that_a_page_names_is_there() -> None:
    named = set(re.findall(r"`(test_\w+)`", read("checks.md")))
    defined = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.M)
    }
    assert len(named) > 20
    assert named <= defined


def read(name: str) -> str:
    """A page of the guide, in one line."""
    return " ".join((building.FOLDER / name).read_text(encoding="utf-8").split())


@pytest.mark.parametrize("build", [building.FLAT, building.DISK])
def test_what_is_recommended_is_marked_in_the_tables(build: Build) -> None:
    magnet = f"{build.magnet.width:g} × {build.magnet.height:g} mm; {build.depth_mm:g} mm"
    name = "magnets" if build is building.FLAT else "disk's magnets"
    (row,) = [row for row in table_of(name) if row.startswith(f"| {magnet} |")]
    assert f"**{100 * seen(build):.0f} %, " in row


def test_only_what_is_recommended_is_marked() -> None:
    for row in (*table_of("magnets"), *table_of("disk's magnets")):
        for text in row.strip("| ").split(" | ")[1:]:
            share, most = text.strip("*").split(" %, ")
            assert text.startswith("**") is (int(share) >= 99 and float(most) <= 0.5)


def table_of(name: str) -> list[str]:
    """The rows of one of the page's tables."""
    begin, end = f"<!-- {name} -->\n", f"\n<!-- end of {name} -->"
    return PAGE.partition(begin)[2].partition(end)[0].split("\n")[2:]


def test_the_page_tells_which_reeds_larger_squares_want() -> None:
    larger = build_of("grid", "wired", 51.0)
    assert larger.magnet == building.FLAT.magnet
    assert "Squares above 50 mm need reeds of {:g} to {:g} AT".format(*larger.turns) in PAGE


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
        assert (make.inner_turns or make.turns) == build.inner_turns
        assert make.moment == build.magnet.moment
        assert min(geometry.pitches) == pytest.approx(pitch_mm(build))


def test_the_templates_are_as_wide_as_their_boards() -> None:
    for build in (building.FLAT, building.DISK):
        sheet = drilling(build)
        assert sheet.width == sheet.height == pytest.approx(build.width_mm + 20)
