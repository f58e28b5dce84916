"""What a game begins with, told on the command line: from where, by which rules, for what."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import Any

import click

from ..journal.agreement import Agreement
from ..journal.saved_games import Start
from ..settings import Settings
from .start import agreed_start, wanted_start

TOLD = ("stake", "prices", "for_bias", "first", "bias")
TOKENS = click.IntRange(0, 1_000_000)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was told of the game to be played: nothing, and the unfinished one goes on."""

    load: str | None
    ply: int | None
    rules: str | None
    position: str | None
    agreement: Agreement

    def start(
        self,
        default: str,
        settings: Settings,
        asks_terms: bool,
        folder: Path,
        now: float,
    ) -> Start | None:
        """Return what a new game begins with; None where one goes on.

        `asks_terms`: its clock or conduct was told, too, and is among the settings.
        """
        if self.load is not None and not self.agreement.is_for_nothing:
            raise click.UsageError("--load brings what was agreed: leave --series and the like out")
        told = (self.load, self.ply, self.rules, self.position)
        start = wanted_start(*told, default, folder, now, settings, asks_terms)
        return agreed_start(self.agreement, start, default, settings, folder, now)


def start_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options of what a game begins with, and tell it what is Wanted."""

    @click.option("--rules", "rules", metavar="RULES", help="Begin a new game by these rules.")
    @click.option("--position", metavar="POSITION", help="Begin a new game from this position.")
    @click.option("--load", metavar="NAME", help="Play on from a saved game, or from a .jgn file.")
    @click.option("--ply", type=click.IntRange(0), help="With --load: after so many plies.")
    @click.option("--series", metavar="NAME", help="Play the next game of a series.")
    @agreement_options
    @wraps(command)
    def with_start(series: str | None, agreement: Agreement, **others: Any) -> int:
        told = {name: others.pop(name) for name in ("load", "ply", "rules", "position")}
        wanted = Wanted(agreement=replace(agreement, series=series), **told)
        return command(wanted=wanted, **others)

    return with_start


def agreement_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command the options of what is agreed on before a game, and tell it the Agreement."""

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
            raise click.UsageError(f"--players {players}: must be two names, as in Tara,Gahan")
        told = {name: others.pop(name) for name in TOLD}
        both = (names[0], names[1]) if names else None
        return command(agreement=Agreement(players=both, **told), **others)

    return with_agreement
