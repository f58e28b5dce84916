"""The Raspberry Pi's own pins: the use of each, and the three libraries that reach them.

gpiod, the kernel's own library, comes first where it is installed. Two others bring the module
`RPi.GPIO`: the classic RPi.GPIO writes to the registers of a Pi up to 4, rpi-lgpio asks the kernel
and works on every Pi. `GpioPins` uses what both have in common.

Through `RPi.GPIO` rpi-lgpio needs 260 calls of lgpio for a scan, and claims every row anew;
`LgpioPins` and `GpiodPins` ask the kernel themselves, read all columns at once and need 30. Their
rows are open drains: written 0 they pull to ground, written 1 they are inputs. Each claim names the
pull-up: without one the kernel leaves a pull as it was, and a Pi boots with pull-downs on GPIO 9 to
27, which would load the columns through the diodes.
"""

from __future__ import annotations

import errno
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from importlib.metadata import distributions
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Protocol, TypeAlias, cast

from rules import Notice, Sentence, Worded, _

from .matrix import Pin
from .ports import BadWiring, HardwareError

if TYPE_CHECKING:
    import gpiod
    from gpiod.line import Value

SIZE = 10

HEADER = range(2, 28)
"""GPIO 2..27 are on the header of every Pi since the B+; 0 and 1 belong to boards put on top."""

SPI_PINS: Mapping[int, str] = {10: _("SPI's data, for the lamps"), 11: _("SPI's clock")}
I2C_PINS: Mapping[int, str] = {2: _("I2C's data"), 3: _("I2C's clock")}
I2C_DEVICE = Path("/dev/i2c-1")

ROWS = tuple(map(Pin, (4, 5, 6, 7, 8, 9, 12, 13, 16, 17)))
COLUMNS = tuple(map(Pin, range(18, 28)))
DIE_BUTTON, MENU_BUTTON = Pin(2), Pin(3)


@dataclass(frozen=True, slots=True)
class PinMap:
    """The matrix and two buttons, by the BCM numbers of their pins; a button may be missing.

    Raises BadWiring where pins are used twice, do not exist or belong to something else. GPIO 2 and
    3 have pull-ups on every Pi, which suits buttons.
    """

    rows: tuple[Pin, ...] = ROWS
    columns: tuple[Pin, ...] = COLUMNS
    die_button: Pin | None = DIE_BUTTON
    menu_button: Pin | None = MENU_BUTTON

    def __post_init__(self) -> None:
        for name, pins in (("rows", self.rows), ("columns", self.columns)):
            if len(pins) != SIZE:
                raise BadWiring(
                    _("{name}: {count} pins; the matrix has {size}"),
                    name=name,
                    count=len(pins),
                    size=SIZE,
                )
        user_of: dict[Pin, str] = {}
        for user, pin in self.users():
            if pin in SPI_PINS:
                raise BadWiring(
                    _("{user}: GPIO {pin} is {other}"),
                    user=user,
                    pin=pin,
                    other=SPI_PINS[pin],
                )
            if pin not in HEADER:
                raise BadWiring(
                    _("{user}: there is no GPIO {pin}; the header has 2..27"), user=user, pin=pin
                )
            if pin in user_of:
                raise BadWiring(
                    _("{user}: GPIO {pin} is wired to {other} already"),
                    user=user,
                    pin=pin,
                    other=user_of[pin],
                )
            user_of[pin] = user

    @property
    def buttons(self) -> tuple[Pin, ...]:
        """The pins of the buttons that are there."""
        return tuple(pin for pin in (self.die_button, self.menu_button) if pin is not None)

    def users(self) -> Iterator[tuple[str, Pin]]:
        """Yield what each pin is for, and the pin."""
        for name, pins in ((_("row {number}"), self.rows), (_("column {number}"), self.columns)):
            for number, pin in enumerate(pins, 1):
                yield Worded(name, number=number), pin
        buttons = ((_("die button"), self.die_button), (_("menu button"), self.menu_button))
        for name, button in buttons:
            if button is not None:
                yield name, button

    def check_free(self, i2c_device: Path = I2C_DEVICE) -> None:
        """Raise BadWiring if I2C is switched on and its pins are used here."""
        if not i2c_device.exists():
            return
        for user, pin in self.users():
            if pin in I2C_PINS:
                raise BadWiring(
                    _(
                        "{user}: GPIO {pin} is {other}, and I2C is on: switch it off (sudo "
                        "raspi-config nonint do_i2c 1) or choose another pin"
                    ),
                    user=user,
                    pin=pin,
                    other=I2C_PINS[pin],
                )


