"""What people can tell a table in words: typed, or by a button."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from rules import Position, Side, Square
from rules.juggernaut import Roll

from .advice import Help
from .events import Event, Header
from .refusals import Refusal


class CommandRefused(Refusal, ValueError):
    """A command that makes no sense just now."""


@dataclass(frozen=True, slots=True)
class TakeBackLast:
    """Undo the last ply; the table then leads the pieces back."""


@dataclass(frozen=True, slots=True)
class Resign:
    """`side` gives up."""

    side: Side


@dataclass(frozen=True, slots=True)
class AgreeDraw:
    """Both sides agree on a draw."""


@dataclass(frozen=True, slots=True)
class AnswerQuestion:
    """The piece asked about stood on `square`."""

    square: Square


@dataclass(frozen=True, slots=True)
class BoardIsRight:
    """Everything stands where it should: switches that say otherwise have failed."""


@dataclass(frozen=True, slots=True)
class Correct:
    """Play on from `position`, whatever was read."""

    position: Position


@dataclass(frozen=True, slots=True)
class RollDie:
    """Roll the table's own die for the Juggernaut."""


@dataclass(frozen=True, slots=True)
class EnterRoll:
    """People have thrown a die of their own for the Juggernaut, and it shows `roll`."""

    roll: Roll


@dataclass(frozen=True, slots=True)
class AddNumber:
    """Add a number that a player has thought of to the seed of the table's die."""

    number: int


@dataclass(frozen=True, slots=True)
class AskAdvice:
    """Who is to move wants to be told so much of what to play; None: more than before."""

    wanted: Help | None = None


@dataclass(frozen=True, slots=True)
class NewGame:
    """Leave this game and begin another, in which `events` have happened already."""

    header: Header
    events: tuple[Event, ...] = ()


Command: TypeAlias = (
    TakeBackLast
    | Resign
    | AgreeDraw
    | AnswerQuestion
    | BoardIsRight
    | Correct
    | RollDie
    | EnterRoll
    | AddNumber
    | AskAdvice
    | NewGame
)
