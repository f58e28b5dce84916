"""Sheets to print: their content, their files as SVG and PDF, and their division into pages.

A sheet is a list of shapes and words in millimetres; x runs to the right and y downwards. `tiles`
cuts one into pages for a printer at home, and `laid_out` arranges small things on such pages. Each
page has a bar of 100 mm, which shows whether it was printed at its true size.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from math import ceil, cos, pi, radians, sin, sqrt
from typing import Final, Literal

import cv2
import numpy as np

from vision.markers import (
    DICTIONARY,
    SHEET_COLUMNS,
    SHEET_DICTIONARY,
    SHEET_MARKER_MM,
    SHEET_ROWS,
    SHEET_SQUARE_MM,
    charuco_board,
)

Point = tuple[float, float]
Ink = float | tuple[float, float, float]
"""Grey, 0 for black and 1 for white; or red, green and blue, each 0..1."""

MARKER_MM = 28.0
QUIET_MM = 5.0
"""White border of a marker, without which it is not detected."""

CARDS = 6
POINTS_A_MM = 72 / 25.4
ROUND_MM = 0.05
CAPITAL = 0.718
"""Height of Helvetica's capitals and digits, as a share of its size."""

WIDTHS = (
    *(278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278),
    *(556,) * 10,
    *(278, 278, 584, 584, 584, 556, 1015),
    *(667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833),
    *(722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611),
    *(278, 278, 278, 469, 556, 333),
    *(556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833),
    *(556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500),
    *(334, 260, 334, 584),
)
"""Widths of Helvetica's characters from the space to the tilde, in thousandths of its size."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A filled polygon."""

    points: tuple[Point, ...]
    ink: Ink


@dataclass(frozen=True, slots=True)
class Label:
    """A word of ASCII in Helvetica, whose middle is at a point."""

    text: str
    middle: Point
    size: float
    ink: Ink = 0.0
    turn: float = 0.0
    """In degrees, clockwise."""

    @property
    def width(self) -> float:
        """Its printed width."""
        return sum(WIDTHS[ord(letter) - 32] for letter in self.text) * self.size / 1000

    @property
    def start(self) -> Point:
        """The left end of its base line."""
        along, down = -self.width / 2, CAPITAL * self.size / 2
        across, up = cos(radians(self.turn)), sin(radians(self.turn))
        x, y = self.middle
        return x + along * across - down * up, y + along * up + down * across


@dataclass(frozen=True, slots=True)
class Sheet:
    """The content of one page, large sheet or cut-out, with its own top left at (0, 0).

    `markers` is the JSON of a board's markers; None for other sheets.
    """

    width: float
    height: float
    shapes: tuple[Shape, ...]
    markers: str | None = None
    labels: tuple[Label, ...] = ()


def cards() -> Sheet:
    """Return a page of loose cards, to be cut out along their grey edges and laid flat."""
    card = MARKER_MM + 2 * QUIET_MM
    shapes = [box(0, 0, 210.0, 297.0, 1.0)]
    for number in range(CARDS):
        left, top = 25 + (number % 3) * (card + 20), 25 + (number // 3) * (card + 20)
        shapes += frame(left, top, card, card)
        shapes += marker(number, left + QUIET_MM, top + QUIET_MM)
    return Sheet(210.0, 297.0, tuple(shapes))


def lens_sheet() -> Sheet:
    """Return a landscape page of squares and markers, by which a lens is measured."""
    width, height = 297.0, 210.0
    board, side = charuco_board(), SHEET_SQUARE_MM
    quiet = (side - SHEET_MARKER_MM) / 2
    left, top = (width - SHEET_COLUMNS * side) / 2, (height - SHEET_ROWS * side) / 2
    shapes = [box(0, 0, width, height, 1.0)]
    white = set()
    for number, quad in zip(np.ravel(board.getIds()), board.getObjPoints(), strict=True):
        x, y = (float(least) for least in np.min(quad, axis=0)[:2])
        white.add((round((x - quiet) / side), round((y - quiet) / side)))
        shapes += marker(int(number), left + x, top + y, SHEET_MARKER_MM, SHEET_DICTIONARY)
    for column, row in np.ndindex(SHEET_COLUMNS, SHEET_ROWS):
        if (column, row) not in white:
            shapes.append(box(left + column * side, top + row * side, side, side))
    return Sheet(width, height, tuple(shapes))


def format_sheet(sheet: Sheet, form: Literal["svg", "pdf"]) -> bytes:
    """Return a sheet as a file's bytes, to be printed at its true size."""
    return _svg(sheet).encode() if form == "svg" else format_pages([sheet])


def format_pages(sheets: Sequence[Sheet]) -> bytes:
    """Return a PDF with a page for each sheet (ISO 32000-1, 7.5, 8.5 and 9.4)."""
    first = 4
    numbers = range(first, first + 2 * len(sheets), 2)
    kids = " ".join(f"{number} 0 R" for number in numbers)
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(sheets)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, sheet in zip(numbers, sheets, strict=True):
        drawn = "\n".join(_pdf_drawn(sheet))
        size = f"{sheet.width * POINTS_A_MM:.3f} {sheet.height * POINTS_A_MM:.3f}"
        needs = f"/Contents {number + 1} 0 R /Resources << /Font << /H 3 0 R >> >>"
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {size}] {needs} >>",
            f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream",
        ]
    # The table at the end has each object's offset in bytes, so all text must be ASCII.
    written = "%PDF-1.4\n"
    offsets = []
    for number, content in enumerate(objects, 1):
        offsets.append(len(written))
        written += f"{number} 0 obj\n{content}\nendobj\n"
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    count = len(objects) + 1
    end = f"trailer << /Size {count} /Root 1 0 R >>\nstartxref\n{len(written)}\n%%EOF\n"
    return f"{written}xref\n0 {count}\n0000000000 65535 f \n{table}{end}".encode("ascii")


