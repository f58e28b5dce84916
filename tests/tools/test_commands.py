"""The commands of a checkout: pytest, the checks, the measurements, and where all pages are."""

import subprocess
import sys
from argparse import Namespace
from functools import partial
from pathlib import Path

import pytest

from jetan_table.cli import machine, main
from tests.jetan_table.cli.in_process import Jetan, told
from tools.commands import AREAS, NOTHING_LEFT

Asked = list[tuple[str, str | None]]


@pytest.fixture
def jetan(tmp_path: Path) -> Jetan:
    """`told` by a command whose home is the test's own folder."""
    return partial(told, tmp_path)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """The programs that are started, each with the tier it is told; mypy finds a fault."""
    programs: Asked = []

    def run(command: list[str], env: dict[str, str] | None = None, **_how: object) -> Namespace:
        programs.append((command[2], env["JETAN_TIER"] if env else None))
        return Namespace(returncode=int(command[2] == "mypy"))

    monkeypatch.setattr(subprocess, "run", run)
    return programs


def test_all_parts_are_run_and_what_failed_is_named(
    asked: Asked, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check"]) == 1
    tools = [("ruff", None), ("ruff", None), ("codespell_lib", None), ("mypy", None)]
    assert asked == [*tools, ("pytest", "unit")]
    *times, verdict = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in times] == ["lint", "types", "unit"]
    assert verdict == "not well: types"


def test_parts_that_are_named_are_run_alone(
    asked: Asked, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "unit", "lint"]) == 0
    assert [program for program, _tier in asked] == ["pytest", "ruff", "ruff", "codespell_lib"]
    assert capsys.readouterr().out.splitlines()[-1] == "all is well"


def test_a_part_that_is_none_is_refused(asked: Asked, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "tpyes"]) == 2
    assert "tpyes" in capsys.readouterr().err
    assert asked == []


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


def test_the_first_place_that_has_the_pages_is_named(
    jetan: Jetan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lacking, built = tmp_path / "package", tmp_path / "checkout"
    built.mkdir()
    monkeypatch.setattr(machine, "PLACES", (lacking, built))
    assert "mkdocs build" in jetan("docs --no-browser", code=2)
    (built / "index.html").write_text("<p>")
    assert (built / "index.html").as_uri() in jetan("docs --no-browser")


def collected(arguments: list[str], capfd: pytest.CaptureFixture[str]) -> set[str]:
    """The names of the tests that `jetan test ARGUMENTS` would run."""
    assert main(["test", "--collect-only", "-q", *arguments]) == 0
    return {line for line in capfd.readouterr().out.splitlines() if "::" in line}


def test_arguments_go_to_pytest_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert collected(["tests/tidy/test_code.py", "-k", "files"], capfd) == {
        "tests/tidy/test_code.py::test_files_stay_small"
    }


def test_an_area_soaks_its_own_long_tests(capfd: pytest.CaptureFixture[str]) -> None:
    usual = collected(["tests/rules"], capfd)
    long = collected(["--soak=rules", "tests/rules"], capfd)
    assert "tests/rules/test_perft.py::test_perft_four_of_the_appendix" in long
    assert long.isdisjoint(usual)


def test_an_area_that_is_none_is_refused_with_those_there_are(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert main(["test", "--soak=ruls"]) == 2
    refusal = capfd.readouterr().err
    assert all(area in refusal for area in AREAS)


def test_help_tells_each_area(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["test", "--help"]) == 0
    printed = " ".join(capfd.readouterr().out.split())
    assert all(f"{area} {summary}" in printed for area, summary in AREAS.items())


def test_all_areas_are_soaked_one_after_another_and_one_that_fails_fails_all(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []

    def run(*arguments: object, env: dict[str, str], **how: object) -> Namespace:
        asked.append(env["JETAN_SOAK"])
        return Namespace(returncode={"reading": 1, "opponent": NOTHING_LEFT}.get(asked[-1], 0))

    monkeypatch.setattr(subprocess, "run", run)
    assert main(["test", "--soak"]) == 1
    assert asked == list(AREAS)
    assert "opponent" in capfd.readouterr().err


def test_the_exit_code_is_that_of_pytest(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["test", "no/such/file.py"]) == pytest.ExitCode.USAGE_ERROR
    assert "no/such/file.py" in capfd.readouterr().err
