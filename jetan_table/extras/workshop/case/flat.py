"""The case of a flat board: its frame, the light grid in it, and the feet and tray below.

Walls between the squares reach from the strips up to the surface, and are screwed down together
with the strips. A wall has a notch for each part or soldered pin in its way. Under the frame are
its feet, and the brain's tray with its lid for cables.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from math import hypot
from typing import Final, NamedTuple

from manifold3d import CrossSection, Manifold

from hardware.build import Build

from ..circuits import SQUARES, Circuit, adapter_mega, adapter_pi, strip
from ..solids import Axis, Solid, block, joined, lying_hole, rod, rounded, without
from .sizes import (
    BOARD_MM,
    BUTTON_HOLE_MM,
    END_WALL_MM,
    FLANGE_MM,
    FLOOR_MM,
    FOOT_MM,
    GAP_MM,
    PILOT_MM,
    SKIRT_MM,
    THROUGH_MM,
    WALL_MM,
    Body,
    CaseSizes,
    holes,
    places,
    screws,
    strip_bodies,
)

CORNER_MM, LEDGE_MM, EDGE_MM = 6.0, 4.0, 1.4
"""Radius of the skirt's corners; width of the surface's ledge, and its thickness at the edge."""

BOSS_MM, POST_MM, RIB_MM = 8.0, 6.0, 2.4
BAR_MM: Final = 4.0
"""Half the width of the floor's bars."""

JOINT_BAR_MM, LEAST_WINDOW_MM = 8.0, 8.0
PLUG_ZONE_MM: Final = 11.0
"""Clear space on both sides of the plugs' line, on the floor."""

BOLT_OVER_FLOOR_MM: Final = 3.8

DOT_MM, DOT_DEEP_MM, DOT_OUT_MM = 3.0, 0.6, (23.0, 15.0)
"""Width and depth of the dots that tell mirrored corners apart; their distances from the squares,
beside the foot."""

TRAY_SCREW_MM, MOST_JOINT_MM = 4.7, 100.0
"""Distance of the tray's screws from a joint, and the joint's largest distance from the middle with
the screws outside of it."""

Span = tuple[float, float]


def frame(build: Build, sizes: CaseSizes) -> Iterator[tuple[tuple[int, int], Solid]]:
    """Yield the parts of the frame in their places, each with its column and row."""
    whole = _whole(build, sizes)
    height = (sizes.floor_low - 1, 1.0)
    columns = [-sizes.outer - 1, *sizes.frame_columns, sizes.outer + 1]
    rows = [-sizes.outer - 1, *sizes.frame_rows, sizes.outer + 1]
    for (column, x), (row, y) in product(enumerate(pairwise(columns)), enumerate(pairwise(rows))):
        room = block((x[0] + GAP_MM, x[1] - GAP_MM), (y[0] + GAP_MM, y[1] - GAP_MM), height)
        yield (column, row), whole ^ room


def bolts(sizes: CaseSizes) -> Iterator[tuple[float, float, Axis]]:
    """Yield the places and axes of the screws that join the frame's parts."""
    rim = sizes.half + 12
    for x in sizes.frame_columns:
        for y in (-rim, *(sizes.border(at) for at in (2.5, 4.5, 5.5, 7.5)), rim):
            yield x, y, "x"
    for y in sizes.frame_rows:
        for x in (-rim, *(sizes.border(at) for at in (1, 4, 6, 9)), rim):
            yield x, y, "y"


def bolt_height(sizes: CaseSizes) -> float:
    """Return the height of the frame's bolts."""
    return sizes.floor_top + BOLT_OVER_FLOOR_MM


def feet_at(sizes: CaseSizes) -> list[Span]:
    """Return the places of the feet."""
    at = sizes.half + 10
    return [(-at, -at), (at, -at), (at, at), (-at, at)]


def button_height(sizes: CaseSizes) -> float:
    """Return the height of the buttons in the skirt: between the floor and the surface's ledge."""
    return (sizes.floor_top + sizes.surface_low - LEDGE_MM - 2 * EDGE_MM) / 2


def tray_at(sizes: CaseSizes) -> list[Span]:
    """Return the places of the tray's screws."""
    x = column_x(sizes)
    return [(-x, -sizes.side), (x, -sizes.side), (-x, sizes.side), (x, sizes.side)]


