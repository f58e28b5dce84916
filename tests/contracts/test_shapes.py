"""What other programs rely on changes together with its version, and not by oversight."""

import re

import pytest

from tests.contracts.shapes import KEPT_IN, Shape, kept, shapes, text_of, wrong
from tests.paths import ROOT

NOW = shapes()
PAGE = (ROOT / "docs/api/versions.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NOW)
def test_a_shape_is_as_its_version_promises(name: str) -> None:
    assert wrong(name, kept().get(name, Shape("none", frozenset())), NOW[name]) == ""


def test_nothing_else_is_kept() -> None:
    assert KEPT_IN.read_text(encoding="utf-8") == text_of(NOW)


def test_the_page_tells_every_version() -> None:
    rows = re.findall(r"^\| `(\w+)` \|.*\| (\S+) \|", PAGE, re.MULTILINE)
    assert dict(rows) == {name: each.version for name, each in NOW.items()}


@pytest.mark.parametrize(
    ("version", "lines", "mend"),
    [
        ("1.0", "a b", ""),
        ("1.0", "a b c", "still version 1.0: raise it\n  + c"),
        ("1.0", "a", "still version 1.0: raise it\n  - b"),
        ("1.1", "a b c", "version 1.1 now: run python -m tests.contracts.shapes"),
        ("1.1", "a c", "lacks what 1.0 had: raise the first number\n  - b\n  + c"),
        ("2.0", "a c", "version 2.0 now: run python -m tests.contracts.shapes"),
        ("1.1", "a b", "version 1.1 now: run python -m tests.contracts.shapes"),
    ],
)
def test_a_change_asks_for_its_version(version: str, lines: str, mend: str) -> None:
    old, new = Shape("1.0", frozenset("ab")), Shape(version, frozenset(lines.split()))
    found = wrong("lines", old, new)
    assert mend in found
    assert bool(found) == bool(mend)
