"""The arena of Manator: a piece that enters an enemy's square fights for it.

The Princess never fights; to enter her square wins. By dice each side throws ten and adds its
piece's value, and equal sums throw again; or the players fight, and tell who won.
"""

from __future__ import annotations

from collections.abc import Iterable

from .board import Move
from .plain import NamedTuple
from .position import Position
from .sentences import BadValue, _


class Throw(NamedTuple):
    """What both dice of a duel show, 1..10 each; `by_hand`: people threw them themselves."""

    attack: int
    defence: int
    by_hand: bool = False

    def checked(self) -> Throw:
        """Return the throw; BadValue where no dice show it."""
        if self.attack not in range(1, 11) or self.defence not in range(1, 11):
            raise BadValue(
                _("duel {attack},{defence}: each throw must be 1..10"),
                attack=self.attack,
                defence=self.defence,
            )
        return self


class Duel(NamedTuple):
    """A fight: who won it, and the throws in order.

    Without throws the players told who won.
    """

    attacker_won: bool
    throws: tuple[Throw, ...] = ()


def fight(position: Position, move: Move, throws: Iterable[Throw]) -> Duel | None:
    """Return the fight that the throws decide; None while they are equal and go on.

    BadValue where a throw is not 1..10, follows the decision, or nobody fights.
    """
    if not position.is_fought(move):
        raise BadValue(_("nobody fights over this move"))
    attacker, defender = (position.piece_at(s) for s in (move.from_square, move.to_square))
    assert attacker is not None
    assert defender is not None
    edge = position.rules.worth(attacker.kind) - position.rules.worth(defender.kind)
    thrown = tuple(throw.checked() for throw in throws)
    for number, throw in enumerate(thrown, start=1):
        if edge + throw.attack != throw.defence:
            if number < len(thrown):
                raise BadValue(
                    _("duel {attack},{defence} decides: no throw may follow it"),
                    attack=throw.attack,
                    defence=throw.defence,
                )
            return Duel(edge + throw.attack > throw.defence, thrown)
    return None