def marker(
    number: int, left: float, top: float, side: float = MARKER_MM, dictionary: str = DICTIONARY
) -> Iterator[Shape]:
    """Yield a marker's dark modules, row by row."""
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    modules = cv2.aruco.generateImageMarker(known, number, known.markerSize + 2)
    pitch = side / len(modules)
    for row, column in np.argwhere(modules == 0).tolist():
        yield box(left + column * pitch, top + row * pitch, pitch, pitch)


def box(left: float, top: float, width: float, height: float, ink: Ink = 0.0) -> Shape:
    """Return a filled rectangle."""
    right, bottom = left + width, top + height
    return Shape(((left, top), (right, top), (right, bottom), (left, bottom)), ink)


def disc(x: float, y: float, radius: float, ink: Ink = 0.0) -> Shape:
    """Return a filled circle, as a polygon that deviates by `ROUND_MM` at most."""
    parts = max(ceil(pi / sqrt(2 * ROUND_MM / radius)), 12)
    turns = [2 * pi * part / parts for part in range(parts)]
    return Shape(tuple((x + radius * cos(turn), y + radius * sin(turn)) for turn in turns), ink)


def frame(left: float, top: float, width: float, height: float) -> list[Shape]:
    """Return a thin grey line round a rectangle."""
    return [
        box(left - 0.3, top - 0.3, width + 0.6, height + 0.6, 0.6),
        box(left, top, width, height, 1.0),
    ]


def rgb(ink: Ink) -> tuple[float, float, float]:
    """Return an ink's red, green and blue, from 0 to 1."""
    return ink if isinstance(ink, tuple) else (ink, ink, ink)


def _svg(sheet: Sheet) -> str:
    size = f'width="{sheet.width:g}mm" height="{sheet.height:g}mm"'
    view = f'viewBox="0 0 {sheet.width:g} {sheet.height:g}"'
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view}>']
    for shape in sheet.shapes:
        points = " ".join(f"{x:.3f},{y:.3f}" for x, y in shape.points)
        lines.append(f'<polygon points="{points}" fill="{_svg_ink(shape.ink)}"/>')
    for label in sheet.labels:
        x, y = label.start
        lines.append(
            f'<text transform="translate({x:.3f} {y:.3f}) rotate({label.turn:g})" '
            f'font-family="Helvetica, Arial, sans-serif" font-size="{label.size:g}" '
            f'textLength="{label.width:.3f}" fill="{_svg_ink(label.ink)}">{label.text}</text>'
        )
    return "\n".join([*lines, "</svg>", ""])


def _svg_ink(ink: Ink) -> str:
    return f"rgb({','.join(str(round(255 * part)) for part in rgb(ink))})"


def _pdf_drawn(sheet: Sheet) -> Iterable[str]:
    """Yield the PDF operators of a page: polygons, then words; PDF's y runs upwards."""
    for shape in sheet.shapes:
        points = [
            f"{x * POINTS_A_MM:.2f} {(sheet.height - y) * POINTS_A_MM:.2f}" for x, y in shape.points
        ]
        yield f"{_pdf_ink(shape.ink)} {points[0]} m {' l '.join(points[1:])} l h f"
    for label in sheet.labels:
        x, y = label.start
        at = f"{x * POINTS_A_MM:.3f} {(sheet.height - y) * POINTS_A_MM:.3f}"
        across, up = cos(radians(label.turn)), sin(radians(label.turn))
        text = "".join(f"\\{letter}" if letter in "()\\" else letter for letter in label.text)
        yield (
            f"BT {_pdf_ink(label.ink)} /H {label.size * POINTS_A_MM:.3f} Tf "
            f"{across:.5f} {-up:.5f} {up:.5f} {across:.5f} {at} Tm ({text}) Tj ET"
        )


