"""Pruning the search: which beginnings of a sequence of steps need not be followed any further.

A `Partial` is such a beginning, with the least that it costs: for each step added it takes the
earliest departure and the earliest landing that the trace allows. It is dropped when that exceeds
the `Bound`, which sinks with each account that has been weighed. The least cost is never more than
`cost.weigh` would find, so that nothing likely is lost. How long to search is kept here too: the
`Work` of one call, which later calls go on with, what may be worked in a second of play, and a
number of tries for the whole.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from .costs import PRICES
from .matching import early
from .readings import P, Step
from .scene import Scene

MAX_TRIED = 8000  # steps in all worlds: whoever has lost the way finds no end of them
LEAST_TRIED = 200  # ... in each world, however many there are
LEAST_TRIED_OF_A_SWITCH = 100  # ... in which another switch is supposed to have failed

AT_ONCE = 100
"""What a call may do: as many steps tried. 5 ms on a computer, mostly, and seldom 50."""

A_SECOND = 12_000
"""What may be done for each second of play, however lost the reader is: 0.2 s of a computer's CPU.

Of 18 recordings 6,434,000 steps took 107 s; of the one in which the reader is lost 46,000 a second.
"""

SAVED_S = 5.0
"""The work of so many seconds is saved for a hard moment: 14 of the 18 took no more in 5 s."""

NEVER = -math.inf
_NOTHING: Mapping[int, float] = MappingProxyType({})


@dataclass(slots=True)
class Bound:
    """How far a search may go."""

    cost: float
    """What a sequence may cost, in nats; it sinks with every better hypothesis that is found."""
    tries: int
    """How many steps may still be tried."""


def tries_of(parts: int, least: int = LEAST_TRIED, in_all: int = MAX_TRIED) -> int:
    """Return how many steps may be tried in each of so many parts of a search, `least` anyway."""
    return max(in_all // max(parts, 1), least)


@dataclass(slots=True)
class Work:
    """What a call may still do before a search pauses, and what later calls are to go on with.

    Counted in steps tried, and by the times of the calls: so the same play takes the same work.
    """

    left: int = AT_ONCE
    in_progress: Generator[None, None, None] | None = None
    _at: float = 0.0
    _saved: float = A_SECOND * SAVED_S

    def spend(self, amount: int) -> bool:
        """Take note of work done; whether it was the last for now."""
        self.left -= amount
        self._saved -= amount
        return self.left < 0

    def renew(self, now: float) -> None:
        """Another call has begun; it may do nothing where too much was done of late."""
        earned = A_SECOND * max(now - self._at, 0.0)
        self._at = max(self._at, now)
        self._saved = min(self._saved + earned, A_SECOND * SAVED_S)
        self.left = AT_ONCE if self._saved > 0 else -1

    @property
    def goes_on_at(self) -> float:
        """When the next call may do more, in seconds: at once, or once that has been earned."""
        return self._at if self._saved > 0 else self._at + (AT_ONCE - self._saved) / A_SECOND

    @property
    def tries(self) -> int:
        """How many steps a search that begins now may try: the fewer the less is saved.

        A long one would never end where hands go on meanwhile, for each change begins another.
        """
        return int(MAX_TRIED * max(self._saved, 0.0) / (A_SECOND * SAVED_S))

    def go_on(self) -> bool:
        """Do what this call may still do; whether all is done."""
        while self.in_progress is not None:
            if self.left < 0:
                return False
            try:
                next(self.in_progress)
            except StopIteration:
                self.in_progress = None
        return True


class Partial(NamedTuple):
    """The beginning of a sequence of steps: what may follow it, and the least that it costs.

    Times are seconds on the table clock; each is the earliest that the trace allows.
    """

    plies: int
    """How many plies may still follow."""
    unseen: int
    """How many captures may follow whose victim was not seen to leave."""
    owed: int
    """How many of them must, since the sequences with fewer have been weighed before."""
    refills: int
    """How many steps may begin on a square that is occupied again now."""
    cost: float = 0.0
    """What the steps so far cost at the least in nats, with all changes that are `untouched`."""
    down_at: float = NEVER
    """When the last step came down."""
    after: float = NEVER
    """When the last of all steps to come down did: turns come one after another."""
    used: Mapping[int, float] = _NOTHING
    """By square, the last change that can have been one of theirs."""
    untouched: Mapping[int, float] = _NOTHING
    """What the changes of each square cost on which no step has begun or ended yet, in nats."""

    def touch(self, squares: Iterable[int]) -> Partial:
        """Return the same where steps may account for what was seen on these squares."""
        untouched = dict(self.untouched)
        saved = sum(untouched.pop(square, 0.0) for square in squares)
        return self._replace(cost=self.cost - saved, untouched=untouched) if saved else self

    def spend(self, step: Step[P], scene: Scene, beside: int, refilled: bool) -> Partial | None:
        """Return the sequence with `step` added; None where the scene rules the step out.

        `beside` are the squares next to where it began; `refilled`: something stands there again.
        """
        target = step.to_square
        shown = (scene.closed | scene.aside) >> target & 1
        blind = scene.ignored >> target & 1
        unseen = step.capture and not shown and not blind
        if step.is_ply > self.plies or (unseen and step.surprise):
            return None
        if scene.ignored >> step.from_square & 1 and not shown:
            return None  # nothing at all would show it
        left = self._replace(
            plies=self.plies - step.is_ply,
            unseen=self.unseen - unseen,
            owed=max(self.owed - unseen, 0),
            refills=self.refills - refilled,
            cost=self.cost + step.surprise,
        )
        return left.touch(step.squares)._fit(step, scene, beside)

    def _fit(self, step: Step[P], scene: Scene, beside: int) -> Partial | None:
        """Find a step its place in time; None where it has none, as `weigh` would find too."""
        cost, used, lifted_at = self.cost, dict(self.used), NEVER
        slack = PRICES.OVERLAP_REPLY_S * scene.slow
        source, target = step.from_square, step.to_square
        lifts: list[float] = []
        if not scene.ignored >> source & 1:
            since = self.used.get(source, NEVER)
            lifts = [at for at in scene.departures.get(source, ()) if at > since]
            if not lifts:
                return None
            lifted_at = used[source] = lifts[0]
            cost += min(early(self.down_at - lifts[-1], scene.slow) or 0.0, PRICES.SHOWN_LATE)
        if scene.ignored >> target & 1:
            return self._replace(cost=cost, down_at=NEVER, used=used)
        if scene.aside >> target & 1 and not step.capture:
            cost += PRICES.BLIND_LANDING
            return self._replace(cost=cost, down_at=NEVER, used=used)
        earliest = lifted_at - PRICES.DRAGGED_S * scene.slow
        after = self.after - slack
        if lifts and lifts[0] < self.down_at - slack:
            after = min(after, lifts[0])  # what came before may have shown late
        if not step.capture:
            earliest = max(earliest, after)  # turns come one after another
        since = self.used.get(target, NEVER)
        landings = scene.landings.get(target, ())
        down_at = next((at for at in landings if at >= earliest and at > since), None)
        cost += scene.least_rested.get(target, 0.0) * (down_at is not None)
        if step.capture:
            cost += scene.unseen * (down_at is None)
            return self._replace(
                cost=cost, down_at=NEVER if down_at is None else down_at, used=used
            )
        # Its switch may have been held by what was moved as it opened.
        held = next((at for at in landings if at > since and at >= after), math.inf)
        if held < earliest and any(scene.is_busy(beside, at) for at in lifts):
            cost += PRICES.HELD_CLOSED * (down_at is None)
            down_at = held
        if down_at is None:
            return None
        used[target] = down_at
        return self._replace(
            cost=cost, down_at=down_at, after=max(after + slack, down_at), used=used
        )
