"""Stands in for a Pi with a board at its pins, and for the three libraries that reach them.

Pins have the pulls that a Pi boots with until a library sets others, and each level is a voltage of
the circuit behind them. What is neither low nor high reads at random. Not modelled: outputs that
are driven high, edges and PWM, which the table does not use.
"""

import errno
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import ClassVar, Protocol

import gpiod
import numpy as np
from gpiod.line import Bias, Direction, Drive, Value

from hardware.matrix import Pin
from hardware.pins import COLUMNS, ROWS
from tests.hardware.circuit import SUPPLY_V, Circuit, Closed, Holds, Parts, Volts

LINES = range(54)
"""Channels that the libraries accept; not all are on the header."""

LOW_V, HIGH_V = 0.8, 2.0
"""An input below the one is low, above the other high; between them it is anything."""

DRIVER_OHM = 70.0
"""Of an output that pulls to ground: 0.14 V at 2 mA."""

FIXED_PULL_UPS, FIXED_OHM = frozenset((2, 3)), 1800.0
"""Resistors on the Pi's board, beside the chip."""

DRIFT_OHM = 1e9
"""A wire that nothing holds drifts to anywhere, here to the middle."""

CALL_S = 1e-6
"""A library's call takes as long at least."""

BOOT_S = 1.0


class Pull(Enum):
    """What a pin has between it and a rail."""

    NONE = SUPPLY_V / 2
    UP = SUPPLY_V
    DOWN = 0.0


class BoardSwitches(Protocol):
    """The switches of one board, or of many."""

    @property
    def closed(self) -> Sequence[bool] | Sequence[Sequence[bool]]:
        """Which are closed now, by switch; of many by board first."""
        ...


class StandInPi:
    """A Pi that has booted, its pins still as booting leaves them, with boards at them.

    Many boards differ in their switches alone, and the libraries see the first. Pins in `pressed`
    are joined to ground; `busy` ones are held by something else.
    """

    def __init__(
        self,
        switches: BoardSwitches,
        rows: Sequence[Pin] = ROWS,
        columns: Sequence[Pin] = COLUMNS,
        parts: Parts | None = None,
        busy: Collection[int] = (),
    ) -> None:
        self.pressed: set[int] = set()
        self.driven: set[int] = set()
        """The pins that are pulled to ground."""
        self._switches, self._parts, self._busy = switches, parts or Parts(), busy
        self._shape = -1, len(rows), len(columns)
        self._place = {pin: place for place, pin in enumerate((*columns, *rows))}
        self._series = np.array(
            [self._parts.file_ohm] * len(columns) + [self._parts.rank_ohm] * len(rows)
        )
        self._circuit = Circuit(self._parts, len(columns))
        self._pulls = {pin: Pull.UP if pin < 9 else Pull.DOWN for pin in LINES}
        self._rng = Random(5)
        self._wires_v: Volts = np.zeros((len(self._closed()), len(self._place)))
        self._pins_v = self._wires_v
        self._passing_s, self._is_changed = BOOT_S, False

    def wait(self, seconds: float) -> None:
        """Let wires settle for so long."""
        self._passing_s += seconds

    def set(self, pin: int, is_low: bool, pull: Pull | None = None) -> None:
        """Make a pin pull to ground or be an input; a pull that is not named stays as it was."""
        if pin in self._busy:
            raise RuntimeError("GPIO busy")
        self._pass()
        (self.driven.add if is_low else self.driven.discard)(pin)
        self._pulls[pin] = pull or self._pulls[pin]
        self._is_changed = True

    def volts(self, pins: Sequence[Pin]) -> Volts:
        """Return what the pins of the matrix stand at, by board."""
        if self._is_changed and not self._passing_s:
            self._passing_s = CALL_S
        self._pass()
        return self._pins_v[:, [self._place[pin] for pin in pins]]

    def level(self, pin: int) -> int:
        """Return how a pin reads on the first board."""
        if pin in self.pressed:
            return 0
        place = self._place.get(Pin(pin))
        volts = self._held_by(pin)[0] if place is None else self.volts([Pin(pin)])[0, 0]
        return int(self._rng.random() < 0.5 if LOW_V <= volts <= HIGH_V else volts > HIGH_V)

    def _pass(self) -> None:
        """Bring the wires to the present."""
        if not self._passing_s:
            return
        volts, ohms = np.array([self._held_by(pin) for pin in self._place]).T
        holds = Holds(volts, ohms + self._series)
        wires_v = self._circuit.after(self._wires_v, self._passing_s, self._closed(), holds)
        self._pins_v = wires_v + (volts - wires_v) * self._series / holds.ohms
        self._wires_v, self._passing_s, self._is_changed = wires_v, 0.0, False

    def _closed(self) -> Closed:
        return np.asarray(self._switches.closed, bool).reshape(self._shape)

    def _held_by(self, pin: int) -> tuple[float, float]:
        """Return to which voltage a pin is held, and by how many ohms."""
        if pin in self.driven:
            return 0.0, DRIVER_OHM
        if pin in FIXED_PULL_UPS:
            return SUPPLY_V, FIXED_OHM
        pull = self._pulls[pin]
        return pull.value, DRIFT_OHM if pull is Pull.NONE else self._parts.pull_ohm


