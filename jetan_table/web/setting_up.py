"""The pages that set a table up: what they ask of it, and what they are shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

import msgspec

from rules import parse_square

from ..setup.guide import SetUp


class SetUpRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """Base of all that can be asked of a set-up; `do` says which."""


class AnswerStep(SetUpRequest, frozen=True, tag="answer"):
    """Answer the step: settings by section, the sort of table, the opponent of the first game."""

    options: dict[str, dict[str, Any]] = {}
    kind: str | None = None
    opponent: str | None = None


class GoToStep(SetUpRequest, frozen=True, tag="go"):
    """Go to a step."""

    step: str


class TapSquare(SetUpRequest, frozen=True, tag="tap"):
    """Touch a square of the board as the page shows it."""

    square: Annotated[str, msgspec.Meta(max_length=3)]


class SkipStep(SetUpRequest, frozen=True, tag="skip"):
    """Leave the step as it is."""


class ExamineTable(SetUpRequest, frozen=True, tag="examine"):
    """Look what the machine finds of this table."""


class WalkWires(SetUpRequest, frozen=True, tag="walk"):
    """Begin the walk along the wires, or go on with it."""


class WalkEvery(SetUpRequest, frozen=True, tag="every"):
    """Go on with it until every square was tried."""


class WalkAgain(SetUpRequest, frozen=True, tag="again"):
    """Begin it anew."""


class SayNothing(SetUpRequest, frozen=True, tag="nothing"):
    """The board is empty, or nothing happened."""


class ShineLamps(SetUpRequest, frozen=True, tag="shine"):
    """Light the whole board, or one square of it."""

    square: Annotated[str, msgspec.Meta(max_length=3)] | None = None


class OrderLamps(SetUpRequest, frozen=True, tag="order"):
    """Take a usual order for that of the lamps: its pattern, first lamp, and along what it runs."""

    pattern: str
    corner: str
    along: str


class FinishSetUp(SetUpRequest, frozen=True, tag="finish"):
    """Write the settings, and begin the first game."""


class LeaveSetUp(SetUpRequest, frozen=True, tag="leave"):
    """Let go of the board; set-up can go on later."""


Asked = (
    AnswerStep
    | GoToStep
    | TapSquare
    | SkipStep
    | ExamineTable
    | WalkWires
    | WalkEvery
    | WalkAgain
    | SayNothing
    | ShineLamps
    | OrderLamps
    | FinishSetUp
    | LeaveSetUp
)


def do(set_up: SetUp, asked: Asked) -> dict[str, Any]:
    """Do what is asked; return what is to be shown then. A refusal of set-up's where it cannot."""
    match asked:
        case AnswerStep(options=options, kind=kind, opponent=opponent):
            more = {"kind": kind, "opponent": opponent}
            set_up.answer(options, {name: word for name, word in more.items() if word is not None})
        case GoToStep(step=step):
            set_up.go(step)
        case TapSquare(square=square):
            set_up.tap(parse_square(square))
        case ShineLamps(square=square):
            set_up.shine(None if square is None else parse_square(square))
        case OrderLamps(pattern=pattern, corner=corner, along=along):
            set_up.order((pattern, corner, along))
        case _:
            PLAIN[type(asked)](set_up)
    return set_up.document()


PLAIN: Mapping[type[SetUpRequest], Callable[[SetUp], None]] = {
    SkipStep: SetUp.skip,
    ExamineTable: SetUp.examine,
    WalkWires: SetUp.walk,
    WalkEvery: SetUp.walk_every,
    WalkAgain: SetUp.again,
    SayNothing: SetUp.nothing,
    FinishSetUp: SetUp.finish,
    LeaveSetUp: SetUp.leave,
}
"""What is asked without a word more."""
