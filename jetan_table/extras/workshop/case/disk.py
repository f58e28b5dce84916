"""The case of a disk: ten sectors, the hub that joins them, and the brain's tray.

Each sector has its light grid and holders for its reeds. Nothing overhangs: a deck is printed flat
on the bed, and walls, holders and skirt rise from it. Reeds stand in their holders, and lamps are
glued under the deck, each pushed into its hole. Heights are 0 on top of the playing surface;
sector 0 begins in the west, as on the board.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import atan2, cos, degrees, pi, radians, sin
from typing import Final

from manifold3d import CrossSection, Manifold

from hardware.build import DISK_MARGIN_MM, REED_MM, Build, Spot
from rules import RING_RADII, SQUARES, sector_and_ring

from ..solids import Axis, Solid, block, joined, lying_hole, lying_rod, rod, without
from .flat import (
    COLUMN_MM,
    PI_HIGH_MM,
    PI_HOLES,
    PI_MM,
    SEAT_MM,
    SMALL_PILOT_MM,
    STAND_HIGH_MM,
    STAND_MM,
    sunk,
)
from .sizes import (
    BOARD_MM,
    BOLT_HEAD_HIGH_MM,
    BOLT_HEAD_MM,
    BUTTON_BODY_MM,
    BUTTON_HOLE_MM,
    CORE_MM,
    END_WALL_MM,
    FLOOR_MM,
    GAP_MM,
    LAMP_HIGH_MM,
    NUT_HIGH_MM,
    NUT_MM,
    PILOT_MM,
    REED_GLASS_MM,
    SCREW_MM,
    SUNK_SCREW_MM,
    THROUGH_MM,
    WALL_MM,
    Body,
    push_button,
)

SECTORS: Final = 10
TURN: Final = 360 / SECTORS

DISK_PLAY_MM, DISK_SKIRT_MM = 0.4, 2.8
"""Play of the playing surface in the skirt, and the skirt's thickness."""

HOLDER_IN_MM, HOLDER_LONG_MM, HOLDER_WIDE_MM, HOLDER_HIGH_MM = 3.0, 22.0, 20.0, 18.0
"""How far within the rim a button's holder ends, and its sides."""

DECK_MM, CHAMBER_MM = 2.0, 12.0
"""Heights of the deck, and of the walls between the squares on it."""

LAMP_HOLE_MM: Final = 7.4
"""A lamp of 5 x 5 mm is pushed into it from below."""

HOLDER_MM, REED_HOLE_MM, REED_OUT_MM = 5.6, 3.0, 2.0
"""Widths of a reed's holder and of the hole in it, and length of the reed above it."""

HEART_MM, HUB_MM, HUB_HIGH_MM, HUB_SCREW_MM = 14.0, 26.0, 4.0, 20.0
"""Radius of the open middle; radius and height of the hub that joins the sectors, and its screws'
distance from the middle."""

FOOT_BOSS_MM: Final = 9.0
"""Width of the bosses for the screws of feet and tray, on the wall between a sector's files."""

DISK_BOLT_MM, HUB_BOLT_MM = 8.0, 10.0
"""Lengths of the screws between two sectors, and of those of the hub."""

TRAY_AT_MM, DISK_TRAY_HIGH_MM, DISK_TRAY_MM = 62.0, 34.0, (44.0, 58.0)
"""The tray's screws' distance from the middle, its depth, and half its width and length."""

BUTTONS: Final = 2

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
    """Return the sizes of a disk's case."""
    return DiskSizes(build.unit_mm, -build.surface_mm, -build.reed_mm)


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


def button_holders(build: Build, sizes: DiskSizes) -> tuple[Solid, ...]:
    """Return the angles under the rim that hold the buttons, each screwed on like a foot."""
    inner, outer, height = _button(sizes)
    low, high, seat = outer - HOLDER_LONG_MM, sizes.floor_low, sizes.floor_low - SEAT_MM
    y = (-HOLDER_WIDE_MM / 2, HOLDER_WIDE_MM / 2)
    solid = joined(
        [
            block((low, outer), y, (seat, high)),
            block((inner, outer), y, (high - HOLDER_HIGH_MM, high)),
        ]
    )
    # It is printed on its head.
    hole = lying_hole((0, 0, 0), "x", (inner - 1, outer + 1), BUTTON_HOLE_MM).rotate((180, 0, 0))
    gaps = [hole.translate((0, 0, height)), sunk(sizes.foot_radius, 0, seat - 1, high)]
    holder = without(solid, gaps)
    return tuple(holder.rotate((0, 0, degrees(atan2(y, x)))) for x, y in build.button_ways)


