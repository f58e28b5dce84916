"""The transposition table: what a search has found of positions, for when they come again."""

from __future__ import annotations

from typing import Final, TypeAlias

from rules import Position

from .zobrist import FEW_KEYS

HALF: Final = 60_000
"""Entries of the younger half; when it is full, it replaces the older half."""

EXACT, AT_LEAST, AT_MOST = 0, 1, 2
"""Bounds: what a value says of the true one."""

HashEntry: TypeAlias = tuple[int, int, int, int]
"""The depth searched, the bound, the value as if met at the root, and the best move (`hint_of`)."""


def probe_of(position: Position, key: int) -> int:
    """Return what a position is kept under: its key, changed by the count of few pieces."""
    few = position.few_counter
    return key if few is None else key ^ FEW_KEYS[few]


def decides(bound: int, value: int, alpha: int, beta: int) -> bool:
    """Whether a kept value settles what the window from `alpha` to `beta` asks."""
    if bound == EXACT:
        return True
    return value >= beta if bound == AT_LEAST else value <= alpha


class TranspositionTable:
    """In two halves, so that it stays bounded and what is recent is kept."""

    def __init__(self, half: int = HALF) -> None:
        self._half = half
        self._young: dict[int, HashEntry] = {}
        self._old: dict[int, HashEntry] = {}

    def find(self, probe: int) -> HashEntry | None:
        """Return what is known of a position."""
        return self._young.get(probe) or self._old.get(probe)

    def keep(self, probe: int, depth: int, bound: int, value: int, hint: int) -> None:
        """Keep what was found; of one position the latest counts."""
        if len(self._young) >= self._half:
            self._old, self._young = self._young, {}
        self._young[probe] = depth, bound, value, hint
