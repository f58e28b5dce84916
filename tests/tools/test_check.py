"""`jetan check`: each part is run whatever comes of the others, and what failed is named."""

import subprocess
from argparse import Namespace

import pytest

from jetan_table.cli import main

Asked = list[tuple[str, str | None]]


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
