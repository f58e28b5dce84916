"""What people can tell a table in words: typed, or by a button."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

from rules import Position, Side, Square
from rules.duel import Throw
from rules.juggernaut import Roll

from .conduct import ConductName
from .events import Event, Header, Way
from .refusals import Refusal


class CommandRefused(Refusal, ValueError):
    """A command that makes no sense just now."""


class Help(IntEnum):
    """How much is told; who asks again is told more."""

    PIECE = 1
    MOVE = 2
    WHY = 3

    @property
    def more(self) -> Help:
        """The next, or the same where there is none."""
        return Help(min(self + 1, Help.WHY))


@dataclass(frozen=True, slots=True)
class TakeBackLast:
    """Undo the last ply; the table then leads the pieces back."""


@dataclass(frozen=True, slots=True)
class Resign:
    """`side` gives up."""

    side: Side


@dataclass(frozen=True, slots=True)
class OfferDraw:
    """`side` offers a draw; where the other side has offered one, it accepts."""

    side: Side


@dataclass(frozen=True, slots=True)
class AcceptDraw:
    """The side that is offered a draw accepts."""


@dataclass(frozen=True, slots=True)
class DeclineDraw:
    """The side that is offered a draw wants none."""


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
class TurnBoard:
    """The board lies otherwise: the squares that the table calls so are really a1 and b1."""

    a1: Square
    b1: Square


@dataclass(frozen=True, slots=True)
class RollDie:
    """Roll the table's own die: for the Juggernaut, or for both sides of a fight."""


@dataclass(frozen=True, slots=True)
class EnterRoll:
    """People have thrown a die of their own for the Juggernaut, and it shows `roll`."""

    roll: Roll


@dataclass(frozen=True, slots=True)
class EnterThrow:
    """People have thrown dice of their own for a fight, and they show `throw`."""

    throw: Throw


@dataclass(frozen=True, slots=True)
class TellDuel:
    """People have fought for a square themselves; `is_won`: the piece that entered has it."""

    is_won: bool


@dataclass(frozen=True, slots=True)
class AddNumber:
    """Add a number that a player has thought of to the seed of the table's die."""

    number: int


@dataclass(frozen=True, slots=True)
class AskAdvice:
    """Who is to move wants to be told so much of what to play; None: more than before."""

    wanted: Help | None = None


@dataclass(frozen=True, slots=True)
class ChooseFirst:
    """`side` moves first: people agree so, or whose choice it is says so."""

    side: Side


@dataclass(frozen=True, slots=True)
class ChooseBias:
    """The disk's centre is crossed `way`: agreed, or said by whose choice it is."""

    way: Way


@dataclass(frozen=True, slots=True)
class EnterFace:
    """People have thrown a die of their own for who begins, or for the bias: it shows `face`."""

    face: int


@dataclass(frozen=True, slots=True)
class NewGame:
    """Leave this game and begin another, in which `events` have happened already.

    `is_set_up`: its men have just been set up, whatever stood where they stand before.
    """

    header: Header
    events: tuple[Event, ...] = ()
    is_set_up: bool = False


@dataclass(frozen=True, slots=True)
class SetClock:
    """Play this game, before its first ply, with a time control as people write one."""

    control: str


@dataclass(frozen=True, slots=True)
class SetConduct:
    """Keep to a conduct in this game, before its first ply."""

    conduct: ConductName


@dataclass(frozen=True, slots=True)
class PauseGame:
    """Let the clock stand, until somebody plays or says that the game goes on."""


@dataclass(frozen=True, slots=True)
class ResumeGame:
    """The pause is over."""


@dataclass(frozen=True, slots=True)
class PressClock:
    """Press the clock: to start it, to end a turn where buttons do that, to end a pause."""


@dataclass(frozen=True, slots=True)
class SetClockTimes:
    """Let the clocks show so many seconds."""

    black_s: float
    orange_s: float


@dataclass(frozen=True, slots=True)
class ReleaseTouched:
    """What was touched need not be moved or taken."""


@dataclass(frozen=True, slots=True)
class SayAdjust:
    """The pieces lifted next are only put right (j'adoube)."""


@dataclass(frozen=True, slots=True)
class AsArbiter:
    """The arbiter, who knows the PIN, tells the table a command."""

    pin: str
    command: Command


TermsCommand: TypeAlias = (
    SetClock | SetConduct | PauseGame | ResumeGame | PressClock | SetClockTimes | ReleaseTouched
)

Command: TypeAlias = (
    TermsCommand
    | SayAdjust
    | AsArbiter
    | TakeBackLast
    | Resign
    | OfferDraw
    | AcceptDraw
    | DeclineDraw
    | AgreeDraw
    | AnswerQuestion
    | BoardIsRight
    | Correct
    | TurnBoard
    | RollDie
    | EnterRoll
    | EnterThrow
    | TellDuel
    | AddNumber
    | AskAdvice
    | ChooseFirst
    | ChooseBias
    | EnterFace
    | NewGame
)