class StandInGpio:
    """The part of `RPi.GPIO` that the table uses, and what both libraries of that name refuse."""

    BCM = 11
    OUT, IN = 0, 1
    LOW, HIGH = 0, 1
    PUD_OFF, PUD_UP = 20, 22

    def __init__(self, pi: StandInPi) -> None:
        self._pi = pi
        self._has_mode = False
        self._set_up: set[int] = set()

    def setwarnings(self, is_on: bool, /) -> None:
        """Nobody is warned here."""

    def setmode(self, mode: int, /) -> None:
        if mode != self.BCM:
            raise ValueError("An invalid mode was passed to setmode()")
        self._has_mode = True

    def setup(
        self, channel: int, direction: int, pull_up_down: int = PUD_OFF, initial: int | None = None
    ) -> None:
        self._check(channel)
        if direction not in (self.IN, self.OUT):
            raise ValueError("An invalid direction was passed to setup()")
        if direction == self.OUT and pull_up_down != self.PUD_OFF:
            raise ValueError("pull_up_down parameter is not valid for outputs")
        if direction == self.OUT and initial != self.LOW:
            raise ValueError("the stand-in drives low only")
        pull = Pull.UP if pull_up_down == self.PUD_UP else Pull.NONE
        self._pi.set(channel, direction == self.OUT, pull)
        self._set_up.add(channel)

    def input(self, channel: int, /) -> int:
        self._check(channel)
        if channel not in self._set_up:
            raise RuntimeError("You must setup() the GPIO channel first")
        return self._pi.level(channel)

    def cleanup(self) -> None:
        for channel in self._set_up:
            self._pi.set(channel, False, Pull.NONE)
        self._set_up.clear()
        self._has_mode = False

    def _check(self, channel: int) -> None:
        if not self._has_mode:
            raise RuntimeError("Please set pin numbering mode using GPIO.setmode(GPIO.BCM)")
        if channel not in LINES:
            raise ValueError("The channel sent is invalid on a Raspberry Pi")


class LgpioError(Exception):
    """What lgpio raises."""


