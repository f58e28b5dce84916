"""How the players of a game behave: what they may ask of the table, and what a touch means.

Touch-move: an own piece that is held for `ADJUST_S` must be moved if it can, an enemy's must be
taken if it can; whoever puts a piece straight back has adjusted it. Of several that were touched
the first that can be moved or taken counts; one of each side must take the other if it can.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from rules import Move, Position, Square
from rules.board import OCCUPANT_OF

ConductName: TypeAlias = Literal["friendly", "strict", "tournament"]

ADJUST_S: Final = 1.5
"""A piece that was lifted and stands again within so long was adjusted, not touched."""

AMEND_S: Final = 3.0
"""So long after a ply hands may still amend it where nothing may be taken back: they slid on."""


@dataclass(frozen=True, slots=True)
class Conduct:
    """What is allowed: `allows_hints` is of all help with play, at the board, in words, on pages.

    `needs_arbiter`: what corrects the game takes the arbiter's PIN.
    """

    name: ConductName
    is_touch_move: bool = False
    allows_hints: bool = True
    allows_take_back: bool = True
    needs_arbiter: bool = False


FRIENDLY: Final = Conduct("friendly")
CONDUCTS: Final[Mapping[str, Conduct]] = {
    "friendly": FRIENDLY,
    "strict": Conduct("strict", is_touch_move=True),
    "tournament": Conduct("tournament", True, False, False, True),
}


def owed(position: Position, touched: Sequence[Square]) -> frozenset[Move]:
    """Return the plies that must be chosen from, the pieces on `touched` having been touched.

    Empty where any will do: nothing was touched, or nothing touched can be moved or taken.
    """
    if not touched:
        return frozenset()
    moves = position.moves()
    own = [at for at in touched if position.occupant_at(at) is OCCUPANT_OF[position.side]]
    foe = [at for at in touched if position.occupant_at(at) is OCCUPANT_OF[position.side.other]]
    both = [move for move in moves if move.from_square in own and move.to_square in foe]
    if both:
        return frozenset(both)
    for square in touched:
        chosen = [move for move in moves if square in (move.from_square, move.to_square)]
        if chosen:
            return frozenset(chosen)
    return frozenset()


class Fingers:
    """Notices which pieces are held for so long that they are touched."""

    def __init__(self) -> None:
        self._since: dict[Square, float] = {}

    def watch(self, lifted: Sequence[Square], now: float) -> list[Square]:
        """Take in what is in the air, and return what has been there for `ADJUST_S`."""
        self._since = {square: self._since.get(square, now) for square in lifted}
        return [square for square in lifted if now >= self._since[square] + ADJUST_S]
