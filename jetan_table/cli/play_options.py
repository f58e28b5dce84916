"""The options of a table that is played at, and those of a new game.

A new game has rules, a position, terms (clock and conduct), and its people's agreements.
"""

from __future__ import annotations

import os
import re
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

import click
from msgspec.structs import replace

from rules import _, near_miss

from ..extras import board_kinds
from ..game.agreements import CONDUCTS, BadTimeControl, parse_time_control
from ..game.commands import New
from ..game.events import ConductName, SideName, Way
from ..languages import Language
from ..settings import BOARD_KINDS, FOREIGN, Settings, find_settings, read_settings
from .options import SeenOptions, misused, option

PLAYED: Final = frozenset({"screen", "simulated", "emulated"})
"""The boards whose pieces only a program's hands can touch."""


PaletteName: TypeAlias = Literal["standard", "red-green", "mono"]

AUTO: Final = "auto"
"""Asks for the first board at a serial port."""


def chosen_settings(
    config: Path | None,
    language: Language,
    palette: PaletteName | None,
    board: str | None,
    speak: bool | None,
    by_ear: bool = False,
) -> Settings:
    """Return the settings of the file that counts, changed by the options of the command line."""
    settings = read_settings(find_settings(config, os.environ))
    table = replace(settings.table, language=language)
    lamps = replace(settings.lamps, palette=palette or settings.lamps.palette)
    sound = settings.sound if speak is None else replace(settings.sound, speak=speak)
    sound = replace(sound, by_ear=True) if by_ear else sound
    return with_board(replace(settings, table=table, lamps=lamps, sound=sound), board)


def for_new_games(settings: Settings, wanted: New, rules: str | None = None) -> Settings:
    """Return the settings with the wanted clock and conduct, and with these rules."""
    usual = settings.table
    table = replace(
        usual,
        rules=rules or usual.rules,
        clock=wanted.clock or usual.clock,
        conduct=wanted.conduct or usual.conduct,
    )
    return replace(settings, table=table)


def with_board(settings: Settings, board: str | None) -> Settings:
    """Return the settings for the board of an option; None leaves that of the settings.

    It is a kind of board, the port of one, `auto`, the first at a serial port, or what another
    package brings: a name that it announces, or MODULE:NAME.
    """
    if board is None:
        return settings
    kinds = {kind: kind for kind in (*board_kinds(), *BOARD_KINDS)} | {AUTO: "serial"}
    if re.fullmatch(FOREIGN, board):
        kinds[board] = board
    if "/" not in board and board not in kinds:
        near = near_miss(board, kinds)
        raise misused(
            _("--board {board}: no board, and no port of one{near}"), board=board, near=near
        )
    kind = kinds.get(board, "serial")
    if board == AUTO or "/" in board:
        settings = replace(settings, serial=replace(settings.serial, port=board))
    return replace(settings, table=replace(settings.table, board=kind))


def is_piped() -> bool:
    """Return True if there is no terminal to play in."""
    return not (sys.stdin.isatty() and sys.stdout.isatty())


@dataclass(frozen=True, slots=True)
class CameraOptions:
    """Options about the camera over a table; None leaves one to the settings."""

    source: Annotated[
        str | None,
        option(
            "A camera over the board, as for `jetan watch`: alone, or beside a board's switches.",
            "--camera",
            metavar="SOURCE",
        ),
    ]
    sight: SeenOptions

    def added_to(self, settings: Settings) -> Settings:
        """Return the settings with it: without a real board the camera alone sees the game."""
        camera, table = self.sight.within(settings.camera), settings.table
        if self.source is not None:
            camera = replace(camera, source=self.source)
        if self.source and table.board in PLAYED:
            table = replace(table, board="camera")
        if table.board == "camera" and not camera.source:
            raise misused(
                _("--board camera: say which camera, as in --camera usb:0, or [camera] source")
            )
        if any(asdict(self.sight).values()) and not camera.source:
            raise misused(
                _(
                    "--corners, --markers and --lens belong to a camera: name it, as in"
                    " --camera usb:0"
                )
            )
        return replace(settings, table=table, camera=camera)


def agreement(
    players: Annotated[str | None, option("Who has Black, and who Orange.", metavar="A,B")],
    stake: Annotated[
        int | None, option("The winner gets so many tokens.", within=(0, 1_000_000), metavar="N")
    ],
    prices: Annotated[
        str | None,
        option(
            "Of heads: 2 is twice their values; C=30,Q=5 those of kinds; or 2,C=30.",
            "--price",
            metavar="PRICES",
        ),
    ],
    for_bias: Annotated[bool | None, option("The next bias is a prize, too.", default=None)],
    first: Annotated[
        SideName | Literal["roll", "winner"] | None,
        "Who begins; in a series without: whom the last winner names, else by a roll.",
    ],
    bias: Annotated[
        Way | Literal["roll", "winner"] | None,
        "How the disk's centre is crossed; without: as the rules say.",
    ],
) -> New:
    """Return people's agreements before a game, and nothing else of it."""
    wanted = New(stake=stake, prices=prices, for_bias=for_bias, first=first, bias=bias)
    if players is None:
        return wanted
    names = [name.strip() for name in players.split(",")]
    if len(names) != 2 or not all(names):
        raise misused(
            _("--players {players}: must be two names, as in Tara,Gahan"), players=players
        )
    return replace(wanted, black=names[0], orange=names[1])


def wanted_game(
    rules: Annotated[str | None, option("Begin a new game by these rules.", metavar="RULES")],
    position: Annotated[
        str | None, option("Begin a new game from this position.", metavar="POSITION")
    ],
    clock: Annotated[
        str | None,
        option(
            "Begin a new game with a clock: 10 (minutes), 10+5 (increment), 10d5 (delay), "
            "10b5 (Bronstein), hourglass 3; add `buttons` to press it yourselves; none.",
            metavar="CLOCK",
        ),
    ],
    conduct: Annotated[
        ConductName | None,
        option("Begin a new game with this conduct.", type=click.Choice(list(CONDUCTS))),
    ],
    series: Annotated[str | None, option("Play the next game of a series.", metavar="NAME")],
    agreed: Annotated[New, agreement],
) -> New:
    """Return the game of the options; without any, the unfinished one goes on."""
    try:
        parse_time_control(clock or "none")
    except BadTimeControl as error:
        raise misused(_("--{why}"), why=error) from None
    return replace(
        agreed, rules=rules, position=position, clock=clock, conduct=conduct, series=series
    )
