"""The printed case: frame, light grid, feet and the brain's tray, or a disk's sectors.

`case` makes the files; `case_parts` has each part as it is printed and in all its places. Bought
parts are counted, and drawn as the room that they take.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from hardware.build import Build

from ..solids import (
    Axis,
    Solid,
    block,
    joined,
    mesh_of,
    rod,
    solid_of,
    stl,
    three_mf,
)
from .disk import (
    TURN,
    button_holders,
    disk_feet_at,
    disk_sizes,
    disk_tray,
    hub,
    joint,
    sectors,
)
from .flat import (
    HEAD_HIGH_MM,
    SEAT_MM,
    SUNK_MM,
    Brain,
    bolt_height,
    bolts,
    brain_bodies,
    brains,
    button_height,
    cable_lid,
    feet,
    feet_at,
    frame,
    light_grid,
    tray,
    tray_at,
)
from .sizes import (
    CORE_MM,
    FLANGE_MM,
    GAP_MM,
    SCREW_MM,
    SUNK_SCREW_MM,
    THROUGH_MM,
    Body,
    CaseSizes,
    bodies,
    push_button,
    screws,
    sizes_of,
)

STRIP_SCREW_MM, BOLT_MM = 16.0, 10.0

BUTTON_MM, BUTTON_HIGH_MM = 5.7, 1.65

_COMPASS: Final = {-1: ("south", "west"), 0: ("", ""), 1: ("north", "east")}

_SAME_MM3: Final = 1.0
"""Difference in mm3 below which two parts are the same."""


@dataclass(frozen=True, slots=True)
class CasePart:
    """A part of the case: its name, its solid on a printer's bed, and in each place in the case.

    Parts with `instead` are alternatives, of which one is printed.
    """

    name: str
    printed: Solid
    placed: tuple[Solid, ...]
    instead: bool = False

    @property
    def file(self) -> str:
        """The name of its file without an ending, which says how many are printed."""
        return f"{self.name}_x{len(self.placed)}"


def case(build: Build) -> Iterator[tuple[str, bytes]]:
    """Yield the case's files: each part as STL and as 3MF, named by how often it is printed.

    CannotBeBuilt: no case is made for such a board or such squares.
    """
    for part in case_parts(build):
        yield f"case/{part.file}.stl", stl(part.printed)
        yield f"case/{part.file}.3mf", three_mf(part.printed, part.name)


def case_parts(build: Build) -> list[CasePart]:
    """Return all parts of a case.

    CannotBeBuilt: no case is made for such a board or such squares.
    """
    if build.board == "ninth-ray":
        return list(_disk_parts(build))
    sizes = sizes_of(build)
    parts = [*_frames(build, sizes), *_grids(build, sizes)]
    parts.append(_foot(feet(feet_at(sizes), sizes.floor_low)))
    for brain in brains(sizes):
        hung = tray(sizes, brain)
        parts.append(CasePart(f"brain-tray-{brain.name}", on_bed(hung), (hung,), True))
    lid = cable_lid(sizes)
    parts.append(CasePart("cable-lid", on_bed(lid.rotate((180, 0, 0))), (lid,)))
    return parts


def _disk_parts(build: Build) -> Iterator[CasePart]:
    sizes = disk_sizes(build)
    placed = tuple(sectors(build, sizes))
    # Turned so that its axis is along the bed's sides, where it is shortest.
    yield CasePart("disk-sector", on_bed(placed[0].rotate((0, 0, 90 - TURN / 2))), placed)
    for name, solid in (("disk-hub", hub(sizes)), ("disk-tray", disk_tray(sizes))):
        yield CasePart(name, on_bed(solid), (solid,))
    yield _foot(feet(disk_feet_at(sizes), sizes.floor_low))
    holders = button_holders(build, sizes)
    yield CasePart("button-holder", on_bed(holders[0].rotate((180, 0, 0))), holders)


def _foot(standing: Iterable[Solid]) -> CasePart:
    placed = tuple(standing)
    return CasePart("foot", on_bed(placed[0].rotate((180, 0, 0))), placed)


def on_bed(solid: Solid) -> Solid:
    """Return a solid in the middle of a printer's bed."""
    x0, y0, z0, x1, y1, _ = solid.bounding_box()
    # Corners that would become one in a file, whose numbers are short, are merged here: triangles
    # that vanish by that would leave gaps in the file's surface.
    points, triangles = mesh_of(solid.translate((-(x0 + x1) / 2, -(y0 + y1) / 2, -z0)))
    points, same = np.unique(np.round(points, 4), axis=0, return_inverse=True)
    triangles = same.reshape(-1)[triangles]
    kept = (triangles != np.roll(triangles, 1, axis=1)).all(axis=1)
    return solid_of(points, triangles[kept])


