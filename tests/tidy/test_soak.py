"""Every long test belongs to one area of the soak, and what has passed there is remembered."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.soak import PROPERTIES
from tests.tidy.suites import run_suite
from tests.tidy.tree import ROOT, assert_none, parse, python_files, shown
from tools.commands import AREAS, REMEMBERED

SUITE = """
from pathlib import Path

import pytest
from hypothesis import given, strategies

@pytest.mark.soak("reading")
def test_long(): assert not Path("fails").exists()

@pytest.mark.soak("reading")
@pytest.mark.parametrize("number", [1, 2])
def test_longer(number): assert True

@pytest.mark.soak("kill")
def test_of_another_area(): assert False

@given(strategies.integers())
def test_property(number): assert number is not None

def test_usual(): assert False
"""


def soak_marks() -> Iterator[tuple[Path, ast.AST, ast.AST | None]]:
    """Yield each `pytest.mark.soak` with where it stands, and the call it is part of."""
    for path in python_files(ROOT / "tests"):
        calls = {node.func: node for node in ast.walk(parse(path)) if isinstance(node, ast.Call)}
        for node in ast.walk(parse(path)):
            if isinstance(node, ast.Attribute) and ast.unparse(node) == "pytest.mark.soak":
                yield path, node, calls.get(node)


def test_every_long_test_names_one_area_and_every_area_has_some() -> None:
    offences, named = [], {PROPERTIES}
    for path, node, call in soak_marks():
        match call:
            case ast.Call(args=[ast.Constant(value=str(area))]) if area in AREAS:
                named.add(area)
            case _:
                offences.append(f"{shown(path, node)}: say which of {', '.join(AREAS)}")
    assert_none(offences)
    assert named == AREAS.keys()


def soaked(root: Path, area: str) -> str:
    """The closing line of a soak of `SUITE` in the project `root`."""
    _code, out = run_suite(root, SUITE, JETAN_SOAK=area)
    return out.splitlines()[-1]


def test_what_has_passed_is_not_soaked_again_until_a_file_changes(tmp_path: Path) -> None:
    (tmp_path / "fails").touch()
    assert "1 failed, 2 passed, 3 deselected" in soaked(tmp_path, "reading")
    (tmp_path / "fails").unlink()
    assert "1 passed, 5 deselected" in soaked(tmp_path, "reading")
    (tmp_path / "tests" / "other.py").touch()
    assert "3 passed, 3 deselected" in soaked(tmp_path, "reading")
    (tmp_path / REMEMBERED / "reading").unlink()
    assert "3 passed, 3 deselected" in soaked(tmp_path, "reading")


def test_properties_are_an_area(tmp_path: Path) -> None:
    assert "1 passed, 5 deselected" in soaked(tmp_path, PROPERTIES)
