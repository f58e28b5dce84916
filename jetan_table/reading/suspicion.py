"""Switches that seem to have failed, and the pieces beside that may hold one closed."""

from __future__ import annotations

from collections.abc import Callable, Collection

from hardware.switches import FaultKind
from rules import Square

from . import costs
from .trace import Trace


class Suspicions:
    """What every likely account has supposed of switches, since when, and what may be behind it.

    A sound switch stays closed for as long as what holds it stands. It is not held by a piece that
    was away meanwhile, unless another held it until that came.
    """

    def __init__(self) -> None:
        self._since: dict[tuple[Square, FaultKind], float] = {}
        self._beside: dict[tuple[Square, FaultKind], int] = {}
        self._holding: dict[tuple[Square, FaultKind], int] = {}

    def suppose(
        self,
        faults: Collection[tuple[Square, FaultKind]],
        beside: Callable[[Square], int],
        standing: int,
        now: float,
    ) -> None:
        """Suppose some more; `beside` are the squares next to one, `standing` those not empty."""
        for fault in faults:
            if fault not in self._since:
                self._since[fault], self._beside[fault] = now, beside(fault[0])
                self._holding[fault] = self._beside[fault] & standing

    def see(self, square: Square, occupied: bool, trace: Trace) -> None:
        """A square has changed: its own switch follows, and what came there was elsewhere."""
        for kind in FaultKind:
            self._since.pop((square, kind), None)
        times = trace.changes.get(square, ())
        has_blinked = len(times) > 1 and times[-1] - times[-2] < costs.FLICKER_S
        if not occupied or has_blinked:
            return
        for fault in self._since:
            holding = self._holding[fault] & trace.level & ~(1 << square)
            self._holding[fault] = holding | (1 << square & self._beside[fault] if holding else 0)

    def held_until(self, fault: tuple[Square, FaultKind], standing: int) -> float:
        """Return until when what stands beside may hold a switch that seems to have stuck."""
        has_stuck = fault[1] is FaultKind.STUCK
        holding = self._holding[fault] & standing if has_stuck else 0
        return self._since[fault] + costs.HELD_CLOSED_S * holding.bit_count()
