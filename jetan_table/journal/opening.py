"""A game begun or taken up in the journal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from rules import Position, RulesError, parse_rules

from ..game.commands import NewGame
from ..game.errors import BadRecord
from ..game.events import Entry, Event, Header
from ..game.record import Record
from .agreement import another
from .archive import Archive, GameId
from .journal import Journal

NextGame: TypeAlias = Callable[[Record, float], NewGame]
"""Returns the game that follows another, begun at a time."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A game that the journal holds and that is to be played; `is_resumed`: it had begun before."""

    game: GameId
    record: Record
    is_resumed: bool
    damage: str | None = None
    """Why the game before this one cannot be played on; it was set aside."""


def next_games(archive: Archive) -> NextGame:
    """Return what begins the game after another: on its terms, the next of its series."""

    def begin(record: Record, now: float) -> NewGame:
        header = Header.of(Position.start(parse_rules(record.header.rules)), now)
        begun = another(record, header, archive)
        return NewGame(begun.header, begun.events)

    return begin


def open_game(
    journal: Journal, header: Header | None, otherwise: Header, events: Sequence[Event] = ()
) -> Opened:
    """Resume the newest game if it is unfinished, unless `header` asks for a new one.

    Without either, the game of the header `otherwise` begins; `events` happen in a new game first.
    A game that cannot be read is set aside, and the table begins anew.
    """
    unfinished = journal.archive.unfinished()
    damage = None
    if header is None and unfinished is not None:
        try:
            begun = journal.archive.header(unfinished)
            record = Record.read(begun, journal.archive.entries(unfinished))
            return Opened(unfinished, record, True)
        except (BadRecord, RulesError, ValueError, LookupError) as error:
            damage = f"game {unfinished}: {error}"
            journal.set_aside(unfinished, otherwise.started, damage)
    return replace(begin_game(journal, header or otherwise, events), damage=damage)


def begin_game(journal: Journal, header: Header, events: Sequence[Event] = ()) -> Opened:
    """Begin a game in the journal, in which `events` have happened already."""
    game = journal.begin(header)
    entries = [Entry(header.started, event) for event in events]
    if entries:
        journal.append(game, entries)
    return Opened(game, Record.read(header, entries), False)
