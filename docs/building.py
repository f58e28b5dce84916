"""Draws the drilling templates, and the table of magnets in `docs/build/steps.md`.

`python -m docs.building`: the templates have the sizes of the simulated board, and the table says
what its reeds and magnets would do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import ceil, hypot
from pathlib import Path
from typing import Final, Literal

from hardware.magnetism import A_PER_TURN, Reed, drive, lying, moment_of
from jetan_table.simulation.geometry import SQUARE_MM
from vision.sheet import Shape, Sheet, box, disc, format_sheet

FOLDER: Final = Path(__file__).parent / "build"
PAGE: Final = FOLDER / "steps.md"
BEGIN, END = "<!-- magnets -->\n", "<!-- end of magnets -->"

FORMS: Final[tuple[Literal["svg", "pdf"], ...]] = ("svg", "pdf")
MARGIN_MM: Final = 10.0
LINE_MM: Final = 0.25
LAMP_MM: Final = 6.0
"""The hole for a lamp's light."""

SLOT_MM: Final = (16.0, 2.5)
"""The slot for a reed: long and wide."""

DISCS_MM: Final = ((8.0, 2.0), (8.0, 3.0), (10.0, 2.0), (10.0, 3.0), (12.0, 3.0))
"""Magnets that are sold: wide and high."""

DEPTHS_MM: Final = (5.0, 8.0, 11.0)

LOWER_MM: Final = 1.5
"""How much deeper the second of two crossed reeds lies."""

CLASSES: Final = ((10.0, 15.0), (15.0, 20.0), (20.0, 25.0))
"""Reeds that are sold, by the ampere-turns at which they close."""

PLACES_MM: Final = 11
"""So far off the middle people put pieces down."""

LEAST_SEEN: Final = 0.99
MOST_HELD: Final = 0.5
"""Some reeds open only below half of what closes them."""


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
    long, wide = SLOT_MM
    yield box(x - wide / 2, y, wide, long, ink=0.75)
    yield disc(x, y, LAMP_MM / 2, 0.0)
    yield disc(x, y, LAMP_MM / 2 - LINE_MM, 1.0)
    yield box(x - LAMP_MM, y - LINE_MM / 2, 2 * LAMP_MM, LINE_MM)
    yield box(x - LINE_MM / 2, y - LAMP_MM, LINE_MM, 2 * LAMP_MM)


def one_lying(depth: float) -> Sequence[Reed]:
    """Return the reed of the template, so deep under the magnets."""
    return (lying((SLOT_MM[0] / 2, 0.0), (1.0, 0.0), depth),)


def two_crossed(depth: float) -> Sequence[Reed]:
    """Return that reed, and another one under it in a slot that is turned by a right angle."""
    across = lying((0.0, SLOT_MM[0] / 2), (0.0, 1.0), depth + LOWER_MM)
    return (*one_lying(depth), across)


def seen(reeds: Sequence[Reed], moment: float, turns: float) -> float:
    """Return at which share of the places of a piece one of the reeds is closed."""
    steps = range(-PLACES_MM, PLACES_MM + 1)
    spots = [(x, y) for x, y in product(steps, repeat=2) if hypot(x, y) <= PLACES_MM]
    needed = turns * A_PER_TURN
    closed = [
        any(abs(drive(reed, (x, y, 0.0), moment)) >= needed for reed in reeds) for x, y in spots
    ]
    return sum(closed) / len(closed)


def held(reeds: Sequence[Reed], moment: float, turns: float) -> float:
    """Return what all eight neighbours do to a reed, as a share of what closes it.

    It is the worst there is: each of them stands with that pole up which adds to the others.
    """
    beside = [step for step in product((-SQUARE_MM, 0.0, SQUARE_MM), repeat=2) if any(step)]
    felt = [sum(abs(drive(reed, (x, y, 0.0), moment)) for x, y in beside) for reed in reeds]
    return max(felt) / (turns * A_PER_TURN)


def is_recommended(share_seen: float, share_held: float) -> bool:
    """Whether a square would see its piece nearly wherever it stands, and no other one."""
    return share_seen >= LEAST_SEEN and share_held <= MOST_HELD


def with_table(page: str) -> str:
    """Return the page with its table of magnets written anew."""
    before, _, rest = page.partition(BEGIN)
    return before + BEGIN + "\n".join(table()) + "\n" + END + rest.partition(END)[2]


def table() -> Iterator[str]:
    """Yield the rows: for each magnet and depth, how each class of reeds does at its worst."""
    classes = [f"{least:g} to {most:g} AT" for least, most in CLASSES]
    heads = [*(f"one, {name}" for name in classes), *(f"two, {name}" for name in classes)]
    yield f"| magnet, wide × high; depth | {' | '.join(heads)} |"
    yield "|---|" + "---|" * len(heads)
    for (width, height), depth in product(DISCS_MM, DEPTHS_MM):
        moment = moment_of(width, height)
        row = [
            shares(reeds, moment, limits)
            for reeds, limits in product((one_lying(depth), two_crossed(depth)), CLASSES)
        ]
        yield f"| {width:g} × {height:g} mm; {depth:g} mm | {' | '.join(row)} |"


def shares(reeds: Sequence[Reed], moment: float, limits: tuple[float, float]) -> str:
    """Say what is seen by the least sensitive reeds of a class, and what holds the most."""
    least, most = limits
    share_seen, share_held = seen(reeds, moment, most), held(reeds, moment, least)
    text = f"{int(100 * share_seen)} %, {ceil(100 * share_held) / 100:.2f}"
    return f"**{text}**" if is_recommended(share_seen, share_held) else text


if __name__ == "__main__":
    main()
