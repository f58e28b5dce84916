"""Journals opened for reading: the list of games, and the events of each.

A journal can be read on a card that takes no writes any more, too: SQLite needs a file beside it
for reading, and where it cannot make one `connect_to_read` makes a copy.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeVar

import msgspec

from hardware.ports import Observation
from rules import Sentence, Worded, _

from ..errors import TableError
from ..game.events import (
    EVENT_KINDS,
    BadRecord,
    Ending,
    Entry,
    GameId,
    Header,
    Result,
    SeriesAgreed,
    Turned,
)
from ..game.record import Record
from ..game.texts import PlayedSeries, series_of
from .file_format import (
    JOURNAL_NAME,
    SCHEMA,
    EventRow,
    OtherVersion,
    Texts,
    Tip,
    Witness,
    check_schema,
    seal_event,
    seal_header,
    unpack,
)

T = TypeVar("T")

MOST_EVENTS = 2**62

MOST_GAMES = 1_000_000
"""Greatest number of a game; a greater one is damage."""

NO_TEXTS = Texts(None)

NO_HEADER = Header(started=0.0, rules="?", start="?", version="?")
"""Stand-in for a header that cannot be read."""


class NoSuchGame(TableError, LookupError):
    """The journal has no game of that number."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A game at a glance: the number of its `plies`, and its end once it is over."""

    game: GameId
    header: Header
    plies: int
    ending: Ending | None
    damage: str | None = None
    """The reason why the game cannot be read, if it cannot."""

    @property
    def result(self) -> Result:
        """The result, `*` while the game is not decided."""
        return self.ending.result if self.ending else "*"

    @property
    def termination(self) -> str:
        """The kind of its end in a word; `damaged` if it cannot be read."""
        if self.damage is not None:
            return "damaged"
        return self.ending.termination if self.ending else ""


