"""What a new game begins with: by which rules, from where, on which terms."""

from __future__ import annotations

from contextlib import closing
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


def wanted_start(
    load: str | None,
    ply: int | None,
    rules: str | None,
    position: str | None,
    default: str,
    folder: Path,
    now: float,
    settings: Settings,
    asks_terms: bool,
) -> Start | None:
    """Return what a new game begins with that was asked for; None where none was."""
    if load is not None:
        if rules is not None or position is not None or asks_terms:
            raise click.UsageError(
                "--load brings its own rules, position, clock and conduct: leave them out"
            )
        return start_from(read_saved(named_text(folder, load)), ply, now)
    if ply is not None:
        raise click.UsageError("--ply says where to play on from a game: tell it by --load")
    if rules is None and position is None and not asks_terms:
        return None
    header = Header.of(start_position(rules or default, position), now)
    return Start(header, agreed_by(settings))


def agreed_by(settings: Settings) -> tuple[Event, ...]:
    """Return what new games begin with by these settings."""
    return agreed(settings.table.clock, settings.table.conduct)


def start_position(rules: str, position: str | None) -> Position:
    """Return the position a new game begins with."""
    chosen = named_rules(rules)
    if position is not None:
        return parse_position(position, chosen)
    return Position.start(chosen)


def usual_wager(settings: Settings) -> Agreement:
    """Return what games of a new series are played for by these settings."""
    return Agreement(stake=settings.series.stake, prices=settings.series.price)


def agreed_start(
    agreement: Agreement,
    start: Start | None,
    default: str,
    settings: Settings,
    folder: Path,
    now: float,
) -> Start | None:
    """Return what a game begins with that is played as agreed; None where one goes on.

    Without a `start` it begins by the rules its series is played by, or by `default`.
    """
    if agreement.is_for_nothing:
        return start
    series = agreement.series
    with closing(Archive.open(folder)) as archive:
        goes_on = series is not None and archive.unfinished() in archive.series().get(series, [])
        if start is None and agreement.is_series_alone and goes_on:
            return None
        if start is None:
            rules = None if series is None else rules_of_next(archive, series)
            header = Header.of(start_position(rules or default, None), now)
            start = Start(header, agreed_by(settings))
        begun = agree(agreement, start.header, archive, usual_wager(settings))
    return Start(begun.header, (*begun.events, *start.events))