def column_x(sizes: CaseSizes) -> float:
    """Return the distance of the tray's screws and walls from the middle, near a frame's joint.

    They are outside of the joint as long as a usual printer prints so wide a tray, else inside.
    Leads hang down from the strips beside the middle of each file, so no wall fits there.
    """
    joint = sizes.frame_columns[-1]
    return joint + TRAY_SCREW_MM if joint <= MOST_JOINT_MM else joint - 2 * TRAY_SCREW_MM


def _whole(build: Build, sizes: CaseSizes) -> Solid:
    outside = _outside(sizes)
    standing = [*_ribs(build, sizes), *_flanges(sizes)]
    plugs = [
        block(
            (-sizes.half - PLUG_ZONE_MM, sizes.half + PLUG_ZONE_MM),
            (y - PLUG_ZONE_MM, y + PLUG_ZONE_MM),
            (sizes.floor_top, sizes.surface_low),
        )
        for y in (-3 * sizes.side, 3 * sizes.side)
    ]
    # Plugs between strips hang below the seams, so ribs and flanges end there. Bosses and posts are
    # joined afterwards: they must reach the strips everywhere.
    low = without(joined(standing), plugs)
    bosses = [rod(x, y, (sizes.floor_low, sizes.board_low), BOSS_MM) for x, y in screws(build)]
    held = [*tray_at(sizes), *feet_at(sizes)]
    bosses += [rod(x, y, (sizes.floor_low, sizes.rib_top), BOSS_MM) for x, y in held]
    solid = joined([_floor(build, sizes), _skirt(sizes), low, *bosses, *_posts(sizes)])
    pilots = [*screws(build), *held]
    holes = [rod(x, y, (sizes.floor_low - 1, 1.0), PILOT_MM) for x, y in pilots]
    height = bolt_height(sizes)
    holes += [
        lying_hole((x, y, height), axis, (-8.0, 8.0), THROUGH_MM) for x, y, axis in bolts(sizes)
    ]
    # The two parts in which they are stay alike when turned round.
    button, skirt = (0.0, 0.0, button_height(sizes)), (sizes.inside - 1, sizes.outer + 1)
    hole = lying_hole(button, "x", skirt, BUTTON_HOLE_MM)
    holes += [hole, hole.rotate((0, 0, 180))]
    return without(solid ^ outside, [*holes, *_dots(sizes)])


def _dots(sizes: CaseSizes) -> Iterator[Solid]:
    """Yield dots in the corners' undersides: one north-west and south-east, two in the others."""
    far, near = (sizes.half + out for out in DOT_OUT_MM)
    z = (sizes.floor_low - 1, sizes.floor_low + DOT_DEEP_MM)
    for x, y in product((-1, 1), repeat=2):
        for out in (far,) if x != y else (far, near):
            yield rod(x * far, y * out, z, DOT_MM)


def _outside(sizes: CaseSizes) -> Solid:
    """Return the frame's outer shape, with bevelled edges above and below."""
    low, high = sizes.floor_low, 0.0
    levels = ((low, 1.2), (low + 1.2, 0.0), (high - 0.8, 0.0), (high, 0.8))
    return Manifold.batch_hull(
        [rounded(sizes.outer - inset, CORNER_MM - inset, (z, z + 1e-4)) for z, inset in levels]
    )


def _skirt(sizes: CaseSizes) -> Solid:
    """Return the outer wall and the ledge that bears the surface."""
    bottom, top = sizes.floor_low, 0.0
    inside = sizes.inside
    hollow = block((-inside, inside), (-inside, inside), (bottom - 1, top + 1))
    ring = rounded(sizes.outer, CORNER_MM, (bottom, top)) - hollow
    tight, reach, top = inside - LEDGE_MM, inside + 0.5, sizes.surface_low
    bottom = top - LEDGE_MM - 2 * EDGE_MM
    levels = ((top, 0.0), (top - EDGE_MM, 0.0), (bottom, LEDGE_MM + EDGE_MM))
    cone = Manifold.hull_points(
        [
            (x * (tight + out), y * (tight + out), z)
            for z, out in levels
            for x, y in product((-1, 1), repeat=2)
        ]
    )
    slab = block((-reach, reach), (-reach, reach), (bottom, top))
    return ring + (slab - cone)


