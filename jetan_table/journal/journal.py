"""The truth on disk: an append-only journal of games in SQLite.

An event is on the disk when `append` returns, so that whatever shows it afterwards is still right
after a power cut. Observations are kept too, in batches: they help to explain a game, and their
last second may be lost.
"""

import errno
import fcntl
import logging
import os
import sqlite3
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryFile

import msgspec

from hardware.ports import Observation
from rules import RulesError, _
from rules.text import parse_game

from ..errors import TableError
from ..files import free_name, make_folder, replacing, sync_folder, write_whole
from ..files import set_aside as set_file_aside
from ..game.events import KIND_OF, BadRecord, Entry, GameId, Header, Settled
from ..game.record import Record
from ..game.texts import game_text
from .archive import MOST_GAMES, Archive, is_of_damage, is_of_known_format
from .file_format import (
    JOURNAL_NAME,
    SCHEMA,
    SCHEMA_VERSION,
    OtherVersion,
    Texts,
    Tip,
    Witness,
    check_schema,
    is_signed,
    merge,
    pack,
    read_witness,
    seal_header,
)

LOG = logging.getLogger(__name__)

MOST_UNWRITTEN = 20_000
"""Observations kept in memory while the disk takes none; the oldest are dropped beyond."""


BUSY_TIMEOUT_MS = 5000
"""Milliseconds that a write waits for somebody who makes a backup or folds the file."""


class JournalUnwritable(TableError, OSError):
    """The disk takes no more: it is full, read-only or gone."""


class JournalInUse(TableError, BlockingIOError):
    """Another table writes this journal."""


