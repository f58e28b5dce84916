"""`jetan doctor`: lines and objects, and an exit code that scripts can use."""

import json
from pathlib import Path

import pytest

from hardware.switches import SwitchCounts
from jetan_table.board.kept_switches import KEPT_IN, keep_switches
from jetan_table.cli import main
from jetan_table.cli.options import EXIT_AMISS
from jetan_table.journal.schema import JOURNAL_NAME
from rules import parse_square


def findings(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, tuple[str, str]]:
    main(["doctor", "--json", *arguments])
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return {row["check"]: (row["verdict"], row["found"]) for row in rows}


def test_every_check_is_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    checks = list(findings(capsys, "--data", str(tmp_path)))
    main(["doctor", "--data", str(tmp_path)])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[1] for line in lines] == checks
    assert {line.split()[0] for line in lines} <= {"pass", "warn", "fail"}


def test_a_settings_file_that_cannot_be_used_is_a_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = tmp_path / "table.toml"
    wrong.write_text("[lamp]\n")
    checks = findings(capsys, "--config", str(wrong), "--data", str(tmp_path))
    assert checks["settings"][0] == "fail"
    assert "did you mean lamps?" in checks["settings"][1]
    assert "python" in checks
    assert main(["doctor", "--config", str(wrong), "--data", str(tmp_path)]) == EXIT_AMISS


def test_a_switch_that_often_misses_is_a_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "switches" not in findings(capsys, "--data", str(tmp_path))
    keep_switches(tmp_path, {parse_square("e5"): SwitchCounts(40)})
    assert findings(capsys, "--data", str(tmp_path))["switches"][0] == "pass"
    keep_switches(tmp_path, {parse_square("d4"): SwitchCounts(41, 3)})
    found = findings(capsys, "--data", str(tmp_path))["switches"]
    assert found == ("warn", "switch d4 missed 3 of 41 pieces")
    (tmp_path / KEPT_IN).write_text("{")
    assert findings(capsys, "--data", str(tmp_path))["switches"][0] == "warn"


def test_a_damaged_journal_is_a_finding(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / JOURNAL_NAME).write_text("no journal at all, but long enough to look like a file")
    assert findings(capsys, "--data", str(tmp_path))["journal"][0] == "fail"