class Archive:
    """A journal opened for reading; it may be read while a table writes it.

    A game that cannot be read, or whose seals do not match, raises BadRecord: that game alone. So
    does one that has lost its end, if its last row, or its text beside the journal, counts more
    events. These counts are read first, so that a table may write meanwhile.
    """

    def __init__(self, connection: sqlite3.Connection, texts: Texts = NO_TEXTS) -> None:
        self._db = connection
        self.texts = texts

    @classmethod
    def open(cls, folder: Path) -> Archive:
        """Open the journal in `folder`; one that does not exist yet has no games.

        Raises BadRecord if the file is damaged or of another version.
        """
        path = folder / JOURNAL_NAME
        texts = Texts.beside(path)
        return cls.open_file(path, texts) if path.is_file() else cls(_empty(), texts)

    @classmethod
    def open_file(cls, path: Path, texts: Texts = NO_TEXTS) -> Archive:
        """Open one journal or copy."""
        with _read_only(path) as connection:
            check_schema(connection, path)
            return cls(connection, texts)

    def games(self, most: int = MOST_GAMES) -> list[Summary]:
        """Return the newest games, at most `most` of them, oldest first."""
        return [self._summary(game) for game in self.numbers(most)]

    def numbers(self, most: int = MOST_GAMES) -> list[GameId]:
        """Return the numbers of the newest games in journal or texts, damaged ones too, in order.

        Games that a damaged page hides are missing.
        """
        # Either table, or the texts, may have lost a game: a number in one of them is enough.
        texts = self.texts.numbers()[-most:]
        rows, why = list[tuple[object, ...]](), None
        for numbers in (NEWEST_BEGUN, NEWEST_PLAYED):
            try:
                rows.extend(self._db.execute(numbers, (most,)))
            except sqlite3.Error as error:
                why = error
        known = {number for (number,) in rows if isinstance(number, int)}
        known.update(self.texts.witnesses(number for number in texts if number not in known))
        if why is not None and not known:
            with damage_as_bad_record(_("the list of games")):
                raise why
        return [GameId(number) for number in sorted(known)[-most:]]

    def last(self) -> GameId:
        """Return the greatest number of a game in any table, or text; 0 if there is none."""
        most = max([0, *self.texts.numbers()])
        for table in ("games", "events", "observations", "set_aside"):
            with suppress(sqlite3.Error):
                row = self._db.execute(f"SELECT max(game) FROM {table} WHERE game <= {MOST_GAMES}")
                most = max(most, int(row.fetchone()[0] or 0))
        return GameId(most)

    def written(self) -> int:
        """Return the number of games and events; of a damaged file, as far as it can be counted."""
        counts = 0
        for count in ("SELECT count(*) FROM games", "SELECT count(*) FROM events"):
            with suppress(sqlite3.Error):
                counts += self._db.execute(count).fetchone()[0]
        return counts

    def is_set_aside(self, game: GameId) -> bool:
        """Return True if a game was set aside as one that cannot be played on."""
        row = self._db.execute("SELECT 1 FROM set_aside WHERE game = ?", (game,)).fetchone()
        return row is not None

    def unfinished(self) -> GameId | None:
        """Return the newest game that has no end, or whose end was taken back.

        Games that were set aside do not count, nor those with a thousand newer ones.
        """
        with damage_as_bad_record(_("the list of games")):
            row = self._db.execute(NEWEST_UNFINISHED).fetchone()
        return None if row is None else GameId(row[0])

    def header(self, game: GameId) -> Header:
        """Return the header of a game; NoSuchGame if there is none of that number."""
        return self._begun(game)[0]

    def seal(self, game: GameId) -> bytes:
        """Return the seal of a game's header, which its chain begins with."""
        return self._begun(game)[1]

    def entries(self, game: GameId) -> list[Entry]:
        """Return the events of a game, in order; BadRecord if its chain is broken."""
        return [_entry(game, row) for row in self._rows(game)]

    def record(self, game: GameId) -> Record:
        """Return the record of a game; NoSuchGame, BadRecord."""
        return Record.read(self.header(game), self.entries(game))

    def tip(self, game: GameId) -> Tip:
        """Return the end of a game's chain; BadRecord if the chain is broken."""
        tip = Tip(0, self._begun(game)[1])
        for row in self._rows(game):
            tip = tip.next_row(row[1], row[2], row[3])[0]
        return tip

    def check(self, game: GameId) -> None:
        """Raise BadRecord if a game's chain or a batch of its observations is damaged."""
        deque(self._rows(game), maxlen=0)
        deque(self.observations(game), maxlen=0)

    def observations(self, game: GameId) -> Iterator[Observation]:
        """Yield the observations of a game, oldest first."""
        for batch in self.batches(game):
            yield from unpack(batch)

    def batches(self, game: GameId) -> Iterator[bytes]:
        """Yield a game's observations, packed."""
        with damage_as_bad_record(_("game {game}"), game=game):
            rows = self._db.execute(
                "SELECT batch FROM observations WHERE game = ? ORDER BY seq", (game,)
            )
            for (batch,) in rows:
                yield batch

    def turns(self) -> list[tuple[str, Turned]]:
        """Return the orientations that people have named, with each game's rules, in order.

        Damaged ones are left out: a table asks again.
        """
        found = []
        with suppress(sqlite3.Error):
            for game, payload in self._sealed("turned"):
                found.append((self.header(game).rules, msgspec.json.decode(payload, type=Turned)))
        return found

    def summary(self, game: GameId) -> Summary:
        """Return a game at a glance; NoSuchGame if there is none of that number."""
        summary = self._summary(game)
        if summary.header is NO_HEADER and game not in self.numbers():
            raise NoSuchGame(_("{game}: no such game, see jetan games list"), game=game)
        return summary

    def series(self) -> dict[str, list[GameId]]:
        """Return the games of each series by its name, oldest first, without damaged ones."""
        games_of: dict[str, list[GameId]] = {}
        with damage_as_bad_record(_("the list of series")):
            for game, payload in self._sealed("series", AGREED_WITHIN):
                name = msgspec.json.decode(payload, type=SeriesAgreed).name
                games_of.setdefault(name, []).append(game)
        return games_of

    def played_series(self, name: str) -> PlayedSeries:
        """Return a series with its games; NoSuchGame if there is no game of it."""
        numbers = self.series().get(name, [])
        if not numbers:
            raise NoSuchGame(
                _("{name}: no game of the journal belongs to such a series (jetan series list)"),
                name=name,
            )
        records, damaged = dict[GameId, Record](), list[GameId]()
        for game in numbers:
            try:
                records[game] = self.record(game)
            except BadRecord:
                damaged.append(game)
        return series_of(name, records, damaged)

    def _sealed(self, kind: str, most: int = MOST_EVENTS) -> list[tuple[GameId, str]]:
        """Return game and payload of undamaged events of a kind, among a game's first `most`."""
        # The row itself is checked by its seal: a damaged index may lead to any other.
        events: list[tuple[GameId, str]] = []
        for game, seq in self._db.execute(OF_KIND[kind], (most,)).fetchall():
            with suppress(TableError), damage_as_bad_record(_("game {game}"), game=game):
                rows = self._db.execute(UP_TO, (game, seq)).fetchall()
                begun = self.seal(game)
                is_it = bool(rows) and (rows[0][0], rows[0][2]) == (seq, kind)
                before = rows[1][-1] if len(rows) == 2 else begun
                if is_it and seal_event(before, rows[0]) == rows[0][-1]:
                    events.append((game, rows[0][3]))
        return events

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def _summary(self, game: GameId) -> Summary:
        header, why = NO_HEADER, None
        try:
            witness = self.texts.witness(game)
            why = self._why_set_aside(game)
            header, seal = self._begun(game)
            with damage_as_bad_record(_("game {game}"), game=game):
                rows = self._db.execute(LAST_TWO, (game,)).fetchall()[::-1]
                (count,) = self._db.execute(COUNT, (game,)).fetchone()
                before = rows.pop(0)[-1] if len(rows) == 2 else seal
                last = rows[0][0] if rows else 0
                _check_end(game, count, max(last, _seq_of(witness, seal)))
                # Plies and ending stand in the last row, so that a list reads two rows of a game,
                # not all.
                if not rows:
                    return Summary(game, header, 0, None, why)
                if seal_event(before, rows[0]) != rows[0][-1]:
                    raise _changed(game, last)
                *_rest, plies, payload, _seal = rows[0]
                ending = payload and msgspec.json.decode(payload, type=Ending)
                return Summary(game, header, plies, ending or None, why)
        except (BadRecord, NoSuchGame) as error:
            return Summary(game, header, 0, None, why or error.worded)

    def _why_set_aside(self, game: GameId) -> str | None:
        with damage_as_bad_record(_("game {game}"), game=game):
            row = self._db.execute("SELECT why FROM set_aside WHERE game = ?", (game,)).fetchone()
        return None if row is None else str(row[0])

    def _begun(self, game: GameId) -> tuple[Header, bytes]:
        """Return a game's header and its seal; BadRecord or NoSuchGame."""
        with damage_as_bad_record(_("game {game}"), game=game):
            row = self._db.execute(f"{HEADERS} WHERE game = ?", (game,)).fetchone()
            events = self._db.execute(COUNT, (game,)).fetchone()[0] if row is None else 0
        if row is not None:
            return _header(game, row[1:])
        if self.texts.witness(game) is not None:
            raise BadRecord(
                _("game {game}: the journal has lost it, its text is left: {path}"),
                game=game,
                path=self.texts.path(game),
            )
        if events:
            raise BadRecord(_("game {game}: its header is missing"), game=game)
        raise NoSuchGame(_("{game}: no such game, see jetan games list"), game=game)

    def _rows(self, game: GameId) -> Iterator[EventRow]:
        """Yield the rows of a game, as long as each follows from the one before, to its end."""
        # The witness first: a table may write on, and its text is always behind the journal or
        # level.
        witness = self.texts.witness(game)
        before = seal = self._begun(game)[1]
        number = 0
        with damage_as_bad_record(_("game {game}"), game=game):
            (last,) = self._db.execute(LAST_EVENT, (game,)).fetchone()
            rows = self._db.execute(
                f"SELECT {EVENT_COLUMNS} FROM events WHERE game = ? ORDER BY seq", (game,)
            )
            for number, row in enumerate(rows, 1):
                if row[0] != number or seal_event(before, row) != row[-1]:
                    raise _changed(game, number)
                before = row[-1]
                yield row
            known = last if isinstance(last, int) else 0
            _check_end(game, number, max(known, _seq_of(witness, seal)))


