"""Simulated hands that do what a trial asks, at a simulated board: they see its lamps.

Where lamps are dark, and where more than one square is named, they go by the words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from rules import Square

from ..table.board import BoardHands
from .script import SLIDE, Demand

REACH_S = (0.5, 1.2)
"""From what is said to the first touch."""

HELD_S = (0.25, 0.7)
"""From one touch to the next."""

PASSED_S = (0.03, 0.15)
"""How long a piece that is slid is over a square, and a square between pieces is empty."""

VAIN_S = 4.0
"""After the last touch it is waited for so long, before a line is typed; and then another."""


class ScriptedHands:
    """Hands at a board, whose quickness is drawn from `rng`; `now` tells the table's time."""

    def __init__(self, board: BoardHands, rng: Random, now: Callable[[], float]) -> None:
        self._board, self._rng, self._now = board, rng, now
        self._asked: Demand | None = None
        self._gives_up_at: float | None = None
        self._free_at = 0.0

    def hear(self, demand: Demand | None, now: float) -> None:
        """Take in what is asked for now."""
        self._asked = demand
        self._gives_up_at = now + VAIN_S if demand is None else None
        self._free_at = now + self._between(REACH_S)

    def read(self) -> list[str]:
        """Touch the board if it is time to; return an empty line where nothing comes of it."""
        now = self._now()
        if self._asked is not None and now >= self._free_at:
            where = self._where(self._asked)
            if where is not None:
                at = now
                for at, square, near in self._touches(self._asked, where, now):
                    (self._board.put if near else self._board.lift)(at, square)
                self._gives_up_at, self._asked = at + VAIN_S + self._asked.lasts_s, None
        if self._gives_up_at is not None and now >= self._gives_up_at:
            self._gives_up_at = now + VAIN_S
            return [""]
        return []

    def _where(self, demand: Demand) -> tuple[Square, ...] | None:
        """Return the squares that are meant; None while the lamp that says so is dark."""
        if demand.by_words or len(demand.squares) != 1:
            return demand.squares
        lit = self._board.lit()
        return None if lit is None else (lit,)

    def _touches(
        self, demand: Demand, where: tuple[Square, ...], at: float
    ) -> Iterator[tuple[float, Square, bool]]:
        """Yield when which square is touched, and whether a piece comes to it."""
        if demand.words == SLIDE:
            yield at, where[0], False
            way = straight(where[0], where[-1])
            for square in way[:-1]:
                at += self._between(PASSED_S)
                yield at, square, True
                at += self._between(PASSED_S)
                yield at, square, False
            yield at + self._between(PASSED_S), way[-1], True
        elif demand.may_hide:
            yield at, where[0], False
            at += self._between(HELD_S)
            yield at, where[-1], False
            yield at + self._between(PASSED_S), where[-1], True
        else:
            for square, near in demand.wants:
                yield at, where[0] if len(where) == 1 else square, near
                at += self._between(HELD_S)

    def _between(self, span: tuple[float, float]) -> float:
        return self._rng.uniform(*span)


def straight(start: Square, end: Square) -> list[Square]:
    """Return the squares on the straight way from `start`, itself left out, to `end`."""
    (rank, file), (to_rank, to_file) = divmod(start, 10), divmod(end, 10)
    count = max(abs(to_rank - rank), abs(to_file - file))
    up, across = (to_rank - rank) // count, (to_file - file) // count
    return [Square((rank + up * n) * 10 + file + across * n) for n in range(1, count + 1)]
