"""A walk: one demand after another is made, looked for, helped with when it takes long, and judged.

A trial, the wiring of a board, the wires in set-up, lessons and puzzles are walks; they differ in
their demands alone. Time is an argument: who walks says what was seen, and when.
"""

from typing import Generic, Protocol, TypeVar

Seen_contra = TypeVar("Seen_contra", contravariant=True)


class Demand(Protocol[Seen_contra]):
    """One thing that is asked of people."""

    @property
    def patience_s(self) -> float:
        """After so many seconds in vain people are helped; infinite: never."""
        ...

    def see(self, look: Seen_contra, now: float) -> bool:
        """Judge what was seen since the last look; return whether it is done, or given up."""
        ...

    def help(self) -> None:
        """Help people on: say or show what is to be done."""
        ...


class Walk(Generic[Seen_contra]):
    """Where people are: what is asked of them, since when, and whether they have been helped."""

    def __init__(self) -> None:
        self.demand: Demand[Seen_contra] | None = None
        """None before the first one, and between two."""
        self._asked_at = 0.0
        self._is_helped = False

    def ask(self, demand: Demand[Seen_contra], now: float) -> None:
        """Ask for something next."""
        self.demand, self._asked_at, self._is_helped = demand, now, False

    def look(self, look: Seen_contra, now: float) -> None:
        """Let what was seen be judged; help where it takes long."""
        demand = self.demand
        if demand is None:
            return
        if demand.see(look, now):
            self.demand = None
        elif not self._is_helped and now >= self._asked_at + demand.patience_s:
            self._is_helped = True
            demand.help()