def _pdf_ink(ink: Ink) -> str:
    if isinstance(ink, tuple):
        return " ".join(f"{part:g}" for part in ink) + " rg"
    return f"{ink:g} g"


PAPERS: Final[Mapping[str, Point]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height of pages, by name."""

MARGIN_MM: Final = 10.0
"""Edge that printers leave white."""

FOOT_MM: Final = 12.0
"""Height of a page's foot, with the bar and the page's number."""

OVERLAP_MM: Final = 5.0
GAP_MM: Final = 3.0
"""Gap between things that are cut out."""

BAR_MM: Final = 100.0
THIN_MM: Final = 0.2
CROSS_MM: Final = 4.0
EDGE_MM: Final = 2.5
"""Distance of crosses from a sheet's edge."""

CROSS_INK: Final[Ink] = (0.1, 0.6, 0.9)
"""Visible on white, black and orange."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A sheet's division into pages: their size, columns and rows, and the step between them."""

    page: Point
    columns: int
    rows: int
    step: Point

    @property
    def window(self) -> Point:
        """Width and height of the part of the sheet on each page."""
        return self.step[0] + OVERLAP_MM, self.step[1] + OVERLAP_MM

    @property
    def corner(self) -> Point:
        """The top left of that part on its page."""
        return (self.page[0] - self.window[0]) / 2, MARGIN_MM


def cut_of(sheet: Sheet, paper: Point) -> Cut:
    """Return the division of a sheet into the fewest pages, portrait or landscape."""
    # A wide board may take fewer landscape pages, so both are tried. Even steps leave no page with
    # only a narrow strip.
    cuts = []
    for page in (paper, (paper[1], paper[0])):
        columns, rows = (
            max(1, ceil((whole - OVERLAP_MM) / (room - OVERLAP_MM)))
            for whole, room in zip((sheet.width, sheet.height), _room(page), strict=True)
        )
        step = (sheet.width - OVERLAP_MM) / columns, (sheet.height - OVERLAP_MM) / rows
        cuts.append(Cut(page, columns, rows, step))
    return min(cuts, key=lambda cut: cut.columns * cut.rows)


def fits(sheet: Sheet, paper: Point) -> bool:
    """Return whether a sheet fits on one page, portrait or landscape."""
    return any(
        sheet.width <= room[0] and sheet.height <= room[1] for room in (paper, (paper[1], paper[0]))
    )


def tiles(sheet: Sheet, paper: Point) -> list[Sheet]:
    """Return a sheet in pages, row by row.

    Neighbours overlap, and both show the crosses in the middle of the overlap. Marks at a page's
    edges show the cuts along which it is put on its left and upper neighbours.
    """
    cut = cut_of(sheet, paper)
    seams = (
        [column * cut.step[0] + OVERLAP_MM / 2 for column in range(1, cut.columns)],
        [row * cut.step[1] + OVERLAP_MM / 2 for row in range(1, cut.rows)],
    )
    # Crosses belong to the whole sheet: both pages of a seam then show the same ones.
    whole = [*sheet.shapes, *_crosses(sheet, seams)]
    pages = []
    for row, column in product(range(cut.rows), range(cut.columns)):
        start = column * cut.step[0], row * cut.step[1]
        shift = cut.corner[0] - start[0], cut.corner[1] - start[1]
        shapes = [box(0, 0, *cut.page, 1.0)]
        for shape in whole:
            points = clipped(shape.points, start, cut.window)
            if len(points) > 2:
                shapes.append(Shape(_moved(points, shift), shape.ink))
        labels = [
            replace(label, middle=_moved([label.middle], shift)[0])
            for label in sheet.labels
            if all(0 <= label.middle[i] - start[i] <= cut.window[i] for i in (0, 1))
        ]
        shapes += _cutting_marks(cut, column, row)
        shapes += _map(cut, column, row)
        number = f"{row * cut.columns + column + 1}/{cut.rows * cut.columns}"
        pages.append(_footed(cut.page, shapes, labels, number))
    return pages


def laid_out(things: Sequence[Sheet], paper: Point) -> list[Sheet]:
    """Return pages of small things of one size, row by row, to be cut out."""
    wide, high = (each + GAP_MM for each in (things[0].width, things[0].height))
    across, down = (
        max(1, int((room + GAP_MM) // each))
        for room, each in zip(_room(paper), (wide, high), strict=True)
    )
    pages = []
    for first in range(0, len(things), across * down):
        shapes, labels = [box(0, 0, *paper, 1.0)], list[Label]()
        for number, thing in enumerate(things[first : first + across * down]):
            row, column = divmod(number, across)
            shift = MARGIN_MM + column * wide, MARGIN_MM + row * high
            shapes += [Shape(_moved(each.points, shift), each.ink) for each in thing.shapes]
            labels += [
                replace(each, middle=_moved([each.middle], shift)[0]) for each in thing.labels
            ]
        pages.append(_footed(paper, shapes, labels, ""))
    return pages


def clipped(points: Sequence[Point], start: Point, size: Point) -> Sequence[Point]:
    """Return the part of a polygon inside a rectangle (Sutherland and Hodgman, 1974)."""
    for axis in (0, 1):
        for limit, sign in ((start[axis], 1), (start[axis] + size[axis], -1)):
            points = list(_on_one_side(points, axis, limit, sign))
    return points


def _on_one_side(points: Sequence[Point], axis: int, limit: float, sign: int) -> Iterator[Point]:
    """Yield a polygon's corners on one side of a line, and its crossings with the line."""
    for one, other in pairwise([*points, *points[:1]]):
        inside, next_inside = (sign * (each[axis] - limit) >= 0 for each in (one, other))
        if inside:
            yield one
        if inside != next_inside:
            share = (limit - one[axis]) / (other[axis] - one[axis])
            yield (
                one[0] + share * (other[0] - one[0]),
                one[1] + share * (other[1] - one[1]),
            )


def _room(page: Point) -> Point:
    """Return the width and height of a page's content."""
    return page[0] - 2 * MARGIN_MM, page[1] - 2 * MARGIN_MM - FOOT_MM


def _moved(points: Sequence[Point], shift: Point) -> tuple[Point, ...]:
    return tuple((x + shift[0], y + shift[1]) for x, y in points)


def _crosses(sheet: Sheet, seams: tuple[list[float], list[float]]) -> Iterator[Shape]:
    """Yield a cross at each meeting of seams with each other or with the sheet's edge."""
    xs, ys = seams
    ends_x, ends_y = [EDGE_MM, sheet.width - EDGE_MM], [EDGE_MM, sheet.height - EDGE_MM]
    places = {*product(xs, [*ys, *ends_y]), *product(ends_x, ys)}
    for x, y in sorted(places):
        yield box(x - CROSS_MM / 2, y - THIN_MM / 2, CROSS_MM, THIN_MM, CROSS_INK)
        yield box(x - THIN_MM / 2, y - CROSS_MM / 2, THIN_MM, CROSS_MM, CROSS_INK)


def _cutting_marks(cut: Cut, column: int, row: int) -> Iterator[Shape]:
    """Yield marks outside a page's content, in line with its left and its upper seam."""
    (left, top), (width, height) = cut.corner, cut.window
    mark, off = MARGIN_MM - 5.0, 1.0
    if column:
        x = left + OVERLAP_MM / 2
        for y in (top - off - mark, top + height + off):
            yield box(x - THIN_MM / 2, y, THIN_MM, mark)
    if row:
        y = top + OVERLAP_MM / 2
        for x in (left - off - mark, left + width + off):
            yield box(x, y - THIN_MM / 2, mark, THIN_MM)


def _map(cut: Cut, column: int, row: int) -> Iterator[Shape]:
    """Yield a small picture of all pages, this one dark."""
    edge = (FOOT_MM - 2.0) / max(cut.rows, 2)
    right, bottom = cut.page[0] - MARGIN_MM, cut.page[1] - MARGIN_MM
    for down, across in product(range(cut.rows), range(cut.columns)):
        x, y = right - (cut.columns - across) * edge, bottom - (cut.rows - down) * edge
        ink = 0.2 if (down, across) == (row, column) else 0.85
        yield box(x, y, 0.85 * edge, 0.85 * edge, ink)


def _footed(page: Point, shapes: list[Shape], labels: list[Label], number: str) -> Sheet:
    """Return a page with its bar and its number."""
    left, bottom = MARGIN_MM, page[1] - MARGIN_MM
    bar = [box(left, bottom - 1.5 - THIN_MM, BAR_MM, 2 * THIN_MM)]
    bar += [box(left + at - THIN_MM / 2, bottom - 3, THIN_MM, 3) for at in (0.0, BAR_MM)]
    words = [Label(f"{BAR_MM:g} mm", (left + BAR_MM / 2, bottom - 4), 3.5)]
    if number:
        words.append(Label(number, (left + BAR_MM + 20, bottom - 3), 6.0))
    return Sheet(*page, (*shapes, *bar), None, (*labels, *words))
