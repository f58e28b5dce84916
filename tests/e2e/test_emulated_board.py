"""`jetan play --board emulated`: the whole table on the real firmware, over a real line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from jetan_table.cli import main
from tests.needs import EMULATOR
from tests.tidy.tree import ROOT


@pytest.mark.needs(*EMULATOR)
def test_moves_are_read_through_the_chip(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "jetan_table", "play", "--board", "emulated", "--plain"],
        cwd=ROOT,
        env={**os.environ, "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)},
        input="d2 d3\ne9 e8\nposition\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    confirmed = [line for line in done.stdout.splitlines() if line.startswith("confirmed")]
    assert confirmed == ["confirmed 1 Pd2-d3", "confirmed 2 Pe9-e8"]


def test_an_emulated_board_runs_at_its_own_speed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--board", "emulated", "--speed", "4"]) == 2
    assert "only a simulated board runs faster" in capsys.readouterr().err


def test_missing_packages_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    assert main(["play", "--board", "emulated", "--data", str(tmp_path)]) == 2
    assert "sudo apt-get install" in capsys.readouterr().err