def _floor(build: Build, sizes: CaseSizes) -> Solid:
    """Return the floor: bars under the rows of screws and under the seams of the strips."""
    z = (sizes.floor_low, sizes.floor_top)
    plate = rounded(sizes.outer, CORNER_MM, z)
    rim = [(-sizes.outer, -sizes.inside + 2), (sizes.inside - 2, sizes.outer)]
    seams = [sizes.border(number) for number in range(11)]
    x_bars = [*rim, *_bars(seams, BAR_MM), *_bars(sizes.frame_columns, JOINT_BAR_MM)]
    rows = {round(y, 6) for _, y in screws(build)} | {-sizes.half, sizes.half}
    y_bars = [*rim, *_bars(sorted(rows), BAR_MM + 1), *_bars(sizes.frame_rows, JOINT_BAR_MM)]
    windows = []
    # The floor is open between its bars, which saves plastic, but closed at the corners, where the
    # feet are screwed on.
    for x, y in product(_between(x_bars), _between(y_bars)):
        in_corner = abs(sum(x)) / 2 > sizes.half and abs(sum(y)) / 2 > sizes.half
        if not in_corner:
            windows.append(block(x, y, (z[0] - 1, z[1] + 1)))
    return without(plate, windows)


def _bars(middles: Sequence[float], half: float) -> list[Span]:
    return [(at - half, at + half) for at in middles]


def _between(bars: Sequence[Span]) -> Iterator[Span]:
    """Yield the gaps between bars that are wide enough for a window."""
    end = None
    for low, high in sorted(bars):
        if end is not None and low - end >= LEAST_WINDOW_MM:
            yield end, low
        end = high if end is None else max(end, high)


def _ribs(build: Build, sizes: CaseSizes) -> Iterator[Solid]:
    """Yield the ribs along the rows of screws."""
    reach = (-sizes.half, sizes.half)
    for y in {round(y, 6) for _, y in screws(build)}:
        yield block(reach, (y - RIB_MM / 2, y + RIB_MM / 2), (sizes.floor_low, sizes.rib_top))


def _flanges(sizes: CaseSizes) -> Iterator[Solid]:
    thick, height = FLANGE_MM + GAP_MM, (sizes.floor_low, sizes.rib_top)
    reach = (-sizes.outer + SKIRT_MM / 2, sizes.outer - SKIRT_MM / 2)
    for x in sizes.frame_columns:
        yield block((x - thick, x + thick), reach, height)
    for y in sizes.frame_rows:
        yield block(reach, (y - thick, y + thick), height)


def _posts(sizes: CaseSizes) -> Iterator[Solid]:
    """Yield the posts under the strips' corners, at the rim and in the middle."""
    near = sizes.half - POST_MM / 2
    for number, y in product(range(2 * SQUARES + 1), (-near, 0.0, near)):
        x = max(-near, min(near, sizes.border(number)))
        yield rod(x, y, (sizes.floor_low, sizes.board_low), POST_MM)


GRID_BOSS_MM, HEAD_MM, HEAD_HIGH_MM = 9.0, 6.2, 1.9
"""Width of the boss round each screw, width of the hole for its head, and that hole's depth."""

CLEAR_MM: Final = 0.4
"""Clearance beside a part, and above it."""


def light_grid(build: Build, sizes: CaseSizes) -> Iterator[tuple[tuple[int, int], Solid]]:
    """Yield the parts of the grid in their places, each with its column and row."""
    columns = [-sizes.half, *sizes.grid_columns, sizes.half]
    rows = [-sizes.half, *sizes.grid_rows, sizes.half]
    across, along = _walls(sizes, columns), _walls(sizes, rows)
    height = (sizes.board_top, sizes.surface_low)
    whole = (-sizes.half, sizes.half)
    lattice = joined(
        [
            *(block(wall, whole, height) for wall in across),
            *(block(whole, wall, height) for wall in along),
        ]
    )
    bosses = [rod(x, y, height, GRID_BOSS_MM) for x, y in screws(build)]
    # Notches take all of a wall's thickness: a thin rest beside a part could not be printed.
    taken = list(_taken(build, sizes, across, along))
    drilled = without(joined([lattice, *bosses]), [*_drilled(build, sizes), *taken])
    for (column, x), (row, y) in product(enumerate(pairwise(columns)), enumerate(pairwise(rows))):
        room = block((x[0] + GAP_MM, x[1] - GAP_MM), (y[0] + GAP_MM, y[1] - GAP_MM), height)
        yield (column, row), drilled ^ room


def _walls(sizes: CaseSizes, ends: Sequence[float]) -> list[Span]:
    """Return each wall's bounds across it: thicker where two parts meet, half of it for each."""
    walls = []
    for number in range(11):
        at = sizes.border(number)
        at_end = any(abs(at - end) < 1e-6 for end in ends)
        half = END_WALL_MM + GAP_MM if at_end else WALL_MM / 2
        walls.append((at - half, at + half))
    return walls


