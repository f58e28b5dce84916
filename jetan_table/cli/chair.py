"""The opponent's chair: who is invited to it, and the process that thinks there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import wraps
from typing import Any

import click

from rules import Side

from ..opponent.seat import THINK_S, Guest, Seat
from ..table.dice import Dice
from ..table.loop import Table

PATIENT_S = 60.0
"""Where nobody waits for plain lines, one look may wait so long for an answer."""


def opponent_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command `--opponent` and what belongs to it, and tell it the guest, or None."""

    @click.option(
        "--opponent",
        metavar="LEVEL",
        help="Play against the table: panthan, padwar, dwar, odwar, jed or jeddak; or against "
        "'command:' and another engine's command line.",
    )
    @click.option(
        "--opponent-side", type=click.Choice([side.word for side in Side]), default="orange"
    )
    @click.option(
        "--think", type=click.FloatRange(0.05), default=THINK_S, help="Its seconds a move."
    )
    @click.option("--ponder", is_flag=True, help="It thinks on your time, too.")
    @wraps(command)
    def with_guest(
        opponent: str | None,
        opponent_side: str,
        think: float,
        ponder: bool,
        hands: str,
        **others: Any,
    ) -> int:
        side = Side[opponent_side.upper()]
        guest = Guest(opponent, side, think, ponder) if opponent else None
        if guest and hands == "auto":
            raise click.UsageError("--opponent: simulated people play both sides")
        return command(guest=guest, hands=hands, **others)

    return with_guest


@contextmanager
def seated(guest: Guest | None, table: Table, dice: Dice, is_eager: bool) -> Iterator[Seat]:
    """Put a chair to a table, as long as it lasts, and a guest on it; `is_eager`: no clock runs."""
    with closing(Seat(table, dice, PATIENT_S if is_eager else 0.0)) as chair:
        if guest is not None:
            chair.invite(guest)
        yield chair