CLASSIC, NEWER, GPIOD = "RPi.GPIO", "rpi-lgpio", "gpiod"
MODEL = Path("/proc/device-tree/model")
RP1_MODELS = re.compile(r"Raspberry Pi (5|Compute Module 5)")
"""Models whose pins are on a chip of their own, which the classic library cannot reach."""


class Gpio(Protocol):
    """The part of the module `RPi.GPIO` that the table uses."""

    BCM: int
    IN: int
    OUT: int
    LOW: int
    PUD_UP: int

    def setwarnings(self, is_on: bool, /) -> None:
        """Turn the library's warnings on or off."""
        ...

    def setmode(self, mode: int, /) -> None:
        """Choose how pins are counted."""
        ...

    def setup(
        self, channel: int, direction: int, pull_up_down: int = ..., initial: int = ...
    ) -> None:
        """Make a pin an input, or an output that starts with the level `initial`."""
        ...

    def input(self, channel: int, /) -> int:
        """Return a pin's level."""
        ...

    def cleanup(self) -> None:
        """Make every pin that was set up an input without a pull, and let go of it."""
        ...


@dataclass(frozen=True, slots=True)
class GpioLibrary:
    """An installed library for the Pi's pins, and the folder it is in."""

    name: str
    version: str
    folder: Path


def gpio_libraries(path: Sequence[str] | None = None) -> list[GpioLibrary]:
    """Return those installed, the one that is used first; `path` as `sys.path`.

    gpiod comes first, then the one that `import RPi.GPIO` finds.
    """
    found = []
    for library in distributions(path=sys.path if path is None else list(path)):
        for name in (GPIOD, CLASSIC, NEWER):
            if re.sub(r"[-_.]+", "-", library.name).lower() == name.lower().replace(".", "-"):
                folder = Path(str(library.locate_file("")))
                found.append(GpioLibrary(name, library.version, folder))
    # Debian 12 calls an older library gpiod, too, whose calls are others.
    usable = [each for each in found if each.name != GPIOD or not each.version.startswith("1.")]
    return sorted(dict.fromkeys(usable), key=lambda each: each.name != GPIOD)


def pi_model(path: Path = MODEL) -> str | None:
    """Return the model of this Raspberry Pi; None on other machines."""
    try:
        return path.read_text().rstrip("\0\n")
    except OSError:
        return None


def gpio_trouble(libraries: Sequence[GpioLibrary], model: str | None) -> Notice | None:
    """Return why the libraries installed cannot be used on this model, with the mend, or None."""
    if not libraries:
        mend = _("sudo apt-get install python3-rpi-lgpio")
        return Notice("gpio", "fail", _("RPi.GPIO is not installed"), mend)
    used = libraries[0]
    if used.name == GPIOD:
        return None
    # Both bring the same files: in one folder the later of them has overwritten the other's.
    rivals = {each.name for each in libraries if each.folder == used.folder}
    if len(rivals) > 1:
        found = _(
            "{classic} and {newer} are both installed in {folder} and have overwritten each other"
        )
        mend = _("pip uninstall {classic} {newer}, then pip install {newer}")
        return Notice(
            "gpio",
            "fail",
            Worded(found, classic=CLASSIC, newer=NEWER, folder=used.folder),
            Worded(mend, classic=CLASSIC, newer=NEWER),
        )
    if used.name == CLASSIC and RP1_MODELS.match(model or ""):
        found = _("{classic} {version} cannot reach the pins of a {model}")
        return Notice(
            "gpio",
            "fail",
            Worded(found, classic=CLASSIC, version=used.version, model=model),
            _("sudo apt-get remove python3-rpi.gpio, then sudo apt-get install python3-rpi-lgpio"),
        )
    return None


