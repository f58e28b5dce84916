"""The arena of Manator: a piece that enters an enemy's square fights for it.

The Princess never fights; to enter her square wins. By dice each side throws ten and adds its
piece's value, and equal sums throw again; or the players fight, and tell who won.
"""

from __future__ import annotations

from .errors import BadValue
from .moves import Move
from .plain import NamedTuple
from .position import Position


class Duel(NamedTuple):
    """A fight: who won it, and the throws (attacker's, defender's) in order.

    Without throws the players told who won.
    """

    attacker_won: bool
    throws: tuple[tuple[int, int], ...] = ()


def fight(position: Position, move: Move, throws: tuple[tuple[int, int], ...]) -> Duel | None:
    """Return the fight that the throws decide; None while they are equal and go on.

    BadValue where a throw is not 1..10, follows the decision, or nobody fights.
    """
    if not position.is_fought(move):
        raise BadValue("nobody fights over this move")
    attacker, defender = (position.piece_at(s) for s in (move.from_square, move.to_square))
    assert attacker is not None
    assert defender is not None
    edge = position.rules.worth(attacker.kind) - position.rules.worth(defender.kind)
    for number, (attack, defence) in enumerate(throws, start=1):
        if attack not in range(1, 11) or defence not in range(1, 11):
            raise BadValue(f"duel {attack},{defence}: each throw must be 1..10")
        if edge + attack != defence:
            if number < len(throws):
                raise BadValue(f"duel {attack},{defence} decides: no throw may follow it")
            return Duel(edge + attack > defence, throws)
    return None
