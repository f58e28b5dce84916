"""The printed case: its parts can be printed, and nothing in it stands in anything's way."""

import re
from collections.abc import Iterable
from functools import cache
from itertools import combinations
from math import hypot
from typing import Final

import pytest

from hardware.build import Build, CannotBeBuilt, Shape, build_of
from jetan_table.extras.workshop.case import (
    CasePart,
    alike,
    bought,
    case,
    case_parts,
    counted,
)
from jetan_table.extras.workshop.case.disk import disk_bought, disk_counted, disk_sizes
from jetan_table.extras.workshop.case.flat import (
    HEADER_MM,
    MEGA_MM,
    MEGA_PARTS,
    MEGA_ROW_MM,
    STAND_MM,
    Brain,
    bolts,
    brain_bodies,
    brains,
    column_x,
    frame,
    light_grid,
    tray,
)
from jetan_table.extras.workshop.case.sizes import (
    BED_MM,
    BOARD_MM,
    FLOOR_MM,
    FOOT_MM,
    Body,
    CaseSizes,
    screws,
    sizes_of,
)
from jetan_table.extras.workshop.circuits import LEAD_Y, PITCH, adapter_mega, adapter_pi
from jetan_table.extras.workshop.parts import Brain as BrainName
from jetan_table.extras.workshop.parts import leads
from jetan_table.extras.workshop.solids import Solid, block, joined
from tests.jetan_table.extras.workshop.printable import faults, in_3mf, in_stl
from tests.profiles import before_release

SIDES_MM: Final = before_release((45.0, 44.0, 50.0))
SAME_MM3: Final = 1e-3


@cache
def parts_of(side: float) -> tuple[CasePart, ...]:
    return tuple(case_parts(build_of(square_mm=side)))


def hits(solids: Iterable[Solid], things: Iterable[Body]) -> list[str]:
    """What things stand in the way of solids."""
    whole = joined(solids)
    return [thing.kind for thing in things if (whole ^ thing.solid).volume() > SAME_MM3]


def corner(build: Build, sizes: CaseSizes) -> Solid:
    """The frame's part in the south-west."""
    return next(solid for place, solid in frame(build, sizes) if place == (0, 0))


def corner_of_grid(build: Build, sizes: CaseSizes) -> Solid:
    """The light grid's part in the south-west."""
    return next(solid for place, solid in light_grid(build, sizes) if place == (0, 0))


@pytest.mark.ci
@pytest.mark.parametrize("side", SIDES_MM)
def test_every_part_can_be_printed(side: float) -> None:
    for part in parts_of(side):
        assert faults(part.printed, spacing=4.0) == [], part.name


@pytest.mark.ci
@pytest.mark.parametrize("side", SIDES_MM)
def test_every_part_fits_a_usual_printer_and_lies_on_its_bed(side: float) -> None:
    for part in parts_of(side):
        x0, y0, z0, x1, y1, z1 = part.printed.bounding_box()
        assert max(x1 - x0, y1 - y0, z1 - z0) <= BED_MM, part.name
        assert z0 == pytest.approx(0, abs=1e-6)


@pytest.mark.ci
@pytest.mark.parametrize("side", SIDES_MM)
@pytest.mark.parametrize("brain", [0, 1])
def test_nothing_stands_in_the_way_of_what_is_bought(side: float, brain: int) -> None:
    build = build_of(square_mm=side)
    sizes = sizes_of(build)
    pi, mega = brains(sizes)
    left_out = (mega, pi)[brain].name
    placed = [s for part in parts_of(side) if left_out not in part.name for s in part.placed]
    assert hits(placed, bought(build, sizes, (pi, mega)[brain])) == []