def _drilled(build: Build, sizes: CaseSizes) -> Iterator[Solid]:
    for x, y in screws(build):
        yield rod(x, y, (sizes.board_top - 1, sizes.surface_low + 1), THROUGH_MM)
        head = (sizes.surface_low - HEAD_HIGH_MM, sizes.surface_low + 1)
        yield rod(x, y, head, HEAD_MM)


def _taken(
    build: Build, sizes: CaseSizes, across: Sequence[Span], along: Sequence[Span]
) -> Iterator[Solid]:
    """Yield the notches that the strips' parts need in walls."""
    for body in strip_bodies(strip(build)):
        if body.kind == "board":
            continue
        for placed in places(build, body.solid):
            yield from _notch(placed, sizes, across, along)


def _notch(
    placed: Solid, sizes: CaseSizes, across: Sequence[Span], along: Sequence[Span]
) -> Iterator[Solid]:
    x0, y0, _, x1, y1, z1 = placed.bounding_box()
    if z1 <= 0:
        return
    x, y = (
        _widened((x0 - CLEAR_MM, x1 + CLEAR_MM), across),
        _widened((y0 - CLEAR_MM, y1 + CLEAR_MM), along),
    )
    if x[1] or y[1]:
        yield block(x[0], y[0], (sizes.board_top - 1, sizes.board_top + z1 + CLEAR_MM))


def _widened(span: Span, walls: Sequence[Span]) -> tuple[Span, bool]:
    """Return a span widened to the whole of each wall it touches, and whether it touches any."""
    low, high = span
    touched = False
    for wall in walls:
        if wall[0] < high and span[0] < wall[1]:
            low, high, touched = min(low, wall[0] - 0.01), max(high, wall[1] + 0.01), True
    return (low, high), touched


FOOT_WIDE_MM, FOOT_END_MM = 26.0, 22.0
SEAT_MM, SUNK_MM = 5.0, 7.0
"""Thickness clamped by a countersunk screw, and width of the way to its head."""

TRAY_Y_MM, TRAY_WALL_MM = 58.0, 2.4
COLUMN_MM: Final = 10.4


STAND_MM, STAND_HIGH_MM = 6.4, 5.0
PI_DEEP_MM, MEGA_DEEP_MM, MEGA_STAND_MM = 30.0, 41.0, 4.0
"""Depths of the trays, and height of a Mega's stands: its adapter is plugged onto it."""

SLOT_MM: Final = (3.0, 15.0)
"""Width and half the length of slots for air."""

EXIT_X_MM, EXIT_DEEP_MM = 15.0, 16.0
"""Half the width and the depth of the exit for cables in the tray's wall."""

LID_PLAY_MM, LID_RIM_MM, LID_PLATE_MM = 0.2, 3.0, 2.0
CABLES: Final = ((-8.0, 6.0), (0.0, 6.0), (8.0, 6.0))
"""Places of cables from the exit's middle, and their thickness."""


class Mounting(NamedTuple):
    """A circuit board in the tray: where it lies, with its holes and what is on it.

    `low` is its underside's height over the tray's floor, and so its stands' height; `pilot` is the
    width of the holes in which its screws cut their threads. `room` is what the board takes up with
    its parts and plugs and with the bends of their leads, its upper face at height 0.
    """

    x: Span
    y: Span
    holes: tuple[tuple[float, float], ...]
    pilot: float
    room: Solid
    low: float = STAND_HIGH_MM


class Brain(NamedTuple):
    """The boards of one tray, the openings that their plugs need in its walls, and its depth."""

    name: str
    seats: tuple[Mounting, ...]
    ports: tuple[Solid, ...] = ()
    deep: float = PI_DEEP_MM


PI_MM: Final = (85.0, 56.0)
PI_HOLES: Final = ((3.5, 3.5), (61.5, 3.5), (3.5, 52.5), (61.5, 52.5))
MEGA_MM: Final = (101.6, 53.4)
MEGA_HOLES: Final = (
    *((14.0, 2.5), (15.3, 50.7), (66.1, 7.6)),
    *((66.1, 35.5), (90.2, 50.7), (96.5, 2.5)),
)
MEGA_USB_MM: Final = (30.0, 46.0)
"""Span of a USB plug along a Mega's edge."""

