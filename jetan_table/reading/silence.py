"""What silence costs while a camera's looks are explained by nothing that was told or asked."""

from __future__ import annotations

from typing import NamedTuple

from rules import Square

from .speaking import QUESTION_S

LOOK_S = 0.8
"""A look stands for no longer a silence: nobody waits for pictures that come seldom."""


class Silence(NamedTuple):
    """How long boards have been seen that are explained by nothing that was told or asked."""

    at: float
    """When the last of them was seen, in seconds on the table clock."""
    unlike: frozenset[Square]
    """What differs in it from what was told."""
    cost: float
    """What it has cost, in seconds in which a ply that was played is not told."""


def silence_after(before: Silence | None, at: float, unlike: frozenset[Square]) -> Silence:
    """Return a silence with one more look.

    Each further board may be a ply that was not told, and costs as much as a question; the same
    one costs half its time, for nobody need wait for the table.
    """
    if before is None:
        return Silence(at, unlike, QUESTION_S)
    passed = at - before.at
    is_another = passed > LOOK_S and unlike != before.unlike
    cost = before.cost + min(passed, LOOK_S) / 2 + QUESTION_S * is_another
    return Silence(at, unlike, cost)
