"""Stands in for the module `RPi.GPIO` of a Pi with a board at its pins.

Modelled: the matrix and its wires (see `simulated_matrix`), pull-ups only where they are switched
on, pins that float and read at random, buttons that join a pin to ground, the fixed pull-ups of
GPIO 2 and 3, pins that something else holds, and what both libraries refuse. Not modelled: outputs
that are driven high, edges and PWM, which the table does not use.
"""

from __future__ import annotations

from collections.abc import Collection

from .matrix import Pin
from .simulated_matrix import SimulatedMatrix

LINES = range(54)
"""Channels that the libraries accept; not all are on the header."""

FIXED_PULL_UPS = frozenset((2, 3))


class SimulatedGpio:
    """The part of `RPi.GPIO` that the table uses; a pin in `pressed` is joined to ground."""

    BCM = 11
    OUT, IN = 0, 1
    LOW, HIGH = 0, 1
    PUD_OFF, PUD_UP = 20, 22

    def __init__(self, matrix: SimulatedMatrix, busy: Collection[int] = ()) -> None:
        """Put `matrix` at the pins; `busy` ones are held by something else."""
        self.pressed: set[int] = set()
        self._matrix, self._busy = matrix, frozenset(busy)
        self._has_mode = False
        self._direction: dict[int, int] = {}

    @property
    def driven(self) -> frozenset[int]:
        """The pins that are outputs now."""
        return frozenset(pin for pin, way in self._direction.items() if way == self.OUT)

    def setwarnings(self, is_on: bool, /) -> None:
        """Nobody is warned here."""

    def setmode(self, mode: int, /) -> None:
        if mode != self.BCM:
            raise ValueError("An invalid mode was passed to setmode()")
        self._has_mode = True

    def setup(
        self, channel: int, direction: int, pull_up_down: int = PUD_OFF, initial: int | None = None
    ) -> None:
        pin = self._pin(channel)
        if direction == self.OUT:
            if pull_up_down != self.PUD_OFF:
                raise ValueError("pull_up_down parameter is not valid for outputs")
            if initial != self.LOW:
                raise ValueError("the stand-in drives low only")
        elif direction != self.IN:
            raise ValueError("An invalid direction was passed to setup()")
        if channel in self._busy:
            raise RuntimeError("GPIO busy")
        self._direction[channel] = direction
        if direction == self.OUT:
            self._matrix.drive_low(pin)
            return
        self._matrix.release(pin)
        self._matrix.pull_up(pin, pull_up_down == self.PUD_UP or channel in FIXED_PULL_UPS)

    def input(self, channel: int, /) -> int:
        pin = self._pin(channel)
        if channel not in self._direction:
            raise RuntimeError("You must setup() the GPIO channel first")
        if channel in self.pressed:
            return self.LOW
        return int(self._matrix.read([pin])[0])

    def cleanup(self) -> None:
        for channel in self._direction:
            self._matrix.release(Pin(channel))
            self._matrix.pull_up(Pin(channel), channel in FIXED_PULL_UPS)
        self._direction.clear()
        self._has_mode = False

    def _pin(self, channel: int) -> Pin:
        if not self._has_mode:
            raise RuntimeError("Please set pin numbering mode using GPIO.setmode(GPIO.BCM)")
        if channel not in LINES:
            raise ValueError("The channel sent is invalid on a Raspberry Pi")
        return Pin(channel)
