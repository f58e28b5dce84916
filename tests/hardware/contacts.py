"""Contacts under the pins of a simulated matrix, which close and open, and bounce, as is said."""

from collections.abc import Iterable
from random import Random

from hardware.ports import Change, Switch

BURST_S = 0.005
"""For no longer does a contact bounce after an edge."""


class Contacts:
    """A hundred contacts over time; those that bounce do so by the generator handed in."""

    def __init__(self, closed: Iterable[int] = (), bounces: Random | None = None) -> None:
        self.closed = [False] * 100
        for switch in closed:
            self.closed[switch] = True
        self._bounces = bounces
        self._edges: list[Change] = []

    def move(self, at: float, switch: int, near: bool) -> None:
        """Let a magnet come near a switch, or leave it, later than all that was told before."""
        self._edges.append(Change(at, Switch(switch), near))
        if self._bounces is not None:
            burst = sorted(self._bounces.uniform(0, BURST_S) for _ in range(6))
            self._edges += [
                Change(at + after, Switch(switch), near is (n % 2 == 1))
                for n, after in enumerate(burst)
            ]

    def until(self, now: float) -> list[Change]:
        """Let time run, and return what has changed."""
        changes = []
        while self._edges and self._edges[0].at <= now:
            changes.append(self._edges.pop(0))
            self.closed[changes[-1].switch] = changes[-1].closed
        return changes
