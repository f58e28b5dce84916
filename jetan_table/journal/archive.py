"""Reads journals: which games there are, and what happened in each.

A journal is read wherever it lies, on a card that takes nothing any more, too: SQLite reads it with
the help of a file beside it, which it must be able to make, so `connect_to_read` may make a copy.
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
"""No game has a greater number: one that has is damaged."""

NO_TEXTS = Texts(None)

NO_HEADER = Header(started=0.0, rules="?", start="?", version="?")
"""What is said of a game whose own header cannot be read."""


class NoSuchGame(TableError, LookupError):
    """The journal has no game of that number."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A game at a glance: `plies` that stand, and its result once it is over."""

    game: GameId
    header: Header
    plies: int
    ending: Ending | None
    damage: str | None = None
    """Why the game cannot be read; None for every other one."""

    @property
    def result(self) -> Result:
        """The result, `*` while the game is not decided."""
        return self.ending.result if self.ending else "*"

    @property
    def termination(self) -> str:
        """How it ended, in a word; `damaged` where it cannot be read."""
        if self.damage is not None:
            return "damaged"
        return self.ending.termination if self.ending else ""


class Archive:
    """A journal opened for reading; it may be read while a table writes it.

    What cannot be read, or has another seal than was written, is a BadRecord: that game's alone.
    So is a game that has lost its end: its last row, or its text beside the journal, tells of more.
    Whatever is known of the end is read before the rest, so that a table may write meanwhile.
    """

    def __init__(self, connection: sqlite3.Connection, texts: Texts = NO_TEXTS) -> None:
        self._db = connection
        self.texts = texts

    @classmethod
    def open(cls, folder: Path) -> Archive:
        """Open the journal in `folder`; one that is not there yet has no games.

        Raises BadRecord where the file is damaged or of another version.
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
        """Return all games, or so many of the newest, oldest first."""
        return [self._summary(game) for game in self.numbers(most)]

    def numbers(self, most: int = MOST_GAMES) -> list[GameId]:
        """Return the numbers of all games that journal or texts speak of, damaged or not.

        Where there are more, they are the newest. What a damaged page hides is left out.
        """
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
        """Return the greatest number that anything has been kept under; 0 where nothing is."""
        most = max([0, *self.texts.numbers()])
        for table in ("games", "events", "observations", "set_aside"):
            with suppress(sqlite3.Error):
                row = self._db.execute(f"SELECT max(game) FROM {table} WHERE game <= {MOST_GAMES}")
                most = max(most, int(row.fetchone()[0] or 0))
        return GameId(most)

    def written(self) -> int:
        """Return how many games and events there are; of a damaged file, as many as are named."""
        counts = 0
        for count in ("SELECT count(*) FROM games", "SELECT count(*) FROM events"):
            with suppress(sqlite3.Error):
                counts += self._db.execute(count).fetchone()[0]
        return counts

    def is_set_aside(self, game: GameId) -> bool:
        """Whether it was written of a game that it cannot be played on."""
        row = self._db.execute("SELECT 1 FROM set_aside WHERE game = ?", (game,)).fetchone()
        return row is not None

    def unfinished(self) -> GameId | None:
        """Return the newest game that has not ended, or whose end has been undone.

        Games that were set aside are none of them, nor those with a thousand newer ones.
        """
        with damage_as_bad_record(_("the list of games")):
            row = self._db.execute(NEWEST_UNFINISHED).fetchone()
        return None if row is None else GameId(row[0])

    def header(self, game: GameId) -> Header:
        """Return how a game began; NoSuchGame where there is none of that number."""
        return self._begun(game)[0]

    def seal(self, game: GameId) -> bytes:
        """Return the seal of a game's header, which its chain begins with."""
        return self._begun(game)[1]

    def entries(self, game: GameId) -> list[Entry]:
        """Return what happened in a game, in order; BadRecord where its chain is broken."""
        return [_entry(game, row) for row in self._rows(game)]

    def record(self, game: GameId) -> Record:
        """Return a game as its events tell it; NoSuchGame, BadRecord."""
        return Record.read(self.header(game), self.entries(game))

    def tip(self, game: GameId) -> Tip:
        """Return the end of a game's chain, all of which holds; BadRecord where it does not."""
        tip = Tip(0, self._begun(game)[1])
        for row in self._rows(game):
            tip = tip.next_row(row[1], row[2], row[3])[0]
        return tip

    def check(self, game: GameId) -> None:
        """Raise BadRecord where a game's chain or a batch of its observations is damaged."""
        deque(self._rows(game), maxlen=0)
        deque(self.observations(game), maxlen=0)

    def observations(self, game: GameId) -> Iterator[Observation]:
        """Yield what the sensors saw during a game, oldest first."""
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
        """Return what people have said of how the board lies, with each game's rules, in order.

        What is not as it was written is left out: a table asks again how its board lies.
        """
        found = []
        with suppress(sqlite3.Error):
            for game, payload in self._sealed("turned"):
                found.append((self.header(game).rules, msgspec.json.decode(payload, type=Turned)))
        return found

    def summary(self, game: GameId) -> Summary:
        """Return a game at a glance; NoSuchGame where there is none of that number."""
        summary = self._summary(game)
        if summary.header is NO_HEADER and game not in self.numbers():
            raise NoSuchGame(_("{game}: no such game, see jetan games list"), game=game)
        return summary

    def series(self) -> dict[str, list[GameId]]:
        """Return the games of each series by its name, oldest first; damaged ones are in none."""
        games_of: dict[str, list[GameId]] = {}
        with damage_as_bad_record(_("the list of series")):
            for game, payload in self._sealed("series", AGREED_WITHIN):
                name = msgspec.json.decode(payload, type=SeriesAgreed).name
                games_of.setdefault(name, []).append(game)
        return games_of

    def played_series(self, name: str) -> PlayedSeries:
        """Return a series with its games; NoSuchGame where none belongs to it."""
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
        """Return game and payload of the events of a kind that are as written.

        They are looked for among so many first ones of each game. A damaged index leads elsewhere.
        """
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
    """A journal whose tables have no seals: how games began and went on is taken as it stands.

    Columns are read by their names, whatever else a table has.
    """

    def header(self, game: GameId) -> Header:
        """Return how a game began; NoSuchGame where there is none of that number."""
        with damage_as_bad_record(_("game {game}"), game=game):
            found = self._db.execute("SELECT * FROM games WHERE game = ?", (game,))
            names = [name for name, *_rest in found.description]
            for row in found:
                return msgspec.convert(dict(zip(names, row, strict=True)), Header)
        raise NoSuchGame(_("{game}: no such game, see jetan games list"), game=game)

    def entries(self, game: GameId) -> list[Entry]:
        """Return what happened in a game, in order; BadRecord where something is missing."""
        with damage_as_bad_record(_("game {game}"), game=game):
            rows = self._db.execute(
                "SELECT seq, at, kind, payload FROM events WHERE game = ? ORDER BY seq", (game,)
            ).fetchall()
        for number, (seq, *_rest) in enumerate(rows, 1):
            if seq != number:
                raise _changed(game, number)
        return [_entry(game, row) for row in rows]


