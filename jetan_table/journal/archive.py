"""Reads journals: which games there are, and what happened in each."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import NewType

import msgspec

from hardware.ports import Evidence, Observation
from rules import format_square, parse_square
from rules.sentences import _

from ..errors import TableError
from ..game.errors import BadRecord
from ..game.events import (
    KINDS,
    Correction,
    Ending,
    Entry,
    Header,
    Ply,
    Question,
    Recall,
    Result,
    SeriesAgreed,
    TakeBack,
    Turned,
)

GameId = NewType("GameId", int)
"""Number of a game in its journal, counted from 1."""

JOURNAL_NAME = "journal.sqlite"
SCHEMA_VERSION = 1


class NoSuchGame(TableError, LookupError):
    """The journal has no game of that number."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A game at a glance: `plies` that stand, and its result once it is over."""

    game: GameId
    header: Header
    plies: int
    ending: Ending | None

    @property
    def result(self) -> Result:
        """The result, `*` while the game is not decided."""
        return self.ending.result if self.ending else "*"


class Archive:
    """A journal opened for reading; it may be read while a table writes it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    @classmethod
    def open(cls, folder: Path) -> Archive:
        """Open the journal in `folder`; one that is not there yet has no games.

        Raises BadRecord where the file is damaged or of another version.
        """
        path = folder / JOURNAL_NAME
        # A connection opened read-only could not make the shared memory that readers of WAL need.
        connection = sqlite3.connect(path if path.is_file() else ":memory:")
        with ExitStack() as opened:
            opened.enter_context(closing(connection))
            try:
                if path.is_file():
                    connection.execute("PRAGMA query_only = ON")
                    check_version(connection, path)
                else:
                    connection.executescript(SCHEMA)
            except sqlite3.DatabaseError as error:
                raise BadRecord(
                    _("{path}: cannot be read as a journal ({why})"), path=path, why=error
                ) from error
            opened.pop_all()
        return cls(connection)

    def games(self, most: int = -1) -> list[Summary]:
        """Return all games, or so many of the newest, oldest first."""
        newest = self._db.execute("SELECT game FROM games ORDER BY game DESC LIMIT ?", (most,))
        return [self.summary(GameId(row[0])) for row in reversed(newest.fetchall())]

    def unfinished(self) -> GameId | None:
        """Return the newest game that has not ended, or whose end has been undone."""
        row = self._db.execute(NEWEST_UNFINISHED).fetchone()
        return None if row is None else GameId(row[0])

    def header(self, game: GameId) -> Header:
        """Return how a game began; NoSuchGame where there is none of that number."""
        columns = ", ".join(Header.__struct_fields__)
        row = self._db.execute(f"SELECT {columns} FROM games WHERE game = ?", (game,)).fetchone()
        if row is None:
            raise NoSuchGame(_("{game}: no such game, see jetan games list"), game=game)
        return msgspec.convert(dict(zip(Header.__struct_fields__, row, strict=True)), Header)

    def entries(self, game: GameId) -> list[Entry]:
        """Return what happened in a game, in order; BadRecord where a line is not readable."""
        rows = self._db.execute(
            "SELECT seq, at, kind, payload FROM events WHERE game = ? ORDER BY seq", (game,)
        )
        return [_entry(game, *row) for row in rows]

    def observations(self, game: GameId) -> Iterator[Observation]:
        """Yield what the sensors saw during a game, oldest first."""
        rows = self._db.execute(
            "SELECT at, squares FROM observations WHERE game = ? ORDER BY seq", (game,)
        )
        for at, squares in rows:
            named = msgspec.json.decode(squares, type=dict[str, Evidence | None])
            yield Observation(at, {parse_square(name): named[name] for name in named})

    def turns(self) -> list[tuple[str, Turned]]:
        """Return what people have said of how the board lies, with each game's rules, in order."""
        rows = self._db.execute(
            "SELECT rules, payload FROM events JOIN games USING (game) "
            "WHERE kind = 'turned' ORDER BY game, seq"
        )
        return [(rules, msgspec.json.decode(payload, type=Turned)) for rules, payload in rows]

    def summary(self, game: GameId) -> Summary:
        """Return a game at a glance."""
        plies: list[int] = []
        ending: Ending | None = None
        for entry in self.entries(game):
            match entry.event:
                case Ply(number=number) | Question(number=number, is_ply=True):
                    plies.append(number)
                case TakeBack(number=number):
                    plies = [earlier for earlier in plies if earlier < number]
                    ending = None
                case Recall():
                    ending = None
                case Correction():
                    plies, ending = [], None
                case Ending() as ending:
                    pass
        return Summary(game, self.header(game), len(plies), ending)

    def series(self) -> dict[str, list[GameId]]:
        """Return the games of each series by its name, oldest first."""
        rows = self._db.execute(GAMES_IN_SERIES, (AGREED_WITHIN,))
        games_of: dict[str, list[GameId]] = {}
        for game, payload in rows:
            name = msgspec.json.decode(payload, type=SeriesAgreed).name
            games_of.setdefault(name, []).append(GameId(game))
        return games_of

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()


