"""What comes of the options of a new game.

A game begins by rules, from a position, on terms (clock and conduct), and for what people agree on.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import click

from rules import Position, parse_position

from ..game.events import Event, Header
from ..game.terms import agreed
from ..journal.agreement import Agreement, agree, rules_of_next
from ..journal.archive import Archive
from ..journal.rules_named import named_rules
from ..journal.saved_games import Start, named_text, read_saved, start_from
from ..settings import Settings
from ..wiring import usual_wager


@dataclass(frozen=True, slots=True)
class StartOptions:
    """What was asked for of the next game; where nothing was, the unfinished one goes on."""

    agreement: Agreement
    """What people agree on before it."""
    rules: str | None = None
    position: str | None = None
    load: str | None = None
    """The name of a saved game that it plays on from, or a file of game text."""
    ply: int | None = None
    """After how many plies of that one; None: after all."""

    def start(
        self, default: str, settings: Settings, asks_terms: bool, folder: Path, now: float
    ) -> Start | None:
        """Return what a new game begins with; None where one goes on.

        Its rules are those asked for, or those of its series, or `default`. `asks_terms`: its clock
        or conduct was asked for, too, and is among the settings.
        """
        if self.load is not None and not self.agreement.is_for_nothing:
            raise click.UsageError("--load brings what was agreed: leave --series and the like out")
        start = self._start_alone(default, settings, asks_terms, folder, now)
        if self.agreement.is_for_nothing:
            return start
        return self._as_agreed(start, default, settings, folder, now)

    def _start_alone(
        self, default: str, settings: Settings, asks_terms: bool, folder: Path, now: float
    ) -> Start | None:
        """Return what a new game begins with, but for what people agree on; None without one."""
        if self.load is not None:
            if self.rules is not None or self.position is not None or asks_terms:
                raise click.UsageError(
                    "--load brings its own rules, position, clock and conduct: leave them out"
                )
            return start_from(read_saved(named_text(folder, self.load)), self.ply, now)
        if self.ply is not None:
            raise click.UsageError("--ply says where to play on from a game: tell it by --load")
        if self.rules is None and self.position is None and not asks_terms:
            return None
        header = Header.of(start_position(self.rules or default, self.position), now)
        return Start(header, usual_terms(settings))

    def _as_agreed(
        self, start: Start | None, default: str, settings: Settings, folder: Path, now: float
    ) -> Start | None:
        """Add what people agree on to `start`, which a series brings where there is none."""
        series = self.agreement.series
        with closing(Archive.open(folder)) as archive:
            if start is None:
                unfinished = archive.unfinished()
                goes_on = series is not None and unfinished in archive.series().get(series, [])
                if goes_on and self.agreement.is_series_alone:
                    return None
                rules = None if series is None else rules_of_next(archive, series)
                header = Header.of(start_position(rules or default, None), now)
                start = Start(header, usual_terms(settings))
            begun = agree(self.agreement, start.header, archive, usual_wager(settings))
        return Start(begun.header, (*begun.events, *start.events))


def usual_terms(settings: Settings) -> tuple[Event, ...]:
    """Return the terms of new games by these settings."""
    return agreed(settings.table.clock, settings.table.conduct)


def start_position(rules: str, position: str | None) -> Position:
    """Return the position a new game begins with."""
    chosen = named_rules(rules)
    if position is not None:
        return parse_position(position, chosen)
    return Position.start(chosen)
