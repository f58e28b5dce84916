"""Leads hands through demands, one by one, and notes of each what the switches showed of it.

What a switch does not show, people say: they have done what was asked, and the next demand comes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

from hardware.square_history import BLINK_S
from rules import Square

from ..reading.occupancy import Flip
from .script import Demand

HIDDEN_S = 2.5
"""A change that may go unseen is waited for so long, after the one before it."""

REST_S = 0.3
"""From what was seen to the next demand."""


@dataclass(frozen=True, slots=True)
class Stray:
    """A square that changed though nothing was asked of it. `at` is in seconds."""

    at: float
    square: Square
    is_occupied: bool


@dataclass(frozen=True, slots=True)
class DemandDone:
    """What became of a demand. Times are seconds on the table clock."""

    demand: Demand
    asked_at: float
    seen_at: tuple[float | None, ...]
    """When each change that it wants was seen; None: never, people said that it was done."""
    done_at: float
    strays: tuple[Stray, ...] = ()

    @property
    def is_vain(self) -> bool:
        """Whether something was not seen that had to be."""
        wants = len(self.seen_at) - self.demand.may_hide
        return None in self.seen_at[:wants]


class Leader:
    """Asks for one thing after another; `done` is what became of those that are through."""

    def __init__(self, demands: Iterable[Demand], now: float) -> None:
        self.done: list[DemandDone] = []
        self._left = deque(demands)
        self._lifts: list[Stray] = []
        self._begin(now)

    @property
    def demand(self) -> Demand | None:
        """What is asked for now; None once all is done."""
        return self._left[0] if self._left else None

    @property
    def strange(self) -> Stray | None:
        """The first square that has changed instead of what is asked for."""
        return self._strays[0] if self._strays else None

    def flip(self, flip: Flip, at: float) -> None:
        """Take in that a square has become occupied or empty at a time.

        It counts as empty only once it has been so for longer than a weak switch opens.
        """
        change = Stray(at, flip.square, flip.is_occupied)
        if not flip.is_occupied:
            self._lifts.append(change)
            return
        blink = next((each for each in self._lifts if each.square == flip.square), None)
        if blink is not None:
            self._lifts.remove(blink)
            if at - blink.at < BLINK_S:
                self._note_gap(flip.square, at)
                return
            self._take(blink)
        self._take(change)

    def tick(self, now: float) -> None:
        """Let time pass."""
        for lift in [each for each in self._lifts if now - each.at >= BLINK_S]:
            self._lifts.remove(lift)
            self._take(lift)
        demand = self.demand
        if demand is None:
            return
        is_rested = now >= self._last_at + max(REST_S, demand.lasts_s)
        is_over = self._is_hidden and now >= self._last_at + HIDDEN_S
        if is_over or (is_rested and None not in self._seen):
            self._end(now)

    def say_done(self, now: float) -> None:
        """Take in that people have done what was asked, though not all of it was seen."""
        self._end(now)

    def _begin(self, now: float) -> None:
        self._asked_at = self._last_at = now
        wants = len(self.demand.wants) if self.demand is not None else 0
        self._seen: list[float | None] = [None] * wants
        self._strays: list[Stray] = []

    @property
    def _is_hidden(self) -> bool:
        """Whether all was seen but a last change that may go unseen."""
        demand = self.demand
        return demand is not None and demand.may_hide and self._seen.count(None) == 1

    def _place(self, change: Stray) -> int | None:
        """Return which of the changes that are wanted this is: the next one of its square."""
        wants = self.demand.wants if self.demand is not None else ()
        for place, (square, is_occupied) in enumerate(wants):
            if self._seen[place] is None and square == change.square:
                return place if is_occupied == change.is_occupied else None
        return None

    def _take(self, change: Stray) -> None:
        place, demand = self._place(change), self.demand
        if place is not None:
            self._seen[place] = self._last_at = change.at
        elif demand is not None and change.square not in demand.squares:
            self._strays.append(change)

    def _note_gap(self, square: Square, at: float) -> None:
        """Take an opening that is as short as a blink for a capture, where one is asked for."""
        if self._is_hidden and self._place(Stray(at, square, True)) is not None:
            self._seen[-1] = self._last_at = at

    def _end(self, now: float) -> None:
        demand = self._left.popleft()
        strays = tuple(self._strays)
        self.done.append(DemandDone(demand, self._asked_at, tuple(self._seen), now, strays))
        self._begin(now)
