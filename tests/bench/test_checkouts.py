"""`jetan bench checkouts`: two checkouts side by side."""

import json
from pathlib import Path

import pytest

from bench import checkouts
from jetan_table.cli import main


@pytest.fixture(autouse=True)
def _few_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JETAN_BENCH_PAIRS", "0")
    monkeypatch.setattr(checkouts, "COMMANDS", (("moves", "--json"),))


def test_what_another_answers_otherwise_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "jetan_table"
    other.mkdir()
    (other / "__init__.py").touch()
    (other / "__main__.py").write_text("print('another')\n")
    assert main(["bench", "checkouts", "--json", str(tmp_path)]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out) == {"asked": 1, "differing": 1}
    assert "not the same: jetan moves --json" in printed.err
