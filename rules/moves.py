"""A move's identity, and how a game ends: plain values."""

from __future__ import annotations

from enum import Enum

from .board import Square
from .pieces import Side
from .plain import NamedTuple
from .sentences import _


class MoveKind(Enum):
    """What a ply does on the square it ends on; the Princess's escape is its own kind."""

    MOVE = str(_("move"))
    CAPTURE = str(_("capture"))
    ESCAPE = str(_("escape"))


class Move(NamedTuple):
    """A move is told by where it begins, where it ends and its kind; its path is no part of it."""

    from_square: Square
    to_square: Square
    kind: MoveKind


class Termination(Enum):
    """Why a game is over, as the Termination tag of a game text writes it.

    Texts of files are no sentences, but people are told them: hence `str` of one.
    """

    PRINCESS_TAKEN = str(_("princess taken"))
    CHIEF_BY_CHIEF = str(_("chief taken by chief"))
    CHIEF_BY_OTHER = str(_("chief taken by another piece"))
    JUGGERNAUT = str(_("juggernaut"))
    CHECKMATE = str(_("checkmate"))
    NO_MOVE = str(_("no move"))
    FEW_PIECES = str(_("few pieces"))
    CAPTURELESS = str(_("captureless"))
    REPETITION = str(_("repetition"))
    RESIGNED = str(_("resigned"))
    AGREED = str(_("agreed"))
    TIME = str(_("time forfeit"))


class Outcome(NamedTuple):
    """A finished game's winner (None: a draw) and the reason."""

    winner: Side | None
    termination: Termination
