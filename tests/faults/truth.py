"""What is certain of journals, as it is marked in the log of an evening."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from jetan_table.game.events import Entry, GameId
from jetan_table.journal.archive import Archive

TABLE: Final = "table"
COPY: Final = "copy.sqlite"

Truth = dict[str, list[str]]
"""What is certain of each game, by its number: its events as the journal writes them."""

Certain = Mapping[str, Truth]
"""What is certain of each journal and copy, by its name."""


def truth_of(entries_of: Mapping[GameId, Sequence[Entry]]) -> Truth:
    """Return what was told, as it is marked."""
    return {
        str(game): [msgspec.json.encode(entry.event).decode() for entry in entries]
        for game, entries in entries_of.items()
    }


def truth_in(archive: Archive) -> Truth:
    """Return what a journal holds, as it is marked."""
    return truth_of({one.game: archive.entries(one.game) for one in archive.games()})
