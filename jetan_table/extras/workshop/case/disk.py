"""The printed case of a disk: ten sectors, each with its light grid and holders for its reeds.

Nothing lies over the air: a deck lies on the printer's bed, and walls, holders and skirt rise from
it. Reeds stand in their holders, and lamps are glued under the deck, each under its hole. Heights
are 0 on top of the board that is played on; sector 0 begins in the west, as on the board.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, pi, radians, sin
from typing import Final

from manifold3d import CrossSection, Manifold

from hardware.build import REED_MM, Build, Spot
from hardware.ports import CannotBeBuilt
from rules import RING_RADII, SQUARES, _, sector_and_ring

from ..solids import Solid, block, joined, lying_hole, lying_rod, rod, without
from .flat import SEAT_MM
from .sizes import (
    BED_MM,
    BOLT_HEAD_HIGH_MM,
    BOLT_HEAD_MM,
    CORE_MM,
    END_WALL_MM,
    GAP_MM,
    NUT_HIGH_MM,
    NUT_MM,
    PILOT_MM,
    REED_GLASS_MM,
    SCREW_MM,
    THROUGH_MM,
    WALL_MM,
    Body,
)

SECTORS: Final = 10
TURN: Final = 360 / SECTORS

DISK_MARGIN_MM, DISK_PLAY_MM, DISK_SKIRT_MM = 6.0, 0.4, 2.8
DECK_MM, CHAMBER_MM = 2.0, 12.0
"""The deck, and how high the walls between the squares are."""

LAMP_HOLE_MM: Final = 6.0
"""The hole for a lamp's light."""

HOLDER_MM, REED_HOLE_MM, REED_OUT_MM = 5.6, 3.0, 2.0
"""A reed's holder, the hole in it, and how much of the reed stands out above it."""

HEART_MM, HUB_MM, HUB_HIGH_MM, HUB_SCREW_MM = 14.0, 26.0, 4.0, 20.0
"""What is left open in the middle; the hub that joins the sectors; where its screws are."""

FOOT_BOSS_MM: Final = 9.0
DISK_BOLT_MM: Final = 8.0
"""How long the screws between two sectors are."""

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
        """That of the board that is played on."""
        return self.rings[0] + DISK_MARGIN_MM

    @property
    def outer(self) -> float:
        """The outside of the skirt."""
        return self.surface_radius + DISK_PLAY_MM + DISK_SKIRT_MM

    @property
    def deck_top(self) -> float:
        """The upper face of the deck."""
        return self.surface_low - CHAMBER_MM

    @property
    def floor_low(self) -> float:
        """The underside of the deck."""
        return self.deck_top - DECK_MM

    @property
    def foot_radius(self) -> float:
        """How far from the middle the feet are."""
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
    """Return the sectors where they lie."""
    first = _sector(build, sizes)
    return [first.rotate((0, 0, TURN * at)) for at in range(SECTORS)]


def hub(sizes: DiskSizes) -> Solid:
    """Return the ring under the sectors' inner ends."""
    z = (sizes.floor_low - HUB_HIGH_MM, sizes.floor_low)
    holes = [rod(0, 0, (z[0] - 1, z[1] + 1), HEART_MM)]
    holes += [rod(x, y, (z[0] - 1, z[1] + 1), THROUGH_MM) for x, y in _around(HUB_SCREW_MM)]
    return without(rod(0, 0, z, 2 * HUB_MM), holes)


def disk_feet_at(sizes: DiskSizes) -> list[tuple[float, float]]:
    """Return where the feet are screwed on: under every other sector."""
    return _around(sizes.foot_radius)[::2]


def disk_bought(build: Build, sizes: DiskSizes) -> Iterator[Body]:
    """Yield what the disk's case must leave room for, where it lies."""
    radius = sizes.surface_radius
    plate = Manifold.cylinder(-sizes.surface_low, radius, radius, 256)
    yield Body("surface", plate.translate((0, 0, sizes.surface_low)))
    spots = [build.middle(square) for square in SQUARES]
    reed = (sizes.reed_top - REED_MM, sizes.reed_top)
    yield Body("reed", joined(rod(x, y, reed, REED_GLASS_MM[1]) for x, y in spots))
    bolt = joined(_bolt(sizes))
    turns = [180 + TURN * at for at in range(SECTORS)]
    yield Body("bolts", joined(bolt.rotate((0, 0, turn)) for turn in turns))
    z = (sizes.floor_low - HUB_HIGH_MM, sizes.floor_low + 6.0)
    yield Body("screws", joined(rod(*at, z, CORE_MM) for at in _around(HUB_SCREW_MM)))
    z = (sizes.floor_low - SEAT_MM, sizes.floor_low + 7.0)
    yield Body("sunk screws", joined(rod(*at, z, CORE_MM) for at in disk_feet_at(sizes)))


def _bolt(sizes: DiskSizes) -> Iterator[Solid]:
    """Yield the screws, heads and nuts between a sector at y = 0 and its neighbour."""
    side = END_WALL_MM + GAP_MM
    for radius in _bolt_radii(sizes):
        at = (radius, 0.0, _bolt_height(sizes))
        yield lying_rod(at, "y", (side - DISK_BOLT_MM, side), SCREW_MM)
        yield lying_rod(at, "y", (side, side + BOLT_HEAD_HIGH_MM), BOLT_HEAD_MM)
        yield lying_rod(at, "y", (-side - NUT_HIGH_MM, -side), NUT_MM)


def _around(radius: float) -> list[tuple[float, float]]:
    """Return the middle of each sector, so far from the centre."""
    turns = [radians(180 + TURN * (at + 0.5)) for at in range(SECTORS)]
    return [(radius * cos(turn), radius * sin(turn)) for turn in turns]


def _bolt_radii(sizes: DiskSizes) -> tuple[float, float, float]:
    rings = sizes.rings
    return (rings[4] - 20.0, (rings[2] + rings[3]) / 2, (rings[0] + rings[1]) / 2)


def _bolt_height(sizes: DiskSizes) -> float:
    return sizes.deck_top + 5.0


def _sector(build: Build, sizes: DiskSizes) -> Solid:
    """Return the sector of the first two files, where it lies."""
    low, deck, top = sizes.floor_low, sizes.deck_top, sizes.surface_low
    inside = sizes.surface_radius + DISK_PLAY_MM
    walls = [_ring(radius - WALL_MM / 2, radius + WALL_MM / 2, low, top) for radius in sizes.rings]
    walls.append(_ring(inside, sizes.outer, low, 0.0))
    walls.append(_ring(HEART_MM, HUB_MM, low, top))
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
    """Yield the middle of each square of the first two files' sectors, and where its lamp is."""
    for square in SQUARES:
        if sector_and_ring(square)[0] < 2:
            yield build.middle(square), build.placed(square, build.lamp)


def _slice(sizes: DiskSizes) -> Solid:
    """Return what a sector is cut from: it stays back a little from its neighbours."""
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