def stack(sizes: CaseSizes, brain: Brain) -> list[str]:
    """Say what a brain's boards, plugs and leads meet in their place, each other included."""
    build = build_of(square_mm=sizes.side)
    found = []
    rest = [body for body in bought(build, sizes, brain) if body.kind != "brain"]
    standing = [*(solid for _, solid in frame(build, sizes)), tray(sizes, brain)]
    for body in brain_bodies(sizes, brain):
        found += hits([body.solid], [*rest, Body("case", joined(standing))])
        rest.append(body)
    return found


@pytest.mark.parametrize("side", [45.0, *(pytest.param(n, marks=pytest.mark.ci) for n in (44, 55))])
@pytest.mark.parametrize("at", [0, 1], ids=["pi", "mega"])
def test_no_brain_with_its_plugs_and_leads_meets_the_case_or_a_lead(side: float, at: int) -> None:
    sizes = sizes_of(build_of(square_mm=side))
    brain = brains(sizes)[at]
    assert stack(sizes, brain) == []
    assert brain.deep + FLOOR_MM < FOOT_MM
    edges = [seat.room.bounding_box() for seat in brain.seats]
    assert all(abs(edge) < column_x(sizes) for box in edges for edge in (box[0], box[3]))


@pytest.mark.parametrize("side", [44.0, 45.0, 50.0, 55.0])
@pytest.mark.parametrize("name", ["pi", "mega"])
def test_every_lead_reaches_with_room_for_its_bends(side: float, name: BrainName) -> None:
    """From the adapter to the outermost strip straight, and 4 cm more."""
    build = build_of(square_mm=side)
    sizes = sizes_of(build)
    long_cm = {
        what.partition(", ")[0]: int(found[1])
        for what, _ in leads(build, name)
        if (found := re.search(r"(\d+) cm", what))
    }
    brain, board = brains(sizes)[name == "mega"], (adapter_pi, adapter_mega)[name == "mega"]()
    seat, (left, bottom, *_) = brain.seats[1], board.edges
    rise = sizes.board_low - sizes.floor_low + brain.deep - seat.low
    ends = {"J2": [(5 * side, -3 * side)], "J3": [(5 * side, 3 * side)]}
    ends["J4"] = [((at - 4.5) * side - LEAD_Y, -4.0) for at in range(10)]
    if name == "pi":
        ends |= {"J6": [(sizes.inside, 0.0)], "J7": [(-sizes.inside, 0.0)]}
    for part in board.parts:
        for pin, (x, y) in enumerate(ends.get(part.ref, ())):
            along = part.x + PITCH * pin
            if name == "pi":
                here = seat.x[0] + along - left, seat.y[0] + part.y - bottom
            else:
                here = seat.x[1] - part.y + bottom, seat.y[0] + along - left
            straight = hypot(x - here[0], y - here[1], rise)
            lead = "2 wires" if part.ref in ("J6", "J7") else "ribbon of 12 wires"
            assert straight + 40 <= 10 * long_cm[lead], (part.ref, pin, straight)


@pytest.mark.ci
@pytest.mark.parametrize("board", ["grid", "ninth-ray"])
def test_a_button_and_its_leads_meet_nothing_else_that_is_bought(board: Shape) -> None:
    build = build_of(board)
    is_disk = board == "ninth-ray"
    things = list(
        disk_bought(build, disk_sizes(build)) if is_disk else bought(build, sizes_of(build))
    )
    buttons = [body for body in things if body.kind == "button"]
    assert len(buttons) == 2
    # A disk's button covers the screw that its holder has been screwed on with.
    others = [body for body in things if body.kind not in ("button", "sunk screws")]
    assert hits((body.solid for body in buttons), others) == []
    case = Body("case", joined(case_solids(build)))
    assert hits((body.solid for body in buttons), [case]) == []
    assert hits((body.solid.translate((0, 0, 9)) for body in buttons), [case]) == ["case"]


def case_solids(build: Build) -> list[Solid]:
    """All parts of a case in their places, with a Pi's tray alone."""
    return [s for part in case_parts(build) if "mega" not in part.name for s in part.placed]


