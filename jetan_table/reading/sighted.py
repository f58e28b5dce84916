"""Jetan as the follower sees it: occupants of whole positions, and every legal step."""

from __future__ import annotations

from collections.abc import Iterator

from rules import SQUARES, Occupant, squares_of

from .board import Step
from .jetan import JetanBoard, Standing


class SightedBoard(JetanBoard):
    """Fills the follower's `SeenBoard` from the rules of a position."""

    def __init__(self) -> None:
        self._occupants: dict[Standing, tuple[int, ...]] = {}

    def occupants(self, standing: Standing) -> tuple[int, ...]:
        """Return what stands on each square."""
        known = self._occupants.get(standing)
        if known is None:
            position = standing.position
            found = [int(Occupant.EMPTY)] * len(SQUARES)
            for square, piece in position.pieces().items():
                found[square] = int(Occupant.ORANGE if piece.side else Occupant.BLACK)
            if position.juggernaut is not None:
                found[position.juggernaut] = int(Occupant.NEUTRAL)
            if len(self._occupants) >= REMEMBERED:
                self._occupants.clear()
            known = self._occupants[standing] = tuple(found)
        return known

    def steps(self, standing: Standing) -> Iterator[Step[Standing]]:
        """Yield every legal ply, and where the Juggernaut may be put."""
        for square in squares_of(standing.position.occupied):
            yield from self.steps_from(standing, square)


REMEMBERED = 4096
"""Positions whose occupants are kept at hand: a game with all its doubts comes to a few hundred."""
