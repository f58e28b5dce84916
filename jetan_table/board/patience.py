"""How long a board has disagreed with the position: hands are led only after a while."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rules import Position, Square

from ..reading.jetan_game import Standing
from ..reading.readings import Belief


class Disagreement(NamedTuple):
    """Squares on which a piece is missing, or something stands that should not."""

    missing: frozenset[Square]
    extra: frozenset[Square]


MOST_ASTRAY = 5
"""Where more squares disagree than this, the board is set up again, not read."""

MOST_SWEPT = 9
"""... and where more than this do, at once: hands that clear the board do not pause for long."""

NOTHING_AMISS = Disagreement(frozenset(), frozenset())


class Patience:
    """Watches one disagreement at a time; another one starts the wait anew."""

    def __init__(self, patience_s: float) -> None:
        self.amiss = NOTHING_AMISS
        self._patience_s = patience_s
        self._since = self._now = 0.0

    def watch(self, amiss: Disagreement, now: float) -> bool:
        """Take in what disagrees now, and return whether the wait has just ended, or begun."""
        was_over = self.is_over
        self._now = now
        if amiss != self.amiss:
            self.amiss, self._since = amiss, now
        return was_over != self.is_over

    @property
    def is_over(self) -> bool:
        """Whether the board has disagreed for so long that the hands are led back."""
        return any(self.amiss) and self._now >= self._since + self._patience_s

    @property
    def is_hopeless(self) -> bool:
        """Whether too much disagrees to be read meanwhile."""
        return sum(map(len, self.amiss)) > (MOST_ASTRAY if self.is_over else MOST_SWEPT)

    @property
    def due(self) -> float | None:
        """When the wait ends, in seconds; None where nobody waits."""
        return self._since + self._patience_s if any(self.amiss) and not self.is_over else None


def is_half_a_ply(position: Position, lifted: Sequence[Square]) -> bool:
    """Whether what is in the air may be part of one ply: at most one piece of each side."""
    occupants = [position.occupant_at(square) for square in lifted]
    return len(occupants) == len(set(occupants))


def find_amiss(belief: Belief[Standing] | None, position: Position) -> Disagreement:
    """Return what a hand in the middle of a ply does not explain; nothing where nobody reads."""
    if belief is None:
        return NOTHING_AMISS
    if belief.extra or not is_half_a_ply(position, belief.lifted):
        return Disagreement(belief.missing.union(belief.lifted), belief.extra)
    return NOTHING_AMISS
