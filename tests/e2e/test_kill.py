"""Power cuts at random moments: nothing confirmed is lost, a backup is restored whole or not."""

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
from jetan_table.journal.journal import Journal, game_path
from jetan_table.light.news import news_in_words
from rules.text import parse_game
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


KINDS = ("confirmed", "taken back", "asked", "Juggernaut")


def play_and_kill(folder: Path, seed: int, rng: Random) -> list[str]:
    """Let the table play, kill it at some moment, and return what it had told by then."""
    arguments = ("play", "--terminal", "--plain", "--hands", "auto", "--games", "99")
    options = ("--speed", "0", "--preset", "careful", "--seed", str(seed), "--data", folder)
    process = begun(folder, *arguments, *options, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process:
        lines = [process.stdout.readline() for _ in range(rng.randint(1, 12))]
        time.sleep(rng.uniform(0.0, 0.05))
        process.send_signal(signal.SIGKILL)
        lines += process.stdout.readlines()
    assert process.returncode == -signal.SIGKILL
    return [line.rstrip("\n") for line in lines if line.startswith(KINDS) and line.endswith("\n")]


def kept_lines(journal: Journal) -> list[str]:
    """Return all that the journal holds, as the table would have told it."""
    games = [summary.game for summary in journal.archive.games()]
    lines = [str(news_in_words(entry)) for game in games for entry in journal.archive.entries(game)]
    return [line for line in lines if line.startswith(KINDS)]


def assert_nothing_is_lost(folder: Path, seed: int, rng: Random) -> None:
    """Kill a table, and compare its journal and game file with what it had told."""
    with closing(Journal(folder)) as journal:
        before = len(kept_lines(journal))
    printed = play_and_kill(folder, seed, rng)
    with closing(Journal(folder)) as journal:
        assert journal.damaged is None
        assert kept_lines(journal)[before:][: len(printed)] == printed
        game = journal.archive.games()[-1].game
        record = journal.archive.record(game)
    path = game_path(folder, game)
    if path.exists():
        # The file is written right after the journal, so it may be one ply behind.
        plies = [ply.move for ply in parse_game(path.read_text()).game.plies]
        full = [ply.move for ply in record.game.plies]
        assert plies in (full, full[:-1]) or len(plies) == len(full) + 1


@pytest.mark.parametrize("seed", [1, 2])
def test_killed_twice_at_random_moments(tmp_path: Path, seed: int) -> None:
    rng = Random(seed)
    for _ in range(2):
        assert_nothing_is_lost(tmp_path, seed, rng)


@pytest.mark.soak("kill")
@pytest.mark.parametrize("seed", range(10))
def test_killed_fifty_times_at_random_moments(tmp_path: Path, seed: int) -> None:
    rng = Random(f"soak {seed}")
    for _ in range(50):
        assert_nothing_is_lost(tmp_path, seed, rng)
