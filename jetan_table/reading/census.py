"""Counting what stands on the board: a piece that has been taken does not come back to it."""

from __future__ import annotations

import math
from bisect import bisect_left

from .trace import Trace


class Census:
    """Until when so many squares were occupied at once, for longer than neighbours overlap."""

    def __init__(self, trace: Trace, ignored: int, overlap_s: float, now: float) -> None:
        """Count the squares that are not in `ignored`, a mask, but no moment within `overlap_s`.

        What stands now counts at once: whatever is told waits until it has lasted.
        """
        moments: list[tuple[float, int]] = []
        for square, times in trace.changes.items():
            if not ignored >> square & 1:
                first = -1 if trace.base >> square & 1 else 1
                moments += [(at, -first if index & 1 else first) for index, at in enumerate(times)]
        moments.sort(reverse=True)
        count = (trace.base & ~ignored).bit_count() + sum(change for _, change in moments)
        self._counts: list[int] = [count]
        self._until: list[float] = [now]
        until = now
        for at, change in (*moments, (-math.inf, 0)):
            if until - at > overlap_s and count > self._counts[-1]:
                self._counts.append(count)
                self._until.append(until)
            count -= change
            until = at

    def last_with(self, pieces: int) -> float:
        """Return until when so many squares or more were occupied, minus infinity if never."""
        index = bisect_left(self._counts, pieces)
        return self._until[index] if index < len(self._until) else -math.inf