class StandInLgpio:
    """The part of `lgpio` that the table uses.

    As the kernel does, it leaves a pull as it was where no flag names one, and when a pin is let
    go. The header's pins are on the last of its chips.
    """

    SET_OPEN_DRAIN, SET_PULL_UP = 8, 32
    error: type[Exception] = LgpioError
    LABELS: ClassVar = ("raspberrypi-exp-gpio", "pinctrl-rp1")

    def __init__(self, pi: StandInPi) -> None:
        self._pi = pi
        self._claimed: set[int] = set()
        self._group: list[int] = []

    def gpiochip_open(self, chip: int, /) -> int:
        if chip >= len(self.LABELS):
            raise LgpioError("can not open gpiochip")
        return chip

    def gpiochip_close(self, handle: int, /) -> int:
        for pin in self._claimed:
            self._pi.set(pin, False)
        self._claimed.clear()
        return 0

    def gpio_get_chip_info(self, handle: int, /) -> Sequence[object]:
        return 0, 54, f"gpiochip{handle}", self.LABELS[handle]

    def gpio_claim_input(self, handle: int, pin: int, flags: int, /) -> int:
        return self._claim([pin], flags, False)

    def gpio_claim_output(self, handle: int, pin: int, level: int, flags: int, /) -> int:
        assert flags & self.SET_OPEN_DRAIN, "the stand-in drives low only"
        return self._claim([pin], flags, level == 0)

    def group_claim_input(self, handle: int, pins: list[int], flags: int, /) -> int:
        self._group = pins
        return self._claim(pins, flags, False)

    def gpio_write(self, handle: int, pin: int, level: int, /) -> int:
        self._check(pin)
        self._pi.set(pin, level == 0)
        return 0

    def gpio_read(self, handle: int, pin: int, /) -> int:
        self._check(pin)
        return self._pi.level(pin)

    def group_read(self, handle: int, first: int, /) -> Sequence[int]:
        self._check(first)
        levels = sum(self._pi.level(pin) << place for place, pin in enumerate(self._group))
        return len(self._group), levels

    def _claim(self, pins: Iterable[int], flags: int, is_low: bool) -> int:
        for pin in pins:
            try:
                self._pi.set(pin, is_low, Pull.UP if flags & self.SET_PULL_UP else None)
            except RuntimeError as error:
                raise LgpioError(*error.args) from None
            self._claimed.add(pin)
        return 0

    def _check(self, pin: int) -> None:
        if pin not in self._claimed:
            raise LgpioError("GPIO not allocated")


@dataclass(frozen=True, slots=True)
class StandInLine:
    """The part of `gpiod.LineInfo` that the table uses."""

    used: bool
    consumer: str


class StandInChip:
    """The part of `gpiod.Chip` that the table uses, over the settings of the real gpiod.

    As the kernel does, it leaves a pull as it was where a bias is not named and when a line is let
    go; as a Raspberry Pi's own kernel does, it then leaves an output driven, too. `holders` are
    what else holds lines, by line.
    """

    def __init__(self, pi: StandInPi, holders: Mapping[int, str] | None = None) -> None:
        self.holders = dict(holders or {})
        self._pi = pi
        self._is_open = True

    def close(self) -> None:
        self._is_open = False

    def get_line_info(self, line: int) -> StandInLine:
        self._check()
        return StandInLine(line in self.holders, self.holders.get(line, ""))

    def request_lines(
        self, config: Mapping[tuple[int, ...], gpiod.LineSettings], consumer: str
    ) -> "StandInRequest":
        self._check()
        ((lines, settings),) = config.items()
        for line in lines:
            if line not in LINES:
                raise ValueError("line offset of out range")
            if line in self.holders:
                raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        self.holders |= dict.fromkeys(lines, consumer)
        return StandInRequest(self._pi, self.holders, lines, settings)

    def _check(self) -> None:
        if not self._is_open:
            raise gpiod.ChipClosedError


class StandInRequest:
    """The part of `gpiod.LineRequest` that the table uses."""

    def __init__(
        self,
        pi: StandInPi,
        holders: dict[int, str],
        lines: tuple[int, ...],
        settings: gpiod.LineSettings,
    ) -> None:
        self._pi, self._holders, self._lines = pi, holders, lines
        self._is_output = settings.direction is Direction.OUTPUT
        assert not self._is_output or settings.drive is Drive.OPEN_DRAIN, "it drives low only"
        pull = {Bias.PULL_UP: Pull.UP, Bias.PULL_DOWN: Pull.DOWN, Bias.DISABLED: Pull.NONE}
        for line in lines:
            is_low = self._is_output and settings.output_value is Value.INACTIVE
            pi.set(line, is_low, pull.get(settings.bias))

    def get_value(self, line: int) -> Value:
        self._check(line)
        return Value(self._pi.level(line))

    def get_values(self) -> list[Value]:
        return [self.get_value(line) for line in self._lines]

    def set_value(self, line: int, value: Value) -> None:
        self._check(line)
        if not self._is_output:
            raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))
        self._pi.set(line, value is Value.INACTIVE)

    def release(self) -> None:
        self._check(self._lines[0])
        for line in self._lines:
            del self._holders[line]
        self._lines = ()

    def _check(self, line: int) -> None:
        if not self._lines:
            raise gpiod.RequestReleasedError
        if line not in self._lines:
            raise ValueError(f"unknown line name: {line}")
