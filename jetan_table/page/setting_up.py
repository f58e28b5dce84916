"""The pages that set a table up: what they ask of it, and what they are shown."""

from collections.abc import Callable, Mapping
from functools import reduce
from operator import or_
from typing import Annotated, Any, Final

import msgspec

from rules import parse_square

from ..extras.commissioning.guide import SetUp

PLAIN: Final[Mapping[str, Callable[[SetUp], None]]] = {
    "skip": SetUp.skip,
    "examine": SetUp.examine,
    "walk": SetUp.walk,
    "every": SetUp.walk_every,
    "again": SetUp.again,
    "nothing": SetUp.nothing,
    "finish": SetUp.finish,
    "leave": SetUp.leave,
}
"""What is asked without a word more, by what a page says."""


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


class ShineLamps(SetUpRequest, frozen=True, tag="shine"):
    """Light the whole board, or one square of it."""

    square: Annotated[str, msgspec.Meta(max_length=3)] | None = None


class OrderLamps(SetUpRequest, frozen=True, tag="order"):
    """Take a usual order for that of the lamps: its pattern, first lamp, and along what it runs."""

    pattern: str
    corner: str
    along: str


Asked: Final[Any] = reduce(
    or_,
    (msgspec.defstruct(word, [], bases=(SetUpRequest,), frozen=True, tag=word) for word in PLAIN),
    AnswerStep | GoToStep | TapSquare | ShineLamps | OrderLamps,
)


def do(set_up: SetUp, asked: SetUpRequest) -> dict[str, Any]:
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
            PLAIN[str(asked.__struct_config__.tag)](set_up)
    return set_up.document()
