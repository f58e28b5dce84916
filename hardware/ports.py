"""The seams of a table: what a sensor, the lamps and a die can be asked, and nothing else.

`now` and `at` are seconds on the table clock, which is always passed in. A driver translates; it
never infers a move.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from rules import Occupant, Square

Evidence = tuple[float, float, float, float]
"""Log-likelihood of what was seen of one square, for each `Occupant` that may have stood there.

In nats; only differences count. An occupant that is 3 nats ahead is 20 times likelier, 5 nats 150
times, 10 nats 22,000 times.
"""

RGB = tuple[int, int, int]
"""Red, green and blue of one lamp, 0..255 each."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What a sensor saw at one moment. A sensor's first observation names every square."""

    at: float
    """In seconds on the table clock."""
    squares: Mapping[Square, Evidence | None]
    """The squares seen anew, each with its evidence, or None where the sensor could see nothing (a
    hand covers the square). A square that is not named is as it was when it was named last."""


@dataclass(frozen=True, slots=True)
class DieThrow:
    """One roll of the ten-sided die: `numbers` are 1..10, three for a teleport."""

    at: float
    numbers: tuple[int, ...]


class Sensor(Protocol):
    """Something that sees the board."""

    def poll(self, now: float) -> Iterable[Observation]:
        """Return what has been seen since the last call, oldest first; never blocks."""
        ...


class Lamps(Protocol):
    """The lamps under the squares."""

    def show(self, lights: Sequence[RGB]) -> None:
        """Show one colour a lamp, in lamp order; the last lights shown stand."""
        ...


class Die(Protocol):
    """A ten-sided die."""

    def request(self, occasion: str, now: float) -> None:
        """Ask for one roll. `occasion` tells it from every other roll of the game."""
        ...

    def poll(self, now: float) -> DieThrow | None:
        """Return the roll asked for, once; None while it is not there yet."""
        ...


def presence(evidence: Evidence) -> float:
    """Return the log-odds that something stands there: positive is occupied, negative empty."""
    return max(evidence[Occupant.BLACK :]) - evidence[Occupant.EMPTY]


UNSURE = 3.0
"""A sensor that prefers occupied or empty by less than this, in nats (20 to 1), cannot tell."""


def occupancy(evidence: Evidence) -> bool | None:
    """Return whether something stands there; None where the evidence is too weak to tell."""
    log_odds = presence(evidence)
    return None if abs(log_odds) < UNSURE else log_odds > 0
