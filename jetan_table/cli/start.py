"""What a new game begins with: its options on the command line, and what comes of them.

A game begins by rules, from a position, on terms (clock and conduct), and for what people agree on.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import Any

import click

from rules import Position, parse_position
from rules.sentences import _

from ..game.events import Event, Header
from ..game.terms import agreed
from ..journal.agreement import Agreement, agree, rules_of_next
from ..journal.archive import Archive
from ..journal.rules_named import named_rules
from ..journal.saved_games import Start, named_text, read_saved, start_from
from ..settings import Settings
from ..wiring import usual_wager
from .options import misused

AGREED_ON = ("stake", "prices", "for_bias", "first", "bias")
"""The options below that an `Agreement` has under the same names."""

TOKENS = click.IntRange(0, 1_000_000)


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
            raise misused(_("--load brings what was agreed: leave --series and the like out"))
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
                raise misused(
                    _("--load brings its own rules, position, clock and conduct: leave them out")
                )
            return start_from(read_saved(named_text(folder, self.load)), self.ply, now)
        if self.ply is not None:
            raise misused(_("--ply says where to play on from a game: tell it by --load"))
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


def start_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options of what a game begins with, and hand them to it as `wanted`."""

    @click.option("--rules", "rules", metavar="RULES", help="Begin a new game by these rules.")
    @click.option("--position", metavar="POSITION", help="Begin a new game from this position.")
    @click.option("--load", metavar="NAME", help="Play on from a saved game, or from a .jgn file.")
    @click.option("--ply", type=click.IntRange(0), help="With --load: after so many plies.")
    @click.option("--series", metavar="NAME", help="Play the next game of a series.")
    @agreement_options
    @wraps(command)
    def with_start(
        rules: str | None,
        position: str | None,
        load: str | None,
        ply: int | None,
        series: str | None,
        agreement: Agreement,
        **others: Any,
    ) -> int:
        wanted = StartOptions(replace(agreement, series=series), rules, position, load, ply)
        return command(wanted=wanted, **others)

    return with_start


def agreement_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options of what people agree on, and hand them to it as `agreement`."""

    @click.option("--players", metavar="A,B", help="Who has Black, and who Orange.")
    @click.option("--stake", type=TOKENS, metavar="N", help="The winner gets so many tokens.")
    @click.option(
        "--price",
        "prices",
        metavar="PRICES",
        help="Of heads: 2 is twice their values; C=30,Q=5 those of kinds; or 2,C=30.",
    )
    @click.option("--for-bias", is_flag=True, default=None, help="The next bias is a prize, too.")
    @click.option(
        "--first",
        type=click.Choice(["black", "orange", "roll", "winner"]),
        help="Who begins; in a series without: whom the last winner names, else by a roll.",
    )
    @click.option(
        "--bias",
        type=click.Choice(["clockwise", "counterclockwise", "roll", "winner"]),
        help="How the disk's centre is crossed; without: as the rules say.",
    )
    @wraps(command)
    def with_agreement(players: str | None, **others: Any) -> int:
        names = [name.strip() for name in players.split(",")] if players is not None else None
        if names is not None and (len(names) != 2 or not all(names)):
            raise misused(
                _("--players {players}: must be two names, as in Tara,Gahan"), players=players
            )
        agreed_on = {name: others.pop(name) for name in AGREED_ON}
        both = (names[0], names[1]) if names else None
        return command(agreement=Agreement(players=both, **agreed_on), **others)

    return with_agreement
