"""The tables of a journal, now and before, and whether a file has these and nothing else."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final

from rules.sentences import _

from ..game.errors import BadRecord


class OtherVersion(BadRecord):
    """A journal of a version that this program cannot read."""


JOURNAL_NAME = "journal.sqlite"
SCHEMA_VERSION: Final = 3
OLD_VERSION: Final = 1
"""Journals of this version are taken over."""
UNPACKED_VERSION: Final = 2
"""Journals of this version differ from today's in one trigger: no observation might be packed."""


def _append_only(*tables: str) -> str:
    return "".join(
        f"CREATE TRIGGER {table}_{verb.lower()} BEFORE {verb} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;\n"
        for table in tables
        for verb in ("UPDATE", "DELETE")
    )


_TABLES: Final = """
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
""" + _append_only("games", "events", "observations", "set_aside")

PACKING_ALLOWED: Final = f"""
PRAGMA user_version = {SCHEMA_VERSION};
DROP TRIGGER observations_delete;
CREATE TRIGGER observations_delete BEFORE DELETE ON observations
WHEN OLD.seq = 0 OR NOT EXISTS (SELECT 1 FROM observations WHERE game = OLD.game AND seq = 0)
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
"""
"""Batch 0 of a game holds all others up to then: these, and nothing else, may go."""

SCHEMA: Final = _TABLES + PACKING_ALLOWED
UNPACKED_SCHEMA: Final = f"PRAGMA user_version = {UNPACKED_VERSION}; {_TABLES}"

OLD_SCHEMA: Final = f"""
PRAGMA user_version = {OLD_VERSION};
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
""" + _append_only("games", "events", "observations")

SCHEMAS: Final = {
    SCHEMA_VERSION: SCHEMA,
    UNPACKED_VERSION: UNPACKED_SCHEMA,
    OLD_VERSION: OLD_SCHEMA,
}


def check_schema(connection: sqlite3.Connection, path: Path) -> int:
    """Return the version of a journal; BadRecord unless it has that version's tables and no more.

    Nothing but the list of what the file holds is read: a view in it is not run.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version == 0:
        raise BadRecord(_("{path}: is no journal"), path=path)
    if version not in SCHEMAS:
        raise OtherVersion(
            _(
                "{path}: the journal speaks version {version}, this program {schema_version}; "
                "use the program that wrote it, or another --data folder"
            ),
            path=path,
            version=version,
            schema_version=SCHEMA_VERSION,
        )
    made = sqlite3.connect(":memory:")
    try:
        made.executescript(SCHEMAS[version])
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
    return int(version)


_ALL = "SELECT type, name, sql FROM sqlite_master"
