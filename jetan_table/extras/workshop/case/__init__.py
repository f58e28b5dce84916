"""The printed case: frame, light grid, feet and the brain's tray, or a disk's sectors.

`case` makes the files; `case_parts` has each part as it is printed and in all its places. Bought
parts are counted, and drawn as the room that they take.

A disk's case is ten sectors, each with its light grid and holders for its reeds. Nothing overhangs:
a deck is printed flat on the bed, and walls, holders and skirt rise from it. Reeds stand in their
holders, and lamps are glued under the deck, each under its hole. Heights are 0 on top of the
playing surface; sector 0 begins in the west, as on the board.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import cos, pi, radians, sin
from typing import Final

import numpy as np
from manifold3d import CrossSection, Manifold

from hardware.build import REED_MM, Build, CannotBeBuilt, Spot
from rules import RING_RADII, SQUARES, _, sector_and_ring

from ..solids import (
    Axis,
    Solid,
    block,
    joined,
    lying_hole,
    lying_rod,
    mesh_of,
    rod,
    solid_of,
    stl,
    three_mf,
    without,
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
    cable_lid,
    feet,
    feet_at,
    frame,
    light_grid,
    tray,
    tray_at,
)
from .sizes import (
    BED_MM,
    BOLT_HEAD_HIGH_MM,
    BOLT_HEAD_MM,
    CORE_MM,
    END_WALL_MM,
    FLANGE_MM,
    GAP_MM,
    NUT_HIGH_MM,
    NUT_MM,
    PILOT_MM,
    REED_GLASS_MM,
    SCREW_MM,
    THROUGH_MM,
    WALL_MM,
    Body,
    CaseSizes,
    bodies,
    screws,
    sizes_of,
)

STRIP_SCREW_MM, SUNK_SCREW_MM, BOLT_MM = 16.0, 12.0, 10.0

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
        return list(_disk(build))
    sizes = sizes_of(build)
    parts = [*_frames(build, sizes), *_grids(build, sizes)]
    parts.append(_foot(feet(feet_at(sizes), sizes.floor_low)))
    for brain in brains(sizes):
        hung = tray(sizes, brain)
        parts.append(CasePart(f"brain-tray-{brain.name}", on_bed(hung), (hung,), True))
    lid = cable_lid(sizes)
    parts.append(CasePart("cable-lid", on_bed(lid.rotate((180, 0, 0))), (lid,)))
    return parts


def _disk(build: Build) -> Iterator[CasePart]:
    sizes = disk_sizes(build)
    placed = tuple(sectors(build, sizes))
    # Turned so that its axis is along the bed's sides, where it is shortest.
    yield CasePart("disk-sector", on_bed(placed[0].rotate((0, 0, 90 - TURN / 2))), placed)
    ring = hub(sizes)
    yield CasePart("disk-hub", on_bed(ring), (ring,))
    yield _foot(feet(disk_feet_at(sizes), sizes.floor_low))


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
    yield from _joint((x, y, bolt_height(sizes)), axis, FLANGE_MM + GAP_MM, BOLT_MM)


def _joint(
    middle: tuple[float, float, float], axis: Axis, side: float, long: float
) -> Iterator[Solid]:
    """Yield a screw of length `long` through two walls, each `side` thick, and its nut."""
    yield lying_rod(middle, axis, (side - long, side), SCREW_MM)
    yield lying_rod(middle, axis, (side, side + BOLT_HEAD_HIGH_MM), BOLT_HEAD_MM)
    yield lying_rod(middle, axis, (-side - NUT_HIGH_MM, -side), NUT_MM)


# ------------------------------------------------------------------ a disk


SECTORS: Final = 10
TURN: Final = 360 / SECTORS

DISK_MARGIN_MM, DISK_PLAY_MM, DISK_SKIRT_MM = 6.0, 0.4, 2.8
DECK_MM, CHAMBER_MM = 2.0, 12.0
"""Heights of the deck, and of the walls between the squares on it."""

LAMP_HOLE_MM: Final = 6.0

HOLDER_MM, REED_HOLE_MM, REED_OUT_MM = 5.6, 3.0, 2.0
"""Widths of a reed's holder and of the hole in it, and length of the reed above it."""

