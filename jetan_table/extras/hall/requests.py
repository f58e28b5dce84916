"""What the arbiter may ask of a hall, as JSON: told apart by `do`."""

from typing import Annotated, TypeAlias

import msgspec

from ...game.commands import PlayersCommand
from ...game.events import Result
from .payloads import Count, Text
from .tournament import Tournament


class HallRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """Base of all of them."""


class SayToTable(HallRequest, frozen=True, tag="say"):
    """Tell a table a command; it is refused there where its game has gone on from `rev`."""

    table: Text
    rev: Count
    command: PlayersCommand


class ForgetTable(HallRequest, frozen=True, tag="forget"):
    """Know nothing of a table any more: its journal has been begun anew, or it is gone."""

    table: Text


class BeginTournament(HallRequest, frozen=True, tag="begin"):
    """Leave the tournament, and begin this one."""

    tournament: Tournament


class PairRound(HallRequest, frozen=True, tag="pair"):
    """Pair the next round, and offer the seats."""


class UnpairRound(HallRequest, frozen=True, tag="unpair"):
    """Undo the pairs of the last round."""


class EnterResult(HallRequest, frozen=True, tag="result"):
    """Enter how the game of `black` at a table has ended; `*`: as the table tells."""

    round: Annotated[int, msgspec.Meta(ge=1, le=1000)]
    table: Text
    black: Text
    result: Result


ArbiterRequest: TypeAlias = (
    SayToTable | ForgetTable | BeginTournament | PairRound | UnpairRound | EnterResult
)
"""All that the arbiter may ask."""
