"""The truth on disk: an append-only journal of games in SQLite.

An event is on the disk when `append` returns, so that whatever says afterwards that it has
happened is still right after a power cut. What the sensors saw is kept too, in batches: it helps
to explain a game, and its last second may be lost.
"""

from __future__ import annotations

import fcntl
import sqlite3
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import msgspec

from hardware.ports import Observation
from rules.sentences import _

from ..errors import TableError
from ..game.events import KIND_OF, Entry, Header
from .archive import JOURNAL_NAME, SCHEMA, Archive, GameId, check_version, format_observation

MOST_UNWRITTEN = 20_000
"""Observations kept in memory while the disk takes none; the oldest are dropped beyond."""


class JournalUnwritable(TableError, OSError):
    """The disk takes no more: it is full, read-only or gone."""


class JournalInUse(TableError, BlockingIOError):
    """Another table writes this journal."""


class Journal:
    """The journal of one table in `folder`, opened for writing; `archive` reads it.

    `damaged` names what was found in its place and could not be read: it is kept, under that name.
    """

    def __init__(self, folder: Path) -> None:
        """Open or make the journal in `folder`.

        Raises JournalInUse, JournalUnwritable, and BadRecord for another version's file.
        """
        self.folder = folder
        self._path = path = folder / JOURNAL_NAME
        self._unwritten: deque[tuple[GameId, Observation]] = deque(maxlen=MOST_UNWRITTEN)
        with ExitStack() as opened:
            with _told_as_unwritable(folder):
                folder.mkdir(parents=True, exist_ok=True)
            opened.enter_context(journal_lock(folder))
            with _told_as_unwritable(path):
                is_damaged = path.exists() and not is_sound(path)
                self.damaged = set_aside(path, "damaged") if is_damaged else None
                self._db = opened.enter_context(closing(_connect(path)))
                self.archive = Archive(self._db)
                check_version(self._db, path)
            self._opened = opened.pop_all()

    def begin(self, header: Header, entries: Sequence[Entry] = ()) -> GameId:
        """Write that a game begins, with what has happened in it already; return its number."""
        values = msgspec.structs.asdict(header)
        columns, marks = ", ".join(values), ", ".join("?" * len(values))
        with self._transaction():
            cursor = self._db.execute(
                f"INSERT INTO games ({columns}) VALUES ({marks})", tuple(values.values())
            )
            assert cursor.lastrowid is not None
            game = GameId(cursor.lastrowid)
            self._add(game, 1, entries)
        return game

    def append(self, game: GameId, entries: Sequence[Entry]) -> None:
        """Write what happened, all of it or nothing; JournalUnwritable where the disk refuses."""
        with self._transaction():
            (last,) = self._db.execute(
                "SELECT coalesce(max(seq), 0) FROM events WHERE game = ?", (game,)
            ).fetchone()
            self._add(game, last + 1, entries)

    def _add(self, game: GameId, first: int, entries: Sequence[Entry]) -> None:
        rows = (
            (game, seq, entry.at, KIND_OF[type(entry.event)], _payload(entry))
            for seq, entry in enumerate(entries, first)
        )
        self._db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?)", rows)

    def observe(self, game: GameId, observations: Iterable[Observation]) -> None:
        """Take in what was seen; it is written by the next event or `flush`."""
        self._unwritten.extend((game, observation) for observation in observations)

    def flush(self) -> None:
        """Write what was seen; JournalUnwritable where the disk refuses, and nothing is lost."""
        if self._unwritten:
            with self._transaction():
                pass

    def close(self) -> None:
        """Write what is left and let go of the file."""
        with self._opened:
            self.flush()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Commit what the block writes together with the observations before it."""
        with _told_as_unwritable(self._path):
            try:
                self._db.execute("BEGIN IMMEDIATE")
                yield
                self._db.executemany(
                    "INSERT INTO observations (game, at, squares) VALUES (?, ?, ?)",
                    [
                        (game, observation.at, format_observation(observation))
                        for game, observation in self._unwritten
                    ],
                )
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
        self._unwritten.clear()


def _connect(path: Path) -> sqlite3.Connection:
    is_new = not path.exists()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    # A first start cut short leaves an empty database: it is made up then.
    if is_new or connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,):
        connection.executescript(f"BEGIN IMMEDIATE; {SCHEMA} COMMIT;")
    return connection


@contextmanager
def journal_lock(folder: Path) -> Iterator[None]:
    """Keep every other table from the journal in `folder`; raises JournalInUse."""
    with ExitStack() as opened:
        with _told_as_unwritable(folder):
            lock = opened.enter_context((folder / "journal.lock").open("w"))
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise JournalInUse(
                _("{folder}: another table is playing here; stop it, or use another --data folder"),
                folder=folder,
            ) from None
        yield


def is_sound(path: Path) -> bool:
    """Whether SQLite can read all of the file; its own crash recovery has a part in that."""
    with closing(sqlite3.connect(path)) as connection:
        try:
            return connection.execute("PRAGMA quick_check").fetchall() == [("ok",)]
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            return False


def set_aside(path: Path, why: str) -> Path:
    """Rename a journal, with what SQLite keeps beside it, to the first free name that says why."""
    names = (f"{path.stem}.{why}-{count}{path.suffix}" for count in range(1, 1000))
    kept = next(path.with_name(name) for name in names if not path.with_name(name).exists())
    for part in ("", "-wal", "-shm"):
        if (whole := Path(f"{path}{part}")).exists():
            whole.rename(f"{kept}{part}")
    return kept


def _payload(entry: Entry) -> str:
    return msgspec.json.encode(entry.event).decode()


@contextmanager
def _told_as_unwritable(path: Path) -> Iterator[None]:
    try:
        yield
    except TableError:
        raise
    except (sqlite3.Error, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise JournalUnwritable(
            _(
                "{path}: {reason}; what happens now cannot be kept: make room, or use another "
                "--data folder"
            ),
            path=path,
            reason=reason,
        ) from error