SCHEMA = f"""
PRAGMA user_version = {SCHEMA_VERSION};
CREATE TABLE games (
    game INTEGER PRIMARY KEY, started REAL NOT NULL, rules TEXT NOT NULL, start TEXT NOT NULL,
    black TEXT NOT NULL, orange TEXT NOT NULL, version TEXT NOT NULL);
CREATE TABLE events (
    game INTEGER NOT NULL REFERENCES games, seq INTEGER NOT NULL, at REAL NOT NULL,
    kind TEXT NOT NULL, payload TEXT NOT NULL, PRIMARY KEY (game, seq)) WITHOUT ROWID;
CREATE TABLE observations (
    seq INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES games, at REAL NOT NULL,
    squares TEXT NOT NULL);
CREATE INDEX observations_of_game ON observations (game, seq);
""" + "".join(
    f"CREATE TRIGGER {table}_{verb.lower()} BEFORE {verb} ON {table} "
    f"BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;\n"
    for table in ("games", "events", "observations")
    for verb in ("UPDATE", "DELETE")
)


AGREED_WITHIN = 20
"""What game belongs to a series is among its first so many events: later ones are not searched."""

GAMES_IN_SERIES = """
SELECT games.game, payload FROM games JOIN events USING (game)
WHERE kind = 'series' AND seq <= ? ORDER BY games.game
"""

NEWEST_UNFINISHED = """
SELECT game FROM games WHERE NOT EXISTS (
    SELECT 1 FROM events AS ending
    WHERE ending.game = games.game AND ending.kind = 'ending' AND ending.seq > coalesce((
        SELECT max(seq) FROM events AS undone WHERE undone.game = games.game
        AND undone.kind IN ('takeback', 'recall', 'correction')), 0))
ORDER BY game DESC LIMIT 1
"""


def check_version(connection: sqlite3.Connection, path: Path) -> None:
    """Raise BadRecord where another version of this program wrote the file, or none did."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version == 0:
        raise BadRecord(_("{path}: is no journal"), path=path)
    if version != SCHEMA_VERSION:
        raise BadRecord(
            _(
                "{path}: the journal speaks version {version}, this program {schema_version}; "
                "use the program that wrote it, or another --data folder"
            ),
            path=path,
            version=version,
            schema_version=SCHEMA_VERSION,
        )


def format_observation(observation: Observation) -> str:
    """Write what was seen as `{"d2": [log-likelihoods], "e4": null}`."""
    named: dict[str, Sequence[float] | None] = {
        format_square(square): evidence and [round(value, 4) for value in evidence]
        for square, evidence in observation.squares.items()
    }
    return msgspec.json.encode(named).decode()


def _entry(game: GameId, seq: int, at: float, kind: str, payload: str) -> Entry:
    try:
        return Entry(at, msgspec.json.decode(payload, type=KINDS[kind]))
    except KeyError:
        raise BadRecord(
            _("game {game}, event {seq}: {kind} is no kind of event"), game=game, seq=seq, kind=kind
        ) from None
    except msgspec.ValidationError as error:
        raise BadRecord(
            _("game {game}, event {seq}, {kind}: {why}"), game=game, seq=seq, kind=kind, why=error
        ) from error
