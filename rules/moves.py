"""A move's identity, and how a game ends: plain values."""

from __future__ import annotations

from enum import Enum

from .pieces import Side
from .plain import NamedTuple
from .topology import Square


class MoveKind(Enum):
    """What a ply does on the square it ends on; the Princess's escape is its own kind."""

    MOVE = "move"
    CAPTURE = "capture"
    ESCAPE = "escape"


class Move(NamedTuple):
    """A move is told by where it begins, where it ends and its kind; its path is no part of it."""

    from_square: Square
    to_square: Square
    kind: MoveKind


class Termination(Enum):
    """Why a game is over, as the Termination tag of a game text writes it."""

    PRINCESS_TAKEN = "princess taken"
    CHIEF_BY_CHIEF = "chief taken by chief"
    CHIEF_BY_OTHER = "chief taken by another piece"
    JUGGERNAUT = "juggernaut"
    CHECKMATE = "checkmate"
    NO_MOVE = "no move"
    FEW_PIECES = "few pieces"
    CAPTURELESS = "captureless"
    REPETITION = "repetition"
    RESIGNED = "resigned"
    AGREED = "agreed"
    TIME = "time forfeit"


class Outcome(NamedTuple):
    """A finished game's winner (None: a draw) and the reason."""

    winner: Side | None
    termination: Termination