@contextmanager
def imported_aside() -> Iterator[None]:
    """Import lgpio in here: it leaves a named pipe in the folder it is imported in, or fails."""
    with TemporaryDirectory(prefix="jetan-gpio-") as scratch, chdir(scratch):
        yield


def load_gpio() -> Gpio:
    """Import `RPi.GPIO`; HardwareError names the mend where it is missing, wrong or there twice."""
    trouble = gpio_trouble(gpio_libraries(), pi_model())
    if trouble is not None:
        raise HardwareError(_("{found}: {mend}"), found=trouble.found, mend=trouble.mend)
    try:
        with imported_aside():
            from RPi import GPIO
    except (ImportError, RuntimeError, NotImplementedError, OSError) as error:
        raise HardwareError(_("RPi.GPIO cannot be used here: {why}"), why=error) from error
    return cast(Gpio, GPIO)


def no_chip(why: str) -> HardwareError:
    """Return the error of a machine on which no chip with the header's pins can be opened."""
    return HardwareError(
        _("no chip with the header's pins: {why} (is the user in the group gpio?)"), why=why
    )


def refused(pin: int, why: Exception | str) -> HardwareError:
    """Return the refusal of a pin that a library could not get, with the usual mend."""
    return HardwareError(
        _(
            "GPIO {pin} cannot be had: {why}. SPI holds 7, 8 and 9 unless config.txt says "
            "dtoverlay=spi0-0cs,no_miso"
        ),
        pin=pin,
        why=why,
    )


class GpioPins:
    """`matrix.Pins` over the Pi's own."""

    def __init__(self, gpio: Gpio) -> None:
        self._gpio = gpio
        self.calls = 0
        try:
            gpio.setwarnings(False)
            gpio.setmode(gpio.BCM)
        except Exception as error:  # the libraries' errors have no base in common
            raise HardwareError(
                _("no pins to be had: {why} (is the user in the group gpio?)"), why=error
            ) from error

    def drive_low(self, pin: Pin) -> None:
        self.calls += 1
        self._gpio.setup(pin, self._gpio.OUT, initial=self._gpio.LOW)

    def release(self, pin: Pin) -> None:
        """Make `pin` an input; raises HardwareError if something else holds it."""
        gpio = self._gpio
        self.calls += 1
        try:
            gpio.setup(pin, gpio.IN, pull_up_down=gpio.PUD_UP)
        except Exception as error:  # the libraries' errors have no base in common
            raise refused(pin, error) from error

    def read(self, pins: Sequence[Pin]) -> list[bool]:
        self.calls += len(pins)
        read = self._gpio.input
        return [bool(read(pin)) for pin in pins]

    def close(self) -> None:
        """Make all pins inputs again, and let go of them."""
        self._gpio.cleanup()


CHIPS = range(10)
LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""Of the chips that the header's pins are on; the number of a chip differs between kernels."""


class Lgpio(Protocol):
    """The part of the module `lgpio` that the table uses; where a call fails it raises `error`."""

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
        """Open the chip; raises HardwareError. No pin is touched yet."""
        self._lgpio, self._columns = lgpio, tuple(columns)
        self._buttons = frozenset(buttons)
        self._handle = self._open()
        self._has_columns = False
        self._rows: set[Pin] = set()
        self.calls = 0

    def drive_low(self, pin: Pin) -> None:
        self._set_row(pin, 0)

    def release(self, pin: Pin) -> None:
        """Make `pin` an input; raises HardwareError if something else holds it."""
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
            raise refused(pin, error) from error

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
        raise no_chip(why)


def load_lgpio() -> Lgpio:
    """Import `lgpio`; raises HardwareError."""
    try:
        with imported_aside():
            import lgpio
    except (ImportError, OSError) as error:
        raise HardwareError(_("lgpio cannot be used here: {why}"), why=error) from error
    return cast(Lgpio, lgpio)


