"""`jetan bench`: finding the measurements and running one."""

import sys
from pathlib import Path

import pytest

from tests.jetan_table.cli.in_process import Jetan


@pytest.fixture
def bench_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty `bench/` of a checkout made for the test."""
    folder = tmp_path / "bench"
    folder.mkdir()
    monkeypatch.setattr("tools.commands.find_checkout", lambda: tmp_path)
    return folder


def test_lists_measurements_by_their_first_line(jetan: Jetan, bench_folder: Path) -> None:
    (bench_folder / "tempo.py").write_text('"""How fast hands are.\n\nMore."""\n')
    (bench_folder / "many").mkdir()
    (bench_folder / "many" / "__init__.py").write_text('"""Of several parts."""\n')
    (bench_folder / "_shared.py").write_text('"""Not a measurement."""\n')
    assert [line.split(maxsplit=1) for line in jetan("bench").splitlines()] == [
        ["many", "Of several parts."],
        ["tempo", "How fast hands are."],
    ]


def test_runs_the_named_one_with_its_switch(
    jetan: Jetan, bench_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (bench_folder / "tempo.py").write_text("def main(json):\n    print('json', json)\n")
    monkeypatch.syspath_prepend(bench_folder.parent)
    assert jetan("bench tempo --json") == "json True\n"


def test_names_the_package_that_a_measurement_stands_on(
    jetan: Jetan, bench_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (bench_folder / "rival.py").write_text("import chess\n")
    monkeypatch.syspath_prepend(bench_folder.parent)
    monkeypatch.setitem(sys.modules, "chess", None)
    assert jetan("bench rival", code=2) == (
        "jetan: chess is not installed here; ./jetan bench brings it\n"
    )


def test_an_unknown_name_is_guessed(jetan: Jetan, bench_folder: Path) -> None:
    (bench_folder / "tempo.py").touch()
    assert jetan("bench temop", code=2) == (
        "jetan: temop: no such measurement, did you mean tempo?\n"
    )


def test_outside_a_checkout_it_says_where_to_go(
    jetan: Jetan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jetan_table.files.__file__", str(tmp_path / "jetan_table" / "x.py"))
    for command in ("bench", "test"):
        assert "not a checkout" in jetan(command, code=2)
