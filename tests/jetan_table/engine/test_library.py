"""The library of the search in C: built where it can be, found again, and never needed."""

import shutil
from pathlib import Path

import pytest

from jetan_table.engine import library
from jetan_table.engine.library import (
    FLAGS,
    SWITCH,
    LibraryBuild,
    NotBuilt,
    QuickSearch,
    find_library,
    name_of,
)


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.setattr(library, "READY", tmp_path / "ready")
    return {"XDG_CACHE_HOME": str(tmp_path / "cache")}


@pytest.mark.needs("cc")
def test_it_is_built_in_the_background_and_found_the_next_time(environment: dict[str, str]) -> None:
    quick = QuickSearch(environment)
    was_building, found = quick.is_building, quick.library(wait=True)
    assert (was_building, quick.is_building) == (True, False)
    assert found is not None
    again = QuickSearch(environment)
    assert not again.is_building
    assert again.library() is not None


def test_another_machine_or_source_is_another_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = name_of.__wrapped__("aarch64")
    assert before != name_of.__wrapped__("x86_64")
    shutil.copytree(library.SOURCES, tmp_path, dirs_exist_ok=True)
    monkeypatch.setattr(library, "SOURCES", tmp_path)
    assert name_of.__wrapped__("aarch64") == before
    (tmp_path / "tree.c").write_text("int another;")
    assert name_of.__wrapped__("aarch64") != before


def test_it_can_be_switched_off(environment: dict[str, str]) -> None:
    environment[SWITCH] = "off"
    quick = QuickSearch(environment)
    assert quick.library(wait=True) is None
    assert quick.why_not == f"{SWITCH}=off"


def test_without_a_compiler_it_says_so(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    quick = QuickSearch(environment)
    assert quick.library(wait=True) is None
    assert "apt install gcc" in quick.why_not


@pytest.mark.needs("cc")
def test_what_the_compiler_refuses_is_told_and_leaves_nothing(tmp_path: Path) -> None:
    builder = LibraryBuild(tmp_path / "search.so", (*FLAGS, "-Dint=!"))
    with pytest.raises(NotBuilt, match=r"search\.so: not built"):
        builder.wait()
    assert list(tmp_path.iterdir()) == []


def test_where_the_cache_cannot_be_written_the_game_goes_on(
    environment: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "cache").write_text("no folder")
    quick = QuickSearch(environment)
    assert quick.library(wait=True) is None
    assert quick.why_not
    assert find_library(environment) is None


@pytest.mark.needs("cc")
def test_a_library_that_is_none_is_passed_over(environment: dict[str, str]) -> None:
    path = Path(environment["XDG_CACHE_HOME"], "jetan", name_of())
    path.parent.mkdir(parents=True)
    path.write_text("no library")
    quick = QuickSearch(environment)
    assert quick.library() is None
    assert name_of() in quick.why_not
