"""Scans a switch matrix over pins: one row is driven at a time, and the columns are read."""

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import NewType, Protocol

from rules.sentences import _

from .errors import BadWiring

Pin = NewType("Pin", int)
"""Number of a pin as the driver of the pins counts them (on a Pi: BCM)."""

SETTLE_S = 100e-6
"""Wait after driving a row: three time constants of a 50 kOhm pull-up on 600 pF of wire."""


class Pins(Protocol):
    """General-purpose pins, which have pull-ups as inputs."""

    def drive_low(self, pin: Pin) -> None:
        """Make `pin` an output that pulls to ground."""
        ...

    def release(self, pin: Pin) -> None:
        """Make `pin` an input."""
        ...

    def read(self, pins: Sequence[Pin]) -> Sequence[bool]:
        """Return whether each pin is high."""
        ...


class Matrix:
    """A matrix of switches, each with a diode from its column to its row.

    Rows that are not driven are inputs: two outputs that fight over two closed switches of one
    column would burn. Their own pull-ups charge their wires, else columns would have to, through
    the diodes. Without diodes any three closed corners of a rectangle close the fourth, which no
    scan can see through: `doubted` names such corners.
    """

    def __init__(
        self,
        pins: Pins,
        rows: Sequence[Pin],
        columns: Sequence[Pin],
        wait: Callable[[float], None],
        settle_s: float = SETTLE_S,
        diodes: bool = True,
    ) -> None:
        """Release all pins. `wait(seconds)` lets the columns settle.

        Raises BadWiring when a pin is named twice.
        """
        wired = [*rows, *columns]
        twice = sorted({pin for pin in wired if wired.count(pin) > 1})
        if twice:
            raise BadWiring(
                _("pin {pin} is wired twice: each row and column needs its own"),
                pin=twice[0],
            )
        self._pins, self._rows, self._columns = pins, tuple(rows), tuple(columns)
        self._wait, self._settle_s, self._diodes = wait, settle_s, diodes
        for pin in wired:
            pins.release(pin)

    @property
    def switches(self) -> int:
        """How many switches the matrix has."""
        return len(self._rows) * len(self._columns)

    def scan(self) -> tuple[bool, ...]:
        """Return which switches are closed now, by switch index (row x columns + column)."""
        closed: list[bool] = []
        for row in self._rows:
            self._pins.drive_low(row)
            self._wait(self._settle_s)
            closed += (not high for high in self._pins.read(self._columns))
            self._pins.release(row)
        return tuple(closed)

    def doubted(self, closed: Sequence[bool]) -> frozenset[int]:
        """Return the switches of a scan that may be closed by three others only; none with diodes.

        Two rows that share two closed columns are a rectangle, and any of its corners may be false.
        """
        if self._diodes:
            return frozenset()
        width = len(self._columns)
        doubted: set[int] = set()
        for first, second in combinations(range(0, len(closed), width), 2):
            shared = [n for n in range(width) if closed[first + n] and closed[second + n]]
            if len(shared) > 1:
                doubted.update(row + n for row in (first, second) for n in shared)
        return frozenset(doubted)
