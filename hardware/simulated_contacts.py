"""Reed contacts without a board: what switches do when magnets come and go.

Modelled: bounce at every edge, the flicker of a weak magnet (which moves with its piece) or of a
weak switch, a switch that sticks closed or dies. Not modelled: where on its square a magnet
stands, one magnet closing two switches, hysteresis, magnets pulling at each other, temperature
and wear. Times are seconds on the table clock; all chance comes from the generator handed in.
"""

from __future__ import annotations

import enum
import heapq
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import Random

from .switches import Change, Switch


class ContactFault(enum.Enum):
    """How a switch fails."""

    STUCK_CLOSED = "stuck-closed"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class Wear:
    """How contacts misbehave; ranges are (least, most), drawn evenly."""

    bounce_share: float = 0.85
    """Share of the edges that bounce."""
    burst_s: tuple[float, float] = (0.0003, 0.005)
    """How long they do."""
    burst_pairs: tuple[int, int] = (1, 6)
    """How often the contact opens and closes meanwhile."""
    flickers_per_s: float = 0.2
    """How often a weak switch, or one under a weak magnet, opens."""
    flicker_s: tuple[float, float] = (0.005, 0.060)
    """For how long."""


class Contacts:
    """The contacts of a board over time: magnets and faults in, raw changes out."""

    def __init__(self, count: int, rng: Random, wear: Wear | None = None) -> None:
        """Start with `count` open contacts and no magnet near."""
        self._rng, self._wear = rng, wear or Wear()
        self._magnets = [0] * count
        self._weak_magnets = [0] * count
        self._weak = [False] * count
        self._away = [False] * count  # a flicker holds the contact open just now
        self._visits = [0] * count  # counts comings and goings, so that old flickers can be dropped
        self._faults: list[ContactFault | None] = [None] * count
        self._closed = [False] * count
        self._edges = [0] * count  # counts a contact's edges, so that old bounce can be dropped
        self._pending: list[tuple[float, int, Callable[[float], None]]] = []
        self._order = 0
        self._changes: list[Change] = []

    @property
    def closed(self) -> tuple[bool, ...]:
        """Which contacts are closed, as of the last `until`."""
        return tuple(self._closed)

    @property
    def due(self) -> float | None:
        """When something happens next; None if nothing is to come."""
        return self._pending[0][0] if self._pending else None

    def stand(self, switch: Switch, weak: bool = False) -> None:
        """Put a magnet over `switch` before the clock starts: no bounce, no change told."""
        self._magnets[switch] += 1
        self._weak_magnets[switch] += weak
        self._closed[switch] = True
        self._await_flicker(0.0, switch)

    def move(self, at: float, switch: Switch, near: bool, weak: bool = False) -> None:
        """Let a magnet come near `switch`, or leave it, at time `at`."""
        self._at(at, partial(self._move, switch, 1 if near else -1, weak))

    def weaken(self, switch: Switch, at: float = 0.0) -> None:
        """Make `switch` a weak one, once its magnet stands; without a time, before it starts."""
        self._at(at, partial(self._weaken, switch))

    def fail(self, at: float, switch: Switch, fault: ContactFault | None) -> None:
        """Let `switch` fail at time `at`; None mends it, and makes a weak one strong."""
        self._at(at, partial(self._fail, switch, fault))

    def until(self, now: float) -> list[Change]:
        """Let time run to `now`, and return the raw changes on the way, oldest first."""
        while self._pending and self._pending[0][0] <= now:
            at, _, happen = heapq.heappop(self._pending)
            happen(at)
        changes, self._changes = self._changes, []
        return changes

    def _at(self, at: float, happen: Callable[[float], None]) -> None:
        self._order += 1
        heapq.heappush(self._pending, (at, self._order, happen))

    def _move(self, switch: Switch, step: int, weak: bool, at: float) -> None:
        self._magnets[switch] += step
        self._weak_magnets[switch] += step * weak
        self._away[switch] = False
        self._visits[switch] += 1
        self._await_flicker(at, switch)
        self._edge(at, switch)

    def _fail(self, switch: Switch, fault: ContactFault | None, at: float) -> None:
        self._faults[switch] = fault
        if fault is None:
            self._weak[switch] = self._away[switch] = False
            self._visits[switch] += 1
            self._await_flicker(at, switch)
        self._edge(at, switch)

    def _weaken(self, switch: Switch, at: float) -> None:
        self._weak[switch] = True
        self._await_flicker(at, switch)

    def _await_flicker(self, at: float, switch: Switch) -> None:
        covered = self._magnets[switch] > 0
        if covered and (self._weak[switch] or self._weak_magnets[switch]):
            opens = at + self._rng.expovariate(self._wear.flickers_per_s)
            self._at(opens, partial(self._flicker, switch, self._visits[switch], True))

    def _flicker(self, switch: Switch, visit: int, away: bool, at: float) -> None:
        if self._visits[switch] != visit:
            return
        self._away[switch] = away
        self._edge(at, switch)
        if away:
            closes = at + self._rng.uniform(*self._wear.flicker_s)
            self._at(closes, partial(self._flicker, switch, visit, False))
        else:
            self._await_flicker(at, switch)

    def _level(self, switch: Switch) -> bool:
        fault = self._faults[switch]
        if fault is not None:
            return fault is ContactFault.STUCK_CLOSED
        return self._magnets[switch] > 0 and not self._away[switch]

    def _edge(self, at: float, switch: Switch) -> None:
        """Bring the contact to its level, with a burst of bounce after the edge."""
        self._edges[switch] += 1
        level = self._level(switch)
        if level == self._closed[switch]:
            return
        self._tell(at, switch, level)
        if self._faults[switch] is None and self._rng.random() < self._wear.bounce_share:
            length = self._rng.uniform(*self._wear.burst_s)
            toggles = 2 * self._rng.randint(*self._wear.burst_pairs)
            times = sorted(self._rng.uniform(0, length) for _ in range(toggles - 1))
            for index, after in enumerate([*times, length]):
                bounced = level if index % 2 else not level
                self._at(at + after, partial(self._bounce, switch, self._edges[switch], bounced))

    def _bounce(self, switch: Switch, edge: int, closed: bool, at: float) -> None:
        if self._edges[switch] == edge and self._closed[switch] != closed:
            self._tell(at, switch, closed)

    def _tell(self, at: float, switch: Switch, closed: bool) -> None:
        self._closed[switch] = closed
        self._changes.append(Change(at, switch, closed))
