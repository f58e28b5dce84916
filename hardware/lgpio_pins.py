"""The Pi's own pins by lgpio, which rpi-lgpio stands on: all columns are read at once.

Through `RPi.GPIO` rpi-lgpio needs 260 calls of lgpio for a scan, and claims every row anew; this
needs 30. Rows are open drains: written 0 they pull to ground, written 1 they are inputs.

Each claim names the pull-up: where lgpio is given no pull the kernel leaves it as it was, and a Pi
boots with pull-downs on GPIO 9 to 27, which would load the columns through the diodes.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Protocol, cast

from rules.sentences import Worded, _

from .errors import NoGpio, PinRefused
from .matrix import Pin
from .pins import NEWER, GpioPins, gpio_libraries, imported_aside, load_gpio

CHIPS = range(10)
LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""Of the chips that the header's pins are on; the number of a chip differs between kernels."""


class Lgpio(Protocol):
    """What the table uses of the module `lgpio`. All but `error` return a negative number, or raise
    `error`, where they fail."""

    SET_PULL_UP: int
    SET_OPEN_DRAIN: int
    error: type[Exception]

    def gpiochip_open(self, chip: int, /) -> int:
        """Return a handle of a chip."""
        ...

    def gpiochip_close(self, handle: int, /) -> int:
        """Let go of a chip, and of every pin claimed on it."""
        ...

    def gpio_get_chip_info(self, handle: int, /) -> Sequence[object]:
        """Return status, number of pins, name and label."""
        ...

    def gpio_claim_input(self, handle: int, pin: int, flags: int, /) -> int:
        """Make a pin an input."""
        ...

    def gpio_claim_output(self, handle: int, pin: int, level: int, flags: int, /) -> int:
        """Make a pin an output that starts with a level."""
        ...

    def group_claim_input(self, handle: int, pins: list[int], flags: int, /) -> int:
        """Make pins inputs that are read together, by the first of them."""
        ...

    def gpio_write(self, handle: int, pin: int, level: int, /) -> int:
        """Set an output's level."""
        ...

    def gpio_read(self, handle: int, pin: int, /) -> int:
        """Return a pin's level."""
        ...

    def group_read(self, handle: int, first: int, /) -> Sequence[int]:
        """Return how many pins the group has, and their levels, bit by bit."""
        ...


class LgpioPins:
    """`matrix.Pins` by lgpio. Columns and buttons are inputs, all others rows."""

    def __init__(self, lgpio: Lgpio, columns: Sequence[Pin], buttons: Collection[Pin]) -> None:
        """Open the chip; raises PinRefused. No pin is touched yet."""
        self._lgpio, self._columns = lgpio, tuple(columns)
        self._buttons = frozenset(buttons)
        self._handle = self._open()
        self._has_columns = False
        self._rows: set[Pin] = set()
        self.calls = 0
        """How often the library was called."""

    def drive_low(self, pin: Pin) -> None:
        self._set_row(pin, 0)

    def release(self, pin: Pin) -> None:
        """Make `pin` an input; raises PinRefused if something else holds it."""
        if pin in self._columns:
            self._claim_columns()
        elif pin in self._buttons:
            lgpio = self._lgpio
            self._claim(pin, lambda: lgpio.gpio_claim_input(self._handle, pin, lgpio.SET_PULL_UP))
        else:
            self._set_row(pin, 1)

    def read(self, pins: Sequence[Pin]) -> list[bool]:
        if tuple(pins) == self._columns:
            self.calls += 1
            _, levels = self._lgpio.group_read(self._handle, self._columns[0])
            return [bool(levels >> place & 1) for place in range(len(self._columns))]
        self.calls += len(pins)
        return [bool(self._lgpio.gpio_read(self._handle, pin)) for pin in pins]

    def close(self) -> None:
        """Make all pins inputs again, and let go of them."""
        self._lgpio.gpiochip_close(self._handle)

    def _set_row(self, pin: Pin, level: int) -> None:
        lgpio, handle = self._lgpio, self._handle
        if pin in self._rows:
            self.calls += 1
            lgpio.gpio_write(handle, pin, level)
            return
        flags = lgpio.SET_OPEN_DRAIN | lgpio.SET_PULL_UP
        self._claim(pin, lambda: lgpio.gpio_claim_output(handle, pin, level, flags))
        self._rows.add(pin)

    def _claim_columns(self) -> None:
        if self._has_columns:
            return
        lgpio, columns = self._lgpio, list[int](self._columns)
        self._claim(
            self._columns[0],
            lambda: lgpio.group_claim_input(self._handle, columns, lgpio.SET_PULL_UP),
        )
        self._has_columns = True

    def _claim(self, pin: Pin, claims: Callable[[], int]) -> None:
        self.calls += 1
        try:
            claims()
        except self._lgpio.error as error:
            raise PinRefused.held(pin, error) from error

    def _open(self) -> int:
        lgpio = self._lgpio
        why: str = _("none is there")
        for chip in CHIPS:
            try:
                handle = lgpio.gpiochip_open(chip)
            except lgpio.error as error:
                why = str(error)
                continue
            label = lgpio.gpio_get_chip_info(handle)[3]
            if label in LABELS:
                return handle
            lgpio.gpiochip_close(handle)
            why = Worded(_("chip {chip} is {label}"), chip=chip, label=label)
        raise PinRefused(
            _("no chip with the header's pins: {why} (is the user in the group gpio?)"), why=why
        )


def load_lgpio() -> Lgpio:
    """Import `lgpio`; raises NoGpio."""
    try:
        with imported_aside():
            import lgpio
    except (ImportError, OSError) as error:
        raise NoGpio(_("lgpio cannot be used here: {why}"), why=error) from error
    return cast(Lgpio, lgpio)


def open_pins(columns: Sequence[Pin], buttons: Collection[Pin]) -> GpioPins | LgpioPins:
    """Return this Pi's pins by the library that is here, the quickest way it has.

    Raises NoGpio with the mend where none can be used, PinRefused where the pins cannot be had.
    """
    gpio = load_gpio()
    if gpio_libraries()[0].name == NEWER:
        return LgpioPins(load_lgpio(), columns, buttons)
    return GpioPins(gpio)
