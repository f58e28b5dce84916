"""What a journal of ten thousand games costs: size, lists, start and backup.

One game is played by simulated people and then kept over and over, as a table keeps it. Times are
CPU time, of the whole command where there is one; a start is compared with one without any games.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from msgspec.structs import replace as changed

from bench._figures import cpu_of, cpu_of_children, print_figures
from jetan_table.files import find_checkout, make_folder
from jetan_table.game.events import GameId
from jetan_table.game.record import Record
from jetan_table.game.texts import game_text
from jetan_table.journal.archive import Archive
from jetan_table.journal.backup import back_up
from jetan_table.journal.file_format import JOURNAL_NAME
from jetan_table.journal.journal import Journal, game_path
from jetan_table.page.documents import games as page_list

GAMES = 10_000
STARTS = 3
DAY_S = 86_400.0
TERMINAL = ("play", "--terminal", "--plain", "--speed", "0")
PLAY = (*TERMINAL, "--hands", "auto", "--seed", "3")
"""Plays a game of about a hundred plies."""


def main(json: bool, arguments: Sequence[str]) -> None:
    """Measure with GAMES games, ten thousand unless told, and print a table or one JSON object."""
    with tempfile.TemporaryDirectory() as name:
        run(*PLAY, "--data", f"{name}/played")
        count = int(arguments[0]) if arguments else GAMES
        print_figures(measure(Path(name, "played"), Path(name), count), json)


def measure(played: Path, beside: Path, count: int) -> dict[str, float]:
    """Return every figure of the game of a journal, kept so many times `beside` it."""
    folder = beside / "table"
    alone_s = start_s(played)
    plies = keep_over_and_over(played, folder, count)
    with closing(Archive.open(folder)) as archive:
        page_s = cpu_of(lambda: page_list(archive, folder))
    return {
        "games": count,
        "plies_each": plies,
        "kb_a_hundred_plies": (folder / JOURNAL_NAME).stat().st_size / count / plies / 10,
        "list_command_s": command_s("games", "list", "--data", str(folder)),
        "check_command_s": command_s("games", "check", "--data", str(folder)),
        "page_list_s": page_s,
        "start_more_s": start_s(folder) - alone_s,
        "backup_s": cpu_of(lambda: back_up(folder, beside / "copy")),
    }


def keep_over_and_over(played: Path, folder: Path, count: int) -> int:
    """Keep the first game of one journal so many times in another; return its plies."""
    with closing(Journal(played)) as journal:  # where the next game has begun, one is packed
        journal.begin(journal.archive.header(GameId(1)))
        archive = journal.archive
        first = archive.summary(GameId(1))
        entries, batches = archive.entries(first.game), list(archive.batches(first.game))
    text = game_text(Record.read(first.header, entries))
    with closing(Journal(folder)) as journal:
        make_folder(folder / "games")
        for number in range(count):
            header = changed(first.header, started=first.header.started + DAY_S * number)
            game = journal.begin(header, entries, batches)
            game_path(folder, game).write_bytes(journal.witness(game).signed(text))
    return first.plies


def start_s(folder: Path) -> float:
    """Return the CPU seconds of a table in a terminal that is left as soon as it stands."""
    return command_s(*TERMINAL, "--data", str(folder))


def command_s(*words: str) -> float:
    """Return the CPU seconds of a command that was run before, so that its code is compiled."""
    return min(run(*words) for _ in range(STARTS))


def run(*words: str) -> float:
    """Run a command of the project, and return its CPU seconds."""
    before = cpu_of_children()
    command = (sys.executable, "-m", "jetan_table", *words)
    quiet = subprocess.DEVNULL
    env = {name: os.environ[name] for name in os.environ if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(command, cwd=find_checkout(), env=env, check=True, stdin=quiet, stdout=quiet)
    return cpu_of_children() - before