class Unsealed(Archive):
    """A journal whose tables have no seals: its rows are taken as they are.

    Columns are read by their names, so that a table may have others.
    """

    def header(self, game: GameId) -> Header:
        """Return the header of a game; NoSuchGame if there is none of that number."""
        with damage_as_bad_record(_("game {game}"), game=game):
            found = self._db.execute("SELECT * FROM games WHERE game = ?", (game,))
            names = [name for name, *_rest in found.description]
            for row in found:
                return msgspec.convert(dict(zip(names, row, strict=True)), Header)
        raise NoSuchGame(_("{game}: no such game, see jetan games list"), game=game)

    def entries(self, game: GameId) -> list[Entry]:
        """Return the events of a game, in order; BadRecord if one is missing."""
        with damage_as_bad_record(_("game {game}"), game=game):
            rows = self._db.execute(
                "SELECT seq, at, kind, payload FROM events WHERE game = ? ORDER BY seq", (game,)
            ).fetchall()
        for number, (seq, *_rest) in enumerate(rows, 1):
            if seq != number:
                raise _changed(game, number)
        return [_entry(game, row) for row in rows]


def witness_in(archive: Archive, game: GameId) -> Witness:
    """Return the witness for the text of an undamaged game; BadRecord for others."""
    tip = archive.tip(game)
    return Witness.of(game, tip.seq, archive.seal(game), tip.seal)