def _frames(build: Build, sizes: CaseSizes) -> Iterator[CasePart]:
    tiles = list(frame(build, sizes))
    last = max(column for (column, _), _ in tiles), max(row for (_, row), _ in tiles)
    names = {}
    for (column, row), solid in tiles:
        ends = (row == last[1]) - (row == 0), (column == last[0]) - (column == 0)
        words = [_COMPASS[ends[0]][0], _COMPASS[ends[1]][1]]
        names[id(solid)] = "-".join(["frame", *(word for word in words if word)])
    # Parts that are alike when turned are printed from one file, named by the first place.
    for group in alike(solid for _place, solid in tiles):
        name = names[id(group[0])]
        yield CasePart(name if name != "frame" else "frame-middle", on_bed(group[0]), group)


def _grids(build: Build, sizes: CaseSizes) -> Iterator[CasePart]:
    for group in alike(solid for _place, solid in light_grid(build, sizes)):
        x0, y0, _, x1, y1, _ = group[0].bounding_box()
        squares = f"{round((x1 - x0) / sizes.side)}x{round((y1 - y0) / sizes.side)}"
        yield CasePart(f"light-grid-{squares}", on_bed(group[0]), group)


def alike(solids: Iterable[Solid]) -> list[tuple[Solid, ...]]:
    """Return solids in groups of those that are the same when turned on the spot."""
    groups: list[list[Solid]] = []
    for solid in solids:
        for group in groups:
            if _is_same(on_bed(group[0]), on_bed(solid)):
                group.append(solid)
                break
        else:
            groups.append([solid])
    return [tuple(group) for group in groups]


def _is_same(one: Solid, other: Solid) -> bool:
    # Volumes first: they tell nearly all unlike parts, and a common volume of two takes far longer.
    volume = one.volume()
    if abs(volume - other.volume()) > _SAME_MM3:
        return False
    return any(
        volume - (one ^ other.rotate((0, 0, turn))).volume() < _SAME_MM3
        for turn in (0, 180, 90, 270)
    )


def counted(build: Build, sizes: CaseSizes) -> dict[str, int]:
    """Return how many screws and nuts of which kind a case takes."""
    joints = len(list(bolts(sizes)))
    return {
        f"M3 x {STRIP_SCREW_MM:g}, button head": len(screws(build)),
        f"M3 x {SUNK_SCREW_MM:g}, countersunk": len(feet_at(sizes)) + len(tray_at(sizes)),
        f"M3 x {BOLT_MM:g}, cap head": joints,
        "M3 nut": joints,
    }


def bought(build: Build, sizes: CaseSizes, brain: Brain | None = None) -> list[Body]:
    """Return all bought parts in their places; the brain is a Pi by default."""
    placed = [
        Body(body.kind, body.solid.translate((0, 0, sizes.board_top))) for body in bodies(build)
    ]
    return [
        *placed,
        Body("surface", surface(sizes)),
        Body("screws", joined(_strip_screws(build, sizes))),
        Body("bolts", joined(part for bolt in bolts(sizes) for part in _bolt(*bolt, sizes))),
        Body("sunk screws", joined(_sunk_screws(sizes))),
        *(
            push_button(way, sizes.inside, sizes.outer, button_height(sizes))
            for way in build.button_ways
        ),
        *brain_bodies(sizes, brain or brains(sizes)[0]),
    ]


def surface(sizes: CaseSizes) -> Solid:
    """Return the playing surface."""
    reach = (-sizes.surface_half, sizes.surface_half)
    return block(reach, reach, (sizes.surface_low, 0.0))


def _strip_screws(build: Build, sizes: CaseSizes) -> Iterator[Solid]:
    seat = sizes.surface_low - HEAD_HIGH_MM
    for x, y in screws(build):
        yield rod(x, y, (seat, seat + BUTTON_HIGH_MM), BUTTON_MM)
        yield rod(x, y, (sizes.board_low, seat), SCREW_MM)
        yield rod(x, y, (seat - STRIP_SCREW_MM, sizes.board_low), CORE_MM)


def _sunk_screws(sizes: CaseSizes) -> Iterator[Solid]:
    high = sizes.floor_low
    seat = high - SEAT_MM
    cone = (SUNK_MM - THROUGH_MM) / 2
    for x, y in (*feet_at(sizes), *tray_at(sizes)):
        yield rod(x, y, (seat, seat + cone), SUNK_MM - 0.6, SCREW_MM - 0.2)
        yield rod(x, y, (seat, high), SCREW_MM)
        yield rod(x, y, (high, seat + SUNK_SCREW_MM), CORE_MM)


def _bolt(x: float, y: float, axis: Axis, sizes: CaseSizes) -> Iterator[Solid]:
    yield from joint((x, y, bolt_height(sizes)), axis, FLANGE_MM + GAP_MM, BOLT_MM)
