"""`jetan doctor`: lines and objects, and an exit code that scripts can use."""

import json
from pathlib import Path

from hardware.switches import SwitchCounts
from jetan_table.cli.options import EXIT_AMISS
from jetan_table.journal.schema import JOURNAL_NAME
from jetan_table.table.switches import KEPT_IN, keep_switches
from rules import parse_square
from tests.jetan_table.cli.in_process import run


def findings(home: Path, *more: str | Path) -> dict[str, tuple[str, str]]:
    """What is found, whatever of it is this machine's."""
    ended = run(home, "doctor", "--json", "--data", home, *more)
    rows = list(map(json.loads, ended.stdout.splitlines()))
    return {row["check"]: (row["verdict"], row["found"]) for row in rows}


def test_every_check_is_a_line(tmp_path: Path) -> None:
    checks = list(findings(tmp_path))
    lines = run(tmp_path, "doctor", "--data", tmp_path).stdout.splitlines()
    assert [line.split()[1] for line in lines] == checks
    assert {line.split()[0] for line in lines} <= {"pass", "warn", "fail"}


def test_a_settings_file_that_cannot_be_used_is_a_finding(tmp_path: Path) -> None:
    wrong = tmp_path / "table.toml"
    wrong.write_text("[lamp]\n")
    checks = findings(tmp_path, "--config", wrong)
    assert checks["settings"][0] == "fail"
    assert "did you mean lamps?" in checks["settings"][1]
    assert "python" in checks
    assert run(tmp_path, "doctor", "--config", wrong).returncode == EXIT_AMISS


def test_a_switch_that_often_misses_is_a_finding(tmp_path: Path) -> None:
    assert "switches" not in findings(tmp_path)
    keep_switches(tmp_path, {parse_square("e5"): SwitchCounts(40)})
    assert findings(tmp_path)["switches"][0] == "pass"
    keep_switches(tmp_path, {parse_square("d4"): SwitchCounts(41, 3)})
    found = findings(tmp_path)["switches"]
    assert found == ("warn", "switch d4 missed 3 of 41 pieces")
    (tmp_path / KEPT_IN).write_text("{")
    assert findings(tmp_path)["switches"][0] == "warn"


def test_a_damaged_journal_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / JOURNAL_NAME).write_text("no journal at all, but long enough to look like a file")
    assert findings(tmp_path)["journal"][0] == "fail"
