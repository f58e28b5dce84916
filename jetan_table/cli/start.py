"""What comes of the options of a new game.

A game begins by rules, from a position, on terms (clock and conduct), and for what people agree on.
"""

from contextlib import closing
from pathlib import Path

from rules import Position, parse_position
from rules.sentences import _

from ..game.agreements import named_rules
from ..game.events import Event, Header
from ..game.terms import agreed
from ..journal.archive import Archive
from ..journal.game_files import Start, named_text, read_saved, start_from
from ..journal.opening import Agreement, agree, rules_of_next
from ..settings import Settings
from ..wiring import usual_wager
from .options import misused
from .play_options import StartOptions


def start_of(
    wanted: StartOptions,
    default: str,
    settings: Settings,
    asks_terms: bool,
    folder: Path,
    now: float,
) -> Start | None:
    """Return what a new game begins with; None where one goes on.

    Its rules are those asked for, or those of its series, or `default`. `asks_terms`: its clock or
    conduct was asked for, too, and is among the settings.
    """
    agreement = wanted.agreement.of(wanted.series)
    is_new = wanted.rules is not None or wanted.position is not None or asks_terms
    if wanted.load is not None:
        if not agreement.is_for_nothing:
            raise misused(_("--load brings what was agreed: leave --series and the like out"))
        if is_new:
            raise misused(
                _("--load brings its own rules, position, clock and conduct: leave them out")
            )
        return start_from(read_saved(named_text(folder, wanted.load)), wanted.ply, now)
    if wanted.ply is not None:
        raise misused(_("--ply says where to play on from a game: tell it by --load"))
    start: Start | None = None
    if is_new:
        header = Header.of(start_position(wanted.rules or default, wanted.position), now)
        start = Start(header, usual_terms(settings))
    if agreement.is_for_nothing:
        return start
    return _as_agreed(agreement, start, default, settings, folder, now)


def _as_agreed(
    agreement: Agreement,
    start: Start | None,
    default: str,
    settings: Settings,
    folder: Path,
    now: float,
) -> Start | None:
    """Add what people agree on to `start`, which a series brings where there is none."""
    series = agreement.series
    with closing(Archive.open(folder)) as archive:
        if start is None:
            unfinished = archive.unfinished()
            goes_on = series is not None and unfinished in archive.series().get(series, [])
            if goes_on and agreement.is_series_alone:
                return None
            rules = None if series is None else rules_of_next(archive, series)
            header = Header.of(start_position(rules or default, None), now)
            start = Start(header, usual_terms(settings))
        begun = agree(agreement, start.header, archive, usual_wager(settings))
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
