"""The board at the pins of an emulated Pi: looks at the chip's registers, and moves its inputs.

QEMU's chip knows no wires: an input keeps the level that was written to it last. So this model has
its turn whenever the driver waits for wires to settle: it reads which rows are driven low, and
writes what each column would then be. The chip's pull-ups are not emulated; columns count as having
theirs. Runs inside the emulated Pi, as root.
"""

import mmap
import os
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager

from hardware.matrix import Pin, low_pins
from hardware.pins import COLUMNS, DIE_BUTTON, MENU_BUTTON, ROWS, BoardPins, Gpio, open_chip
from tests.hardware.contacts import Contacts

REGISTERS = 0x3F200000
"""Of the pins, in a BCM2837; as 32-bit words from there:"""
SELECT, SET, CLEAR, LEVEL = 0, 7, 10, 13

INPUT, OUTPUT = 0, 1
BUTTONS = (DIE_BUTTON, MENU_BUTTON)


class Fingers:
    """Close and open contacts."""

    def __init__(self) -> None:
        self.closed: Sequence[bool] = [False] * 100


class PiBench:
    """A Pi with matrix and buttons at the default pins; `switches` close the matrix's.

    `pressed` are the buttons' pins that are joined to ground.
    """

    def __init__(
        self,
        gpio: Gpio | None,
        open_pins: Callable[[], BoardPins],
        switches: Fingers | Contacts | None = None,
    ) -> None:
        self._gpio, self.open_pins = gpio, open_pins
        self.pressed: set[int] = set()
        self._fingers = Fingers()
        self._switches = switches or self._fingers
        memory = os.open("/dev/mem", os.O_RDWR | os.O_SYNC)
        self._map = mmap.mmap(memory, mmap.PAGESIZE, offset=REGISTERS)
        os.close(memory)
        self._words = memoryview(self._map).cast("I")

    @property
    def gpio(self) -> Gpio:
        assert self._gpio is not None, "only libraries that bring RPi.GPIO have it"
        return self._gpio

    @contextmanager
    def hold(self, pin: Pin, consumer: str) -> Iterator[None]:
        with open_chip() as chip, chip.request_lines({pin: None}, consumer):
            yield

    @property
    def driven(self) -> Collection[int]:
        return [pin for pin in (*ROWS, *COLUMNS) if self._direction(pin) == OUTPUT]

    def close_switches(self, switches: Collection[int]) -> None:
        self._fingers.closed = [number in switches for number in range(100)]

    def wait(self, seconds: float) -> None:
        """Let the wires settle, which takes no time here."""
        levels = self._words[LEVEL]
        driven = [pin for pin in ROWS if self._direction(pin) == OUTPUT and not levels >> pin & 1]
        low = low_pins(self._switches.closed, ROWS, COLUMNS, driven)
        low |= {pin for pin in BUTTONS if pin in self.pressed}
        inputs = [pin for pin in (*COLUMNS, *BUTTONS) if self._direction(pin) == INPUT]
        self._words[SET] = sum(1 << pin for pin in inputs if pin not in low)
        self._words[CLEAR] = sum(1 << pin for pin in inputs if pin in low)

    def _direction(self, pin: int) -> int:
        return self._words[SELECT + pin // 10] >> pin % 10 * 3 & 7
