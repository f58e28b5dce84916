"""Draws the drilling templates, and the table of magnets in `docs/build/steps.md`.

`python -m docs.building`: the templates have the sizes of the simulated board, and the table the
induction that the simulation reckons with.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import cos, pi, sin
from pathlib import Path
from typing import Final, Literal

from jetan_table.simulation.geometry import SQUARE_MM
from jetan_table.simulation.magnetism import (
    MU0_OVER_4PI,
    NARROW,
    RELEASE,
    USUAL_RADIUS_MM,
    Vector,
    dipole,
    modulus,
)
from vision.sheet import Shape, Sheet, format_sheet

FOLDER: Final = Path(__file__).parent / "build"
PAGE: Final = FOLDER / "steps.md"
BEGIN, END = "<!-- magnets -->\n", "<!-- end of magnets -->"

FORMS: Final[tuple[Literal["svg", "pdf"], ...]] = ("svg", "pdf")
MARGIN_MM: Final = 10.0
LINE_MM: Final = 0.25
LAMP_MM: Final = 6.0
"""The hole for a lamp's light."""

REED_MM: Final = (16.0, 2.5)
"""The slot for a reed: long and wide."""

REMANENCE_T: Final = 1.2
"""Of a usual neodymium magnet (N35)."""

DISCS_MM: Final = ((6.0, 2.0), (8.0, 2.0), (8.0, 3.0), (10.0, 2.0), (10.0, 3.0), (15.0, 3.0))
"""Magnets that are sold: wide and high."""

DEPTHS_MM: Final = (3.0, 5.0, 8.0)


def main() -> None:
    """Write the templates, and the table into the page."""
    for name, content in templates().items():
        (FOLDER / name).write_bytes(content)
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


def templates() -> dict[str, bytes]:
    """Return each template's bytes by its file's name: the whole board, and a page of A4."""
    sheets = {"drilling": template(10, 10), "drilling-a4": template(4, 6)}
    return {
        f"{name}.{form}": format_sheet(sheet, form)
        for (name, sheet), form in product(sheets.items(), FORMS)
    }


def template(columns: int, rows: int) -> Sheet:
    """Return so many squares seen from below: their borders, lamp's holes and reed's slots."""
    width, height = columns * SQUARE_MM, rows * SQUARE_MM
    whole = width + 2 * MARGIN_MM, height + 2 * MARGIN_MM
    shapes = [box(0, 0, *whole, ink=1.0)]
    for column in range(columns + 1):
        shapes.append(box(MARGIN_MM + column * SQUARE_MM - LINE_MM / 2, 0, LINE_MM, whole[1]))
    for row in range(rows + 1):
        shapes.append(box(0, MARGIN_MM + row * SQUARE_MM - LINE_MM / 2, whole[0], LINE_MM))
    for column, row in product(range(columns), range(rows)):
        x = MARGIN_MM + (column + 0.5) * SQUARE_MM
        y = MARGIN_MM + (row + 0.5) * SQUARE_MM
        shapes += marks(x, y)
    return Sheet(*whole, tuple(shapes))


def marks(x: float, y: float) -> Iterator[Shape]:
    """Yield what is drilled in one square: the slot has one end in the middle, as its reed has."""
    long, wide = REED_MM
    yield box(x - wide / 2, y, wide, long, ink=0.75)
    yield disc(x, y, LAMP_MM / 2, 0.0)
    yield disc(x, y, LAMP_MM / 2 - LINE_MM, 1.0)
    yield box(x - LAMP_MM, y - LINE_MM / 2, 2 * LAMP_MM, LINE_MM)
    yield box(x - LINE_MM / 2, y - LAMP_MM, LINE_MM, 2 * LAMP_MM)


def box(left: float, top: float, width: float, height: float, ink: float = 0.0) -> Shape:
    """Return a filled rectangle, in millimetres."""
    right, bottom = left + width, top + height
    return Shape(((left, top), (right, top), (right, bottom), (left, bottom)), ink)


def disc(x: float, y: float, radius: float, ink: float) -> Shape:
    """Return a filled circle, in millimetres."""
    turns = [2 * pi * part / 32 for part in range(32)]
    return Shape(tuple((x + radius * cos(turn), y + radius * sin(turn)) for turn in turns), ink)


def moment_of(width_mm: float, height_mm: float) -> float:
    """Return the dipole moment of a neodymium disc in A m^2: its remanence times its volume."""
    volume = pi * width_mm**2 / 4 * height_mm
    return REMANENCE_T * 1e3 * volume / (4 * pi * MU0_OVER_4PI)


def beside(moment: float, depth_mm: float, sideways_mm: float) -> float:
    """Return what a magnet does to a reed so far below and sideways, in mT."""
    return modulus(dipole((0.0, 0.0, moment), (sideways_mm, 0.0, -depth_mm)))


def surrounded(moment: float, depth_mm: float) -> float:
    """Return what pieces on all eight neighbours do to the reed of an empty square, in mT."""
    sums: Vector = (0.0, 0.0, 0.0)
    for column, row in product((-1, 0, 1), repeat=2):
        if (column, row) != (0, 0):
            offset = (column * SQUARE_MM, row * SQUARE_MM, -depth_mm)
            x, y, z = dipole((0.0, 0.0, moment), offset)
            sums = (sums[0] + x, sums[1] + y, sums[2] + z)
    return modulus(sums)


def fits(moment: float, depth_mm: float) -> tuple[float, float]:
    """Return the least and the greatest induction, in mT, at which a reed that fits may close.

    It closes where a piece stands `USUAL_RADIUS_MM` off the middle, not from `NARROW` of the way to
    the next square, and opens again though pieces stand on all eight neighbours.
    """
    greatest = beside(moment, depth_mm, USUAL_RADIUS_MM[0])
    narrow = beside(moment, depth_mm, NARROW * SQUARE_MM)
    return max(narrow, surrounded(moment, depth_mm) / RELEASE[0]), greatest


def with_table(page: str) -> str:
    """Return the page with its table of magnets written anew."""
    before, _, rest = page.partition(BEGIN)
    return before + BEGIN + "\n".join(table()) + "\n" + END + rest.partition(END)[2]


def table() -> Iterator[str]:
    """Yield the rows: for each magnet and depth, which reeds fit."""
    depths = " | ".join(f"{depth:g} mm below it" for depth in DEPTHS_MM)
    yield f"| magnet, wide × high | {depths} |"
    yield "|---|" + "---|" * len(DEPTHS_MM)
    for width, height in DISCS_MM:
        moment = moment_of(width, height)
        ranges = []
        for depth in DEPTHS_MM:
            least, greatest = fits(moment, depth)
            ranges.append(f"{least:.2f} to {greatest:.2f} mT" if least < greatest else "none")
        yield f"| {width:g} × {height:g} mm | {' | '.join(ranges)} |"


if __name__ == "__main__":
    main()