def test_a_mega_in_a_pis_tray_would_meet_frame_and_leads() -> None:
    sizes = sizes_of(build_of())
    pi, mega = brains(sizes)
    assert {"case", "lead"} <= set(stack(sizes, mega._replace(deep=pi.deep)))


def test_a_mega_and_its_adapter_meet_at_their_rows() -> None:
    """The adapter's header ends where the Mega's sockets begin, above the same holes."""
    sizes = sizes_of(build_of())
    mega, adapter = brains(sizes)[1].seats
    sockets = mega.low + BOARD_MM + MEGA_PARTS[-1][2]
    assert adapter.low - HEADER_MM == pytest.approx(sockets)
    overlap = mega.x[1] - adapter.x[0]
    (header,) = (part for part in adapter_mega().parts if part.ref == "J1")
    from_edge = adapter_mega().edges[3] - header.y
    assert overlap == pytest.approx(MEGA_MM[0] - MEGA_ROW_MM[0] + from_edge)
    assert len(adapter.holes) == 3
    assert all(x > mega.x[1] or abs(y) > mega.y[1] + STAND_MM / 2 for x, y in adapter.holes)


@pytest.mark.ci
@pytest.mark.parametrize("side", SIDES_MM)
def test_no_two_parts_of_the_case_share_room(side: float) -> None:
    placed = [(p.name, s) for p in parts_of(side) if "mega" not in p.name for s in p.placed]
    for (one, solid), (other, beside) in combinations(placed, 2):
        assert (solid ^ beside).volume() < SAME_MM3, f"{one} and {other}"


@pytest.mark.ci
def test_a_hole_that_is_moved_by_3_mm_is_found() -> None:
    build = build_of()
    sizes = sizes_of(build)
    things = bought(build, sizes)
    part = corner(build, sizes)
    assert hits([part], things) == []
    moved = [Body(thing.kind, thing.solid.translate((3, 0, 0))) for thing in things]
    assert hits([part], [thing for thing in moved if thing.kind == "screws"]) == ["screws"]
    grids = [solid for _, solid in light_grid(build, sizes)]
    assert hits(grids, [thing for thing in moved if thing.kind == "screws"]) == ["screws"]


@pytest.mark.ci
@pytest.mark.parametrize("side", SIDES_MM)
def test_the_light_grid_reaches_from_the_strips_to_the_surface(side: float) -> None:
    build = build_of(square_mm=side)
    sizes = sizes_of(build)
    walls = corner_of_grid(build, sizes).bounding_box()
    assert (walls[2], walls[5]) == pytest.approx((sizes.board_top, sizes.surface_low))


@pytest.mark.ci
def test_no_light_goes_from_a_square_to_its_neighbour() -> None:
    build = build_of()
    sizes = sizes_of(build)
    grid = joined(solid for _, solid in light_grid(build, sizes))
    height = sizes.surface_low - 0.5
    middles = [sizes.border(at + 0.5) for at in range(10)]
    for at, x in enumerate(middles):
        for y, aside in ((y, aside) for y in middles for aside in (-15.0, 6.0, 15.0)):
            for begin, end in (
                ((x, y + aside, height), (middles[at] + build.square_mm, y + aside, height)),
                ((y + aside, x, height), (y + aside, middles[at] + build.square_mm, height)),
            ):
                assert grid.ray_cast(begin, end), f"light passes from {begin} to {end}"


def test_screws_and_joints_are_where_the_strips_leave_room() -> None:
    build = build_of()
    sizes = sizes_of(build)
    assert len(screws(build)) == 60
    assert {(round(-x, 6), round(-y, 6)) for x, y in screws(build)} == {
        (round(x, 6), round(y, 6)) for x, y in screws(build)
    }
    assert sum(counted(build, sizes).values()) == 60 + 8 + 2 * len(list(bolts(sizes)))


