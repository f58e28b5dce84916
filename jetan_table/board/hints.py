"""Where a lifted piece may go."""

from __future__ import annotations

from collections.abc import Sequence

from rules import MoveKind, Position, Square
from rules.pieces import OCCUPANT_OF


def hints(
    position: Position, lifted: Sequence[Square]
) -> tuple[frozenset[Square], frozenset[Square]]:
    """Return the squares a lifted piece may go to, and those where it would capture.

    `lifted` is what is in the air, longest first. With a victim in the air besides, only its square
    is left; with nothing but a victim, the captures are the pieces that may take it.
    """
    own, foe = OCCUPANT_OF[position.side], OCCUPANT_OF[position.side.other]
    movers = [square for square in lifted if position.occupant_at(square) is own]
    victims = [square for square in lifted if position.occupant_at(square) is foe]
    if not movers:
        takers = (move.from_square for move in position.moves() if move.to_square in victims)
        return frozenset(), frozenset(takers if victims else ())
    moves = position.moves_from(movers[0])
    captures = {move.to_square for move in moves if move.kind is MoveKind.CAPTURE}
    if victims:
        return frozenset(), frozenset(captures.intersection(victims))
    return frozenset(move.to_square for move in moves) - captures, frozenset(captures)


def is_check(position: Position) -> bool:
    """Whether the side to move must answer a threat, where the rules end the game by mate."""
    law = position.law
    if not law.mate_ends or position.outcome is not None:
        return False
    return position.theirs.can_take_royal(position.ours, position.occupied, law.princess_takes)
