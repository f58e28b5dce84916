"""A journal's file opened to be read, wherever it lies: on a card that takes nothing any more, too.

SQLite reads a journal with the help of a file beside it, which it must be able to make.
"""

import os
import shutil
import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

IN_MEMORY: Final = Path("/dev/shm")
"""What has to be copied to be read needs no card."""

KNOWN_FORMATS: Final = {1, 2}

FIRST_LOOK: Final = "SELECT count(*) FROM sqlite_master"
"""Nothing is read of a file before something is asked."""


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Open a database to read alone, with all that SQLite keeps beside it. sqlite3.Error."""
    try:
        return _opened(path, "mode=rw")  # which reads alone where no more is allowed
    except sqlite3.OperationalError as error:
        is_busy = error.sqlite_errorcode in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
        if is_busy or not path.is_file():
            raise
        beside = Path(f"{path}-wal")
        if not (beside.exists() and beside.stat().st_size):
            return _opened(path, "immutable=1")
        return _copied(path, beside)


def _opened(path: Path, how: str) -> sqlite3.Connection:
    with ExitStack() as opened:
        uri = f"{path.absolute().as_uri()}?{how}"
        connection = opened.enter_context(closing(sqlite3.connect(uri, uri=True)))
        connection.execute("PRAGMA query_only = ON")
        connection.execute(FIRST_LOOK).fetchone()
        opened.pop_all()
        return connection


def _copied(path: Path, beside: Path) -> sqlite3.Connection:
    """Read a database and what has not been folded into it, in memory."""
    room = IN_MEMORY if os.access(IN_MEMORY, os.W_OK) else None
    with TemporaryDirectory(dir=room) as folder, ExitStack() as opened:
        copy = Path(folder, path.name)
        shutil.copyfile(path, copy)
        shutil.copyfile(beside, f"{copy}-wal")
        connection = opened.enter_context(closing(sqlite3.connect(":memory:")))
        with closing(sqlite3.connect(copy)) as source:
            source.backup(connection)
        connection.execute("PRAGMA query_only = ON")
        opened.pop_all()
        return connection


def is_sound(path: Path) -> bool:
    """Whether SQLite finds every page of a file in order; one that is not can hide whole rows.

    Its own crash recovery has a part in that. OSError where it cannot be read just now.
    """
    try:
        with closing(connect_to_read(path)) as connection:
            return connection.execute("PRAGMA quick_check").fetchall() == [("ok",)]
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if not is_of_damage(error):
            raise OSError(0, str(error), str(path)) from error
        return False


def is_of_known_format(path: Path) -> bool:
    """Whether a file says of itself that it is read and written by this SQLite. OSError.

    Of one that says something else, SQLite would only say that it must not be written to.
    """
    with path.open("rb") as file:
        begins = file.read(20)
    return len(begins) == 20 and set(begins[18:]) <= KNOWN_FORMATS


def is_of_damage(error: Exception) -> bool:
    """Whether an error comes of a damaged file, and not of what SQLite cannot do just now.

    That it numbers, and not as an error in what it was asked; a text of its own that is none any
    more has no number.
    """
    if not isinstance(error, sqlite3.OperationalError):
        return True
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) == sqlite3.SQLITE_ERROR
