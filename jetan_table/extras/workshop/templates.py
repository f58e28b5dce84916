"""Templates to drill a table's board by: holes for its lamps, and slots or holes for its reeds.

They show the board from above, Black's side at the lower edge. Lines are borders of squares.
"""

from collections.abc import Callable, Iterator, Sequence
from math import cos, dist, pi, sin
from typing import Final

from hardware.build import Build, ReedPlace
from rules import SQUARE_NAMES, SQUARES, Square

from .sheet import PAPERS, Ink, Label, Point, Shape, Sheet, box, format_pages, format_sheet, tiles

FOLDER: Final = "drilling"
MARGIN_MM: Final = 10.0
LINE_MM: Final = 0.25
LAMP_MM: Final = 6.0
"""The hole for a lamp's light."""

SLOT_MM: Final = (16.0, 2.5)
"""The slot for a reed that lies, long and wide; its gap is in the middle."""

REED_HOLE_MM: Final = 3.0
"""For one that stands."""

CROSS_MM: Final = 9.0
NAME_MM: Final = 3.0
SLOT_INK: Final[Ink] = 0.75
NAME_INK: Final[Ink] = 0.45
CORNERS: Final = 24


def templates(build: Build) -> Iterator[tuple[str, bytes]]:
    """Yield the template in pages for each size of paper, and whole."""
    sheet = drilling(build)
    for name, size in PAPERS.items():
        yield f"{FOLDER}/{name}.pdf", format_pages(tiles(sheet, size))
    yield f"{FOLDER}/board.svg", format_sheet(sheet, "svg")


def drilling(build: Build) -> Sheet:
    """Return the whole board as it is drilled."""
    side = build.width_mm + 2 * MARGIN_MM

    def on_sheet(point: Point) -> Point:
        return side / 2 + point[0], side / 2 - point[1]

    shapes = [box(0, 0, side, side, 1.0)]
    shapes += [_stroke(on_sheet(start), on_sheet(end), LINE_MM) for start, end in borders(build)]
    for square in SQUARES:
        for place in build.reeds:
            shapes += _reed(build, square, place, on_sheet)
    labels = []
    for square in SQUARES:
        shapes += _lamp(on_sheet(build.placed(square, build.lamp)))
        labels.append(
            Label(SQUARE_NAMES[square], on_sheet(_name(build, square)), NAME_MM, NAME_INK)
        )
    return Sheet(side, side, tuple(shapes), labels=tuple(labels))


def borders(build: Build) -> Sequence[tuple[Point, Point]]:
    """Return each border between squares once, and those of the board, in mm from its middle."""
    unit = build.unit_mm
    found = set()
    for outline in build.topology.outlines:
        points = [(round(unit * (x - 5), 3), round(unit * (y - 5), 3)) for x, y in outline]
        for start, end in zip(points, (*points[1:], points[0]), strict=True):
            found.add((min(start, end), max(start, end)))
    return sorted(found)


def _reed(
    build: Build, square: Square, place: ReedPlace, on_sheet: Callable[[Point], Point]
) -> Iterator[Shape]:
    """Yield a reed's slot, or the hole in which it stands."""
    if place.way is None:
        yield _ring(on_sheet(build.placed(square, place.gap)), REED_HOLE_MM)
        return
    (x, y), (ux, uy), half = place.gap, place.way, SLOT_MM[0] / 2
    ends = (x - half * ux, y - half * uy), (x + half * ux, y + half * uy)
    start, end = (on_sheet(build.placed(square, spot)) for spot in ends)
    yield _stroke(start, end, SLOT_MM[1], SLOT_INK)


def _lamp(middle: Point) -> Iterator[Shape]:
    """Yield a lamp's hole, and a cross to set the drill on."""
    (x, y), half = middle, CROSS_MM / 2
    yield _ring(middle, LAMP_MM)
    yield _stroke((x - half, y), (x + half, y), LINE_MM)
    yield _stroke((x, y - half), (x, y + half), LINE_MM)


def _name(build: Build, square: Square) -> Point:
    """Return where a square's name stands, clear of its holes and slots."""
    if build.board == "ninth-ray":
        return build.placed(square, (-8.0, 0.0))
    x, y = build.middle(square)
    off = build.square_mm / 2 - NAME_MM
    return x - off, y + off


def _stroke(start: Point, end: Point, wide: float, ink: Ink = 0.0) -> Shape:
    """Return a line as the rectangle that it is."""
    (x0, y0), (x1, y1) = start, end
    share = wide / 2 / dist(start, end)
    dx, dy = share * (y0 - y1), share * (x1 - x0)
    corners = (x0 + dx, y0 + dy), (x1 + dx, y1 + dy), (x1 - dx, y1 - dy), (x0 - dx, y0 - dy)
    return Shape(corners, ink)


def _ring(middle: Point, wide: float) -> Shape:
    """Return a circle as a thin ring, in one go round outside and back inside."""
    x, y = middle
    turns = [2 * pi * part / CORNERS for part in range(CORNERS + 1)]
    outside = [(wide / 2, turn) for turn in turns]
    inside = [(wide / 2 - LINE_MM, turn) for turn in reversed(turns)]
    return Shape(
        tuple(
            (x + radius * cos(turn), y + radius * sin(turn)) for radius, turn in outside + inside
        ),
        0.0,
    )
