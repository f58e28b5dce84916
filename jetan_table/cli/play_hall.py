"""What `jetan play` has to do with a broker: the hall it tells, and a far table it plays."""

from __future__ import annotations

import secrets
import string
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from rules import format_position
from rules.ruleset import format_rules
from rules.sentences import _

from ..game.events import SideName
from ..settings import Settings
from .options import misused

if TYPE_CHECKING:
    from ..hall.far import FarPlayer
    from ..hall.far_door import FarDoor
    from ..hall.payloads import MatchSide
    from ..hall.teller import Teller


@dataclass(frozen=True, slots=True)
class FarOptions:
    """The match against a far table that was asked for; None: against nobody."""

    match: str | None = None
    side: SideName = "black"

    def code(self, made_up: str) -> str:
        """Return the match's code: `made_up` where a new match is asked for."""
        code = (self.match or "").upper()
        if code == "NEW":
            return made_up
        if len(code) != 6 or not (code.isascii() and code.isalpha()):
            raise misused(
                _("--far {match}: say new, or the six letters of a match"), match=self.match
            )
        return code


NOBODY: Final = FarOptions()


def far_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command `--far` and `--far-side`, and hand them to it as `far`."""

    @click.option("--far", "match", metavar="MATCH", help="Play a far table: new, or its code.")
    @click.option(
        "--far-side",
        type=click.Choice(["black", "orange"]),
        default="black",
        help="Your own side, where you invite.",
    )
    @wraps(command)
    def with_far(match: str | None, far_side: SideName, **others: Any) -> int:
        return command(far=FarOptions(match, far_side), **others)

    return with_far


@contextmanager
def told_to_hall(settings: Settings) -> Iterator[Teller | None]:
    """Tell the hall of the settings while the block runs; None where they name none."""
    if not settings.hall.broker:
        yield None
        return
    from ..hall.table_link import telling  # which brings a client: only where one is wanted

    with telling(settings, time.time(), time.monotonic) as teller:
        yield teller


def made_up_code() -> str:
    """Return six letters that nobody can guess."""
    return "".join(secrets.choice(string.ascii_uppercase) for _letter in range(6))


def far_door(settings: Settings, folder: Path, teller: Teller, player: FarPlayer | None) -> FarDoor:
    """Return where far players come in at a table; one of them may sit there already."""
    from ..hall.far_door import FarDoor
    from ..hall.table_link import far_player

    def join(code: str, proposed: MatchSide) -> FarPlayer:
        return far_player(teller, code, folder, proposed, time.monotonic)

    return FarDoor(settings.hall.table, join, made_up_code, player)


def played_far(
    far: FarOptions, settings: Settings, rules: str, folder: Path, teller: Teller | None
) -> FarPlayer | None:
    """Return the far player of the match that was asked for; None for none."""
    if far.match is None:
        return None
    code = far.code(made_up_code())
    if teller is None:
        raise misused(_("--far: the settings name no broker: [hall] broker and table"))
    from ..hall.far_match import side_of_match
    from ..hall.table_link import far_player
    from .start import start_position

    start = start_position(rules, None)
    name = settings.hall.table
    texts = format_rules(start.rules), format_position(start), settings.table.clock
    side = side_of_match(name, far.side, *texts)
    return far_player(teller, code, folder, side, time.monotonic)
