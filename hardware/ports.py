"""The ports of a table: what can be asked of sensors, lamps and switches, and their answers.

`now` and `at` are seconds on the table clock, which is always passed in. A driver reports what a
part has seen or lacks, in sentences that are translated where they are shown; it never infers a
move. A sensor that learns is given what the reader believes to stand on the board.
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
    """The squares as a sensor saw them at one moment; its first observation names every square.

    A closed switch is evidence for a piece, an open one against it:

        >>> from hardware.ports import Observation, Occupancy, occupancy
        >>> from hardware.reeds import reed_evidence
        >>> seen = Observation(12.5, {0: reed_evidence(True), 1: reed_evidence(False), 2: None})
        >>> [None if each is None else occupancy(each) for each in seen.squares.values()]
        [True, False, None]
        >>> Occupancy().update(seen)
        [Flip(square=0, is_occupied=True)]
    """

    at: float
    squares: Mapping[Square, Evidence | None]
    """The squares seen anew, each with its evidence, or None where the sensor could see nothing (a
    hand covers the square). A square that is not named is as it was when it was named last."""


def part_notice(place: str, template: Sentence, **values: object) -> Notice:
    """Return a warning about a part that works; `place` names it, such as `lamps-lost`."""
    return Notice("part", "warn", Worded(template, **values), place=place)


DOUBTED: Final = _("{count} switches cannot be believed: lift one of the pieces there (no diodes)")
"""The note on a board without diodes where three closed switches may close a fourth."""


class Sensor(Protocol):
    """A source of observations of the board."""

    def poll(self, now: float) -> Iterable[Observation]:
        """Return what has been seen since the last call, oldest first; never blocks."""
        ...


class Lamps(Protocol):
    """The lamps under the squares.

    Drivers keep them within what the supply gives:

        >>> from hardware.lamps import SpiLamps
        >>> class Wire:
        ...     def writebytes2(self, values):
        ...         print(len(values), "bytes")
        >>> lamps = SpiLamps(Wire(), limit_ma=500.0)
        >>> lamps.show([(255, 255, 255)] * 100)
        1321 bytes
        >>> lamps.show([(255, 255, 255)] * 100)  # is shown already
        >>> f"{lamps.current_ma:.0f} mA"
        '500 mA'
    """

    def show(self, lights: Sequence[RGB]) -> None:
        """Show one colour a lamp, in lamp order; they stay on until others are shown."""
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
"""The current of one channel of a WS2812 lamp at 255; its chip draws about 1 mA besides."""
IDLE_MA = 1.0


class Flip(NamedTuple):
    """A square has become occupied, or empty."""

    square: Square
    is_occupied: bool


class Occupancy:
    """The latest evidence of every square; empty before the first observation."""

    def __init__(self) -> None:
        self.evidence: dict[Square, Evidence] = {}
        self.occupied: set[Square] = set()

    def __bool__(self) -> bool:
        """Return True once anything has been seen."""
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
    """A way in which a switch fails: always closed, or never closed."""

    STUCK = "stuck"
    DEAD = "dead"

    def is_disproved(self, occupied: bool) -> bool:
        """Return True if a switch that has changed to `occupied` cannot have failed like this."""
        return occupied is (self is FaultKind.DEAD)


@dataclass(frozen=True, slots=True)
class SwitchCounts:
    """The record of one switch, as far as it is certain; it is kept from evening to evening."""

    placed: int = 0
    missed: int = 0
    """Pieces put down that it did not show."""
    row: int = 0
    """Pieces missed one after another since it last closed."""
    ghosts: int = 0
    """Times it stayed closed over an empty square."""
    empty_s: float = 0.0
    """Seconds for which its square was empty meanwhile."""


SURELY_KNOWN = 40.0
"""The margin of a belief that nothing known speaks against, in nats."""

IN_DOUBT = -1
"""In place of an occupant: it is not known."""


@dataclass(frozen=True, slots=True)
class Believed:
    """The reader's belief about every square after the looks it has taken in.

    Values only: another thread may use it while the reader goes on.

        >>> from hardware.ports import SURELY_KNOWN, Believed
        >>> from rules import SQUARES, Occupant, Position, parse_rules
        >>> start = Position.start(parse_rules("appendix"))
        >>> occupants = tuple(start.occupant_at(square) for square in SQUARES)
        >>> believed = Believed(occupants, (SURELY_KNOWN,) * 100)
        >>> believed.occupants.count(Occupant.BLACK)
        20
    """

    occupants: tuple[int, ...]
    """The `Occupant` of each square; IN_DOUBT where it is not known."""
    margins: tuple[float, ...]
    """The lead of that over anything else on the square, in nats; SURELY_KNOWN at most."""


class HardwareError(SentenceError):
    """The base of every error of this package; itself a pin, a device or the library for it that
    cannot be had. The message names the mend."""


class BadWiring(HardwareError, ValueError):
    """Pins, switches or lamps are assigned, or read, in a way that cannot work."""
