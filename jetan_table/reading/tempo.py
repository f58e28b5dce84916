"""The pace of the hands at this board, learned from how long they hold a piece."""

from __future__ import annotations

import math
from collections import deque
from statistics import median

from .costs import AIR_S

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
