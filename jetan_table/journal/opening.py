"""A game begun or taken up in the journal."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path

from msgspec.structs import replace as changed

from rules import Position, RulesError, parse_position, parse_rules
from rules.sentences import Worded, _

from ..game.agreements import format_time_control
from ..game.commands import New, NewGame
from ..game.events import BadRecord, Entry, Event, GameId, Header
from ..game.record import NextGame, Record
from ..game.terms import agreed
from ..languages import worded
from .agreement import NOTHING_AGREED, Agreement, agree
from .archive import Archive
from .game_files import write_game
from .journal import Journal, JournalUnwritable

LOOKED_AT = 100
"""So many of the newest games are looked at when a table starts; `games check` reads all."""

MOST_TOLD = 5
"""Damage of more games than these is told by `games list`."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A game that the journal holds and that is to be played; `is_resumed`: it had begun before."""

    game: GameId
    record: Record
    is_resumed: bool
    damage: str | None = None
    """Why games before this one cannot be read; they were set aside."""
    kept: Path | None = None
    """The name that a text is kept under which is not of this game, or has more of it."""


def next_games(archive: Archive, custom: Agreement = NOTHING_AGREED) -> NextGame:
    """Return what begins the game that people want after another.

    What they leave open is as in that one, which `New()` goes on with: the next of its series.
    `custom` is what games of new series are played for.
    """

    def begin(wanted: New, record: Record, now: float) -> NewGame:
        rules = parse_rules(wanted.rules or record.header.rules)
        position = wanted.position
        start = Position.start(rules) if position is None else parse_position(position, rules)
        header = Header.of(start, now)
        names = {"black": wanted.black.strip() or "?", "orange": wanted.orange.strip() or "?"}
        if wanted.rules is None:
            names = {"black": record.header.black, "orange": record.header.orange}
        begun = agree(_agreement(wanted, record), changed(header, **names), archive, custom)
        terms = record.terms
        control = terms.clocks.control if terms.clocks else None
        clock = wanted.clock or format_time_control(control)
        more = agreed(clock, wanted.conduct or terms.conduct.name)
        return NewGame(begun.header, (*begun.events, *more))

    return begin


def _agreement(wanted: New, record: Record) -> Agreement:
    """Return what people say of a new game's stakes and beginning."""
    names = wanted.black.strip(), wanted.orange.strip()
    return Agreement(
        series=record.series if wanted.rules is None else wanted.series,
        players=names if all(name not in ("", "?") for name in names) else None,
        stake=wanted.stake,
        prices=wanted.prices,
        for_bias=wanted.for_bias,
        first=wanted.first,
        bias=wanted.bias,
    )


def open_game(
    journal: Journal, header: Header | None, otherwise: Header, events: Sequence[Event] = ()
) -> Opened:
    """Resume the newest game if it is unfinished, unless `header` asks for a new one.

    Without either, the game of the header `otherwise` begins; `events` happen in a new game first.
    A game that cannot be read is set aside, and the table begins anew.
    """
    damage = _set_damaged_aside(journal, otherwise.started)
    unfinished = journal.archive.unfinished()
    if header is None and unfinished is not None:
        try:
            begun = journal.archive.header(unfinished)
            record = Record.read(begun, journal.archive.entries(unfinished))
            journal.check_going_on(unfinished)
            kept = write_game(journal.folder, journal.witness(unfinished), record)
            return Opened(unfinished, record, True, _in_a_line(damage), kept)
        except JournalUnwritable:
            raise
        except (BadRecord, RulesError, ValueError, LookupError) as error:
            why = worded(error)
            if not why.startswith(f"game {unfinished}:"):
                why = Worded(_("game {game}: {why}"), game=unfinished, why=why)
            damage.append(why)
            journal.set_aside(unfinished, otherwise.started, why)
    return replace(begin_game(journal, header or otherwise, events), damage=_in_a_line(damage))


def _set_damaged_aside(journal: Journal, now: float) -> list[str]:
    """Set aside what of the newest games is damaged at a glance; return why, newest last."""
    damage = []
    for summary in journal.archive.games(LOOKED_AT):
        if summary.damage is not None and not journal.archive.is_set_aside(summary.game):
            journal.set_aside(summary.game, now, summary.damage)
            damage.append(summary.damage)
    return damage


def _in_a_line(damage: Sequence[str]) -> str | None:
    """Return why some games are set aside; of many, the newest."""
    more = ["..."] if len(damage) > MOST_TOLD else []
    reasons = [*more, *damage[-MOST_TOLD:]]
    joined = _("{some}; {more}")
    return (
        reduce(lambda some, more: Worded(joined, some=some, more=more), reasons)
        if reasons
        else None
    )


def begin_game(journal: Journal, header: Header, events: Sequence[Event] = ()) -> Opened:
    """Begin a game in the journal, in which `events` have happened already."""
    game = journal.begin(header)
    entries = [Entry(header.started, event) for event in events]
    if entries:
        journal.append(game, entries)
    return Opened(game, Record.read(header, entries), False)
