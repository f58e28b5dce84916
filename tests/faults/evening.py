"""A whole evening with a table, in a process of its own under the shim: all that writes, in a row.

A table is switched on, people play, the table asks, the plug is pulled, another game begins, there
is a backup, the table goes on, and the backup is put back. Whatever was shown as certain is marked
in the log of what was written.
"""

import ctypes
import errno
import json
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final, TypeVar

from jetan_table import files
from jetan_table.errors import TableError
from jetan_table.files import sync_folder
from jetan_table.game.commands import (
    AnswerQuestion,
    BoardIsRight,
    CommandRefused,
    New,
    NewGame,
    PlayersCommand,
)
from jetan_table.journal import backup, journal
from jetan_table.journal.backup import back_up, restore
from jetan_table.journal.journal import Journal
from jetan_table.session.session import News
from jetan_table.session.view import Phase
from jetan_table.table.games import open_game
from rules import Position, letters, parse_square
from tests.faults.after import switch_on
from tests.faults.truth import COPY, TABLE, Truth, truth_in, truth_of
from tests.jetan_table.hands import ASKING, header
from tests.simulation.plug import PluggedTable, Switches

Done = TypeVar("Done")
SHIM: Final = ctypes.CDLL(None)
TRIES = 60


class Marks:
    """What is certain now: of each journal and copy by its name."""

    def __init__(self) -> None:
        self.certain: dict[str, Truth] = {}

    def note(self, name: str, truth: Truth) -> None:
        """Mark that all this is certain from now on."""
        if self.certain.get(name) != truth:
            self.certain[name] = truth
            SHIM.faults_mark(json.dumps(self.certain).encode())


class MarkingTable(PluggedTable):
    """A table that marks what it shows as soon as it shows it."""

    def __init__(self, marks: Marks, folder: Path, begun: NewGame) -> None:
        self.marks = marks
        super().__init__(folder, begun, Switches(), self._set_up)

    def _set_up(self, position: Position) -> None:
        self.switches.occupied = set(letters(position))

    def _plug_in(self) -> None:
        persist(self._try_to_plug_in)
        self.marks.note(TABLE, truth_in(self.journal.archive))

    def _try_to_plug_in(self) -> None:
        before = getattr(self, "journal", None)
        try:
            super()._plug_in()
        except (TableError, OSError):
            if getattr(self, "journal", None) is not before:
                self.journal.drop()
            raise

    def _note(self, news: list[News]) -> None:
        super()._note(news)
        if news:
            shown, record = self.view, self.table.record
            assert shown.record.moves[: len(record.moves)] == record.moves or shown.question
            self.told.setdefault(self.table.game, [])
            self.marks.note(TABLE, truth_of(self.told))

    def say(self, command: PlayersCommand) -> None:
        """Say something, until the table takes it; what it refuses then it has done before."""
        with suppress(CommandRefused):
            persist(lambda: self.obey(command))

    def begin(self, wanted: New) -> None:
        """Begin another game, and set it up while the table is off."""
        self.say(wanted)
        self.await_calm()
        self._set_up(self.table.record.position)
        self.pull_plug()
        self.say(BoardIsRight())
        self.await_calm()
        assert self.view.phase is Phase.PLAYING, self.view

    def play(self, *touches: str) -> None:
        """Lift pieces and put the last of them down on the square named last; wait for it."""
        *lifted, last = touches
        for name in lifted:
            self.touch(parse_square(name), is_put=False)
        self.touch(parse_square(last), is_put=True)
        self.await_calm()

    def await_calm(self) -> None:
        """Wait until all is read and on the disk."""
        for _ in range(TRIES):
            self.wait(2.0)
            if self.view.trouble is None and self.table.session.due is None:
                return
        raise AssertionError(f"the disk is well again, and the table is not: {self.view.trouble}")


def persist(work: Callable[[], Done]) -> Done:
    """Do something until the disk lets it be done, as people do who have read why not."""
    for _ in range(TRIES):
        try:
            return work()
        except CommandRefused:
            raise
        except (TableError, OSError) as error:
            refused = error
    raise refused


def evening(root: Path) -> Marks:
    """Live through the evening in a folder."""
    marks = Marks()
    table = MarkingTable(marks, root / TABLE, NewGame(header()))
    table.wait(2.0)
    table.play("d2", "d3")
    table.play("e9", "e8")
    table.begin(New(rules="appendix", position=ASKING, clock="none", conduct="friendly"))
    table.touch(parse_square("d5"), is_put=False)
    table.await_calm()
    assert table.view.question is not None, table.view
    table.pull_plug()
    table.wait(2.0)
    table.say(AnswerQuestion("d8"))
    table.await_calm()
    assert len(table.table.record.moves) == 1
    persist(lambda: back_up(root / TABLE, root / COPY))
    marks.note(COPY, truth_of(table.told))
    table.begin(New(rules="manator-arena", clock="none", conduct="friendly"))
    table.play("d2", "d3")
    persist(lambda: back_up(root / TABLE, root / COPY))
    marks.note(COPY, truth_of(table.told))
    table.play("e9", "e8")
    persist(table.close)
    persist(lambda: restore(root / COPY, root / TABLE))
    marks.note(TABLE, marks.certain[COPY])
    persist(lambda: open_and_close(root / TABLE))
    return marks


def open_and_close(folder: Path) -> None:
    """Switch a table on, and off again."""
    with closing(Journal(folder)) as kept:
        open_game(kept, header())


def connect_unsynced(path: Path) -> sqlite3.Connection:
    """Open a journal of which is told before it is on the disk."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = OFF")
    return connection


@contextmanager
def renaming_unsynced(path: Path) -> Iterator[Path]:
    """Put in the place of a file what need not be on the disk yet."""
    begun = path.with_name(f"{path.name}.part")
    yield begun
    begun.replace(path)
    sync_folder(path.parent)


@contextmanager
def renaming_unchecked(path: Path) -> Iterator[Path]:
    """Put a file in its place first, and then fill and check it there."""
    path.unlink(missing_ok=True)
    yield path
    sync_folder(path.parent)


PLANTS: Final[Mapping[str, Callable[[], None]]] = {
    "told before its sync": lambda: setattr(journal, "connect", connect_unsynced),
    "renamed before its sync": lambda: setattr(files, "replacing", renaming_unsynced),
    "renamed before the check": lambda: setattr(backup, "replacing", renaming_unchecked),
    "a folder's name is not synced": lambda: setattr(files, "sync_folder", lambda folder: None),
}
"""Errors that are made on purpose, to see whether they are found."""

REASONS: Final = (errno.EIO, errno.ENOSPC)


def fail_at(root: Path, first: int, last: int, reason: int) -> None:
    """Live through the evening in a new folder with some calls failing, and switch on again.

    AssertionError where anything is lost.
    """
    root.mkdir()
    SHIM.faults_arm(first, last, reason, 1)
    marks = evening(root)
    SHIM.faults_arm(-1, -1, 0, 0)
    switch_on(root, marks.certain, marks.certain)


def main(root: str, *words: str) -> None:
    """Record an evening, perhaps with a plant; or `fail` N TIMES REASON some calls at each N."""
    match words:
        case ("fail", times, reason, *numbers):
            for number in numbers:
                folder = Path(root, number)
                fail_at(folder, int(number), int(number) + int(times) - 1, int(reason))
                shutil.rmtree(folder)
        case (*planted,):
            for name in planted:
                PLANTS[name]()
            evening(Path(root))


if __name__ == "__main__":
    main(*sys.argv[1:])
