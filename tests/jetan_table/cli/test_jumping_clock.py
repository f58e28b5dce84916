"""The system's clock is wrong at the next start: the game goes on, and nobody's time suffers."""

import io
import re
import time
from pathlib import Path

import pytest

from jetan_table.cli import main

EVENING = 2_000_000_000.0


@pytest.mark.promises(
    "the system's clock is wrong at the next start, earlier or later", "plain lines"
)
@pytest.mark.parametrize("next_start", [-3595.0, EVENING - 3600, EVENING + 1e9])
def test_a_game_goes_on_whatever_the_clock_says(
    tmp_path: Path,
    next_start: float,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def play(at: float, lines: str, *more: str) -> str:
        monkeypatch.setattr(time, "time", lambda: at)
        monkeypatch.setattr("sys.stdin", io.StringIO(lines))
        assert main(["play", "--plain", "--data", str(tmp_path), *more]) == 0
        return capsys.readouterr().out

    play(EVENING, "d2 d3\ne9 e8\n", "--clock", "10")
    printed = play(next_start, "d3 d4\ne8 e7\n")
    assert "Game 1 goes on after 2 moves." in printed
    assert "The table was off: the clock is stopped until somebody moves" in printed
    assert "confirmed 4 Pe8-e7" in printed
    last = [line for line in printed.splitlines() if line.startswith("Clock: ")][-1]
    assert re.fullmatch(r"Clock: > Black (9|10):\d\d, Orange (9|10):\d\d", last)
    assert main(["games", "check", "--data", str(tmp_path)]) == 0
