"""What a sequence of steps may still hold, and the least it costs, before it is weighed whole.

And how far a search for such sequences may go.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from . import costs as w
from .readable_game import P, Step
from .scene import Scene

MAX_TRIED = 8000  # steps, in all worlds: whoever has lost the way finds no end of them
LEAST_TRIED = 200  # ... in each
LEAST_TRIED_OF_A_SWITCH = 800  # ... where it is supposed that one has failed

NEVER = -math.inf
_NOTHING: Mapping[int, float] = MappingProxyType({})


@dataclass(slots=True)
class Bound:
    """What a sequence may cost; it sinks with every better explanation that is found.

    `tries` are the steps that may still be tried.
    """

    cost: float
    tries: int

    def sink(self, cost: float) -> None:
        """Take note of what another explanation allows."""
        self.cost = min(self.cost, cost)

    def try_one(self) -> bool:
        """Whether one step more may be tried; it counts."""
        self.tries -= 1
        return self.tries >= 0


def tries_of(parts: int, least: int = LEAST_TRIED) -> int:
    """Return how many steps may be tried in each of so many parts of a search, `least` anyway."""
    return max(MAX_TRIED // max(parts, 1), least)


class Partial(NamedTuple):
    """What may follow: plies, victims unseen, of which some are owed, squares entered once more.

    `cost` is what the steps so far cost at the least, with the changes of the squares `untouched`,
    each with its cost, which no step accounts for yet. `down_at` is when the last step came down at
    the earliest, `after` when any of them did; `used` are the earliest changes, square by square,
    that can have been theirs. Times in seconds on the table clock.
    """

    plies: int
    unseen: int
    owed: int
    refills: int
    cost: float = 0.0
    down_at: float = NEVER
    after: float = NEVER
    used: Mapping[int, float] = _NOTHING
    untouched: Mapping[int, float] = _NOTHING

    def touch(self, squares: Iterable[int]) -> Partial:
        """Return what is left where steps may account for what was seen on these squares."""
        untouched = dict(self.untouched)
        saved = sum(untouched.pop(square, 0.0) for square in squares)
        return self._replace(cost=self.cost - saved, untouched=untouched) if saved else self

    def spend(self, step: Step[P], scene: Scene, extra: int, refilled: bool) -> Partial | None:
        """Return what is left after `step`; None where the scene rules the step out.

        `extra` are squares where something more stands than before the step, `refilled` says that
        something stands again where it began.
        """
        target = step.to_square
        shown = scene.closed >> target & 1
        blind = scene.ignored >> target & 1
        unseen = step.capture and not shown and not blind
        if step.is_ply > self.plies or unseen > self.unseen:
            return None
        if not step.capture and not shown and not blind:
            return None
        if scene.ignored >> step.from_square & 1 and not shown:
            return None  # nothing at all would show it
        if unseen and step.surprise:
            return None
        if refilled and not step.capture and not extra >> target & 1:
            return None
        left = self._replace(
            plies=self.plies - step.is_ply,
            unseen=self.unseen - unseen,
            owed=max(self.owed - unseen, 0),
            refills=self.refills - refilled,
            cost=self.cost + step.surprise,
        )
        return left.touch(step.squares)._fit(step, scene)

    def _fit(self, step: Step[P], scene: Scene) -> Partial | None:
        """Find a step its place in time; None where there is none, as `weigh` would find too."""
        cost, used, lifted_at = self.cost, dict(self.used), NEVER
        slack = w.OVERLAP_REPLY_S * scene.pace
        source, target = step.from_square, step.to_square
        if not scene.ignored >> source & 1:
            since = self.used.get(source, NEVER)
            lifts = [at for at in scene.departures.get(source, ()) if at > since]
            if not lifts:
                return None
            lifted_at = used[source] = lifts[0]
            if lifts[-1] < self.down_at - slack:
                cost += w.HASTY
        if scene.ignored >> target & 1:
            return self._replace(cost=cost, down_at=NEVER, used=used)
        earliest = lifted_at - w.OVERLAP_SLIDE_S * scene.pace
        if not step.capture:
            earliest = max(earliest, self.after - slack)  # turns come one after another
        since = self.used.get(target, NEVER)
        landings = scene.landings.get(target, ())
        down_at = next((at for at in landings if at >= earliest and at > since), None)
        if step.capture:
            cost += w.UNSEEN * (down_at is None)
            return self._replace(
                cost=cost, down_at=NEVER if down_at is None else down_at, used=used
            )
        if down_at is None:
            return None
        used[target] = down_at
        return self._replace(cost=cost, down_at=down_at, after=max(self.after, down_at), used=used)
