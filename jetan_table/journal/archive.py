"""Reads journals: which games there are, and what happened in each."""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NewType

import msgspec

from hardware.ports import Observation
from rules.sentences import Worded, _

from ..errors import TableError
from ..game.errors import BadRecord
from ..game.events import KINDS, Ending, Entry, Header, Result, SeriesAgreed, Turned
from .packing import unpack
from .schema import JOURNAL_NAME, SCHEMA, OtherVersion, check_schema
from .sealing import EventRow, Tip, seal_event, seal_header

GameId = NewType("GameId", int)
"""Number of a game in its journal, counted from 1."""

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
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    @classmethod
    def open(cls, folder: Path) -> Archive:
        """Open the journal in `folder`; one that is not there yet has no games.

        Raises BadRecord where the file is damaged or of another version.
        """
        path = folder / JOURNAL_NAME
        return cls.open_file(path) if path.is_file() else cls(_empty())

    @classmethod
    def open_file(cls, path: Path) -> Archive:
        """Open one journal or copy."""
        with _read_only(path) as connection:
            check_schema(connection, path)
            return cls(connection)

    def games(self, most: int = -1) -> list[Summary]:
        """Return all games, or so many of the newest, oldest first."""
        with told_as_damaged(_("the list of games")):
            (last,) = self._db.execute(LAST_GAME).fetchone()
            last = min(last, MOST_GAMES)
            first = 1 if most < 0 else max(1, last - most + 1)
            rows = self._db.execute(f"{HEADERS} WHERE game >= ? ORDER BY game", (first,))
            header_of = {row[0]: row[1:] for row in rows}
            aside = dict(self._db.execute("SELECT game, why FROM set_aside"))
        numbers = map(GameId, range(first, last + 1))
        return [self._summary(game, header_of.get(game), aside.get(game)) for game in numbers]

    def numbers(self) -> list[GameId]:
        """Return the numbers of all games that anything in the file speaks of, damaged or not."""
        most = 0
        for table in ("games", "events"):
            with suppress(sqlite3.Error):
                row = self._db.execute(f"SELECT max(game) FROM {table}").fetchone()
                most = max(most, row[0] or 0)
        return [GameId(game) for game in range(1, min(most, MOST_GAMES) + 1)]

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
        with told_as_damaged(_("the list of games")):
            row = self._db.execute(NEWEST_UNFINISHED).fetchone()
        return None if row is None else GameId(row[0])

    def header(self, game: GameId) -> Header:
        """Return how a game began; NoSuchGame where there is none of that number."""
        with told_as_damaged(Worded(_("game {game}"), game=game)):
            row = self._db.execute(f"{HEADERS} WHERE game = ?", (game,)).fetchone()
        if row is None:
            raise NoSuchGame(_("{game}: no such game, see jetan games list"), game=game)
        return _header(game, row[1:])[0]

    def entries(self, game: GameId) -> list[Entry]:
        """Return what happened in a game, in order; BadRecord where its chain is broken."""
        return [_entry(game, row) for row in self._rows(game)]

    def tip(self, game: GameId) -> Tip:
        """Return the end of a game's chain, all of which holds; BadRecord where it does not."""
        tip = Tip(0, self._header_seal(game))
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
        with told_as_damaged(Worded(_("game {game}"), game=game)):
            rows = self._db.execute(
                "SELECT batch FROM observations WHERE game = ? ORDER BY seq", (game,)
            )
            for (batch,) in rows:
                yield batch

    def turns(self) -> list[tuple[str, Turned]]:
        """Return what people have said of how the board lies, with each game's rules, in order."""
        with told_as_damaged(_("how the board lies")):
            rows = self._db.execute(
                "SELECT rules, payload FROM events JOIN games USING (game) "
                "WHERE kind = 'turned' ORDER BY game, seq"
            ).fetchall()
            return [(rules, msgspec.json.decode(payload, type=Turned)) for rules, payload in rows]

    def summary(self, game: GameId) -> Summary:
        """Return a game at a glance; NoSuchGame where there is none of that number."""
        with told_as_damaged(Worded(_("game {game}"), game=game)):
            row = self._db.execute(f"{HEADERS} WHERE game = ?", (game,)).fetchone()
            aside = self._db.execute("SELECT why FROM set_aside WHERE game = ?", (game,)).fetchone()
        if row is None:
            raise NoSuchGame(_("{game}: no such game, see jetan games list"), game=game)
        return self._summary(game, row[1:], aside and aside[0])

    def series(self) -> dict[str, list[GameId]]:
        """Return the games of each series by its name, oldest first; damaged ones are in none."""
        games_of: dict[str, list[GameId]] = {}
        with told_as_damaged(_("the list of series")):
            rows = self._db.execute(GAMES_IN_SERIES, (AGREED_WITHIN,)).fetchall()
            for game, payload in rows:
                name = msgspec.json.decode(payload, type=SeriesAgreed).name
                games_of.setdefault(name, []).append(GameId(game))
        return games_of

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def _summary(self, game: GameId, values: Any, aside: str | None) -> Summary:
        header = NO_HEADER
        try:
            if values is None:
                raise BadRecord(_("game {game}: its header is missing"), game=game)
            header, seal = _header(game, values)
            with told_as_damaged(Worded(_("game {game}"), game=game)):
                rows = self._db.execute(LAST_TWO, (game,)).fetchall()[::-1]
                before = rows.pop(0)[-1] if len(rows) == 2 else seal
                if not rows:
                    return Summary(game, header, 0, None, aside)
                if seal_event(before, rows[0]) != rows[0][-1]:
                    raise _changed(game, rows[0][0])
                *_rest, plies, payload, _seal = rows[0]
                ending = payload and msgspec.json.decode(payload, type=Ending)
                return Summary(game, header, plies, ending or None, aside)
        except BadRecord as error:
            return Summary(game, header, 0, None, error.worded)

    def _header_seal(self, game: GameId) -> bytes:
        self.header(game)  # whose seal holds
        row = self._db.execute("SELECT seal FROM games WHERE game = ?", (game,)).fetchone()
        return bytes(row[0])

    def _rows(self, game: GameId) -> Iterator[EventRow]:
        """Yield the rows of a game, as long as each follows from the one before."""
        before = self._header_seal(game)
        with told_as_damaged(Worded(_("game {game}"), game=game)):
            rows = self._db.execute(
                f"SELECT {EVENT_COLUMNS} FROM events WHERE game = ? ORDER BY seq", (game,)
            )
            for number, row in enumerate(rows, 1):
                if row[0] != number or seal_event(before, row) != row[-1]:
                    raise _changed(game, number)
                before = row[-1]
                yield row