def open_to_salvage(path: Path) -> Archive:
    """Open a journal or copy of any version; games are held to their seals where it has any.

    `path` may be the folder of the texts of a journal that is lost. Raises BadRecord if no games
    can be read.
    """
    if path.is_dir():
        return Archive(_empty(), Texts(path))
    texts = Texts.beside(path)
    try:
        return Archive.open_file(path, texts)
    except OtherVersion:
        with _read_only(path) as connection:
            tables = {name for (name,) in connection.execute(TABLES)}
            if not tables >= {"games", "events"}:
                raise BadRecord(_("{path}: is no journal"), path=path) from None
            is_sealed = connection.execute(SEALED).fetchone() is not None
            return Archive(connection, texts) if is_sealed else Unsealed(connection)
    except BadRecord:
        if not texts.numbers():
            raise
        return Archive(_empty(), texts)


TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'"
"""Tables alone: a view may be without end, and is not read."""

SEALED = "SELECT 1 FROM pragma_table_info('events') WHERE name = 'seal'"

EVENT_COLUMNS = "seq, at, kind, payload, plies, ending, seal"

HEADERS = f"SELECT game, {', '.join(Header.__struct_fields__)}, seal FROM games"

NEWEST_BEGUN = "SELECT game FROM games ORDER BY game DESC LIMIT ?"

NEWEST_PLAYED = """
WITH RECURSIVE played (game) AS (
    SELECT max(game) FROM events
    UNION ALL SELECT (SELECT max(game) FROM events WHERE game < played.game) FROM played
    WHERE played.game IS NOT NULL)
SELECT game FROM played WHERE game IS NOT NULL LIMIT ?
"""
"""Games by their events: each is found by one look at the index, without reading the others."""

COUNT = "SELECT count(*) FROM events WHERE game = ?"

LAST_EVENT = "SELECT max(seq) FROM events WHERE game = ?"

LAST_TWO = f"SELECT {EVENT_COLUMNS} FROM events WHERE game = ? ORDER BY seq DESC LIMIT 2"

UP_TO = f"SELECT {EVENT_COLUMNS} FROM events WHERE game = ? AND seq <= ? ORDER BY seq DESC LIMIT 2"

AGREED_WITHIN = 20
"""First events of a game among which the one that names its series is looked for."""

OF_KIND = {
    kind: f"SELECT game, seq FROM events WHERE kind = '{kind}' AND seq <= ? ORDER BY game, seq"
    for kind in ("turned", "series")
}
"""Queries that use the indexes of these kinds, as SQLite does only if the kind is spelt out."""

NEWEST_UNFINISHED = f"""
SELECT game FROM (
    SELECT game FROM games WHERE game BETWEEN 1 AND {MOST_GAMES} ORDER BY game DESC LIMIT 1000
) AS newest
WHERE game NOT IN (SELECT game FROM set_aside) AND (
    SELECT ending FROM events WHERE events.game = newest.game ORDER BY seq DESC LIMIT 1) IS NULL
ORDER BY game DESC LIMIT 1
"""
"""The last thousand games alone are looked at, so that a start does not take long."""


