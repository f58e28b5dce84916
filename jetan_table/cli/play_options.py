"""What `jetan play` may be told of board, terms and opponent, beside what a game begins with."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, Final, Literal, get_args

import click
from msgspec.structs import replace

from rules import Side
from rules.errors import near_miss
from rules.sentences import _

from ..game.conduct import CONDUCTS, ConductName
from ..game.time_control import BadTimeControl, parse_time_control
from ..languages import Language
from ..opponent.invitation import THINK_S, Invitation
from ..settings import BoardKind, Settings, find_settings, read_settings
from .options import misused, spoken

SCREEN, SIMULATED, EMULATED, AUTO = "screen", "simulated", "emulated", "auto"
BOARDS: Final[dict[str, BoardKind]] = {
    **{kind: kind for kind in get_args(BoardKind)},
    EMULATED: "simulated",
    AUTO: "serial",
}
"""What `--board` may name, and the kind of board that it is."""


def chosen_settings(
    config: Path | None,
    language: Language | None,
    palette: Literal["standard", "red-green", "mono"] | None,
    board: str | None,
    speak: bool | None,
) -> Settings:
    """Return the settings of the file that counts, with what the command line says instead."""
    settings = read_settings(find_settings(config, os.environ))
    table = replace(settings.table, language=spoken(language, config))
    lamps = replace(settings.lamps, palette=palette or settings.lamps.palette)
    sound = settings.sound if speak is None else replace(settings.sound, speak=speak)
    return with_board(replace(settings, table=table, lamps=lamps, sound=sound), board)


def with_board(settings: Settings, board: str | None) -> Settings:
    """Return the settings for the board that was asked for; None asks for that of the settings."""
    if board is None:
        return settings
    is_port = "/" in board
    if not is_port and board not in BOARDS:
        near = near_miss(board, BOARDS)
        raise misused(
            _("--board {board}: no board, and no port of one{near}"), board=board, near=near
        )
    if is_port or board == AUTO:
        settings = replace(settings, serial=replace(settings.serial, port=board))
    kind = "serial" if is_port else BOARDS[board]
    return replace(settings, table=replace(settings.table, board=kind))


def check_board(is_simulated: bool, is_emulated: bool, hands: str, speed: float) -> None:
    """Refuse what only a simulated board can do; an emulated chip is its slowest part."""
    if hands == "auto" and not is_simulated:
        raise misused(_("--hands auto: simulated people can only touch a simulated board"))
    if speed != 1 and (is_emulated or not is_simulated):
        raise misused(
            _("--speed {speed:g}: only a simulated board runs faster or slower"), speed=speed
        )


@dataclass(frozen=True, slots=True)
class TermsOptions:
    """Clock and conduct that were asked for; None where the settings count."""

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
    """Give a command `--clock` and `--conduct`, and hand them to it as `terms`."""

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
            raise misused(_("--{why}"), why=error) from None
        return command(terms=TermsOptions(clock, conduct), **others)

    return with_terms


def opponent_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command `--opponent` and what belongs to it, as `guest`; None where none is asked."""

    @click.option(
        "--opponent",
        metavar="LEVEL",
        help="Play against the table: panthan, than, padwar, dwar, odwar, jedwar, jed or "
        "jeddak; or against 'command:' and another engine's command line.",
    )
    @click.option(
        "--opponent-side", type=click.Choice([side.word for side in Side]), default="orange"
    )
    @click.option(
        "--think", type=click.FloatRange(0.05), default=THINK_S, help="Its seconds a move."
    )
    @click.option("--ponder", is_flag=True, help="It thinks on your time, too.")
    @click.option("--guide", is_flag=True, help="The table shows you a good move each time.")
    @click.option("--no-book", is_flag=True, help="It thinks from the first move on.")
    @wraps(command)
    def with_guest(
        opponent: str | None,
        opponent_side: str,
        think: float,
        ponder: bool,
        guide: bool,
        no_book: bool,
        hands: str,
        **others: Any,
    ) -> int:
        side = Side[opponent_side.upper()]
        guest = Invitation(opponent, side, think, ponder, guide, not no_book) if opponent else None
        if guest and hands == "auto":
            raise misused(_("--opponent: simulated people play both sides"))
        return command(guest=guest, hands=hands, **others)

    return with_guest