class GpiodPins:
    """`matrix.Pins` by gpiod. Columns and buttons are inputs, all others rows."""

    def __init__(self, chip: gpiod.Chip, columns: Sequence[Pin], buttons: Collection[Pin]) -> None:
        """Take over the header's chip. No pin is touched yet."""
        from gpiod.line import Value

        self._chip, self._columns = chip, tuple(columns)
        self._inputs = frozenset((*columns, *buttons))
        self._requests: dict[Pin, gpiod.LineRequest] = {}
        self._high, self._low = Value.ACTIVE, Value.INACTIVE
        self.calls = 0

    def drive_low(self, pin: Pin) -> None:
        self._set_row(pin, self._low)

    def release(self, pin: Pin) -> None:
        """Make `pin` an input; raises HardwareError if something else holds it."""
        if pin not in self._inputs:
            self._set_row(pin, self._high)
        elif pin not in self._requests:
            self._request(self._columns if pin in self._columns else (pin,))

    def read(self, pins: Sequence[Pin]) -> list[bool]:
        if tuple(pins) == self._columns:
            self.calls += 1
            return [each is self._high for each in self._requests[pins[0]].get_values()]
        self.calls += len(pins)
        return [self._requests[pin].get_value(pin) is self._high for pin in pins]

    def close(self) -> None:
        """Make all pins inputs again, and let go of them."""
        # A Raspberry Pi's own kernel leaves an output driven when it is let go.
        for row in self._requests.keys() - self._inputs:
            self._requests[row].set_value(row, self._high)
        for request in set(self._requests.values()):
            request.release()
        self._chip.close()

    def _set_row(self, pin: Pin, value: Value) -> None:
        if pin in self._requests:
            self.calls += 1
            self._requests[pin].set_value(pin, value)
        else:
            self._request((pin,), value)

    def _request(self, pins: Sequence[Pin], value: Value | None = None) -> None:
        """Claim pins that are read together as inputs; or a row, which begins with a value."""
        from gpiod import LineSettings
        from gpiod.line import Bias, Direction, Drive

        if value is None:
            settings = LineSettings(direction=Direction.INPUT, bias=Bias.PULL_UP)
        else:
            output, drain = Direction.OUTPUT, Drive.OPEN_DRAIN
            settings = LineSettings(output, bias=Bias.PULL_UP, drive=drain, output_value=value)
        self.calls += 1
        try:
            request = self._chip.request_lines({tuple(pins): settings}, consumer="jetan")
        except OSError as error:
            raise self._refusal(pins, error) from error
        self._requests |= dict.fromkeys(pins, request)

    def _refusal(self, pins: Sequence[Pin], error: OSError) -> HardwareError:
        if error.errno == errno.EBUSY:
            for pin in pins:
                if (held := self._chip.get_line_info(pin)).used:
                    return refused(pin, Worded(_("{holder} holds it"), holder=held.consumer))
        return refused(pins[0], Sentence(error.strerror or error))


def open_chip(devices: Path = Path("/dev")) -> gpiod.Chip:
    """Return gpiod's chip with the header's pins; raises HardwareError."""
    import gpiod

    why: str = _("none is there")
    for device in sorted(devices.glob("gpiochip*")):
        try:
            chip = gpiod.Chip(str(device))
        except OSError as error:
            why = Sentence(error.strerror or error)
            continue
        label = chip.get_info().label
        if label in LABELS:
            return chip
        chip.close()
        why = Worded(_("chip {chip} is {label}"), chip=device.name, label=label)
    raise no_chip(why)


BoardPins: TypeAlias = GpioPins | LgpioPins | GpiodPins
"""Pins by a library whose calls are counted."""


def open_pins(columns: Sequence[Pin], buttons: Collection[Pin]) -> BoardPins:
    """Return this Pi's pins by the first of the libraries that are here.

    Raises HardwareError where none can be used, or the pins cannot be had.
    """
    names = [library.name for library in gpio_libraries()]
    if names[:1] == [GPIOD]:
        return GpiodPins(open_chip(), columns, buttons)
    gpio = load_gpio()
    if names[0] == NEWER:
        return LgpioPins(load_lgpio(), columns, buttons)
    return GpioPins(gpio)
