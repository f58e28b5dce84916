"""A match against a far table, on the page."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from rules import _

from ...game.commands import CommandRefused
from ...page.asked import AskedTable, Handler, PageRequest
from ...page.house import PagePart
from .far import FarDoor, FarMatch


class FarRequest(PageRequest, frozen=True, tag="far"):
    """Play against a far table: accept the match of six letters; None: invite, and play `side`."""

    code: Annotated[str, msgspec.Meta(pattern="^[A-Za-z]{6}$")] | None = None
    side: Literal["black", "orange"] = "black"


class FarPart(msgspec.Struct, frozen=True):
    """The page's view of matches against far tables."""

    may_call: bool
    """True if there is a link to far tables."""
    far: FarMatch | None = None
    """None where no match against a far table is played."""


class HallPage(PagePart):
    """Calls far tables to a match."""

    state = FarPart
    panel = Path(__file__).with_name("panel")

    def handlers(self) -> Mapping[type[PageRequest], Handler]:
        return {FarRequest: call}

    def state_of(self, asked: AskedTable) -> FarPart:
        door = asked.table.guest(FarDoor)
        return FarPart(False) if door is None else FarPart(True, door.match)

    def seen(self, asked: AskedTable) -> object:
        door = asked.table.guest(FarDoor)
        return None if door is None else door.match


def call(asked: AskedTable, request: FarRequest) -> list[str]:
    """Invite a far table to a match, or accept one; return the match's code."""
    door = asked.table.guest(FarDoor)
    if door is None:
        raise CommandRefused(_("no far table can be reached: the settings name no broker"))
    return [door.open(request.code, request.side, asked.table.record)]
