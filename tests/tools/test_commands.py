"""`jetan test`: pytest, from the project's folder."""

import subprocess
from argparse import Namespace
from pathlib import Path

import pytest

from jetan_table.cli import main
from tools.commands import AREAS, NOTHING_LEFT

ROOT = Path(__file__).parents[3]


def collected(arguments: list[str], capfd: pytest.CaptureFixture[str]) -> set[str]:
    """The names of the tests that `jetan test ARGUMENTS` would run."""
    assert main(["test", "--collect-only", "-q", *arguments]) == 0
    return {line for line in capfd.readouterr().out.splitlines() if "::" in line}


def test_arguments_go_to_pytest_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert collected(["tests/tidy/test_sizes.py", "-k", "files"], capfd) == {
        "tests/tidy/test_sizes.py::test_files_stay_small"
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