@contextmanager
def damage_as_bad_record(what: str, **values: object) -> Iterator[None]:
    """Raise BadRecord, which names `what`, for any error that a damaged file causes in the block.

    `values` belong to `what` if it is a sentence.
    """
    try:
        yield
    except (sqlite3.Error, msgspec.MsgspecError, UnicodeError, OverflowError, TypeError) as error:
        raise BadRecord(
            _("{what}: cannot be read ({why}); see jetan games salvage"),
            what=Worded(Sentence(what), **values) if values else what,
            why=error,
        ) from error


@contextmanager
def _read_only(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a file to read alone; it stays open unless the block fails."""
    with ExitStack() as opened, damage_as_bad_record(str(path)):
        connection = opened.enter_context(closing(connect_to_read(path)))
        yield connection
        opened.pop_all()


def read_kept(folder: Path, read: Callable[..., T], *arguments: Any) -> T:
    """Call `read` with the journal in a folder, by a connection of its own."""
    with closing(Archive.open(folder)) as archive:
        return read(archive, *arguments)


def _changed(game: GameId, number: int) -> BadRecord:
    return BadRecord(
        _("game {game}: event {number} is not as it was written"), game=game, number=number
    )


def _check_end(game: GameId, count: int, known: int) -> None:
    """Raise BadRecord if fewer events are left than are known to have been."""
    if count < known:
        raise BadRecord(
            _("game {game}: only {count} of its {known} events are left"),
            game=game,
            count=count,
            known=known,
        )


def _seq_of(witness: Witness | None, seal: bytes) -> int:
    """Return the number of the last event when a text was written; 0 if it is another game's."""
    return witness.seq if witness is not None and seal.startswith(witness.begun) else 0


def _empty() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(SCHEMA)
    return connection


def _header(game: int, values: Any) -> tuple[Header, bytes]:
    """Return a header and its seal; BadRecord if they do not belong together."""
    *content, seal = values
    if not 1 <= game <= MOST_GAMES:
        raise BadRecord(_("game {game}: no game has such a number"), game=game)
    try:
        if seal_header(game, content) != seal:
            raise BadRecord(_("game {game}: its header is not as it was written"), game=game)
        columns = dict(zip(Header.__struct_fields__, content, strict=True))
        return msgspec.convert(columns, Header), seal
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise BadRecord(_("game {game}: its header: {why}"), game=game, why=error) from error


def _entry(game: GameId, row: Sequence[Any]) -> Entry:
    seq, at, kind, payload, *_rest = row
    try:
        return Entry(at, msgspec.json.decode(payload, type=EVENT_KINDS[kind]))
    except (KeyError, msgspec.DecodeError, RecursionError) as error:
        raise BadRecord(
            _("game {game}: event {seq} cannot be read by this program"), game=game, seq=seq
        ) from error


IN_MEMORY: Final = Path("/dev/shm")
"""A folder in memory, for copies that are made to be read."""

KNOWN_FORMATS: Final = {1, 2}

FIRST_LOOK: Final = "SELECT count(*) FROM sqlite_master"
"""A first query: before one, SQLite does not touch the file."""


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
    """Return a copy, in memory, of a database and of what has not been folded into it."""
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
    """Return True if SQLite finds every page of a file in order; a damaged one can hide whole rows.

    SQLite's crash recovery can do so, too. OSError if the file cannot be read just now.
    """
    try:
        with closing(connect_to_read(path)) as connection:
            return connection.execute("PRAGMA quick_check").fetchall() == [("ok",)]
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if not is_of_damage(error):
            raise OSError(0, str(error), str(path)) from error
        return False


def is_of_known_format(path: Path) -> bool:
    """Return True if a file's header names a format that this SQLite reads and writes. OSError.

    For any other, SQLite would only report that it must not be written to.
    """
    with path.open("rb") as file:
        begins = file.read(20)
    return len(begins) == 20 and set(begins[18:]) <= KNOWN_FORMATS


def is_of_damage(error: Exception) -> bool:
    """Return True if an error is due to damage, not to something SQLite cannot do just now.

    The latter has an error code of its own; damage has SQLITE_ERROR, like a wrong query, or none.
    """
    if not isinstance(error, sqlite3.OperationalError):
        return True
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) == sqlite3.SQLITE_ERROR
