"""The options of what a game begins with, and of what people agree on before it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ..journal.agreement import Agreement

AGREED_ON = ("stake", "prices", "for_bias", "first", "bias")
"""The options below that an `Agreement` has under the same names."""

TOKENS = click.IntRange(0, 1_000_000)


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
        from .start import StartOptions  # and so the journal: not for its help

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
        from ..journal.agreement import Agreement

        names = [name.strip() for name in players.split(",")] if players is not None else None
        if names is not None and (len(names) != 2 or not all(names)):
            raise click.UsageError(f"--players {players}: must be two names, as in Tara,Gahan")
        agreed_on = {name: others.pop(name) for name in AGREED_ON}
        both = (names[0], names[1]) if names else None
        return command(agreement=Agreement(players=both, **agreed_on), **others)

    return with_agreement
