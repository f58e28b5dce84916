"""Power cuts: the table is killed at random moments, and nothing confirmed is lost."""

import signal
import subprocess
import time
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from jetan_table.journal.game_files import game_path
from jetan_table.journal.journal import Journal
from jetan_table.light.words import Speaker
from rules.text import parse_game
from tests.e2e.command import begun

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
    speaker = Speaker("en")
    games = [summary.game for summary in journal.archive.games()]
    lines = [speaker.line(entry) for game in games for entry in journal.archive.entries(game)]
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