def _button(sizes: DiskSizes) -> tuple[float, float, float]:
    """Return the inner and outer face of a button's wall, and the button's height."""
    outer = sizes.outer - HOLDER_IN_MM
    return outer - DISK_SKIRT_MM, outer, sizes.floor_low - SEAT_MM - BUTTON_BODY_MM / 2 - 1


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
    lamps = [build.lamp_at(square) for square in SQUARES]
    z = (sizes.floor_low, sizes.floor_low + LAMP_HIGH_MM)
    yield Body("lamp", joined(rod(*at, z, 7.1) for at in lamps))
    z = (sizes.floor_low - HUB_HIGH_MM, sizes.floor_low + HUB_BOLT_MM - HUB_HIGH_MM)
    yield Body("screws", joined(rod(*at, z, CORE_MM) for at in _around(HUB_SCREW_MM)))
    z = (sizes.floor_low - SEAT_MM, sizes.floor_low - SEAT_MM + SUNK_SCREW_MM)
    buttons = [(sizes.foot_radius * x, sizes.foot_radius * y) for x, y in build.button_ways]
    sunk_at = (*disk_feet_at(sizes), *_tray_at(), *buttons)
    yield Body("sunk screws", joined(rod(*at, z, CORE_MM) for at in sunk_at))
    yield from (push_button(way, *_button(sizes)) for way in build.button_ways)
    low = sizes.floor_low - DISK_TRAY_HIGH_MM + STAND_HIGH_MM
    (long, across), high = PI_MM, BOARD_MM + PI_HIGH_MM
    yield Body("brain", block((-across / 2, across / 2), (-long / 2, long / 2), (low, low + high)))


def disk_counted(sizes: DiskSizes) -> dict[str, int]:
    """Return how many screws and nuts of which kind a disk's case takes."""
    joints = SECTORS * len(_bolt_radii(sizes))
    return {
        f"M3 x {SUNK_SCREW_MM:g}, countersunk": len(disk_feet_at(sizes))
        + len(_tray_at())
        + BUTTONS,
        f"M3 x {HUB_BOLT_MM:g}, cap head": SECTORS,
        f"M3 x {DISK_BOLT_MM:g}, cap head": joints,
        "M3 nut": joints,
    }


def disk_tray(sizes: DiskSizes) -> Solid:
    """Return the tray for a Pi under the disk's middle, in its place."""
    high = sizes.floor_low
    floor = high - DISK_TRAY_HIGH_MM
    low = floor - FLOOR_MM
    (wide, deep), (long, across) = DISK_TRAY_MM, PI_MM
    plate = block((-wide, wide), (-deep, deep), (low, floor))
    columns = [rod(x, y, (low, high), COLUMN_MM) for x, y in _tray_at()]
    held = [(at_y - across / 2, at_x - long / 2) for at_x, at_y in PI_HOLES]
    stands = [rod(x, y, (low, floor + STAND_HIGH_MM), STAND_MM) for x, y in held]
    gaps = [sunk(x, y, low, high) for x, y in _tray_at()]
    gaps += [rod(x, y, (floor, high), SMALL_PILOT_MM) for x, y in held]
    gaps += [block((x - 1.5, x + 1.5), (-25.0, 25.0), (low - 1, high)) for x in (-10.0, 0.0, 10.0)]
    return without(joined([plate, *columns, *stands]), gaps)


def _tray_at() -> list[Spot]:
    """Return the places of the tray's screws: under four of the sectors."""
    return [at for number, at in enumerate(_around(TRAY_AT_MM)) if number % 5 in (1, 3)]


def _disk_bolts(sizes: DiskSizes) -> Iterator[Solid]:
    """Yield the screws, heads and nuts between a sector at y = 0 and its neighbour."""
    for radius in _bolt_radii(sizes):
        middle = (radius, 0.0, _bolt_height(sizes))
        yield from joint(middle, "y", END_WALL_MM + GAP_MM, DISK_BOLT_MM)


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
    screwed = [_around(radius)[0] for radius in (sizes.foot_radius, TRAY_AT_MM, HUB_SCREW_MM)]
    bosses = [rod(*at, (low, top), FOOT_BOSS_MM) for at in screwed[:2]]
    deck_plate = _ring(HEART_MM, sizes.outer, low, deck)
    holes = [rod(*middle, (low - 1, 1.0), REED_HOLE_MM) for middle, _ in spots]
    holes += [rod(*lamp, (low - 1, 1.0), LAMP_HOLE_MM) for _, lamp in spots]
    holes += [rod(*at, (low - 1, 1.0), PILOT_MM) for at in screwed]
    height = _bolt_height(sizes)
    for radius in _bolt_radii(sizes):
        hole = lying_hole((radius, 0, height), "y", (-4.0, 4.0), THROUGH_MM)
        holes += [hole.rotate((0, 0, turn)) for turn in (180.0, 180.0 + TURN)]
    whole = joined([*walls, *holders, *bosses, deck_plate])
    return without(whole, holes) ^ _slice(sizes)


def _spots(build: Build) -> Iterator[tuple[Spot, Spot]]:
    """Yield the middle, and the lamp's place, of each square of the first two files."""
    for square in SQUARES:
        if sector_and_ring(square)[0] < 2:
            yield build.middle(square), build.lamp_at(square)


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


def joint(
    middle: tuple[float, float, float], axis: Axis, side: float, long: float
) -> Iterator[Solid]:
    """Yield a screw of length `long` through two walls, each `side` thick, and its nut."""
    yield lying_rod(middle, axis, (side - long, side), SCREW_MM)
    yield lying_rod(middle, axis, (side, side + BOLT_HEAD_HIGH_MM), BOLT_HEAD_MM)
    yield lying_rod(middle, axis, (-side - NUT_HIGH_MM, -side), NUT_MM)
