"""Copies of a journal: one file that is whole, made while the table plays, and put back later."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from rules.sentences import _

from ..errors import TableError
from ..files import replacing
from ..game.errors import BadRecord
from ..game.record import Record
from .archive import JOURNAL_NAME, Archive, check_version
from .game_files import write_game
from .journal import Journal, is_sound, journal_lock, set_aside

SQLITE: Final = b"SQLite format 3\0"
"""How a database's file begins."""


class NoBackup(TableError, FileExistsError):
    """A file that a backup would be written over, and that is none itself."""


def back_up(folder: Path, copy: Path) -> int:
    """Copy the journal in `folder` to the file `copy`, whole or not at all; return its games.

    The table may play meanwhile. Raises BadRecord, NoBackup where `copy` is a file of another
    kind, and OSError where the copy cannot be written.
    """
    if not _may_be_replaced(copy):
        raise NoBackup(_("{copy}: is there already, and no backup: name another file"), copy=copy)
    source = folder / JOURNAL_NAME
    if not source.is_file():
        raise BadRecord(_("{source}: there is no journal to copy"), source=source)
    with closing(Archive.open(folder)) as archive:
        games = len(archive.games())
    with replacing(copy) as begun:
        _copy(source, begun)
    return games


def restore(copy: Path, folder: Path) -> tuple[int, Path | None]:
    """Put a copy in the place of the journal in `folder`, and write its games as text again.

    Returns how many games it has, and under which name the journal that stood there is kept.
    Raises BadRecord for a copy that is damaged or of another version, JournalInUse while a table
    plays there, and OSError.
    """
    _check(copy)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / JOURNAL_NAME
    with journal_lock(folder), replacing(path) as begun:
        _copy(copy, begun)
        kept = set_aside(path, "replaced") if path.exists() else None
    with closing(Journal(folder)) as journal:
        games = journal.archive.games()
        for summary in games:
            entries = journal.archive.entries(summary.game)
            write_game(folder, summary.game, Record.read(summary.header, entries))
    return len(games), kept


def _check(copy: Path) -> None:
    if not copy.is_file():
        raise FileNotFoundError(2, "No such file", str(copy))
    if not is_sound(copy):
        raise BadRecord(_("{copy}: is damaged, or no journal: take another copy"), copy=copy)
    with closing(sqlite3.connect(copy)) as connection:
        check_version(connection, copy)


def _may_be_replaced(copy: Path) -> bool:
    if not copy.is_file():
        return True
    with copy.open("rb") as file:
        return file.read(len(SQLITE)) in (SQLITE, b"")


def _copy(source: Path, target: Path) -> None:
    """Copy a database as it is at one moment, into a file that needs no other beside it."""
    try:
        with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
            old.backup(new)
            new.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        raise OSError(0, str(error), str(target)) from error
