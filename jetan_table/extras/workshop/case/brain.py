"""What hangs under the frame: its feet, and the brain's tray with its lid for cables."""

from collections.abc import Iterator, Sequence
from itertools import product
from math import hypot
from typing import Final, NamedTuple

from manifold3d import CrossSection, Manifold

from ..pcb.adapters import adapter_pi
from ..solids import Solid
from .frame import column_x, tray_at
from .shapes import block, joined, rod, without
from .sizes import FLOOR_MM, FOOT_MM, PILOT_MM, THROUGH_MM, CaseSizes
from .strips import BOARD_MM, Body, holes

FOOT_WIDE_MM, FOOT_END_MM = 26.0, 22.0
SEAT_MM, SUNK_MM = 5.0, 7.0
"""What a sunk screw goes through before its thread begins, and how wide the way to its head is."""

TRAY_Y_MM, TRAY_HIGH_MM, TRAY_WALL_MM = 58.0, 30.0, 2.4
COLUMN_MM: Final = 10.4

Span = tuple[float, float]

STAND_MM, STAND_HIGH_MM = 6.4, 5.0
SLOT_MM: Final = (3.0, 15.0)
"""Slots for air: their width, and how far they reach both ways."""

EXIT_X_MM, EXIT_DEEP_MM = 15.0, 16.0
"""The exit for cables: half its width, and how deep it is cut into the tray's wall."""

LID_PLAY_MM, LID_RIM_MM, LID_PLATE_MM = 0.2, 3.0, 2.0
CABLES: Final = ((-8.0, 6.0), (0.0, 6.0), (8.0, 6.0))
"""Where cables leave, from the exit's middle, and how thick they may be."""


class Mounting(NamedTuple):
    """A board in the tray: its bounds, where it is screwed on, and how high its parts are.

    `pilot` is the width of the holes that its screws cut their threads in.
    """

    x: Span
    y: Span
    holes: tuple[tuple[float, float], ...]
    high: float
    pilot: float


class Brain(NamedTuple):
    """What lies in a tray, and the gaps that its plugs need in the tray's walls."""

    name: str
    seats: tuple[Mounting, ...]
    ports: tuple[Solid, ...] = ()


PI_MM: Final = (85.0, 56.0)
PI_HOLES: Final = ((3.5, 3.5), (61.5, 3.5), (3.5, 52.5), (61.5, 52.5))
MEGA_MM: Final = (101.6, 53.4)
MEGA_HOLES: Final = (
    *((14.0, 2.5), (15.3, 50.7), (66.1, 7.6)),
    *((66.1, 35.5), (90.2, 50.7), (96.5, 2.5)),
)
MEGA_USB_MM: Final = (30.0, 46.0)
"""What a plug needs of the edge at which a Mega has its USB."""

PARTS_HIGH_MM, BESIDE_MM, SMALL_PILOT_MM = 18.0, 3.0, 2.1


def brains(sizes: CaseSizes) -> tuple[Brain, Brain]:
    """Return a Pi with its adapter, and a Mega."""
    right = column_x(sizes) - COLUMN_MM / 2 - 1
    board = adapter_pi()
    x0, y0, x1, y1 = board.edges
    left, y = right - (x1 - x0), -(y1 - y0) / 2
    screwed = tuple((left + at.x - x0, y + at.y - y0) for at in holes(board))
    adapter = Mounting((left, right), (y, -y), screwed, PARTS_HIGH_MM, PILOT_MM)
    # Turned so that its header faces the adapter and its USB has room.
    long, wide = PI_MM
    x, top = left - BESIDE_MM - wide, long / 2
    stands = tuple((x + across, top - along) for along, across in PI_HOLES)
    pi = Mounting((x, x + wide), (-top, top), stands, PARTS_HIGH_MM, SMALL_PILOT_MM)
    long, wide = MEGA_MM
    x, y = BESIDE_MM - column_x(sizes), -wide / 2
    stands = tuple((x + along, y + across) for along, across in MEGA_HOLES)
    mega = Mounting((x, x + long), (y, -y), stands, PARTS_HIGH_MM, SMALL_PILOT_MM)
    low = sizes.floor_low - TRAY_HIGH_MM + STAND_HIGH_MM
    wall = (x - BESIDE_MM - TRAY_WALL_MM - 1, x - BESIDE_MM + 1)
    usb = block(wall, (y + MEGA_USB_MM[0], y + MEGA_USB_MM[1]), (low, sizes.floor_low + 1))
    return Brain("pi", (pi, adapter)), Brain("mega", (mega,), (usb,))


