"""Draws the gestures and writes their table in `docs/evening.md`: `python -m docs.gestures_page`.

Table and pictures are asked of the program, so that they cannot drift from what it obeys.
"""

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from jetan_table.light.words import GESTURE_ROWS
from jetan_table.page.pages import Figure, SquareMark, draw
from jetan_table.session.gestures import Deed, sign_of
from rules import Position, Square, parse_rules, parse_square

DOCS: Final = Path(__file__).parent
PAGE: Final = DOCS / "evening.md"
FOLDER: Final = DOCS / "evening"
BOARDS: Final = {"grid": "appendix", "disk": "ninth-ray-clockwise"}
LIFTED: Final = {
    "grid": {
        Deed.RESIGN: "e1 f1",
        Deed.DRAW: "e1 f1 f10",
        Deed.TAKE_BACK: "e1 f1 e10",
        Deed.PAUSE: "e1 f1 e10 f10",
        Deed.NEW_GAME: "",
    },
    "disk": {
        Deed.RESIGN: "e1 f1",
        Deed.DRAW: "e1 f1 e10",
        Deed.TAKE_BACK: "e1 f1 f10",
        Deed.PAUSE: "e1 f1 e10 f10",
        Deed.NEW_GAME: "",
    },
}
"""The squares of the pieces that Black lifts at the start, on both boards."""

BEGIN, END = "<!-- gestures -->\n", "<!-- end of gestures -->"


def main() -> None:
    """Write every picture, and the table into the page."""
    ArgumentParser(description=__doc__).parse_args()
    FOLDER.mkdir(exist_ok=True)
    for name, text in pictures().items():
        (FOLDER / name).write_text(text)
    PAGE.write_text(with_table(PAGE.read_text()))


def lifted(board: str, deed: Deed) -> list[Square]:
    """Return the squares that are empty in a picture of a gesture."""
    return [parse_square(name) for name in LIFTED[board][deed].split()]


def pictures() -> dict[str, str]:
    """Return every picture's text by its file's name."""
    drawn = {}
    for board, rules in BOARDS.items():
        for deed in Deed:
            drawn[f"{deed.value}-{board}.svg"] = draw(_figure(board, rules, deed))
    return drawn


def _figure(board: str, rules: str, deed: Deed) -> Figure:
    """Draw the start with the pieces of a gesture lifted by Black: a ring where each stood."""
    start = Position.start(parse_rules(rules))
    squares = lifted(board, deed)
    gesture = sign_of(start, squares)
    assert gesture is None or gesture.deed is deed
    return Figure(
        str(GESTURE_ROWS[deed][0]),
        start.rules.board,
        {square: piece for square, piece in start.pieces().items() if square not in squares},
        dict.fromkeys(squares, SquareMark.ESCAPE),
        unit=22,
    )


def with_table(page: str) -> str:
    """Return the page with its table of gestures written anew."""
    before, _, rest = page.partition(BEGIN)
    return before + BEGIN + "\n".join(table()) + "\n" + END + rest.partition(END)[2]


def table() -> Iterator[str]:
    """Yield each gesture: what it is for, what hands lift, and how that looks on both boards."""
    yield "| to | lift, or set up | on the grid | on the disk |"
    yield "|---|---|---|---|"
    for deed, (name, what) in GESTURE_ROWS.items():
        shown = [f"![On the {board}](evening/{deed.value}-{board}.svg)" for board in BOARDS]
        yield f"| {name} | {what} | {' | '.join(shown)} |"


if __name__ == "__main__":
    main()
