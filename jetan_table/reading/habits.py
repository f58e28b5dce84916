"""What is learned of this table: the pace of its hands, and which pieces and switches flicker."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable
from statistics import median

from .costs import AIR_S
from .readable_game import P, Step

PRIOR_MOVES = 12  # what is supposed before any move weighs as much as so many ordinary ones
REMEMBERED_MOVES = 40  # the latest, from which the pace is learned
SLOWEST, FASTEST = 2.5, 0.5  # times as slow as ordinary; the pace stays between
SURE_MOVES = 20  # after which hands have shown how slow they are
REMEMBERED_THOUGHTS = 25  # the latest moves, among which one put right makes the reader wait
PRIOR_SURE = 18  # before the first one of so many is supposed to be put right
UNSURE = 0.4  # before the first, they may be slower by this share; by less with every move


class Tempo:
    """`pace` is how many times slower than ordinary these hands are; 1 until they have shown it."""

    def __init__(self) -> None:
        self._times: deque[float] = deque(maxlen=REMEMBERED_MOVES)  # as logarithms of a pace
        self.pace = 1.0

    @property
    def slowest(self) -> float:
        """How many times slower than ordinary these hands may be, as far as they have shown."""
        unknown = max(1.0 - len(self._times) / SURE_MOVES, 0.0)
        return max(self.pace, 1.0) * (1.0 + UNSURE * unknown)

    def learn(self, air_s: float) -> None:
        """Take note of one plain move: the seconds between its lift and its landing."""
        if air_s <= 0:
            return
        self._times.append(math.log(air_s / AIR_S))
        moves = len(self._times)
        log_pace = median(self._times) * moves / (moves + PRIOR_MOVES)
        self.pace = min(max(math.exp(log_pace), FASTEST), SLOWEST)


class SecondThoughts:
    """How often these hands put pieces down where they do not stay."""

    def __init__(self) -> None:
        self._had: deque[bool] = deque(maxlen=REMEMBERED_THOUGHTS)

    def learn(self, had_one: bool) -> None:
        """Take note of one move: whether its piece rested elsewhere on its way."""
        self._had.append(had_one)

    @property
    def chance(self) -> float:
        """The chance that the next piece will be put right."""
        return (sum(self._had) + 1) / (len(self._had) + PRIOR_SURE)


class Flickering:
    """The squares that stood empty for a moment though no hand had lifted their piece.

    Its magnet may be weak, and travels with it; or the switch is, and stays.
    """

    def __init__(self) -> None:
        self._switches: set[int] = set()
        self._pieces: set[int] = set()

    @property
    def mask(self) -> int:
        """The squares whose piece or switch has flickered before."""
        mask = 0
        for square in (*self._switches, *self._pieces):
            mask |= 1 << square
        return mask

    def learn(self, square: int) -> None:
        """The piece on `square` was not seen for a moment, though no hand was near."""
        self._switches.add(square)
        self._pieces.add(square)

    def carry(self, options: Iterable[Step[P]]) -> None:
        """A piece has moved by one of these steps, and its magnet with it."""
        steps = list(options)
        is_weak = any(step.from_square in self._pieces for step in steps)
        self._pieces.difference_update(step.from_square for step in steps)
        for step in steps:
            (self._pieces.add if is_weak else self._pieces.discard)(step.to_square)
