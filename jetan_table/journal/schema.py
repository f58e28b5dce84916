"""The tables of a journal, and whether a file has these and nothing else."""

import sqlite3
from pathlib import Path
from typing import Final

from rules.sentences import _

from ..game.events import BadRecord


class OtherVersion(BadRecord):
    """A journal whose tables are not those of this program."""


JOURNAL_NAME = "journal.sqlite"
SCHEMA_VERSION: Final = 3
"""Only journals of this version are opened; `salvage` brings games out of others."""

_REFUSED: Final = "BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;\n"


def _append_only(*tables: str) -> str:
    return "".join(
        f"CREATE TRIGGER {table}_{verb.lower()} BEFORE {verb} ON {table} {_REFUSED}"
        for table in tables
        for verb in ("UPDATE", "DELETE")
    )


SCHEMA: Final = (
    f"PRAGMA user_version = {SCHEMA_VERSION};"
    """
CREATE TABLE games (
    game INTEGER PRIMARY KEY, started REAL NOT NULL, rules TEXT NOT NULL, start TEXT NOT NULL,
    black TEXT NOT NULL, orange TEXT NOT NULL, version TEXT NOT NULL, seal BLOB NOT NULL);
CREATE TABLE events (
    game INTEGER NOT NULL REFERENCES games, seq INTEGER NOT NULL, at REAL NOT NULL,
    kind TEXT NOT NULL, payload TEXT NOT NULL, plies INTEGER NOT NULL, ending TEXT,
    seal BLOB NOT NULL, PRIMARY KEY (game, seq)) WITHOUT ROWID;
CREATE TABLE observations (
    game INTEGER NOT NULL REFERENCES games, seq INTEGER NOT NULL, batch BLOB NOT NULL,
    PRIMARY KEY (game, seq)) WITHOUT ROWID;
CREATE TABLE set_aside (
    game INTEGER PRIMARY KEY REFERENCES games, at REAL NOT NULL, why TEXT NOT NULL);
CREATE INDEX turned ON events (game, seq) WHERE kind = 'turned';
CREATE INDEX of_series ON events (game, seq) WHERE kind = 'series';
"""
    + _append_only("games", "events", "set_aside")
    + f"""
CREATE TRIGGER observations_update BEFORE UPDATE ON observations {_REFUSED}
CREATE TRIGGER observations_delete BEFORE DELETE ON observations
WHEN OLD.seq = 0 OR NOT EXISTS (SELECT 1 FROM observations WHERE game = OLD.game AND seq = 0)
{_REFUSED}"""
)
"""Batch 0 of a game holds all others up to then: these, and nothing else, may go."""


def check_schema(connection: sqlite3.Connection, path: Path) -> None:
    """Raise BadRecord unless a journal has the tables above and no more; OtherVersion by number.

    Nothing but the list of what the file holds is read: a view in it is not run.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version == 0:
        raise BadRecord(_("{path}: is no journal"), path=path)
    if version != SCHEMA_VERSION:
        raise OtherVersion(
            _(
                "{path}: another version of the program wrote this journal ({version}, not "
                "{schema_version}); it stays as it is, and jetan games salvage {path} brings "
                "its games out"
            ),
            path=path,
            version=version,
            schema_version=SCHEMA_VERSION,
        )
    made = sqlite3.connect(":memory:")
    try:
        made.executescript(SCHEMA)
        wanted = set(made.execute(_ALL))
    finally:
        made.close()
    strange = sorted(
        f"{kind} {name}" for kind, name, *rest in set(connection.execute(_ALL)) ^ wanted
    )
    if strange:
        raise BadRecord(
            _("{path}: is no journal of version {version}: {names}"),
            path=path,
            version=version,
            names=", ".join(strange),
        )


_ALL = "SELECT type, name, sql FROM sqlite_master"
