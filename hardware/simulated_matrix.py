"""Pins with a simulated switch matrix behind them: it stands under the real scan.

Modelled: the net of closed switches between rows and columns, with a diode at each switch or
without (then three closed corners of a rectangle close the fourth); columns that rise slowly after
they were pulled low, and read at random until then. Not modelled: pulls, voltages, two outputs that
fight, noise and cross-talk, and the time a scan itself takes: the contacts stand still during one.
"""

from collections.abc import Iterable, Sequence
from itertools import compress
from random import Random
from typing import Protocol

from .matrix import Pin

RISE_S = 15e-6
"""How long a column takes to rise through its pull-up."""


class Switches(Protocol):
    """Whatever closes and opens the contacts."""

    @property
    def closed(self) -> Sequence[bool]:
        """Which contacts are closed now, by switch."""
        ...


class SimulatedMatrix:
    """The pins of a board whose switches are `contacts` (by index: row x columns + column)."""

    def __init__(
        self,
        contacts: Switches,
        rows: Sequence[Pin],
        columns: Sequence[Pin],
        rng: Random,
        diodes: bool = True,
    ) -> None:
        self._contacts = contacts
        self._rows, self._columns = tuple(rows), tuple(columns)
        self._rng, self._diodes = rng, diodes
        self._driven: set[Pin] = set()
        self._waited = 0.0
        self._rises: dict[Pin, float] = {}

    def wait(self, seconds: float) -> None:
        """Let the columns settle for so long."""
        self._waited += seconds

    def drive_low(self, pin: Pin) -> None:
        """Pull `pin` to ground."""
        self._drive(self._driven | {pin})

    def release(self, pin: Pin) -> None:
        """Make `pin` an input."""
        self._drive(self._driven - {pin})

    def read(self, pins: Sequence[Pin]) -> list[bool]:
        """Return whether each pin is high; one that still rises reads at random."""
        low = self._low()
        return [pin not in low and self._is_high(pin) for pin in pins]

    def _drive(self, driven: set[Pin]) -> None:
        before = self._low()
        self._driven = driven
        for column in before - self._low():
            self._rises[column] = self._waited + RISE_S

    def _is_high(self, pin: Pin) -> bool:
        return self._waited >= self._rises.get(pin, 0.0) or self._rng.random() < 0.5

    def _low(self) -> set[Pin]:
        closed = self._contacts.closed
        return low_pins(closed, self._rows, self._columns, self._driven, self._diodes)


def low_pins(
    closed: Sequence[bool],
    rows: Sequence[Pin],
    columns: Sequence[Pin],
    driven: Iterable[Pin],
    diodes: bool = True,
) -> set[Pin]:
    """Return the pins that are pulled to ground by those `driven`, themselves included.

    `closed` is by switch, row x columns + column. Without diodes current also flows from a column
    on into further rows.
    """
    width, low = len(columns), set(driven)
    pending = [index for index, row in enumerate(rows) if row in low] if low else []
    while pending:
        row = pending.pop()
        low.update(compress(columns, closed[row * width : (row + 1) * width]))
        if diodes:
            continue
        reached = [column for column in range(width) if closed[row * width + column]]
        for index, pin in enumerate(rows):
            if pin not in low and any(closed[index * width + column] for column in reached):
                low.add(pin)
                pending.append(index)
    return low
