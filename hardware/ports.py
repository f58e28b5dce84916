"""The seams of a table: what sensors, lamps and switches can be asked, and what that says.

`now` and `at` are seconds on the table clock, which is always passed in. A driver says what a
part has seen or lacks, as sentences that whoever shows them translates; it never infers a move.
Whoever reads a board tells a sensor that learns what is believed to stand there.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, NewType, Protocol

from rules import Notice, Occupant, Sentence, SentenceError, Square, Worded, _

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


def part_notice(place: str, template: Sentence, **values: object) -> Notice:
    """Return what people should know of a part that works, known by `place` (`lamps-lost`)."""
    return Notice("part", "warn", Worded(template, **values), place=place)


DOUBTED: Final = _("{count} switches cannot be believed: lift one of the pieces there (no diodes)")
"""What is said of a board without diodes where three closed switches may close a fourth."""


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


def presence(evidence: Evidence) -> float:
    """Return the log-odds that something stands there: positive is occupied, negative empty."""
    return max(evidence[Occupant.BLACK :]) - evidence[Occupant.EMPTY]


UNSURE = 3.0
"""A sensor that prefers occupied or empty by less than this, in nats (20 to 1), cannot tell."""


def occupancy(evidence: Evidence) -> bool | None:
    """Return whether something stands there; None where the evidence is too weak to tell."""
    log_odds = presence(evidence)
    return None if abs(log_odds) < UNSURE else log_odds > 0


CHANNEL_MA = 20.0
"""What one channel of a WS2812 lamp draws at 255; its chip draws about 1 mA besides."""
IDLE_MA = 1.0


class Flip(NamedTuple):
    """A square has become occupied, or empty."""

    square: Square
    is_occupied: bool


class Occupancy:
    """What a sensor has last said of every square; nothing before the first observation."""

    def __init__(self) -> None:
        self.evidence: dict[Square, Evidence] = {}
        self.occupied: set[Square] = set()

    def __bool__(self) -> bool:
        """Whether anything has been seen yet."""
        return bool(self.evidence)

    def update(self, observation: Observation) -> list[Flip]:
        """Take evidence in, and return what has changed; covered squares stay as they were."""
        flips = []
        for square, evidence in observation.squares.items():
            if evidence is None:
                continue
            is_occupied = presence(evidence) > 0
            self.evidence[square] = evidence
            if is_occupied != (square in self.occupied):
                flips.append(Flip(square, is_occupied))
                (self.occupied.add if is_occupied else self.occupied.remove)(square)
        return flips


def current_ma(shown: Sequence[RGB]) -> float:
    """Return what the lamps draw together, in mA."""
    return len(shown) * IDLE_MA + sum(map(sum, shown)) / 255 * CHANNEL_MA


def capped(shown: Sequence[RGB], limit_ma: float) -> tuple[RGB, ...]:
    """Dim all lamps alike, as far as needed to stay within `limit_ma`."""
    idle = len(shown) * IDLE_MA
    wanted = current_ma(shown) - idle
    if wanted <= max(limit_ma - idle, 0.0):
        return tuple(shown)
    share = max(limit_ma - idle, 0.0) / wanted
    # Rounding down, so that many small errors cannot add up to more than the limit.
    return tuple((int(r * share), int(g * share), int(b * share)) for r, g, b in shown)


Switch = NewType("Switch", int)
"""Index of a switch as it is wired (row x columns + column); `switch_of[square]` crosses over."""


@dataclass(frozen=True, slots=True)
class Change:
    """A switch has closed (a magnet is over it) or opened, `at` seconds on the table clock."""

    at: float
    switch: Switch
    closed: bool


class FaultKind(enum.Enum):
    """How a switch fails to follow: always closed, or never closed."""

    STUCK = "stuck"
    DEAD = "dead"

    def is_disproved(self, occupied: bool) -> bool:
        """Whether a switch that now changes to `occupied` cannot have failed like this."""
        return occupied is (self is FaultKind.DEAD)


@dataclass(frozen=True, slots=True)
class SwitchCounts:
    """What one switch has done, as far as is certain: a few numbers, kept for later evenings."""

    placed: int = 0
    missed: int = 0
    """Those of them that it did not show."""
    row: int = 0
    """Those that it has missed since it closed last, one after another."""
    ghosts: int = 0
    """How often it stayed closed with nobody there."""
    empty_s: float = 0.0
    """For how many seconds its square was empty meanwhile."""


SUREST = 40.0
"""What nothing that is known speaks against is believed so surely, in nats."""

IN_DOUBT = -1
"""In place of an occupant: nobody knows."""


@dataclass(frozen=True, slots=True)
class Believed:
    """What whoever reads a board believes of the looks it has taken in.

    Values only: another thread may use it while the reader goes on.
    """

    occupants: tuple[int, ...]
    """What stands on each square, as `Occupant`; IN_DOUBT where nobody knows."""
    margins: tuple[float, ...]
    """How much likelier that is than anything else on that square, in nats; SUREST at most."""


class HardwareError(SentenceError):
    """The base of every error of this package; itself a pin, a device or the library for it that
    cannot be had. The message names the mend."""


class BadWiring(HardwareError, ValueError):
    """Pins, switches or lamps are assigned, or read, in a way that cannot work."""
