"""Sheets to print: a border with markers for a board, loose cards, or one to measure a lens by.

A sheet is a list of shapes in millimetres; SVG and PDF are two ways to write it down.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from . import charuco
from .layout import Layout
from .markers import DICTIONARY

Point = tuple[float, float]

MARKER_MM = 28.0
QUIET_MM = 5.0
"""White round a marker, without which it is not seen."""

GAP_MM = 4.0
CARDS = 6
POINTS_A_MM = 72 / 25.4


@dataclass(frozen=True, slots=True)
class Shape:
    """A filled polygon: x to the right, y downwards, in millimetres; `ink` 0 is black, 1 white."""

    points: tuple[Point, ...]
    ink: float


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is printed, and where its markers are, if they belong to a board."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    markers: str | None = None


def border(layout: Layout, square_mm: float, with_squares: bool) -> Sheet:
    """Return a board's border with a marker outside each corner, its squares too if wanted."""
    half = layout.size * square_mm / 2
    margin = MARKER_MM + 2 * QUIET_MM + GAP_MM
    whole = 2 * (half + margin)
    shapes = [_square(0, 0, whole, 1.0)]
    unit = square_mm

    def place(point: Point) -> Point:
        return margin + point[0] * unit, margin + 2 * half - point[1] * unit

    if with_squares:
        for outline, colour in zip(layout.outlines, layout.colours, strict=True):
            shapes.append(Shape(tuple(place(point) for point in outline), 0.9 if colour else 0.3))
    else:
        shapes += _frame(margin, 2 * half)
    corners: dict[str, list[Point]] = {}
    near, far = QUIET_MM, whole - QUIET_MM - MARKER_MM
    for number, (left, top) in enumerate([(near, far), (far, far), (far, near), (near, near)]):
        shapes += _marker(number, left, top)
        quad = [(left, top), (left + MARKER_MM, top)]
        quad += [(left + MARKER_MM, top + MARKER_MM), (left, top + MARKER_MM)]
        corners[str(number)] = [_from_middle(point, whole) for point in quad]
    places = {
        "fiducials": {"dictionary": DICTIONARY, "board_cm": corners},
        "board_cm": {"playing_area_corners": {"a1": (-half / 10, -half / 10)}},
    }
    return Sheet(whole, whole, tuple(shapes), json.dumps(places))


def cards() -> Sheet:
    """Return a page of loose cards, to be cut out along their grey edges and laid flat."""
    card = MARKER_MM + 2 * QUIET_MM
    shapes = [_square(0, 0, 210.0, 1.0), Shape(((0, 210), (210, 210), (210, 297), (0, 297)), 1.0)]
    for number in range(CARDS):
        left, top = 25 + (number % 3) * (card + 20), 25 + (number // 3) * (card + 20)
        shapes += _frame_at(left, top, card)
        shapes += _marker(number, left + QUIET_MM, top + QUIET_MM)
    return Sheet(210.0, 297.0, tuple(shapes))


def lens_sheet() -> Sheet:
    """Return a page across of squares and markers, by which a lens is measured."""
    width, height = 297.0, 210.0
    board, side = charuco.charuco_board(), charuco.SQUARE_MM
    quiet = (side - charuco.MARKER_MM) / 2
    left, top = (width - charuco.COLUMNS * side) / 2, (height - charuco.ROWS * side) / 2
    shapes = [Shape(((0, 0), (width, 0), (width, height), (0, height)), 1.0)]
    white = set()
    for number, quad in zip(np.ravel(board.getIds()), board.getObjPoints(), strict=True):
        x, y = (float(least) for least in np.min(quad, axis=0)[:2])
        white.add((round((x - quiet) / side), round((y - quiet) / side)))
        shapes += _marker(int(number), left + x, top + y, charuco.MARKER_MM, charuco.DICTIONARY)
    for column, row in np.ndindex(charuco.COLUMNS, charuco.ROWS):
        if (column, row) not in white:
            shapes.append(_square(left + column * side, top + row * side, side, 0.0))
    return Sheet(width, height, tuple(shapes))


def format_sheet(sheet: Sheet, form: Literal["svg", "pdf"]) -> bytes:
    """Return a sheet as a file's bytes, to be printed at its true size."""
    return _svg(sheet).encode() if form == "svg" else _pdf(sheet)


def _marker(
    number: int, left: float, top: float, side: float = MARKER_MM, dictionary: str = DICTIONARY
) -> Iterator[Shape]:
    """Yield a marker's dark modules, row by row."""
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    modules = cv2.aruco.generateImageMarker(known, number, known.markerSize + 2)
    pitch = side / len(modules)
    for row, column in np.argwhere(modules == 0).tolist():
        yield _square(left + column * pitch, top + row * pitch, pitch, 0.0)


def _square(left: float, top: float, side: float, ink: float) -> Shape:
    right, bottom = left + side, top + side
    return Shape(((left, top), (right, top), (right, bottom), (left, bottom)), ink)


def _frame(margin: float, side: float) -> list[Shape]:
    return _frame_at(margin, margin, side)


def _frame_at(left: float, top: float, side: float) -> list[Shape]:
    """Return a thin grey line round a square."""
    return [_square(left - 0.3, top - 0.3, side + 0.6, 0.6), _square(left, top, side, 1.0)]


def _from_middle(point: Point, whole: float) -> Point:
    """Return a point in centimetres from the board's middle, y towards the last rank."""
    return round((point[0] - whole / 2) / 10, 4), round((whole / 2 - point[1]) / 10, 4)


def _svg(sheet: Sheet) -> str:
    size = f'width="{sheet.width:g}mm" height="{sheet.height:g}mm"'
    box = f'viewBox="0 0 {sheet.width:g} {sheet.height:g}"'
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box}>']
    for shape in sheet.shapes:
        points = " ".join(f"{x:.3f},{y:.3f}" for x, y in shape.points)
        gray = round(255 * shape.ink)
        lines.append(f'<polygon points="{points}" fill="rgb({gray},{gray},{gray})"/>')
    return "\n".join([*lines, "</svg>", ""])


def _pdf(sheet: Sheet) -> bytes:
    """Write one page of filled polygons, which is all a sheet is (ISO 32000-1, 7.5 and 8.5)."""
    drawn = "\n".join(_pdf_paths(sheet)).encode()
    size = f"{sheet.width * POINTS_A_MM:.3f} {sheet.height * POINTS_A_MM:.3f}"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {size}] /Contents 4 0 R >>".encode(),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn),
    ]
    written = b"%PDF-1.4\n"
    offsets = []
    for number, content in enumerate(objects, 1):
        offsets.append(len(written))
        written += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    count = len(objects) + 1
    written += b"xref\n0 %d\n0000000000 65535 f \n%s" % (count, table)
    return written + (
        b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (count, written.rindex(b"xref"))
    )


def _pdf_paths(sheet: Sheet) -> Iterable[str]:
    for shape in sheet.shapes:
        points = [
            f"{x * POINTS_A_MM:.3f} {(sheet.height - y) * POINTS_A_MM:.3f}" for x, y in shape.points
        ]
        yield f"{shape.ink:g} g {points[0]} m {' l '.join(points[1:])} l h f"
