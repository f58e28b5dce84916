"""`jetan play --board emulated`: the whole table on the real firmware, over a real line."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

import pytest

from jetan_table.cli import main
from tests.e2e.command import begun, run
from tests.needs import EMULATOR


@pytest.mark.needs(*EMULATOR)
def test_moves_are_read_through_the_chip(tmp_path: Path) -> None:
    words = ("play", "--board", "emulated", "--plain", "--data", tmp_path / "games")
    done = run(tmp_path, *words, typed="d2 d3\ne9 e8\nposition\n")
    assert done.returncode == 0, done.stderr
    confirmed = [line for line in done.stdout.splitlines() if line.startswith("confirmed")]
    assert confirmed == ["confirmed 1 Pd2-d3", "confirmed 2 Pe9-e8"]


PEOPLE = ("--hands", "auto", "--seed", "7", "--plain")
BUSY, BUSY_S, FEWEST = 12, 240, 20


def told(home: Path, *arguments: str, ends_s: float | None = None) -> list[str]:
    """What a table tells of simulated people's plies, until it is interrupted."""
    data = home / arguments[1]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with begun(home, "play", *PEOPLE, "--data", data, *arguments, **pipes) as table:
        if ends_s is not None:
            time.sleep(ends_s)
            table.send_signal(signal.SIGINT)
        output, _ = table.communicate()
    return [line for line in output.splitlines() if line.startswith(("confirmed", "taken back"))]


def stands(lines: Iterable[str]) -> list[str]:
    """Return what has been told and not taken back."""
    standing: list[str] = []
    for line in lines:
        if line.startswith("taken back"):
            standing.pop()
        else:
            standing.append(line)
    return standing


@pytest.mark.soak("emulated")
@pytest.mark.needs(*EMULATOR)
def test_an_evening_beside_twelve_busy_programs_is_read_as_on_a_quiet_machine(
    tmp_path: Path,
) -> None:
    quiet = told(tmp_path, "--board", "simulated", "--speed", "0")
    with ExitStack() as ends:
        for _ in range(BUSY):
            busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            ends.callback(busy.wait)
            ends.callback(busy.kill)
        lines = told(tmp_path, "--board", "emulated", ends_s=BUSY_S)
    # What was told last may still be amended. The same people are quicker or slower beside a busy
    # machine: how long a second thought takes decides whether the first one was told.
    read = stands(lines)[:-2]
    assert len(read) >= FEWEST
    assert read == stands(quiet)[: len(read)]


def test_missing_packages_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    assert main(["play", "--board", "emulated", "--data", str(tmp_path)]) == 2
    assert "sudo apt-get install" in capsys.readouterr().err
