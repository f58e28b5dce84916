"""`jetan test`: pytest, from the project's folder."""

from pathlib import Path

import pytest

from jetan_table.cli import main

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


def test_soak_adds_the_long_tests(capfd: pytest.CaptureFixture[str]) -> None:
    usual = collected(["tests/rules"], capfd)
    assert usual < collected(["--soak", "tests/rules"], capfd)


def test_the_exit_code_is_that_of_pytest(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["test", "no/such/file.py"]) == pytest.ExitCode.USAGE_ERROR
    assert "no/such/file.py" in capfd.readouterr().err
