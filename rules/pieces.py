"""The pieces: two sides, eight kinds, and what can stand on a square."""

from __future__ import annotations

from enum import Enum, IntEnum

from .plain import NamedTuple


class Side(IntEnum):
    """Black sits in the south (ranks 1 and 2), Orange in the north (ranks 9 and 10)."""

    BLACK = 0
    ORANGE = 1

    @property
    def other(self) -> Side:
        return _OTHER[self]

    @property
    def word(self) -> str:
        """`black` or `orange`, as texts name the side."""
        return self.name.lower()


_OTHER = (Side.ORANGE, Side.BLACK)


class Kind(Enum):
    """A kind of piece; its value is the letter texts use for it."""

    PANTHAN = "P"
    THOAT = "T"
    WARRIOR = "W"
    PADWAR = "A"
    DWAR = "D"
    FLIER = "F"
    CHIEF = "C"
    PRINCESS = "Q"

    @property
    def word(self) -> str:
        """`panthan`, `thoat`, ...: the kind's name in rules texts."""
        return self.name.lower()


KINDS = tuple(Kind)
"""Every kind, in an order that never changes."""


class Piece(NamedTuple):
    """A man: a side and a kind. The Juggernaut belongs to no side and is not one."""

    side: Side
    kind: Kind

    @property
    def letter(self) -> str:
        """Upper case for Black, lower case for Orange."""
        letter = self.kind.value
        return letter if self.side is Side.BLACK else letter.lower()


class Occupant(IntEnum):
    """What stands on a square, as far as a sensor can ask: whose, not which."""

    EMPTY = 0
    BLACK = 1
    ORANGE = 2
    NEUTRAL = 3


OCCUPANT_OF = (Occupant.BLACK, Occupant.ORANGE)
"""The occupant a side's piece is, by Side."""

PIECES = {piece.letter: piece for piece in (Piece(s, k) for s in Side for k in Kind)}
"""Every piece by its letter in position texts."""

JUGGERNAUT_LETTER = "*"
