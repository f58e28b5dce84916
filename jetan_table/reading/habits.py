"""What is learned of this table: the pace of its hands, and which pieces and switches flicker."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterable
from statistics import median

from .costs import AIR_S
from .readable_game import P, Step

PRIOR_MOVES = 12
REMEMBERED_MOVES = 40
SLOWEST, FASTEST = 2.5, 0.5
SURE_MOVES = 20  # after which hands have shown how slow they are
UNSURE = 0.4  # so much slower may they be before


class Tempo:
    """`pace` is how many times slower than ordinary these hands are; 1 until they have shown it."""

    def __init__(self) -> None:
        self._times: deque[float] = deque(maxlen=REMEMBERED_MOVES)
        self.pace = 1.0

    @property
    def slowest(self) -> float:
        """How many times slower than ordinary these hands may be, as far as they have shown."""
        unknown = max(1.0 - len(self._times) / SURE_MOVES, 0.0)
        return max(self.pace, 1.0) * (1.0 + UNSURE * unknown)

    def learn(self, air_s: float) -> None:
        """Take note of one plain move: seconds between lift and landing."""
        if air_s <= 0:
            return
        self._times.append(math.log(air_s / AIR_S))
        seen = len(self._times)
        shown = median(self._times) * seen / (seen + PRIOR_MOVES)
        self.pace = min(max(math.exp(shown), FASTEST), SLOWEST)


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
