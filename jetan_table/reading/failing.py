"""Weighing that a switch has failed, by what it has shown and by what stands beside it.

A failure costs more than anything that hands do. It costs less for one that seems to have stuck
among pieces, whose magnets may hold it. It costs more where the switch followed a moment ago, and
less or more by what has been counted of it. A switch that closed for a moment only has not
followed: a piece at the edge of its square shows like that, and then stands unseen. `Suspicions`
remembers since when a switch has been doubted by every likely account, and by which magnets beside
it may be held meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from hardware.switches import FaultKind
from rules import Square

from . import costs
from .costs import Bill
from .readable_game import P, ReadableGame
from .scene import Scene
from .trace import Trace


def charges_of_failure(
    game: ReadableGame[P], position: P, fault: tuple[Square, FaultKind], scene: Scene
) -> Bill:
    """Weigh that a switch has failed, besides those that the scene leaves out.

    One that has stuck among pieces is rather held closed by their magnets.
    """
    square, kind = fault
    is_held = kind is FaultKind.STUCK and game.beside(position, square) & scene.trace.level
    bill = Bill([costs.HELD_BESIDE if is_held else costs.FAULT])
    bill.charge(costs.ANOTHER_FAULT, scene.ignored.bit_count())
    bill.charge(costs.FOLLOWED_LATELY, _has_followed(fault, scene))
    bill.charge(costs.RECKONED, scene.rates.shift(fault))
    return bill


def _has_followed(fault: tuple[Square, FaultKind], scene: Scene) -> bool:
    """Whether a switch has lately shown what it could not if it had failed before.

    A piece that is put down where its switch does not see it mostly closes that for a moment.
    """
    square, kind = fault
    times = scene.trace.changes.get(square, ())
    stays = scene.trace.stays(square)
    if kind is FaultKind.DEAD and stays:
        return any(gone_at - came_at >= costs.PASSING_S for came_at, gone_at in stays)
    is_first_disproof = kind.is_disproved(not scene.trace.base >> square & 1)
    return len(times) > (0 if is_first_disproof else 1)


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
