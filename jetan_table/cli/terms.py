"""The options `--clock` and `--conduct` of a command that begins games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

import click
from msgspec.structs import replace

from ..game.conduct import CONDUCTS, ConductName
from ..game.time_control import BadTimeControl, parse_time_control
from ..settings import Settings


@dataclass(frozen=True, slots=True)
class AskedTerms:
    """What was asked for; None where the settings count."""

    clock: str | None
    conduct: ConductName | None

    def __bool__(self) -> bool:
        """Whether anything was."""
        return self.clock is not None or self.conduct is not None

    def within(self, settings: Settings) -> Settings:
        """Return the settings with what was asked for instead."""
        table = settings.table
        clock, conduct = self.clock or table.clock, self.conduct or table.conduct
        return replace(settings, table=replace(table, clock=clock, conduct=conduct))


def terms_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command `--clock` and `--conduct`, and tell it what was asked for."""

    @click.option(
        "--clock",
        metavar="CLOCK",
        help="Begin a new game with a clock: 10 (minutes), 10+5 (increment), 10d5 (delay), 10b5 "
        "(Bronstein), hourglass 3; buttons behind it: they are pressed; none.",
    )
    @click.option(
        "--conduct", type=click.Choice(list(CONDUCTS)), help="Begin a new game, to be played so."
    )
    @wraps(command)
    def with_terms(clock: str | None, conduct: ConductName | None, **others: Any) -> int:
        try:
            parse_time_control(clock or "none")
        except BadTimeControl as error:
            raise click.UsageError(f"--{error}") from None
        return command(terms=AskedTerms(clock, conduct), **others)

    return with_terms
