"""Sheets to print: what is on them, how SVG and PDF write that, loose cards, a sheet for a lens.

A sheet is a list of shapes and words in millimetres; x runs to the right and y downwards.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, cos, pi, radians, sin, sqrt
from typing import Literal

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
"""0 is black and 1 white; or red, green and blue, each of them from 0 to 1."""

MARKER_MM = 28.0
QUIET_MM = 5.0
"""White round a marker, without which it is not seen."""

CARDS = 6
POINTS_A_MM = 72 / 25.4
ROUND_MM = 0.05
CAPITAL = 0.718
"""How high Helvetica's capitals and digits are, as a share of its size."""

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
"""How wide Helvetica's characters from the space to the tilde are, in thousandths of its size."""


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
        """How wide it is printed."""
        return sum(WIDTHS[ord(letter) - 32] for letter in self.text) * self.size / 1000

    @property
    def start(self) -> Point:
        """Where its first letter stands on its line."""
        along, down = -self.width / 2, CAPITAL * self.size / 2
        across, up = cos(radians(self.turn)), sin(radians(self.turn))
        x, y = self.middle
        return x + along * across - down * up, y + along * up + down * across


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is printed, and where its markers are, if they belong to a board."""

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
    """Return a page across of squares and markers, by which a lens is measured."""
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
    """Return a filled circle, as a polygon that is nowhere farther off than `ROUND_MM`."""
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
    """Yield what draws a page: its polygons, then its words; PDF's y runs upwards."""
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