HEART_MM, HUB_MM, HUB_HIGH_MM, HUB_SCREW_MM = 14.0, 26.0, 4.0, 20.0
"""Radius of the open middle; radius and height of the hub that joins the sectors, and its screws'
distance from the middle."""

FOOT_BOSS_MM: Final = 9.0
DISK_BOLT_MM: Final = 8.0
"""Length of the screws between two sectors."""

ARC_PARTS: Final = 24


@dataclass(frozen=True, slots=True)
class DiskSizes:
    """The lengths of one disk's case, in millimetres."""

    unit: float
    surface_low: float
    reed_top: float

    @property
    def rings(self) -> tuple[float, ...]:
        """The circles between the rings, from the rim inwards."""
        return tuple(self.unit * radius for radius in RING_RADII[:-1])

    @property
    def surface_radius(self) -> float:
        """The playing surface's radius."""
        return self.rings[0] + DISK_MARGIN_MM

    @property
    def outer(self) -> float:
        """The skirt's outer radius."""
        return self.surface_radius + DISK_PLAY_MM + DISK_SKIRT_MM

    @property
    def deck_top(self) -> float:
        """Height of the deck's upper face."""
        return self.surface_low - CHAMBER_MM

    @property
    def floor_low(self) -> float:
        """Height of the deck's underside."""
        return self.deck_top - DECK_MM

    @property
    def foot_radius(self) -> float:
        """Distance of the feet from the middle."""
        return self.rings[0] - 7.0


def disk_sizes(build: Build) -> DiskSizes:
    """Return the sizes of a disk's case. CannotBeBuilt: a printer takes no such sectors."""
    sizes = DiskSizes(build.unit_mm, -build.surface_mm, -build.depth_mm)
    if sizes.outer - HEART_MM > BED_MM:
        raise CannotBeBuilt(
            _("rings of {ring:g} mm: sectors of {long:.0f} mm; a usual printer prints {bed:g}"),
            ring=build.square_mm,
            long=sizes.outer - HEART_MM,
            bed=BED_MM,
        )
    return sizes


def sectors(build: Build, sizes: DiskSizes) -> list[Solid]:
    """Return the sectors in their places."""
    first = _sector(build, sizes)
    return [first.rotate((0, 0, TURN * at)) for at in range(SECTORS)]


def hub(sizes: DiskSizes) -> Solid:
    """Return the ring under the sectors' inner ends."""
    z = (sizes.floor_low - HUB_HIGH_MM, sizes.floor_low)
    holes = [rod(0, 0, (z[0] - 1, z[1] + 1), HEART_MM)]
    holes += [rod(x, y, (z[0] - 1, z[1] + 1), THROUGH_MM) for x, y in _around(HUB_SCREW_MM)]
    return without(rod(0, 0, z, 2 * HUB_MM), holes)


def disk_feet_at(sizes: DiskSizes) -> list[tuple[float, float]]:
    """Return the places of the feet: under every other sector."""
    return _around(sizes.foot_radius)[::2]


def disk_bought(build: Build, sizes: DiskSizes) -> Iterator[Body]:
    """Yield the bought parts of a disk in their places, for which its case must leave room."""
    radius = sizes.surface_radius
    plate = Manifold.cylinder(-sizes.surface_low, radius, radius, 256)
    yield Body("surface", plate.translate((0, 0, sizes.surface_low)))
    spots = [build.middle(square) for square in SQUARES]
    reed = (sizes.reed_top - REED_MM, sizes.reed_top)
    yield Body("reed", joined(rod(x, y, reed, REED_GLASS_MM[1]) for x, y in spots))
    bolt = joined(_disk_bolts(sizes))
    turns = [180 + TURN * at for at in range(SECTORS)]
    yield Body("bolts", joined(bolt.rotate((0, 0, turn)) for turn in turns))
    z = (sizes.floor_low - HUB_HIGH_MM, sizes.floor_low + 6.0)
    yield Body("screws", joined(rod(*at, z, CORE_MM) for at in _around(HUB_SCREW_MM)))
    z = (sizes.floor_low - SEAT_MM, sizes.floor_low + 7.0)
    yield Body("sunk screws", joined(rod(*at, z, CORE_MM) for at in disk_feet_at(sizes)))


