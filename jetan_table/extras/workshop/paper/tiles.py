"""Cuts a sheet into pages that a printer at home takes, and lays small things out on such pages.

Each page has a bar of 100 mm, by which one sees whether it was printed at its true size.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from math import ceil
from typing import Final

from .sheet import Ink, Label, Point, Shape, Sheet, box

PAPERS: Final[Mapping[str, Point]] = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Pages by their name: how wide and how high they are."""

MARGIN_MM: Final = 10.0
"""What printers leave white."""

FOOT_MM: Final = 12.0
"""Below all else on a page: the bar, and which page it is."""

OVERLAP_MM: Final = 5.0
GAP_MM: Final = 3.0
"""Between things that are cut out."""

BAR_MM: Final = 100.0
THIN_MM: Final = 0.2
CROSS_MM: Final = 4.0
EDGE_MM: Final = 2.5
"""How far from a sheet's edge the crosses are."""

CROSS_INK: Final[Ink] = (0.1, 0.6, 0.9)
"""Seen on white, black and orange."""


@dataclass(frozen=True, slots=True)
class Cutout:
    """Something small to be cut out: its shapes and words, its own top left at (0, 0)."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    labels: tuple[Label, ...] = ()


@dataclass(frozen=True, slots=True)
class Cut:
    """How a sheet is cut: the page, the columns and rows, and how far apart they begin."""

    page: Point
    columns: int
    rows: int
    step: Point

    @property
    def window(self) -> Point:
        """How wide and how high a part of the sheet is on each page."""
        return self.step[0] + OVERLAP_MM, self.step[1] + OVERLAP_MM

    @property
    def corner(self) -> Point:
        """Where on its page such a part begins."""
        return (self.page[0] - self.window[0]) / 2, MARGIN_MM


def cut_of(sheet: Sheet, paper: Point) -> Cut:
    """Return the way to cut a sheet that takes the fewest pages, upright or across."""
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
    """Whether a sheet can be printed on one page, upright or across."""
    return any(
        sheet.width <= room[0] and sheet.height <= room[1] for room in (paper, (paper[1], paper[0]))
    )


def tiles(sheet: Sheet, paper: Point) -> list[Sheet]:
    """Return a sheet in pages, row by row.

    Neighbours overlap. Both show the crosses in the middle of that; the marks at a page's edges
    tell where it is cut to be laid on its left and upper neighbours.
    """
    cut = cut_of(sheet, paper)
    seams = (
        [column * cut.step[0] + OVERLAP_MM / 2 for column in range(1, cut.columns)],
        [row * cut.step[1] + OVERLAP_MM / 2 for row in range(1, cut.rows)],
    )
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
            Label(label.text, _moved([label.middle], shift)[0], label.size, label.ink, label.turn)
            for label in sheet.labels
            if all(0 <= label.middle[i] - start[i] <= cut.window[i] for i in (0, 1))
        ]
        shapes += _cutting_marks(cut, column, row)
        shapes += _map(cut, column, row)
        number = f"{row * cut.columns + column + 1}/{cut.rows * cut.columns}"
        pages.append(_footed(cut.page, shapes, labels, number))
    return pages


def laid_out(things: Sequence[Cutout], paper: Point) -> list[Sheet]:
    """Return pages of things of one size, row by row, to be cut out."""
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
                Label(each.text, _moved([each.middle], shift)[0], each.size, each.ink, each.turn)
                for each in thing.labels
            ]
        pages.append(_footed(paper, shapes, labels, ""))
    return pages


def clipped(points: Sequence[Point], start: Point, size: Point) -> Sequence[Point]:
    """Return what of a polygon lies in a rectangle, edge by edge (Sutherland and Hodgman, 1974)."""
    for axis in (0, 1):
        for limit, sign in ((start[axis], 1), (start[axis] + size[axis], -1)):
            points = list(_on_one_side(points, axis, limit, sign))
    return points


def _on_one_side(points: Sequence[Point], axis: int, limit: float, sign: int) -> Iterator[Point]:
    """Yield a polygon's corners on one side of a line, and where it crosses the line."""
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
    """Return how much of a page is there for what it shows."""
    return page[0] - 2 * MARGIN_MM, page[1] - 2 * MARGIN_MM - FOOT_MM


def _moved(points: Sequence[Point], shift: Point) -> tuple[Point, ...]:
    return tuple((x + shift[0], y + shift[1]) for x, y in points)


def _crosses(sheet: Sheet, seams: tuple[list[float], list[float]]) -> Iterator[Shape]:
    """Yield a cross wherever seams meet each other or the sheet's edge."""
    xs, ys = seams
    ends_x, ends_y = [EDGE_MM, sheet.width - EDGE_MM], [EDGE_MM, sheet.height - EDGE_MM]
    places = {*product(xs, [*ys, *ends_y]), *product(ends_x, ys)}
    for x, y in sorted(places):
        yield box(x - CROSS_MM / 2, y - THIN_MM / 2, CROSS_MM, THIN_MM, CROSS_INK)
        yield box(x - THIN_MM / 2, y - CROSS_MM / 2, THIN_MM, CROSS_MM, CROSS_INK)


def _cutting_marks(cut: Cut, column: int, row: int) -> Iterator[Shape]:
    """Yield marks outside what a page shows, in line with its left and its upper seam."""
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
