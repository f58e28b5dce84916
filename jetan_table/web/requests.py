"""What a page can ask of the table: JSON objects, told apart by `do`."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec

from ..game.rolling import MOST_ADDED
from ..game.wagers import MOST_TOKENS

SquareName = Annotated[str, msgspec.Meta(pattern="^[a-j](10|[1-9])$", description="such as d2")]
Letter = Annotated[
    str, msgspec.Meta(pattern="^[PTWADFCQptwadfcq*]$", description="as in position texts")
]
Line = Annotated[str, msgspec.Meta(min_length=1, max_length=400)]
Name = Annotated[str, msgspec.Meta(max_length=40)]
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


class AnswerRequest(PageRequest, frozen=True, tag="answer"):
    """The piece the table asks about stood on this square."""

    square: SquareName


class RightRequest(PageRequest, frozen=True, tag="right"):
    """The board stands as it should: the switches that say otherwise have failed."""


class BackRequest(PageRequest, frozen=True, tag="back"):
    """Take back the last ply."""


class HintRequest(PageRequest, frozen=True, tag="hint"):
    """Advise who is to move: so much, or (None) more than before."""

    wanted: Literal["piece", "move", "why"] | None = None


class ResignRequest(PageRequest, frozen=True, tag="resign"):
    """A side gives up."""

    side: Literal["black", "orange"]


class OfferRequest(PageRequest, frozen=True, tag="offer"):
    """A side offers a draw; or accepts the other's offer."""

    side: Literal["black", "orange"]


class AcceptRequest(PageRequest, frozen=True, tag="accept"):
    """The draw that is offered is taken."""


class DeclineRequest(PageRequest, frozen=True, tag="decline"):
    """The draw that is offered is not wanted."""


class DrawRequest(PageRequest, frozen=True, tag="draw"):
    """Both sides agree on a draw."""


class RollRequest(PageRequest, frozen=True, tag="roll"):
    """Roll the Juggernaut's die; or enter what a real one has `shown`: `3`, `10,3,7`."""

    shown: Annotated[str, msgspec.Meta(max_length=20)] | None = None


class DuelRequest(PageRequest, frozen=True, tag="duel"):
    """Throw for both sides of a fight; or tell what real dice show, or who won.

    `told` is `7,4` (by the piece that entered first), or how that piece fared: `won`, `lost`.
    """

    told: Annotated[str, msgspec.Meta(max_length=20)] | None = None


class AddNumberRequest(PageRequest, frozen=True, tag="number"):
    """Add a player's number to the seed of the table's die, before its first roll."""

    number: Annotated[int, msgspec.Meta(ge=0, le=MOST_ADDED)]


class NewRequest(PageRequest, frozen=True, tag="new"):
    """Leave this game and begin another by a rules text, from its start or a position text.

    Without `clock` or `conduct` it is played as this one.
    It may belong to a series, and be played for a stake and prices of heads (`2`, `C=30`); what is
    not told is as in the last game of the series. `first` and `bias` are told, rolled, or left to
    whoever has won that choice.
    """

    rules: Line
    black: Name = "?"
    orange: Name = "?"
    position: Line | None = None
    clock: Line | None = None
    conduct: Literal["friendly", "strict", "tournament"] | None = None
    series: Name | None = None
    stake: Annotated[int, msgspec.Meta(ge=0, le=MOST_TOKENS)] | None = None
    prices: Line | None = None
    for_bias: bool | None = None
    first: Literal["black", "orange", "roll", "winner"] | None = None
    bias: Literal["clockwise", "counterclockwise", "roll", "winner"] | None = None


class HereRequest(PageRequest, frozen=True, tag="here"):
    """Leave this game and begin another from what stands on the board: each piece by its letter."""

    pieces: Annotated[dict[SquareName, Letter], msgspec.Meta(max_length=100)]
    side: Literal["black", "orange"] = "black"


class PauseRequest(PageRequest, frozen=True, tag="pause"):
    """Let the clock stand."""


class ResumeRequest(PageRequest, frozen=True, tag="resume"):
    """The pause is over."""


class PressRequest(PageRequest, frozen=True, tag="press"):
    """Press the clock: to start it, or to end a turn where buttons do that."""


class AdjustRequest(PageRequest, frozen=True, tag="adjust"):
    """The pieces lifted next are only put right."""


class ReleaseRequest(PageRequest, frozen=True, tag="release"):
    """What was touched need not be moved or taken."""


class FirstRequest(PageRequest, frozen=True, tag="first"):
    """A side moves first: agreed, or chosen by whose choice it is."""

    side: Literal["black", "orange"]


class CrossingRequest(PageRequest, frozen=True, tag="bias"):
    """The disk's centre is crossed so: agreed, or chosen by whose choice it is."""

    way: Literal["clockwise", "counterclockwise"]


class CorrectRequest(PageRequest, frozen=True, tag="correct"):
    """Play on from a position text, whatever was read."""

    position: Line


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


class InviteRequest(PageRequest, frozen=True, tag="invite"):
    """Let the opponent play a side from now on, at a level of its own; None: nobody.

    Where it `ponders`, it thinks on the people's time, too.
    """

    level: Literal["panthan", "than", "padwar", "dwar", "odwar", "jedwar", "jed", "jeddak"] | None
    side: Literal["black", "orange"] = "orange"
    ponders: bool = False


class PlaceRequest(PageRequest, frozen=True, tag="place"):
    """Tell the camera where the board's corners a1, j1, j10 and a10 are, in its pixels."""

    corners: Annotated[list[tuple[Pixel, Pixel]], msgspec.Meta(min_length=4, max_length=4)]


class LightRequest(PageRequest, frozen=True, tag="light"):
    """Change the lamps' palette or brightness, for later evenings, too."""

    palette: Literal["standard", "red-green", "mono"] | None = None
    brightness: Annotated[float, msgspec.Meta(ge=0.02, le=1)] | None = None


class TypeRequest(PageRequest, frozen=True, tag="type"):
    """Do what is typed, as at the table in a terminal."""

    line: Line


Request: TypeAlias = (
    LiftRequest
    | PutRequest
    | TakeRequest
    | BoxRequest
    | TiltRequest
    | AilRequest
    | TidyRequest
    | ObligeRequest
    | AnswerRequest
    | RightRequest
    | BackRequest
    | HintRequest
    | ResignRequest
    | OfferRequest
    | AcceptRequest
    | DeclineRequest
    | DrawRequest
    | PauseRequest
    | ResumeRequest
    | PressRequest
    | AdjustRequest
    | ReleaseRequest
    | RollRequest
    | DuelRequest
    | AddNumberRequest
    | NewRequest
    | HereRequest
    | FirstRequest
    | CrossingRequest
    | CorrectRequest
    | SaveRequest
    | LoadRequest
    | InviteRequest
    | PlaceRequest
    | LightRequest
    | TypeRequest
)
"""Anything a page can ask for."""


class EntryRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is told at the door: the table's PIN."""

    pin: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
