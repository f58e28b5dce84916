"""Cases kept as text in `tests/data`: what is done, line by line, and what must come of it."""

from pathlib import Path
from typing import Any

import pytest

from tests.paths import DATA

Case = list[tuple[str, str]]
"""Words of a format, which tests/data/README.md describes, each with what stands behind it."""


def cases_of(path: Path) -> list[tuple[str, Case]]:
    """Return the cases of a file, each with its name."""
    blocks = [block.strip("\n").splitlines() for block in path.read_text().split("\n\n")]
    return [(name, case_of(lines)) for name, *lines in blocks if not name.startswith("#")]


def case_of(lines: list[str]) -> Case:
    case: Case = []
    for text in lines:
        word, _, rest = text.strip().partition(" ")
        if text.startswith(" " * 8):
            case[-1] = case[-1][0], f"{case[-1][1]} {text.strip()}"
        elif word != "#":
            case.append((word, rest.strip()))
    return case


def every_case(folder: str) -> list[Any]:
    """Return the cases of a folder of `tests/data` as a test's parameters."""
    files = sorted((DATA / folder).glob("*.txt"))
    return [pytest.param(case, id=name) for path in files for name, case in cases_of(path)]
