"""Reads the wiring drawings of the building pages: WireViz's YAML, as we write it."""

import re

from tests.tidy.tree import ROOT

FOLDER = ROOT / "docs" / "build"
END = re.compile(r"^    - (\w[\w ]*): \[(.*)\]$", re.MULTILINE)
FILES = [f"file {name}" for name in "abcdefghij"]
RANKS = [f"rank {number}" for number in range(1, 11)]


def wires(name: str) -> dict[str, list[tuple[str, str]]]:
    """Read a drawing by its name: by `from > to`, the pins that are joined."""
    text = (FOLDER / f"{name}.yml").read_text()
    found = {}
    for connection in text.partition("\nconnections:\n")[2].split("\n  -\n"):
        ends = [(name, pins.split(", ")) for name, pins in END.findall(connection)]
        if len(ends) == 3:
            (start, from_pins), (_, _), (end, to_pins) = ends
            found[f"{start} > {end}"] = list(zip(from_pins, to_pins, strict=True))
    return found


def shown(name: str) -> set[str]:
    """Return the texts in the rendered drawing."""
    drawing = (FOLDER / f"{name}.svg").read_text()
    return set(re.findall(r"<text [^>]*>([^<]+)</text>", drawing))
