"""A board to print: its squares and their names, and four markers by which a camera finds it."""

import json
from collections.abc import Iterator, Mapping
from math import atan2, degrees, hypot

from hardware.build import Build
from rules import SQUARES
from rules.board import FILES, SQUARE_NAMES
from vision.markers import DICTIONARY

from .colours import DARK, NAMES, NAMES_ON, PALE, RIM
from .sheet import MARKER_MM, QUIET_MM, Label, Point, Shape, Sheet, box, disc, marker

BAND_MM = 7.0
"""The white band round a flat board, in which the names of files and ranks stand."""

NAME_MM, DISK_NAME_MM = 6.0, 3.0
LINE_MM = 0.5
"""The line round a flat board."""

RIM_MM = 25.0
"""The band round a disk. All outer squares are taken at first, so that a camera that looks a little
from the side sees none of them empty; what it sees behind them must not be white for that."""


def board_sheet(build: Build, with_squares: bool = True) -> Sheet:
    """Return the whole board; or only what surrounds its squares, to lay another board on.

    A flat board's markers lie at its left and right, where no player's hands reach: so it takes no
    more of a picture's height than it must. A disk's lie in the corners beside it.
    """
    is_flat = build.board == "grid"
    half = build.width_mm / 2
    beyond = BAND_MM if is_flat else RIM_MM
    middle = (
        half + beyond + QUIET_MM + (QUIET_MM + MARKER_MM if is_flat else 0.0),
        half + beyond + QUIET_MM,
    )
    width, height = 2 * middle[0], 2 * middle[1]
    shapes = [box(0, 0, width, height, 1.0), *_ground(is_flat, middle, half)]
    if with_squares:
        shapes += _squares(build, middle)
    corners = _corners(middle, half if is_flat else half + RIM_MM)
    for number, quad in corners.items():
        shapes += marker(number, *quad[0])
    labels: list[Label] = []
    if is_flat:
        labels += _names_beside(build, middle)
    elif with_squares:
        labels += _names_inside(build, middle)
    return Sheet(width, height, tuple(shapes), _places(corners, middle, half), tuple(labels))


def _ground(is_flat: bool, middle: Point, half: float) -> Iterator[Shape]:
    """Yield what is round the squares, and white within it."""
    x, y = middle
    if is_flat:
        for reach, ink in ((half + LINE_MM, NAMES), (half, 1.0)):
            yield box(x - reach, y - reach, 2 * reach, 2 * reach, ink)
    else:
        yield disc(x, y, half + RIM_MM, RIM)
        yield disc(x, y, half, 1.0)


def _squares(build: Build, middle: Point) -> Iterator[Shape]:
    topology, unit = build.topology, build.unit_mm
    for outline, colour in zip(topology.outlines, topology.colours, strict=True):
        points = tuple((middle[0] + unit * (x - 5), middle[1] - unit * (y - 5)) for x, y in outline)
        yield Shape(points, PALE if colour else DARK)


def _corners(middle: Point, reach: float) -> Mapping[int, tuple[Point, ...]]:
    """Return each marker's corners on the sheet, its own top left first, clockwise."""
    left, right = QUIET_MM, 2 * middle[0] - QUIET_MM - MARKER_MM
    top, bottom = middle[1] - reach, middle[1] + reach - MARKER_MM
    ways = ((0, 0), (1, 0), (1, 1), (0, 1))
    starts = ((left, bottom), (right, bottom), (right, top), (left, top))
    return {
        number: tuple((x + MARKER_MM * across, y + MARKER_MM * down) for across, down in ways)
        for number, (x, y) in enumerate(starts)
    }


def _places(corners: Mapping[int, tuple[Point, ...]], middle: Point, half: float) -> str:
    """Write where the markers lie, for `vision.markers.read_markers`."""
    board_cm = {
        str(number): [
            (round((x - middle[0]) / 10, 4), round((middle[1] - y) / 10, 4)) for x, y in quad
        ]
        for number, quad in corners.items()
    }
    corner = -round(half / 10, 4)
    return json.dumps(
        {
            "fiducials": {"dictionary": DICTIONARY, "board_cm": board_cm},
            "board_cm": {"playing_area_corners": {"a1": (corner, corner)}},
        }
    )


def _names_beside(build: Build, middle: Point) -> Iterator[Label]:
    """Yield files' names below and above a flat board, and ranks' at its left and right.

    They are upright for the player who sits there.
    """
    x, y = middle
    out = build.width_mm / 2 + LINE_MM + BAND_MM / 2
    for number, file in enumerate(FILES):
        along = build.unit_mm * (number - 4.5)
        yield Label(file, (x + along, y + out), NAME_MM, NAMES)
        yield Label(file, (x + along, y - out), NAME_MM, NAMES, 180.0)
        yield Label(str(number + 1), (x - out, y - along), NAME_MM, NAMES)
        yield Label(str(number + 1), (x + out, y - along), NAME_MM, NAMES, 180.0)


def _names_inside(build: Build, middle: Point) -> Iterator[Label]:
    """Yield each square's name beside where a piece stands, to be read from outside the disk.

    It stands towards the rim, but in the wedges at the centre, which have no room there.
    """
    for square in SQUARES:
        right, up = build.middle(square)
        is_wedge = square // 10 in (4, 5)
        gap = build.base_mm / 2 + 0.7 * DISK_NAME_MM
        at = 1 + (-gap if is_wedge else gap) / hypot(right, up)
        place = middle[0] + right * at, middle[1] - up * at
        ink = NAMES_ON[build.topology.colours[square]]
        turn = -90.0 - degrees(atan2(up, right))
        yield Label(SQUARE_NAMES[square], place, DISK_NAME_MM, ink, turn)