PI_HIGH_MM, BESIDE_MM, SMALL_PILOT_MM = 18.0, 3.0, 2.1
MEGA_PARTS: Final = ((0.0, 88.0, 12.0), (88.0, 92.0, 2.0), (92.0, 98.6, 8.5))
"""From and to along a Mega, and the height of what is there; the last are the double row's sockets.
"""
MEGA_ROW_MM: Final = (93.98, 50.8)
"""Where a Mega has its double row's first pin: along it, and across."""

HEADER_MM: Final = 2.54
"""Height of a pin header without its pins."""

IDC_HIGH_MM, SHELL_HIGH_MM, BEND_MM = 13.5, 14.0, 3.0
"""Heights of a ribbon's plug in its shroud and of a shell on a pin; radius of a lead's bend."""

ADAPTER_PARTS: Final = (
    ("IDC-Header_2x20", (-4.0, 6.5), (-53.5, 5.3), 9.1),
    ("IDC-Header_2x06", (-4.0, 6.5), (-18.0, 5.3), 9.1),
    ("PinHeader_1x10", (-1.3, 1.3), (-24.2, 1.3), 8.5),
    ("PinHeader_1x02", (-1.3, 1.3), (-3.8, 1.3), 8.5),
    ("TerminalBlock", (-2.6, 7.7), (-5.0, 4.6), 10.0),
    ("Fuseholder", (-2.0, 12.0), (-5.5, 2.2), 16.0),
    ("CP_Radial", (-2.5, 7.5), (-5.0, 5.0), 16.0),
    ("DIP-14", (-0.5, 8.1), (-17.0, 1.8), 9.0),
    ("SOIC-8", (-3.0, 3.0), (-2.5, 2.5), 1.8),
    ("R_1206", (-1.6, 1.6), (-0.8, 0.8), 0.7),
    ("C_1206", (-1.6, 1.6), (-0.8, 0.8), 1.2),
)
"""By how a footprint's name begins, what such a part takes of an adapter from its first pin on, not
turned, and its height."""


def brains(sizes: CaseSizes) -> tuple[Brain, Brain]:
    """Return a Pi and a Mega, each with its adapter; a Pico or a Nano lies where the Pi would."""
    right = column_x(sizes) - COLUMN_MM / 2 - 1
    board = adapter_pi()
    x0, y0, x1, y1 = board.edges
    left, y = right - (x1 - x0), -(y1 - y0) / 2
    screwed = tuple((left + at.x - x0, y + at.y - y0) for at in holes(board))
    room = adapter_room(board).translate((left - x0, y - y0, 0))
    adapter = Mounting((left, right), (y, -y), screwed, PILOT_MM, room)
    # A Pi is turned so that its header faces the adapter and its USB sockets have room.
    long, wide = PI_MM
    x, top = left - BESIDE_MM - wide, long / 2
    stands = tuple((x + across, top - along) for along, across in PI_HOLES)
    room = block((x, x + wide), (-top, top), (-BOARD_MM, PI_HIGH_MM))
    pi = Mounting((x, x + wide), (-top, top), stands, SMALL_PILOT_MM, room)
    return Brain("pi", (pi, adapter)), _mega(sizes)


def _mega(sizes: CaseSizes) -> Brain:
    """Return a Mega with its adapter plugged onto its end; the adapter's far end has stands."""
    (long, wide), board = MEGA_MM, adapter_mega()
    x, y = BESIDE_MM - column_x(sizes), -wide / 2
    stands = tuple((x + along, y + across) for along, across in MEGA_HOLES)
    room = joined(
        block((x + begin, x + end), (y, -y), (-BOARD_MM, high)) for begin, end, high in MEGA_PARTS
    )
    seat = Mounting((x, x + long), (y, -y), stands, SMALL_PILOT_MM, room, MEGA_STAND_MM)
    # The adapter's header lies along its upper edge, and the Mega's along its end.
    (header,) = (part for part in board.parts if part.ref == "J1")
    east, north = x + MEGA_ROW_MM[0] + header.y, y + MEGA_ROW_MM[1] - header.x
    x0, y0, x1, y1 = board.edges
    on = tuple((east - at.y, north + at.x) for at in holes(board))
    adapter = Mounting(
        (east - y1, east - y0),
        (north + x0, north + x1),
        # One hole is too near to the Mega for a stand.
        tuple(at for at in on if not (at[0] < x + long and abs(at[1]) < -y + STAND_MM)),
        PILOT_MM,
        adapter_room(board).rotate((0, 0, 90)).translate((east, north, 0)),
        MEGA_STAND_MM + BOARD_MM + MEGA_PARTS[-1][2] + HEADER_MM,
    )
    low = sizes.floor_low - MEGA_DEEP_MM + MEGA_STAND_MM
    inside = -column_x(sizes)
    usb = block(
        (inside - TRAY_WALL_MM - 1, inside + 1),
        (y + MEGA_USB_MM[0], y + MEGA_USB_MM[1]),
        (low, sizes.floor_low + 1),
    )
    return Brain("mega", (seat, adapter), (usb,), MEGA_DEEP_MM)


