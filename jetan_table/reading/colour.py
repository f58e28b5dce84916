"""Whose the pieces are, where a sensor can tell. Switches cannot: then nothing here counts."""

from __future__ import annotations

from collections.abc import Sequence

from hardware.ports import Evidence, presence
from rules import Occupant, Square, squares_of

from . import costs

LOUDEST = 8.0
"""One square speaks no more strongly, in nats: a camera's error lasts, and must stop no game."""

CLEAR = 4.0
"""A side is named where every other explains what was seen so much worse, in nats."""


class Colours:
    """The latest word on whose piece stands on each square.

    A square that shows another side than before, and was seen empty between for a flicker at most,
    has been left and entered all the same.
    """

    def __init__(self) -> None:
        self._losses: dict[int, tuple[float, ...]] = {}
        self._named: dict[int, int] = {}
        self._emptied_at: dict[int, float] = {}

    def losses(self, square: Square) -> tuple[float, ...] | None:
        """Return how much worse each side explains a square than the best; None where all alike."""
        return self._losses.get(square)

    def take(self, square: Square, evidence: Evidence, at: float) -> bool:
        """Take evidence in; return whether it shows another's piece that nobody saw come."""
        self._losses.pop(square, None)
        if presence(evidence) <= 0:
            self._emptied_at.setdefault(square, at)
            return False
        if at - self._emptied_at.pop(square, at) > costs.FLICKER_S:
            self._named.pop(square, None)
        sides = evidence[Occupant.BLACK :]
        best = max(sides)
        losses = tuple(min(best - each, LOUDEST) for each in sides)
        if not any(losses):
            return False
        self._losses[square] = losses
        if sorted(losses)[1] < CLEAR:
            return False
        before, now = self._named.get(square), Occupant.BLACK + losses.index(0.0)
        self._named[square] = now
        return before is not None and before != now

    def cost(self, occupants: Sequence[int], present: int) -> float:
        """Return what `occupants` leave unexplained of the squares of a mask, in nats."""
        return sum(
            self._losses[square][occupants[square] - Occupant.BLACK]
            for square in squares_of(present)
            if square in self._losses
        )

    def __bool__(self) -> bool:
        """Whether there is any word at all."""
        return bool(self._losses)
