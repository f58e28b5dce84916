"""Journals that the program before this one wrote, carried into the tables of today."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any

import msgspec

from hardware.ports import Evidence, Observation
from rules import RulesError

from ..game.events import Header
from .packing import observation_of, pack
from .sealing import Tip, seal_header

BATCH = 500
"""So many observations of an old game are packed together."""

COLUMNS = ("game", *Header.__struct_fields__)


def carry(old: sqlite3.Connection, new: sqlite3.Connection) -> None:
    """Write all that a journal of the old version has into an empty one of today's.

    A line nobody can read is carried as it stands: it is its game's trouble, then as before.
    sqlite3.DatabaseError where the file cannot be read.
    """
    new.execute("BEGIN IMMEDIATE")
    for number, *values in old.execute(f"SELECT {', '.join(COLUMNS)} FROM games").fetchall():
        events = old.execute(
            "SELECT at, kind, payload FROM events WHERE game = ? ORDER BY seq", (number,)
        )
        observations = old.execute(
            "SELECT at, squares FROM observations WHERE game = ? ORDER BY seq", (number,)
        )
        write_game_rows(new, number, values, events, packed(observations))
    new.execute("COMMIT")


def write_game_rows(
    new: sqlite3.Connection, number: int, values: Any, events: Any, batches: Iterator[bytes]
) -> None:
    """Write one game into today's tables: its header's values, (at, kind, payload) and batches."""
    seal = seal_header(number, values)
    marks = ", ".join("?" * (len(COLUMNS) + 1))
    new.execute(
        f"INSERT INTO games ({', '.join(COLUMNS)}, seal) VALUES ({marks})", (number, *values, seal)
    )
    tip = Tip(0, seal)
    rows = []
    for at, kind, payload in events:
        tip, row = tip.next_row(at, kind, payload)
        rows.append((number, *row))
    new.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
    new.executemany(
        "INSERT INTO observations VALUES (?, ?, ?)",
        ((number, seq, batch) for seq, batch in enumerate(batches, 1)),
    )


def packed(rows: Any) -> Iterator[bytes]:
    """Yield old observations, (at, squares) a row, in batches; a row nobody can read is left."""
    waiting: list[Observation] = []
    for at, squares in rows:
        try:
            named = msgspec.json.decode(squares, type=dict[str, Evidence | None])
            waiting.append(observation_of(at, named))
        except (msgspec.DecodeError, ValueError, RulesError):
            continue
        if len(waiting) >= BATCH:
            yield pack(waiting)
            waiting.clear()
    if waiting:
        yield pack(waiting)