@pytest.mark.ci
def test_a_disk_is_printed_in_sectors_that_leave_room_for_all_that_is_bought() -> None:
    build = build_of("ninth-ray")
    sizes = disk_sizes(build)
    parts = {part.file: part for part in case_parts(build)}
    assert parts.keys() == {
        "disk-sector_x10",
        "disk-hub_x1",
        "disk-tray_x1",
        "foot_x5",
        "button-holder_x2",
    }
    for part in parts.values():
        assert faults(part.printed, spacing=3.0) == [], part.name
        box = part.printed.bounding_box()
        assert max(box[3] - box[0], box[4] - box[1]) <= BED_MM
    placed = [solid for part in parts.values() for solid in part.placed]
    things = list(disk_bought(build, sizes))
    assert hits(placed, things) == []
    moved = [Body(thing.kind, thing.solid.translate((0, 3, 0))) for thing in things]
    assert {"reed", "lamp", "screws", "bolts", "button"} <= set(hits(placed, moved))
    # Eleven screws of feet, tray and buttons, ten of the hub; three with nuts at each seam.
    assert sorted(disk_counted(sizes).values()) == [10, 11, 30, 30]
    # All sectors are the first one turned, with a foot under every other: two of them tell of all.
    for number, sector in enumerate(placed[:2]):
        for other in placed[number + 1 :]:
            assert (sector ^ other).volume() < SAME_MM3


@pytest.mark.ci
def test_mirrored_corners_have_one_dot_or_two() -> None:
    build = build_of()
    sizes = sizes_of(build)
    low = sizes.floor_low
    dots = {}
    for (column, row), solid in frame(build, sizes):
        x0, y0, *_, x1, y1, _ = solid.bounding_box()
        corner = block((x0, x1), (y0, y1), (low, low + 0.5)) - solid
        round_ones = [gap for gap in corner.decompose() if 3.2 < gap.volume() < 3.6]
        dots[column, row] = len(round_ones)
    assert {at for at, count in dots.items() if count == 1} == {(0, 2), (2, 0)}
    assert {at for at, count in dots.items() if count == 2} == {(0, 0), (2, 2)}


def test_parts_that_are_turned_are_one_part() -> None:
    plate = block((0, 20), (0, 10), (0, 3)) - block((0, 4), (0, 4), (0, 3))
    turned, mirrored = plate.rotate((0, 0, 180)).translate((50, 0, 0)), plate.mirror((1, 0, 0))
    assert [len(group) for group in alike([plate, turned, mirrored])] == [2, 1]


@pytest.mark.ci
def test_files_say_how_often_they_are_printed() -> None:
    files = dict(case(build_of()))
    names = {path.removesuffix(".stl") for path in files if path.endswith(".stl")}
    assert {
        "case/frame-south-west_x2",
        "case/frame-middle_x1",
        "case/light-grid-3x3_x4",
        "case/foot_x4",
        "case/brain-tray-pi_x1",
    } <= names
    assert {path.removesuffix(".3mf") for path in files if path.endswith(".3mf")} == names
    parts = {f"case/{part.file}": part.printed for part in parts_of(45.0)}
    assert parts.keys() == names
    for name, solid in parts.items():
        x0, y0, z0, x1, y1, z1 = solid.bounding_box()
        for surface in (in_stl(files[f"{name}.stl"]), in_3mf(files[f"{name}.3mf"])):
            assert surface.is_volume, name
            assert surface.volume == pytest.approx(solid.volume(), rel=1e-3), name
            assert surface.bounds.ravel() == pytest.approx((x0, y0, z0, x1, y1, z1), abs=1e-3), name


def test_other_tables_are_refused_in_words() -> None:
    with pytest.raises(CannotBeBuilt, match="of 60 mm: a printed case takes 44 to 55"):
        sizes_of(build_of(square_mm=60))
    with pytest.raises(CannotBeBuilt, match="flat board of strips"):
        sizes_of(build_of(way="paper"))
