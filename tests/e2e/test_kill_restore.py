"""`jetan games restore` is killed at random moments: the backup is there whole, or what was."""

import shutil
import signal
import subprocess
import time
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from jetan_table.game.events import Ending, Entry, Ply
from jetan_table.journal.archive import Archive
from jetan_table.journal.backup import back_up, check_journal
from jetan_table.journal.journal import Journal
from tests.e2e.command import begun
from tests.jetan_table.hands import header

PLIES = (Entry(1.0, Ply(1, "Pd2-d3")), Entry(2.0, Ply(2, "Pe9-e8")))
OVER = Entry(3.0, Ending("draw", "agreed"))
READY_S = 0.9
"""A command has begun its work about then, on a machine that is not slow."""

Kept = list[list[Entry]]


def kept(folder: Path) -> Kept:
    """Return all that a journal holds; it is whole."""
    with closing(Archive.open(folder)) as archive:
        assert check_journal(archive) == {}
        return [archive.entries(summary.game) for summary in archive.games()]


def kill(home: Path, rng: Random, *words: str | Path) -> None:
    """Begin a command, and kill it at some moment; it may have ended."""
    process = begun(home, *words, stdout=subprocess.DEVNULL)
    time.sleep(rng.uniform(0.0, READY_S))
    process.send_signal(signal.SIGKILL)
    process.wait()


def assert_all_or_nothing(home: Path, rng: Random) -> None:
    """Kill it once, and compare what is there with what was and what was to be."""
    folder, copy = home / "table", home / "copy.sqlite"
    with closing(Journal(folder)) as journal:
        for _ in range(20):
            journal.begin(header(), (*PLIES, OVER))
    back_up(folder, copy)
    with closing(Journal(folder)) as journal:
        journal.begin(header(), PLIES)
    before = kept(folder)
    kill(home, rng, "games", "restore", copy, "--data", folder)
    assert kept(folder) in (before, before[:-1])
    with closing(Journal(folder)) as journal:
        assert journal.damaged is None
    shutil.rmtree(folder)
    copy.unlink()


def test_killed_while_it_restores(tmp_path: Path) -> None:
    for seed in range(3):
        assert_all_or_nothing(tmp_path, Random(seed))


@pytest.mark.soak("kill")
@pytest.mark.parametrize("seed", range(10))
def test_killed_often_while_it_restores(tmp_path: Path, seed: int) -> None:
    for number in range(25):
        assert_all_or_nothing(tmp_path, Random(f"{seed} {number}"))