class Unsealed(Archive):
    """A journal whose tables have no seals: how games began and went on is taken as it stands.

    Columns are read by their names, whatever else a table has.
    """

    def header(self, game: GameId) -> Header:
        """Return how a game began; NoSuchGame where there is none of that number."""
        with told_as_damaged(Worded(_("game {game}"), game=game)):
            found = self._db.execute("SELECT * FROM games WHERE game = ?", (game,))
            names = [name for name, *_rest in found.description]
            for row in found:
                return msgspec.convert(dict(zip(names, row, strict=True)), Header)
        raise NoSuchGame(_("{game}: no such game, see jetan games list"), game=game)

    def entries(self, game: GameId) -> list[Entry]:
        """Return what happened in a game, in order; BadRecord where something is missing."""
        with told_as_damaged(Worded(_("game {game}"), game=game)):
            rows = self._db.execute(
                "SELECT seq, at, kind, payload FROM events WHERE game = ? ORDER BY seq", (game,)
            ).fetchall()
        for number, (seq, *_rest) in enumerate(rows, 1):
            if seq != number:
                raise _changed(game, number)
        return [_entry(game, row) for row in rows]


def open_to_salvage(path: Path) -> Archive:
    """Open a journal or copy of any version; where it has seals, games must be as they were sealed.

    Raises BadRecord where nothing can be read of games.
    """
    try:
        return Archive.open_file(path)
    except OtherVersion:
        with _read_only(path) as connection:
            tables = {name for (name,) in connection.execute(TABLES)}
            if not tables >= {"games", "events"}:
                raise BadRecord(_("{path}: is no journal"), path=path) from None
            is_sealed = connection.execute(SEALED).fetchone() is not None
            return Archive(connection) if is_sealed else Unsealed(connection)


TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'"
"""A view may be without end, and is not read."""

SEALED = "SELECT 1 FROM pragma_table_info('events') WHERE name = 'seal'"

MOST_GAMES = 1_000_000
"""A damaged number must not make a list without end."""

EVENT_COLUMNS = "seq, at, kind, payload, plies, ending, seal"

HEADERS = f"SELECT game, {', '.join(Header.__struct_fields__)}, seal FROM games"

LAST_GAME = "SELECT max(coalesce((SELECT max(game) FROM games), 0), \
coalesce((SELECT max(game) FROM events), 0))"

LAST_TWO = f"SELECT {EVENT_COLUMNS} FROM events WHERE game = ? ORDER BY seq DESC LIMIT 2"

AGREED_WITHIN = 20
"""What game belongs to a series is among its first so many events: later ones are not searched."""

GAMES_IN_SERIES = """
SELECT games.game, payload FROM games JOIN events USING (game)
WHERE kind = 'series' AND seq <= ? ORDER BY games.game
"""

NEWEST_UNFINISHED = """
SELECT game FROM (SELECT game FROM games ORDER BY game DESC LIMIT 1000) AS newest
WHERE game NOT IN (SELECT game FROM set_aside) AND (
    SELECT ending FROM events WHERE events.game = newest.game ORDER BY seq DESC LIMIT 1) IS NULL
ORDER BY game DESC LIMIT 1
"""
"""A game that a thousand others followed is not looked for: a start must not take long for it."""


@contextmanager
def told_as_damaged(what: str) -> Iterator[None]:
    """Let whatever a damaged file does to its reader be a BadRecord that names `what`."""
    try:
        yield
    except (sqlite3.Error, msgspec.MsgspecError, UnicodeError, OverflowError) as error:
        raise BadRecord(
            _("{what}: cannot be read ({why}); see jetan games salvage"), what=what, why=error
        ) from error


@contextmanager
def _read_only(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a file to read alone; it stays open unless the block fails."""
    with ExitStack() as opened:
        # A connection opened read-only could not make the shared memory readers of WAL need.
        connection = opened.enter_context(closing(sqlite3.connect(path)))
        with told_as_damaged(str(path)):
            connection.execute("PRAGMA query_only = ON")
            yield connection
        opened.pop_all()


def _changed(game: GameId, number: int) -> BadRecord:
    return BadRecord(
        _("game {game}: event {number} is not as it was written"), game=game, number=number
    )


def _empty() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(SCHEMA)
    return connection


def _header(game: int, values: Any) -> tuple[Header, bytes]:
    """Return a header and its seal; BadRecord where they do not belong together."""
    *content, seal = values
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
        return Entry(at, msgspec.json.decode(payload, type=KINDS[kind]))
    except KeyError:
        raise BadRecord(
            _("game {game}, event {seq}: {kind} is no kind of event"), game=game, seq=seq, kind=kind
        ) from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadRecord(
            _("game {game}, event {seq}, {kind}: {why}"), game=game, seq=seq, kind=kind, why=error
        ) from error
