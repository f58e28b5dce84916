"""Which pieces and switches flicker: a weak magnet travels with its piece, a weak switch stays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from .readable_game import P, Step


class Flickering:
    """Counts moments in which a square that holds a piece was not seen to; `mask` are those."""

    def __init__(self) -> None:
        self._switches: Counter[int] = Counter()
        self._pieces: Counter[int] = Counter()

    @property
    def mask(self) -> int:
        """The squares whose piece or switch has flickered before."""
        mask = 0
        for square in (*self._switches, *self._pieces):
            mask |= 1 << square
        return mask

    def learn(self, square: int) -> None:
        """The piece on `square` was not seen for a moment, though no hand was near."""
        self._switches[square] += 1
        self._pieces[square] += 1

    def carry(self, options: Iterable[Step[P]]) -> None:
        """A piece has moved, and its magnet with it."""
        steps = list(options)
        count = max(self._pieces.pop(step.from_square, 0) for step in steps)
        for step in steps:
            self._pieces.pop(step.to_square, None)
            if count:
                self._pieces[step.to_square] = count