class Journal:
    """The journal of one table in `folder`, opened for writing; `archive` reads it.

    `damaged` is the new name of a file in its place that could not be read. `lost` is the folder of
    the texts of games whose journal was missing.
    """

    def __init__(self, folder: Path) -> None:
        """Open or make the journal in `folder`.

        Raises JournalInUse, JournalUnwritable, and OtherVersion, which leaves the file as it is.
        """
        self.folder = folder
        self._path = path = folder / JOURNAL_NAME
        self._unwritten: deque[tuple[GameId, Observation]] = deque(maxlen=MOST_UNWRITTEN)
        self._tip: tuple[GameId, bytes, Tip] | None = None
        """The last game written to, the seal of its header, and the end of its chain."""
        self._is_folded = False
        with ExitStack() as opened:
            with _as_unwritable(folder):
                make_folder(folder)
            # The lock first: another table's journal is not looked at, let alone moved out of the
            # way.
            opened.enter_context(journal_lock(folder))
            with _as_unwritable(path):
                is_damaged = path.exists() and not _try_to_begin_a_game(path)
                self.damaged = set_aside(path, "damaged") if is_damaged else None
                self.lost = None
                if not path.exists():
                    self.damaged, self.lost = _put_rest_away(path, self.damaged)
                    with replacing(path) as begun:
                        make_journal(begun)
                self._db = opened.enter_context(closing(connect(path)))
                self.archive = Archive(self._db, Texts.beside(path))
            self.rev = self.archive.written()
            """Number of games and events written: each later state of the journal has more."""
            self._opened = opened.pop_all()

    def begin(
        self, header: Header, entries: Sequence[Entry] = (), batches: Sequence[bytes] = ()
    ) -> GameId:
        """Write a new game, with events that have happened in it already; return its number.

        `batches` are packed observations of those events. The observations of the game before are
        merged into one batch.
        """
        values = msgspec.structs.asdict(header)
        values["started"] = float(header.started)
        columns, marks = ", ".join(values), ", ".join("?" * (len(values) + 2))
        with self._transaction():
            last = self.archive.last()
            if last >= MOST_GAMES:
                raise sqlite3.DatabaseError("the numbers of games are used up")
            # Packed in the same transaction: nobody waits for it during a game, when plies must be
            # quick.
            self._pack(last)
            game = GameId(last + 1)
            seal = seal_header(game, tuple(values.values()))
            self._db.execute(
                f"INSERT INTO games (game, {columns}, seal) VALUES ({marks})",
                (game, *values.values(), seal),
            )
            tip = self._add(game, Tip(0, seal), entries)
            numbered = enumerate(batches, 1)
            rows = ((game, seq, batch) for seq, batch in numbered)
            self._db.executemany("INSERT INTO observations VALUES (?, ?, ?)", rows)
        self._tip = game, seal, tip
        self.rev += 1 + len(entries)
        return game

    def append(self, game: GameId, entries: Sequence[Entry]) -> None:
        """Write events, all of them or none; JournalUnwritable if the disk refuses.

        BadRecord if the chain of the game is broken: nothing may follow then.
        """
        begun, tip = self._end(game)
        with self._transaction():
            tip = self._add(game, tip, entries)
        self._tip = game, begun, tip
        self.rev += len(entries)
        LOG.debug("game %s: %s events kept, %s in all", game, len(entries), self.rev)

    def witness(self, game: GameId) -> Witness:
        """Return the witness for a game's text; BadRecord as for `append`."""
        begun, tip = self._end(game)
        return Witness.of(game, tip.seq, begun, tip.seal)

    def check_going_on(self, game: GameId) -> None:
        """Raise BadRecord if no event can be added to a game; the attempt is taken back.

        JournalUnwritable if the disk refuses.
        """
        _begun, tip = self._end(game)
        with _as_unwritable(self._path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self._add(game, tip, [Entry(0.0, Settled())])
            except sqlite3.DatabaseError as error:
                if not is_of_damage(error):
                    raise
                raise BadRecord(
                    _("game {game}: nothing can be added to it ({why})"), game=game, why=error
                ) from error
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")

    def _end(self, game: GameId) -> tuple[bytes, Tip]:
        """Return the seal of a game's header, and the end of its chain."""
        if self._tip is None or self._tip[0] != game:
            self._tip = game, self.archive.seal(game), self.archive.tip(game)
        return self._tip[1:]

    def _pack(self, game: GameId) -> None:
        """Merge the batches of a game into one; damaged ones stay as they are."""
        least, count = self._db.execute(
            "SELECT min(seq), count(*) FROM observations WHERE game = ?", (game,)
        ).fetchone()
        if count < 2 or least == 0:
            return
        try:
            batch = merge(self.archive.batches(game))
        except BadRecord:
            return
        if batch is not None:
            self._db.execute("INSERT INTO observations VALUES (?, 0, ?)", (game, batch))
            self._db.execute("DELETE FROM observations WHERE game = ? AND seq > 0", (game,))

    def _add(self, game: GameId, tip: Tip, entries: Sequence[Entry]) -> Tip:
        rows = []
        for entry in entries:
            payload = msgspec.json.encode(entry.event).decode()
            tip, row = tip.next_row(entry.at, KIND_OF[type(entry.event)], payload)
            rows.append((game, *row))
        self._db.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
        # Some damaged pages take a write without an error; what does not come back is not on the
        # disk.
        seal = "SELECT seal FROM events WHERE game = ? AND seq = ?"
        if any(self._db.execute(seal, row[:2]).fetchone() != row[-1:] for row in rows):
            raise sqlite3.DatabaseError("a damaged page does not give back what was written to it")
        return tip

    def set_aside(self, game: GameId, at: float, why: str) -> None:
        """Write that a game cannot be played on, and why: it is kept, and not resumed again."""
        with self._transaction():
            self._db.execute("INSERT OR IGNORE INTO set_aside VALUES (?, ?, ?)", (game, at, why))

    def observe(self, game: GameId, observations: Iterable[Observation]) -> None:
        """Take in observations, which the next event or `flush` writes."""
        self._unwritten.extend((game, observation) for observation in observations)

    def flush(self) -> None:
        """Write observations; JournalUnwritable if the disk refuses, and none is lost."""
        if self._unwritten:
            with self._transaction():
                pass

    def fold_in(self) -> None:
        """Bring all that is written into the one file, so that nothing beside it can rot.

        While somebody reads, or if the disk refuses, it stays beside the file until the next time,
        and nobody waits for it.
        """
        if self._is_folded:
            return
        with suppress(sqlite3.Error):
            self._db.execute("PRAGMA busy_timeout = 0")
            (is_busy, *_pages) = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            self._is_folded = not is_busy
        self._db.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")

    def close(self) -> None:
        """Write the rest, and let go of the file."""
        with self._opened:
            self.flush()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Commit the block's writes together with the observations before them."""
        # Observations go in with the event that they led to, so that a write of their own is rare.
        self._is_folded = False
        with _as_unwritable(self._path):
            try:
                self._db.execute("BEGIN IMMEDIATE")
                self._add_observations()
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
        self._unwritten.clear()

    def _add_observations(self) -> None:
        for game, group in groupby(self._unwritten, key=itemgetter(0)):
            self._db.execute(
                "INSERT INTO observations SELECT ?, coalesce(max(seq), 0) + 1, ? "
                "FROM observations WHERE game = ?",
                (game, pack(observation for _, observation in group), game),
            )


def connect(path: Path) -> sqlite3.Connection:
    """Open a database for writing, in which a commit is on the disk. sqlite3.Error."""
    with ExitStack() as opened:
        connection = opened.enter_context(closing(sqlite3.connect(path, isolation_level=None)))
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        # If a disk fails just now, SQLite opens a file for reading alone and never says so: write
        # once.
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(f"PRAGMA user_version = {version}")
        connection.execute("ROLLBACK")
        opened.pop_all()
        return connection


def make_journal(path: Path) -> None:
    """Make an empty journal in one file that needs no other beside it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(f"BEGIN IMMEDIATE; {SCHEMA} COMMIT;")


@contextmanager
def journal_lock(folder: Path) -> Iterator[None]:
    """Keep other tables away from the journal in `folder`; raises JournalInUse."""
    with ExitStack() as opened:
        with _as_unwritable(folder):
            lock = opened.enter_context((folder / "journal.lock").open("w"))
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise JournalInUse(
                _("{folder}: another table is playing here; stop it, or use another --data folder"),
                folder=folder,
            ) from None
        yield


def _try_to_begin_a_game(path: Path) -> bool:
    """Try to begin a game in a file, without reading all of it; return True if it could be done.

    Damage elsewhere in it concerns those games alone. Raises OtherVersion.
    """
    path.open("r+b").close()  # where that is forbidden, SQLite would leave files beside it
    # Cheap looks come first; what passes them is tried by writing to every table, and rolled back.
    if not is_of_known_format(path):
        return False
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            (pages,) = connection.execute("PRAGMA page_count").fetchone()
            (size,) = connection.execute("PRAGMA page_size").fetchone()
            is_alone = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
            if path.stat().st_size == 0 or (is_alone and path.stat().st_size < pages * size):
                return False
            check_schema(connection, path)
            archive = Archive(connection, Texts.beside(path))
            archive.unfinished()
            game = archive.last() + 1
            connection.execute("BEGIN")
            for probe in PROBES:
                connection.execute(probe, (game,))
            is_there = connection.execute(READ_BACK, (game,)).fetchone() is not None
            connection.execute("ROLLBACK")
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")  # some fail to commit
            return is_there and game <= MOST_GAMES
    except OtherVersion:
        raise
    except (sqlite3.DatabaseError, UnicodeDecodeError, BadRecord) as error:
        if not is_of_damage(error):
            raise
        return False


PROBES = (
    "INSERT INTO games VALUES (?, 0, '', '', '', '', '', '')",
    "INSERT INTO events VALUES (?, 1, 0, '', '', 0, NULL, '')",
    "INSERT INTO observations VALUES (?, 1, '')",
)
"""Writes to all that beginning a game touches; they are rolled back."""

READ_BACK = "SELECT 1 FROM events WHERE game = ? AND seq = 1"
"""A damaged page may take a write and not give it back."""


def keep(path: Path, why: str) -> Path:
    """Give a journal a second name that says why it is kept, the first free one; return that.

    The texts of its games are moved beside that name.
    """
    kept = free_name(path, why, _is_free)
    os.link(path, kept)
    _move(path, kept, "-wal", "-shm")  # left only where SQLite could not fold them in
    return kept


def set_aside(path: Path, why: str) -> Path:
    """Rename a journal, with the files beside it, to the first free name that says why."""
    kept = free_name(path, why, _is_free)
    _move(path, kept, "", "-wal", "-shm")
    return kept


def _move(path: Path, kept: Path, *parts: str) -> None:
    """Rename the existing parts of a journal, and its texts with them."""
    for part in parts:
        if (whole := Path(f"{path}{part}")).exists():
            whole.rename(f"{kept}{part}")
    sync_folder(path.parent)
    Texts.beside(path).move(Texts.beside(kept))


def _put_rest_away(path: Path, damaged: Path | None) -> tuple[Path | None, Path | None]:
    """Rename the remains of a journal that is missing, so that they do not pass for the next one's.

    Return their name, or else `damaged`, and the folder of its texts.
    """
    rest, texts = Path(f"{path}-wal"), Texts.beside(path)
    is_written = rest.exists() and rest.stat().st_size > 0
    has_texts = bool(texts.witnesses(texts.numbers()))
    if not (is_written or has_texts):
        return damaged, None
    kept = set_aside(path, "lost")
    return (damaged, Texts.beside(kept).folder) if has_texts else (kept, None)


def keep_texts(path: Path, why: str) -> None:
    """Rename the folder of the texts beside a journal to the first free name that says why."""
    Texts.beside(path).move(Texts.beside(free_name(path, why, _is_free)))


def _is_free(path: Path) -> bool:
    texts = Texts.beside(path).folder
    return not path.exists() and (texts is None or not texts.exists())


def _can_only_be_read(path: Path) -> bool:
    """Return True if a path is on a read-only disk, which a worn card becomes in the end."""
    folder = next(each for each in (path, *path.parents) if each.is_dir())
    try:
        with TemporaryFile(dir=folder):  # what is known of a disk does not always say so
            return False
    except OSError as error:
        return error.errno == errno.EROFS


def _forbidden_to_write(path: Path, error: Exception) -> Path | None:
    """Return the path that this user has no permission to write; None if that is not the reason."""
    named = [error.filename or path] if isinstance(error, OSError) else []
    for name in named or [path, f"{path}-wal", f"{path}-shm"]:
        there = next(each for each in (Path(name), *Path(name).parents) if os.access(each, os.F_OK))
        if not os.access(there, os.R_OK | os.W_OK | (os.X_OK if there.is_dir() else 0)):
            return there
    return None


@contextmanager
def _as_unwritable(path: Path) -> Iterator[None]:
    try:
        yield
    except TableError:
        raise
    except (sqlite3.Error, OSError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        if isinstance(error, sqlite3.Error) and is_of_damage(error):
            raise JournalUnwritable(
                _("{path}: {reason}; the file is damaged: start the table again"),
                path=path,
                reason=reason,
            ) from error
        if _can_only_be_read(path):
            raise JournalUnwritable(
                _(
                    "{path}: this disk can only be read now, and nothing is kept: use another card "
                    "or --data folder"
                ),
                path=path,
            ) from error
        if (forbidden := _forbidden_to_write(path, error)) is not None:
            raise JournalUnwritable(
                _(
                    "{path}: this user has no permission to write it, and nothing is kept: chmod "
                    "or chown it, or use another --data folder"
                ),
                path=forbidden,
            ) from error
        raise JournalUnwritable(
            _(
                "{path}: {reason}; what happens now cannot be kept: make room, or use another "
                "--data folder"
            ),
            path=path,
            reason=reason,
        ) from error


def game_path(folder: Path, game: GameId) -> Path:
    """Return the path of a game's text in the data folder."""
    return Texts.beside(folder / JOURNAL_NAME).path(game)


def write_game(folder: Path, witness: Witness, record: Record) -> Path | None:
    """Write a game's text, whole or not at all.

    A file in its place that is no earlier state of this game is kept under the name that is
    returned. Raises JournalUnwritable if the disk refuses.
    """
    path = game_path(folder, GameId(witness.game))
    with text_being_written(path):
        kept = None if _may_be_replaced(path, witness, record) else set_file_aside(path, "kept")
        write_whole(path, witness.signed(game_text(record)))
    return kept


def _may_be_replaced(path: Path, witness: Witness, record: Record) -> bool:
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return True
    found = read_witness(content)
    if found is not None:
        return found[1].begun == witness.begun and found[1].seq <= witness.seq
    if is_signed(content):
        return False
    try:
        plies = parse_game(content.decode()).game.plies
    except (RulesError, UnicodeError):
        return False
    return record.game.plies[: len(plies)] == plies


@contextmanager
def text_being_written(path: Path) -> Iterator[None]:
    """Raise JournalUnwritable if the disk refuses the game's text that the block writes."""
    try:
        yield
    except OSError as error:
        raise JournalUnwritable(
            _("{path}: {strerror}; the journal has the game"), path=path, strerror=error.strerror
        ) from error
