"""What docs/service.md promises, and which tests prove it on which surface.

A test that proves a line of its table says so by `@pytest.mark.promises("the line", "page", ...)`,
with the surfaces on which it hears what is said. The table's last column names all surfaces of a
line: those that a test hears stand in plain letters, the others in italics.

`python -m tests.promises` writes that column anew from the marks, and prints what is not proved.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "service.md"
HEADING: Final = "## What happens when"
SURFACES: Final = (
    *("page", "terminal", "plain lines", "lamps", "`/health`", "log", "standard error"),
    "list of games",
)
"""Where anything is said. The log is what a service prints."""


class Promised(NamedTuple):
    """A line of the table: what happens, and where it is said."""

    line: str
    proved: frozenset[str]
    unproved: frozenset[str]


def table() -> tuple[str, list[list[str]], str]:
    """Return the page up to the texts of the table's rows, and the page after them."""
    before, heading, after = PAGE.read_text().partition(HEADING)
    lines = after.splitlines(keepends=True)
    first = next(number for number, line in enumerate(lines) if line.startswith("|---")) + 1
    last = next(n for n, line in enumerate(lines) if n >= first and not line.startswith("|"))
    rows = [re.split(r"(?<!\\)\|", line.strip("|\n")) for line in lines[first:last]]
    texts = [[text.strip() for text in row] for row in rows]
    return before + heading + "".join(lines[:first]), texts, "".join(lines[last:])


def promised() -> list[Promised]:
    """What the page says."""
    lines = []
    for first, *_between, where in table()[1]:
        italics = frozenset(re.findall(r"\*([^*]+)\*", where))
        named = frozenset(filter(None, where.replace("*", "").split(", ")))
        lines.append(Promised(first, named - italics, italics))
    return lines


def marks() -> Iterator[tuple[str, str, frozenset[str]]]:
    """Each mark on a test: where it stands, the line it proves, and on which surfaces."""
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        text = path.read_text()
        if "promises(" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            for mark in getattr(node, "decorator_list", ()):
                if isinstance(mark, ast.Call) and ast.unparse(mark.func).endswith("mark.promises"):
                    line, *surfaces = (ast.literal_eval(argument) for argument in mark.args)
                    name = f"{path.relative_to(ROOT)}:{mark.lineno}"
                    yield name, line, frozenset(surfaces)


def proved() -> dict[str, frozenset[str]]:
    """On which surfaces each line is proved."""
    found: dict[str, frozenset[str]] = {}
    for _name, line, surfaces in marks():
        found[line] = found.get(line, frozenset()) | surfaces
    return found


def main() -> None:
    """Write the last column anew, and print what no test proves."""
    before, rows, after = table()
    by_tests = proved()
    for row, line in zip(rows, promised(), strict=True):
        named = line.proved | line.unproved | by_tests.get(line.line, frozenset())
        heard = by_tests.get(line.line, frozenset())
        order = sorted(named, key=SURFACES.index)
        row[-1] = ", ".join(each if each in heard else f"*{each}*" for each in order)
        if missing := [each for each in order if each not in heard]:
            print(f"{line.line}: not proved on {', '.join(missing)}")
    PAGE.write_text(before + "".join(f"| {' | '.join(row)} |\n" for row in rows) + after)


if __name__ == "__main__":
    main()
