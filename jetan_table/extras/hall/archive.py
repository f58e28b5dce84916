"""What a hall keeps on its disk: the newest state of every game of every table."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from .payloads import SaidGame

FILE_NAME: Final = "hall.sqlite"
SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS games (
    at_table TEXT NOT NULL, game INTEGER NOT NULL, rev INTEGER NOT NULL, content BLOB NOT NULL,
    PRIMARY KEY (at_table, game)) WITHOUT ROWID;
"""
NEWEST: Final = """
SELECT at_table, content FROM games AS kept
WHERE rev = (SELECT max(rev) FROM games WHERE at_table = kept.at_table) ORDER BY at_table
"""


class HallArchive:
    """One file in the hall's data folder.

    A copy of what the tables' journals hold: what a power cut takes of it, they say again.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(
            folder / FILE_NAME, isolation_level=None, check_same_thread=False
        )  # opened on one thread, then used by another alone
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = OFF")
        self._db.executescript(SCHEMA)

    def keep(self, table: str, game: SaidGame) -> None:
        """Keep a game as it is now, instead of how it was."""
        row = (table, game.game, game.rev, msgspec.json.encode(game))
        self._db.execute("INSERT OR REPLACE INTO games VALUES (?, ?, ?, ?)", row)

    def newest(self) -> Iterator[tuple[str, SaidGame]]:
        """Yield each table's newest game."""
        for table, content in self._db.execute(NEWEST).fetchall():
            yield table, msgspec.json.decode(content, type=SaidGame)

    def games(self, table: str) -> list[SaidGame]:
        """Return all games of a table, oldest first."""
        select = "SELECT content FROM games WHERE at_table = ? ORDER BY game"
        rows = self._db.execute(select, (table,)).fetchall()
        return [msgspec.json.decode(content, type=SaidGame) for (content,) in rows]

    def forget(self, table: str) -> None:
        """Drop all games of a table."""
        self._db.execute("DELETE FROM games WHERE at_table = ?", (table,))

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()