def adapter_room(circuit: Circuit) -> Solid:
    """Return what an adapter takes up with its parts, plugs and the bends of leads."""
    left, bottom, right, top = circuit.edges
    solids = [block((left, right), (bottom, top), (-BOARD_MM, 0.0))]
    for part in circuit.parts:
        shape = part.footprint.partition(":")[2]
        for begin, (x0, x1), (y0, y1), high in ADAPTER_PARTS:
            if shape.startswith(begin):
                room = block((x0, x1), (y0, y1), (0.0, high))
                if begin.startswith("IDC"):
                    # A ribbon leaves at either side, and bends there.
                    sides = (x0 - BEND_MM, x1 + BEND_MM)
                    room += block(sides, (y0, y1), (high, IDC_HIGH_MM + BEND_MM))
                elif begin.startswith("Pin"):
                    room += block((x0, x1), (y0, y1), (0.0, SHELL_HIGH_MM + BEND_MM))
                solids.append(room.rotate((0, 0, part.turn)).translate((part.x, part.y, 0)))
    return joined(solids)


def feet(places: Sequence[tuple[float, float]], high: float) -> Iterator[Solid]:
    """Yield feet at some places, under a face at a height."""
    low = high - FOOT_MM
    for x, y in places:
        yield without(rod(x, y, (low, high), FOOT_END_MM, FOOT_WIDE_MM), [sunk(x, y, low, high)])


def tray(sizes: CaseSizes, brain: Brain) -> Solid:
    """Return the tray for one of the brains, in its place."""
    high = sizes.floor_low
    floor = high - brain.deep
    low, inside = floor - FLOOR_MM, column_x(sizes)
    wide, deep = inside + TRAY_WALL_MM, TRAY_Y_MM + TRAY_WALL_MM
    tub = _plate((wide, deep), 5.0, (low, high))
    tub -= _plate((inside, TRAY_Y_MM), 5.0 - TRAY_WALL_MM, (floor, high + 1))
    columns = [rod(x, y, (low, high), COLUMN_MM) for x, y in tray_at(sizes)]
    stands = [
        rod(x, y, (low, floor + seat.low), STAND_MM) for seat in brain.seats for x, y in seat.holes
    ]
    gaps = [sunk(x, y, low, high) for x, y in tray_at(sizes)]
    gaps += [
        rod(x, y, (floor, floor + seat.low + 1), seat.pilot)
        for seat in brain.seats
        for x, y in seat.holes
    ]
    gaps.append(
        block((-EXIT_X_MM, EXIT_X_MM), (TRAY_Y_MM - 1, deep + 1), (high - EXIT_DEEP_MM, high + 1))
    )
    gaps += [*brain.ports, *_slots(sizes, brain, (low - 1, floor + 1))]
    return without(joined([tub, *columns, *stands]), gaps)


def cable_lid(sizes: CaseSizes) -> Solid:
    """Return the lid that closes the tray's exit from above, over the cables."""
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
    """Yield the room of the boards in a tray, with their plugs and the bends of leads."""
    for seat in brain.seats:
        top = sizes.floor_low - brain.deep + seat.low + BOARD_MM
        yield Body("brain", seat.room.translate((0, 0, top)))


def sunk(x: float, y: float, low: float, high: float) -> Solid:
    """Return the hole for a countersunk screw that is driven in from below."""
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
    """Yield slots for air under the brain, away from all stands and columns."""
    wide, reach = SLOT_MM
    standing = [*tray_at(sizes), *(at for seat in brain.seats for at in seat.holes)]
    for x, y in product(range(-70, 71, 10), (-20.0, 20.0)):
        near = [hypot(x - at[0], max(0.0, abs(y - at[1]) - reach)) for at in standing]
        if min(near) > COLUMN_MM / 2 + wide:
            yield block((x - wide / 2, x + wide / 2), (y - reach, y + reach), z)
