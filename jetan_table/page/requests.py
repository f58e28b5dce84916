"""What a page can ask of the table: JSON objects, told apart by `do`.

Commands are those of `game.commands`; here is what else a page asks for: touches of a simulated
board, games kept and saved, lamps, a camera, an opponent.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import msgspec

from ..game.commands import AnyCommand, Command, Line, SquareName
from ..game.events import kinds_of
from ..light.lamps import PaletteName

Letter = Annotated[
    str, msgspec.Meta(pattern="^[PTWADFCQptwadfcq*]$", description="as in position texts")
]
GameNumber = Annotated[int, msgspec.Meta(ge=1, le=10**9)]
PlyCount = Annotated[int, msgspec.Meta(ge=0, le=100_000)]


Pixel = Annotated[float, msgspec.Meta(ge=-20_000, le=20_000)]


class PageRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """Base of the requests below."""


class LiftRequest(PageRequest, frozen=True, tag="lift"):
    """A simulated hand lifts what stands on a square."""

    square: SquareName


class PutRequest(PageRequest, frozen=True, tag="put"):
    """It puts down what it lifted last, or a piece of that letter, from the hand or the box."""

    square: SquareName
    letter: Letter | None = None


class TakeRequest(PageRequest, frozen=True, tag="take"):
    """It takes what stands on a square into the box, and puts a piece it holds there."""

    square: SquareName
    letter: Letter | None = None


class BoxRequest(PageRequest, frozen=True, tag="box"):
    """It puts what it holds, or the piece of one letter, into the box."""

    letter: Letter | None = None


class TiltRequest(PageRequest, frozen=True, tag="tilt"):
    """It knocks a piece over, which lies beside its square for a while."""

    square: SquareName


class AilRequest(PageRequest, frozen=True, tag="ail"):
    """A simulated switch begins to fail, or is mended."""

    square: SquareName
    fault: Literal["stuck", "dead", "weak"] | None


class TidyRequest(PageRequest, frozen=True, tag="tidy"):
    """Simulated hands put all pieces where they belong."""


class ObligeRequest(PageRequest, frozen=True, tag="oblige"):
    """Simulated hands carry out what the player without hands wishes."""


class PickRequest(PageRequest, frozen=True, tag="pick"):
    """On a screen: show where the piece of a square may go; None: nobody is about to move."""

    square: SquareName | None = None


class MoveRequest(PageRequest, frozen=True, tag="move"):
    """On a screen: play from one square to another."""

    from_square: SquareName
    to_square: SquareName


class SimulateRequest(PageRequest, frozen=True, tag="simulate"):
    """Begin, or cease, to simulate a real table's hands, switches and faults on the screen."""

    is_wanted: bool


class HereRequest(PageRequest, frozen=True, tag="here"):
    """Leave this game and begin another from what stands on the board: each piece by its letter."""

    pieces: Annotated[dict[SquareName, Letter], msgspec.Meta(max_length=100)]
    side: Literal["black", "orange"] = "black"


class SaveRequest(PageRequest, frozen=True, tag="save"):
    """Save the game under a name; `game` is a kept one's number, None the one being played."""

    name: Line
    game: GameNumber | None = None


class LoadRequest(PageRequest, frozen=True, tag="load"):
    """Begin a game that goes on after so many plies (None: all) of another.

    The other one is told by exactly one of: the name it was saved under, its number among the
    games kept, or its text (`.jgn`).
    """

    name: Line | None = None
    game: GameNumber | None = None
    text: Annotated[str, msgspec.Meta(max_length=60_000)] | None = None
    plies: PlyCount | None = None


class PlaceRequest(PageRequest, frozen=True, tag="place"):
    """Tell the camera where the board's corners a1, j1, j10 and a10 are, in its pixels."""

    corners: Annotated[list[tuple[Pixel, Pixel]], msgspec.Meta(min_length=4, max_length=4)]


class LightRequest(PageRequest, frozen=True, tag="light"):
    """Change the lamps' palette or brightness, for later evenings, too."""

    palette: PaletteName | None = None
    brightness: Annotated[float, msgspec.Meta(ge=0.02, le=1)] | None = None


class PaceRequest(PageRequest, frozen=True, tag="pace"):
    """Let a table that plays both sides on a screen play so often, or stand still."""

    every_s: Annotated[float, msgspec.Meta(ge=0.1, le=60)] | None = None
    """None: as often as before."""
    is_paused: bool = False


class LampRequest(PageRequest, frozen=True, tag="lamp"):
    """Light the lamp of one square for a moment, to see which it is."""

    square: SquareName


class TypeRequest(PageRequest, frozen=True, tag="type"):
    """Do what is typed, as at the table in a terminal."""

    line: Line


if TYPE_CHECKING:
    Request: TypeAlias = Command | PageRequest
else:
    Request = reduce(or_, kinds_of(PageRequest, globals()), AnyCommand)
"""Anything a page can ask for."""


class EntryRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is told at the door: the table's PIN."""

    pin: Annotated[str, msgspec.Meta(max_length=40)] = ""
    """Empty from this machine's own browser, which need not know it."""
