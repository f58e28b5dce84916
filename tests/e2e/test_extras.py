"""A board and a command that packages outside the project bring."""

import signal
import subprocess
from pathlib import Path
from typing import Final

import pytest

from tests.e2e.command import begun, run

MODULE: Final = '''
import click
from hardware.ports import Observation
from hardware.reeds import reed_evidence
from jetan_table.extras import Extra
from jetan_table.table.board import Plain
from rules import SQUARES, Position, parse_rules, parse_square

START = Position.start(parse_rules("zillions"))
DEEDS = [("d2", False), ("d3", True)]


class Board(Plain):
    """Plays d2-d3: a second after the table begins, and a second later."""

    hands = None

    def __init__(self, settings, clock, wait):
        self.due, self.deeds = None, list(DEEDS)

    def poll(self, now):
        if self.due is None:
            self.due = now + 1
            standing = START.occupied
            seen = {at: reed_evidence(bool(standing >> at & 1)) for at in SQUARES}
            return [Observation(now, seen)]
        if not self.deeds or now < self.due:
            return []
        self.due = now + 1
        square, is_closed = self.deeds.pop(0)
        return [Observation(now, {parse_square(square): reed_evidence(is_closed)})]


@click.command()
def greet():
    """Greet whoever plays."""
    print("kaor")


class Mine(Extra):
    """A board and a command."""

    boards = ["mine"]
    commands = {"greet": "Greet whoever plays."}

    def board(self, settings, clock, wait):
        return Board(settings, clock, wait)

    def command(self, name):
        return greet


MINE = Mine()
'''
ENTRIES: Final = """\
[jetan.extras]
mine = mine:MINE
broken = gone:away
odd = mine:DEEDS
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder in which a package is installed that brings a board and a command."""
    folder = tmp_path / "packages"
    about = folder / "mine-1.0.dist-info"
    about.mkdir(parents=True)
    (folder / "mine.py").write_text(MODULE)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(ENTRIES)
    return folder


@pytest.mark.parametrize("board", ["mine", "mine:Board"])
def test_a_board_of_another_package_is_played_on(tmp_path: Path, package: Path, board: str) -> None:
    env = {"PYTHONPATH": str(package), "PYTHONUNBUFFERED": "1"}
    words = ("play", "--plain", "--board", board, "--data", tmp_path / "games", "--no-browser")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with begun(tmp_path, *words, "--port", "0", env=env, text=True, **pipes) as process:
        assert process.stdout is not None
        heard = []
        try:
            for line in process.stdout:
                heard.append(line)
                if "Pd2-d3" in line:
                    break
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=30)
    assert "Pd2-d3" in heard[-1]


def test_a_command_of_another_package_is_run_and_a_broken_one_is_named(
    tmp_path: Path, package: Path
) -> None:
    def ran(*words: str | Path) -> subprocess.CompletedProcess[str]:
        return run(tmp_path, *words, PYTHONPATH=str(package))

    assert ran("greet").stdout == "kaor\n"
    helped = ran("--help")
    assert helped.returncode == 0
    assert "greet     Greet whoever plays." in helped.stdout
    examined = ran("doctor", "--data", tmp_path / "games")
    assert "gone:away: cannot be loaded (No module named 'gone')" in examined.stdout
    assert "mine:DEEDS: cannot be loaded (list, not Extra)" in examined.stdout
    assert "remove the package that brings broken" in examined.stdout
