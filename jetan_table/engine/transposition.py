"""What a search remembers of positions it has met: the hash table."""

from __future__ import annotations

from typing import Final, TypeAlias

from rules import Position

from .zobrist import FEW_KEYS

REMEMBERED: Final = 60_000
"""Entries of the younger half; when it is full, it becomes the older half, which is forgotten."""

EXACT, AT_LEAST, AT_MOST = 0, 1, 2

Remembered: TypeAlias = tuple[int, int, int, int]
"""Depth, bound, value as if met at the root, and the hint of the best move."""


def probe_of(position: Position, key: int) -> int:
    """Return what a position is remembered by: its key, and the count of few pieces."""
    few = position.few_counter
    return key if few is None else key ^ FEW_KEYS[few]


def decides(bound: int, value: int, alpha: int, beta: int) -> bool:
    """Whether a remembered value settles what a window asks."""
    if bound == EXACT:
        return True
    return value >= beta if bound == AT_LEAST else value <= alpha


class TranspositionTable:
    """The hash table, in two halves so that it stays bounded and the recent is kept."""

    def __init__(self) -> None:
        self._young: dict[int, Remembered] = {}
        self._old: dict[int, Remembered] = {}

    def recall(self, probe: int) -> Remembered | None:
        """Return what is known of a position."""
        return self._young.get(probe) or self._old.get(probe)

    def keep(self, probe: int, depth: int, bound: int, value: int, hint: int) -> None:
        """Remember what was found; of one position the latest counts."""
        if len(self._young) >= REMEMBERED:
            self._old, self._young = self._young, {}
        self._young[probe] = depth, bound, value, hint