def _disk_bolts(sizes: DiskSizes) -> Iterator[Solid]:
    """Yield the screws, heads and nuts between a sector at y = 0 and its neighbour."""
    for radius in _bolt_radii(sizes):
        middle = (radius, 0.0, _bolt_height(sizes))
        yield from _joint(middle, "y", END_WALL_MM + GAP_MM, DISK_BOLT_MM)


def _around(radius: float) -> list[tuple[float, float]]:
    """Return a point in the middle of each sector, at a distance from the centre."""
    turns = [radians(180 + TURN * (at + 0.5)) for at in range(SECTORS)]
    return [(radius * cos(turn), radius * sin(turn)) for turn in turns]


def _bolt_radii(sizes: DiskSizes) -> tuple[float, float, float]:
    rings = sizes.rings
    return (rings[4] - 20.0, (rings[2] + rings[3]) / 2, (rings[0] + rings[1]) / 2)


def _bolt_height(sizes: DiskSizes) -> float:
    return sizes.deck_top + 5.0


def _sector(build: Build, sizes: DiskSizes) -> Solid:
    """Return the sector of the first two files, in its place."""
    low, deck, top = sizes.floor_low, sizes.deck_top, sizes.surface_low
    inside = sizes.surface_radius + DISK_PLAY_MM
    walls = [_ring(radius - WALL_MM / 2, radius + WALL_MM / 2, low, top) for radius in sizes.rings]
    walls.append(_ring(inside, sizes.outer, low, 0.0))
    walls.append(_ring(HEART_MM, HUB_MM, low, top))
    # The walls at a sector's ends are half of a joint, cut along its middle by `_slice`; the wall
    # between its two files is whole.
    ends = END_WALL_MM + GAP_MM
    for turn, half in ((180.0, ends), (180.0 + TURN / 2, WALL_MM / 2), (180.0 + TURN, ends)):
        ray = block((HEART_MM, inside + 1), (-half, half), (low, top))
        walls.append(ray.rotate((0, 0, turn)))
    spots = list(_spots(build))
    reed_high = sizes.reed_top - REED_OUT_MM
    holders = [rod(*middle, (low, reed_high), HOLDER_MM) for middle, _ in spots]
    (foot_x, foot_y), (hub_x, hub_y) = _around(sizes.foot_radius)[0], _around(HUB_SCREW_MM)[0]
    boss = rod(foot_x, foot_y, (low, top), FOOT_BOSS_MM)
    deck_plate = _ring(HEART_MM, sizes.outer, low, deck)
    holes = [rod(*middle, (low - 1, 1.0), REED_HOLE_MM) for middle, _ in spots]
    holes += [rod(*lamp, (low - 1, 1.0), LAMP_HOLE_MM) for _, lamp in spots]
    holes += [rod(x, y, (low - 1, 1.0), PILOT_MM) for x, y in ((foot_x, foot_y), (hub_x, hub_y))]
    height = _bolt_height(sizes)
    for radius in _bolt_radii(sizes):
        hole = lying_hole((radius, 0, height), "y", (-4.0, 4.0), THROUGH_MM)
        holes += [hole.rotate((0, 0, turn)) for turn in (180.0, 180.0 + TURN)]
    whole = joined([*walls, *holders, boss, deck_plate])
    return without(whole, holes) ^ _slice(sizes)


def _spots(build: Build) -> Iterator[tuple[Spot, Spot]]:
    """Yield the middle, and the lamp's place, of each square of the first two files."""
    for square in SQUARES:
        if sector_and_ring(square)[0] < 2:
            yield build.middle(square), build.placed(square, build.lamp)


def _slice(sizes: DiskSizes) -> Solid:
    """Return the wedge of one sector, GAP_MM inside its borders."""
    far = 2 * sizes.outer
    first, last = radians(180), radians(180 + TURN)
    wedge = CrossSection([[(0, 0), *((far * cos(t), far * sin(t)) for t in (first, last))]])
    kept = wedge.offset(-GAP_MM)
    return Manifold.extrude(kept, 200).translate((0, 0, -100))


def _ring(inner: float, outer: float, low: float, high: float) -> Solid:
    parts = ARC_PARTS * SECTORS
    around = [(cos(2 * pi * at / parts), sin(2 * pi * at / parts)) for at in range(parts)]
    shape, hollow = (CrossSection([[(r * x, r * y) for x, y in around]]) for r in (outer, inner))
    return Manifold.extrude(shape - hollow, high - low).translate((0, 0, low))