def witness_in(archive: Archive, game: GameId) -> Witness:
    """Return what the text of a whole game is to say of its journal; BadRecord for another."""
    tip = archive.tip(game)
    return Witness.of(game, tip.seq, archive.seal(game), tip.seal)


def open_to_salvage(path: Path) -> Archive:
    """Open a journal or copy of any version; where it has seals, games must be as they were sealed.

    `path` may be the folder of the texts of a journal that is lost. Raises BadRecord where nothing
    can be read of games.
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
"""A view may be without end, and is not read."""

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
"""Each game is found by one look: the events between are not read."""

COUNT = "SELECT count(*) FROM events WHERE game = ?"

LAST_EVENT = "SELECT max(seq) FROM events WHERE game = ?"

LAST_TWO = f"SELECT {EVENT_COLUMNS} FROM events WHERE game = ? ORDER BY seq DESC LIMIT 2"

UP_TO = f"SELECT {EVENT_COLUMNS} FROM events WHERE game = ? AND seq <= ? ORDER BY seq DESC LIMIT 2"

AGREED_WITHIN = 20
"""What game belongs to a series is among its first so many events: later ones are not searched."""

OF_KIND = {
    kind: f"SELECT game, seq FROM events WHERE kind = '{kind}' AND seq <= ? ORDER BY game, seq"
    for kind in ("turned", "series")
}
"""By the indexes of these kinds, which are found by the word alone."""

NEWEST_UNFINISHED = f"""
SELECT game FROM (
    SELECT game FROM games WHERE game BETWEEN 1 AND {MOST_GAMES} ORDER BY game DESC LIMIT 1000
) AS newest
WHERE game NOT IN (SELECT game FROM set_aside) AND (
    SELECT ending FROM events WHERE events.game = newest.game ORDER BY seq DESC LIMIT 1) IS NULL
ORDER BY game DESC LIMIT 1
"""
"""A game that a thousand others followed is not looked for: a start must not take long for it."""


@contextmanager
def damage_as_bad_record(what: str, **values: object) -> Iterator[None]:
    """Let whatever a damaged file does to its reader be a BadRecord that names `what`.

    `values` are those of `what`, if it is a sentence.
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
    """Return what `read` makes of the journal in a folder, by a connection of its own."""
    with closing(Archive.open(folder)) as archive:
        return read(archive, *arguments)


def _changed(game: GameId, number: int) -> BadRecord:
    return BadRecord(
        _("game {game}: event {number} is not as it was written"), game=game, number=number
    )


def _check_end(game: GameId, count: int, known: int) -> None:
    """Raise BadRecord where fewer events are left than are known of."""
    if count < known:
        raise BadRecord(
            _("game {game}: only {count} of its {known} events are left"),
            game=game,
            count=count,
            known=known,
        )


def _seq_of(witness: Witness | None, seal: bytes) -> int:
    """Return which event was the last when a text was written, if it is of the game so sealed."""
    return witness.seq if witness is not None and seal.startswith(witness.begun) else 0


def _empty() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(SCHEMA)
    return connection


def _header(game: int, values: Any) -> tuple[Header, bytes]:
    """Return a header and its seal; BadRecord where they do not belong together."""
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
