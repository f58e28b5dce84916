"""Plain text as a terminal shows it: its width, lines and columns, colours, and progress."""

import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from typing import TypeVar
from unicodedata import combining, east_asian_width

import click

from hardware.ports import RGB
from rules import printable

T = TypeVar("T")

ALL_COLOURS = 1 << 24

GAP = "  "

LEAST_WIDTH = 12
"""No column of a table is made narrower."""


def width_of(text: str) -> int:
    """Return how many columns of a terminal a text without control codes takes."""
    return sum(0 if combining(c) else 1 + (east_asian_width(c) in "WF") for c in text)


def padded(text: str, width: int, is_right: bool = False) -> str:
    """Return a text filled up with spaces to a width, at its right or at its left."""
    space = " " * (width - width_of(text))
    return space + text if is_right else text + space


def wrapped(text: str, width: int) -> list[str]:
    """Return a text in lines of at most that width, broken between words where that goes."""
    lines = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            if line and width_of(line) + 1 + width_of(word) <= width:
                line += f" {word}"
                continue
            if line:
                lines.append(line)
            *full, line = _cut(word, width)
            lines += full
        lines.append(line)
    return lines


def _cut(word: str, width: int) -> Iterator[str]:
    """Yield a word in pieces of at most that width; one piece, if empty, at least."""
    piece = ""
    for letter in word:
        if piece and width_of(piece + letter) > width:
            yield piece
            piece = ""
        piece += letter
    yield piece


def print_table(
    headings: Sequence[str],
    rows: Iterable[Sequence[str]],
    title: str = "",
    is_right: bool = False,
) -> None:
    """Print rows in columns under headings; where it `is_right`, all but the first end alike."""
    if title:
        click.echo(click.style(title, italic=True))
    (*shown, rule), *others = _in_columns([headings, *rows], "", is_right, "─")
    click.echo(
        "\n".join([*(click.style(line, bold=True) for line in shown), rule, *chain(*others)])
    )


def print_rows(rows: Iterable[Sequence[str]], indent: str = "") -> None:
    """Print rows in columns, without headings."""
    for lines in _in_columns(list(rows), indent, False, ""):
        print(*lines, sep="\n")


def _in_columns(
    rows: Sequence[Sequence[str]], indent: str, is_right: bool, rule: str
) -> Iterator[list[str]]:
    """Yield each row's lines; the widest columns are wrapped where a terminal is narrower.

    Under the first row is a line for each column where there is a `rule`.
    """
    texts = [[printable(text) for text in row] for row in rows]
    widths = [max(map(width_of, column)) for column in zip(*texts, strict=True)]
    if sys.stdout.isatty():
        room = shutil.get_terminal_size().columns - len(indent) - len(GAP) * (len(widths) - 1)
        _narrow(widths, room)
    ends = [False, *([is_right] * len(widths))]
    for number, row in enumerate(texts):
        columns = [wrapped(text, width) for text, width in zip(row, widths, strict=True)]
        lines = zip_longest(*columns, fillvalue="")
        shown = [(indent + GAP.join(map(padded, line, widths, ends))).rstrip() for line in lines]
        yield shown if number or not rule else [*shown, GAP.join(rule * width for width in widths)]


def _narrow(widths: list[int], total: int) -> None:
    """Make the widest columns narrower until they have that width in all, or none is wide."""
    while sum(widths) > total and max(widths) > LEAST_WIDTH:
        widths[widths.index(max(widths))] -= 1


def colours_of(environment: Mapping[str, str]) -> int:
    """Return how many colours this environment's terminal shows; 0 where nobody wants any."""
    term = environment.get("TERM", "")
    if environment.get("NO_COLOR") or term == "dumb":
        return 0
    is_full = environment.get("COLORTERM", "").lower() in ("truecolor", "24bit")
    # The Linux console takes any colour for the nearest that it has.
    return ALL_COLOURS if is_full or term == "linux" else 256


def ink(colour: RGB, colours: int) -> RGB | int:
    """Return the argument of `click.style` for a colour, by how many the terminal has."""
    if colours == ALL_COLOURS:
        return colour
    if max(colour) - min(colour) <= 12 and 4 <= sum(colour) // 3 <= 242:
        return 232 + min((sum(colour) // 3 - 3) // 10, 23)
    red, green, blue = (
        (value > 47) + (value > 114) + max(value - 115, 0) // 40 for value in colour
    )
    return 16 + 36 * red + 6 * green + blue


def progress(
    items: Iterable[T], label: str, length: int | None = None, is_hidden: bool = False
) -> Iterator[T]:
    """Yield items behind a bar on standard error, which goes when they end; only on a terminal."""
    is_hidden = is_hidden or not sys.stderr.isatty()
    with click.progressbar(
        items, length, label, is_hidden, show_percent=True, file=sys.stderr
    ) as bar:
        yield from bar
    if not is_hidden:
        click.echo("\x1b[1A\x1b[K", nl=False, err=True)
