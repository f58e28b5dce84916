"""What hangs under the frame: four feet, and between them the brain's tray with a lid for cables."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import hypot
from typing import Final, NamedTuple

from manifold3d import CrossSection, Manifold

from ..solids import Solid
from .frame import feet_at, tray_at
from .shapes import block, joined, rod, without
from .sizes import FLOOR_MM, FOOT_MM, THROUGH_MM, CaseSizes
from .strips import BOARD_MM, Body

FOOT_WIDE_MM, FOOT_END_MM = 26.0, 22.0
SEAT_MM, SUNK_MM = 5.0, 7.0
"""What a sunk screw goes through before its thread begins, and how wide the way to its head is."""

TRAY_X_MM, TRAY_Y_MM, TRAY_HIGH_MM, TRAY_WALL_MM = 75.0, 58.0, 30.0, 2.4
LEAD_ASIDE_MM: Final = 10.5
"""So far from the middle of each file leads hang down from the strips."""

COLUMN_MM: Final = 10.4

STAND_MM, STAND_HIGH_MM, STAND_PILOT_MM = 6.0, 5.0, 2.1
SLOT_MM: Final = (3.0, 15.0)
"""Slots for air: their width, and how far they reach both ways."""

EXIT_X_MM, EXIT_DEEP_MM = 15.0, 16.0
"""The exit for cables: half its width, and how deep it is cut into the tray's wall."""

LID_PLAY_MM, LID_RIM_MM, LID_PLATE_MM = 0.2, 3.0, 2.0
CABLES: Final = ((-8.0, 6.0), (0.0, 6.0), (8.0, 6.0))
"""Where cables leave, from the exit's middle, and how thick they may be."""


class Brain(NamedTuple):
    """A computer in the tray: its left lower corner, its board, its holes from there, its height."""

    name: str
    x: float
    y: float
    size: tuple[float, float]
    holes: tuple[tuple[float, float], ...]
    high: float


PI: Final = Brain(
    "pi", -30.5, -28.0, (85.0, 56.0), ((3.5, 3.5), (61.5, 3.5), (3.5, 52.5), (61.5, 52.5)), 23.0
)
MEGA: Final = Brain(
    "mega",
    -40.8,
    -26.7,
    (101.6, 53.4),
    ((14.0, 2.5), (15.3, 50.7), (66.1, 7.6), (66.1, 35.5), (90.2, 50.7), (96.5, 2.5)),
    23.0,
)
BRAINS: Final = (PI, MEGA)


def feet(sizes: CaseSizes) -> Iterator[Solid]:
    """Yield the feet where they stand."""
    low, high = sizes.floor_low - FOOT_MM, sizes.floor_low
    for x, y in feet_at(sizes):
        yield without(rod(x, y, (low, high), FOOT_END_MM, FOOT_WIDE_MM), sunk(x, y, low, high))


def tray(sizes: CaseSizes, brain: Brain) -> Solid:
    """Return the tray where it hangs, for one of the brains."""
    high = sizes.floor_low
    floor = high - TRAY_HIGH_MM
    low = floor - FLOOR_MM
    inside = max(TRAY_X_MM, 1.5 * sizes.side + LEAD_ASIDE_MM)
    wide, deep = inside + TRAY_WALL_MM, TRAY_Y_MM + TRAY_WALL_MM
    tub = _plate((wide, deep), 5.0, (low, high))
    tub -= _plate((inside, TRAY_Y_MM), 5.0 - TRAY_WALL_MM, (floor, high + 1))
    columns = [rod(x, y, (low, high), COLUMN_MM) for x, y in tray_at(sizes)]
    stands = [rod(x, y, (low, floor + STAND_HIGH_MM), STAND_MM) for x, y in stands_at(brain)]
    holes = [hole for x, y in tray_at(sizes) for hole in sunk(x, y, low, high)]
    holes += [
        rod(x, y, (floor, floor + STAND_HIGH_MM + 1), STAND_PILOT_MM) for x, y in stands_at(brain)
    ]
    holes.append(
        block((-EXIT_X_MM, EXIT_X_MM), (TRAY_Y_MM - 1, deep + 1), (high - EXIT_DEEP_MM, high + 1))
    )
    holes += _slots(sizes, brain, (low - 1, floor + 1))
    return without(joined([tub, *columns, *stands]), holes)


def stands_at(brain: Brain) -> list[tuple[float, float]]:
    """Return where a brain's board stands on the tray."""
    return [(brain.x + x, brain.y + y) for x, y in brain.holes]


def cable_lid(sizes: CaseSizes) -> Solid:
    """Return the lid that is pushed into the tray's exit from above, over the cables."""
    high, low = sizes.floor_low, sizes.floor_low - EXIT_DEEP_MM
    wall = (TRAY_Y_MM - LID_PLAY_MM, TRAY_Y_MM + TRAY_WALL_MM + LID_PLAY_MM)
    web = EXIT_X_MM - LID_PLAY_MM
    rim = EXIT_X_MM + LID_RIM_MM
    solid = joined(
        [
            block((-web, web), wall, (low, high)),
            block((-rim, rim), (wall[0] - LID_PLATE_MM, wall[0]), (low, high)),
            block((-rim, rim), (wall[1], wall[1] + LID_PLATE_MM), (low, high)),
        ]
    )
    gaps = [
        block(
            (x - wide / 2, x + wide / 2),
            (wall[0] - LID_PLATE_MM - 1, wall[1] + LID_PLATE_MM + 1),
            (low - 1, low + wide),
        )
        for x, wide in CABLES
    ]
    return without(solid, gaps)


def brain_body(sizes: CaseSizes, brain: Brain) -> Body:
    """Return the room that a brain takes in the tray, with what is plugged on it."""
    low = sizes.floor_low - TRAY_HIGH_MM + STAND_HIGH_MM
    x, y = (brain.x, brain.x + brain.size[0]), (brain.y, brain.y + brain.size[1])
    return Body("brain", block(x, y, (low, low + BOARD_MM + brain.high)))


def sunk(x: float, y: float, low: float, high: float) -> list[Solid]:
    """Return the way for a screw with a sunk head that is driven in from below."""
    seat = high - SEAT_MM
    cone = (SUNK_MM - THROUGH_MM) / 2
    return [
        rod(x, y, (low - 1, seat), SUNK_MM),
        rod(x, y, (seat, seat + cone), SUNK_MM, THROUGH_MM),
        rod(x, y, (seat, high + 1), THROUGH_MM),
    ]


def _plate(half: tuple[float, float], radius: float, z: tuple[float, float]) -> Solid:
    wide, deep = half[0] - radius, half[1] - radius
    core = CrossSection.square((2 * wide, 2 * deep), True)
    plate = Manifold.extrude(core.offset(radius, circular_segments=48), z[1] - z[0])
    return plate.translate((0, 0, z[0]))


def _slots(sizes: CaseSizes, brain: Brain, z: tuple[float, float]) -> Iterator[Solid]:
    """Yield slots for air under the brain, none of which comes near what stands on the floor."""
    wide, reach = SLOT_MM
    for x, y in product(range(-60, 61, 10), (-20.0, 20.0)):
        near = [
            hypot(x - at[0], max(0.0, abs(y - at[1]) - reach))
            for at in (*stands_at(brain), *tray_at(sizes))
        ]
        if min(near) > COLUMN_MM / 2 + wide:
            yield block((x - wide / 2, x + wide / 2), (y - reach, y + reach), z)
