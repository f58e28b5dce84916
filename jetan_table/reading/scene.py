"""What is to be explained: what the switches showed, and what bears on it."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from hardware.switches import FaultKind
from rules import Square

from . import costs
from .colour import Colours
from .trace import Trace


class Census:
    """Until when so many squares were occupied at once; what is taken does not come back."""

    def __init__(self, trace: Trace, ignored: int, overlap_s: float, now: float) -> None:
        """Count the squares that are not in `ignored`, a mask.

        What lasts for less than `overlap_s` does not count: a piece that slides is on two squares
        at once. What stands now counts at once: whatever is told waits until it has lasted.
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


@dataclass(frozen=True)
class Scene:
    """What is to be explained: a trace, and what bears on it.

    Squares are given as bit masks, times in seconds on the table clock.
    """

    trace: Trace
    ignored: int
    """The squares whose switches have failed, or are supposed to have."""
    flickering: int
    """Those whose piece or switch is known to flicker."""
    pace: float
    """How many times slower than ordinary the hands are."""
    now: float
    rise_s: float
    """For how long a piece knocked over may lie at the most, in seconds."""
    opened: int
    """The squares that something has left since the trace began."""
    closed: int
    """Those on which something has come down."""
    departures: Mapping[int, Sequence[float]]
    """When something left each square, oldest first."""
    landings: Mapping[int, Sequence[float]]
    """When something came down on each, likewise."""
    colours: Colours = field(default_factory=Colours)
    aside: int = 0
    """The squares on which a piece lies that was taken before the trace began."""

    @property
    def slow(self) -> float:
        """The pace, where quick hands count as ordinary ones: reeds take their time with both."""
        return max(self.pace, 1.0)

    @cached_property
    def passed(self) -> int:
        """The squares, empty at first, that something came to and has left again, as bits."""
        return self.closed & ~self.trace.base & ~self.trace.level & ~self.ignored

    @property
    def unseen(self) -> float:
        """What a capture costs at the least whose victim was not seen to leave, in nats."""
        return costs.UNSEEN_TRAIL if self.passed else costs.UNSEEN

    @cached_property
    def census(self) -> Census:
        """Until when how many squares were occupied."""
        return Census(self.trace, self.ignored, costs.OVERLAP_SLIDE_S * self.slow, self.now)

    def absences(self, square: int) -> list[tuple[float, float]]:
        """Return from when until when a square was empty, each time; infinity where it still is."""
        landings = self.landings.get(square, ())
        return [
            (at, min((down for down in landings if down >= at), default=math.inf))
            for at in self.departures.get(square, ())
        ]

    def without(self, failed: Iterable[tuple[Square, FaultKind]]) -> Scene:
        """Return the scene without what these switches showed."""
        mask = self.ignored
        for square, _ in failed:
            mask |= 1 << square
        return replace(self, ignored=mask)