def feet(places: Sequence[tuple[float, float]], high: float) -> Iterator[Solid]:
    """Yield feet at some places, under what is so high there."""
    low = high - FOOT_MM
    for x, y in places:
        yield without(rod(x, y, (low, high), FOOT_END_MM, FOOT_WIDE_MM), [sunk(x, y, low, high)])


def tray(sizes: CaseSizes, brain: Brain) -> Solid:
    """Return the tray where it hangs, for one of the brains."""
    high = sizes.floor_low
    floor = high - TRAY_HIGH_MM
    low, inside = floor - FLOOR_MM, column_x(sizes)
    wide, deep = inside + TRAY_WALL_MM, TRAY_Y_MM + TRAY_WALL_MM
    tub = _plate((wide, deep), 5.0, (low, high))
    tub -= _plate((inside, TRAY_Y_MM), 5.0 - TRAY_WALL_MM, (floor, high + 1))
    columns = [rod(x, y, (low, high), COLUMN_MM) for x, y in tray_at(sizes)]
    stood = floor + STAND_HIGH_MM
    stands = [rod(x, y, (low, stood), STAND_MM) for seat in brain.seats for x, y in seat.holes]
    gaps = [sunk(x, y, low, high) for x, y in tray_at(sizes)]
    gaps += [
        rod(x, y, (floor, stood + 1), seat.pilot) for seat in brain.seats for x, y in seat.holes
    ]
    gaps.append(
        block((-EXIT_X_MM, EXIT_X_MM), (TRAY_Y_MM - 1, deep + 1), (high - EXIT_DEEP_MM, high + 1))
    )
    gaps += [*brain.ports, *_slots(sizes, brain, (low - 1, floor + 1))]
    return without(joined([tub, *columns, *stands]), gaps)


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


def brain_bodies(sizes: CaseSizes, brain: Brain) -> Iterator[Body]:
    """Yield the room that the boards in a tray take, with what is plugged on them."""
    low = sizes.floor_low - TRAY_HIGH_MM + STAND_HIGH_MM
    for seat in brain.seats:
        yield Body("brain", block(seat.x, seat.y, (low, low + BOARD_MM + seat.high)))


def sunk(x: float, y: float, low: float, high: float) -> Solid:
    """Return the way for a screw with a sunk head that is driven in from below."""
    seat, wide, narrow = high - SEAT_MM, SUNK_MM / 2, THROUGH_MM / 2
    profile = [
        *((0.0, low - 1), (wide, low - 1), (wide, seat)),
        *((narrow, seat + wide - narrow), (narrow, high + 1), (0.0, high + 1)),
    ]
    return Manifold.revolve(CrossSection([profile]), 28).translate((x, y, 0))


def _plate(half: tuple[float, float], radius: float, z: tuple[float, float]) -> Solid:
    wide, deep = half[0] - radius, half[1] - radius
    core = CrossSection.square((2 * wide, 2 * deep), True)
    plate = Manifold.extrude(core.offset(radius, circular_segments=48), z[1] - z[0])
    return plate.translate((0, 0, z[0]))


def _slots(sizes: CaseSizes, brain: Brain, z: tuple[float, float]) -> Iterator[Solid]:
    """Yield slots for air under the brain, none of which comes near what stands on the floor."""
    wide, reach = SLOT_MM
    standing = [*tray_at(sizes), *(at for seat in brain.seats for at in seat.holes)]
    for x, y in product(range(-70, 71, 10), (-20.0, 20.0)):
        near = [hypot(x - at[0], max(0.0, abs(y - at[1]) - reach)) for at in standing]
        if min(near) > COLUMN_MM / 2 + wide:
            yield block((x - wide / 2, x + wide / 2), (y - reach, y + reach), z)
