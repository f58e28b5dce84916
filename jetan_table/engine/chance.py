"""Chance in the tree, as expectation: the Juggernaut's roll, and the arena's fights."""

from functools import cache
from typing import NamedTuple

from rules import SQUARES, Kind, Position

STEP = 0.1
"""The chance of each face of the die; eight of them step one square."""

TELEPORT = 0.1 / len(SQUARES)
"""The chance that a roll teleports the Juggernaut to one certain square."""

ROYAL = (Kind.CHIEF, Kind.PRINCESS)


class Odds(NamedTuple):
    """What a roll makes of the value v of a position: the expectation `share` * v + `plus`.

    What may die counts as what it is worth, a royal piece that may die as a draw; where the
    Juggernaut goes else is taken to change nothing.
    """

    share: float = 1.0
    """The chance that no royal piece dies."""
    plus: float = 0.0
    """What the side to move gains in the mean by the men that may die."""


def roll_odds(position: Position, table: list[int]) -> Odds:
    """Return what the roll before this position's next ply makes of its value to the side to move.

    `table` is a piece-square table.
    """
    here = position.juggernaut
    if here is None:
        return Odds()
    draw, plus = 0.0, 0.0
    for army, sign in ((position.ours, -STEP), (position.theirs, STEP)):
        royals = int(army.princess is not None)
        for post in army.men:
            royals += post.kind is Kind.CHIEF
        draw += TELEPORT * royals
        for near in position.rules.board.neighbours[here]:
            post_near = None if near is None else army.post_at(near)
            if post_near is None:
                continue
            if post_near.kind in ROYAL:
                draw += STEP
            else:
                plus += sign * table[post_near.index]
    return Odds(1 - draw, plus)


def fight_odds(position: Position, attacker: Kind, defender: Kind) -> float:
    """Return the chance that the piece which enters a square wins the fight for it."""
    worth = position.rules.worth
    return chance_to_win(worth(attacker) - worth(defender))


@cache
def chance_to_win(edge: int) -> float:
    """Return the chance that a throw of ten plus `edge` beats another; equal sums throw again."""
    throws = range(1, 11)
    sums = [edge + attack - defence for attack in throws for defence in throws]
    won, lost = sum(total > 0 for total in sums), sum(total < 0 for total in sums)
    return won / (won + lost)
