"""The Raspberry Pi's own pins: which library is here, and the table's pins over it.

Two libraries bring the module `RPi.GPIO`: the classic RPi.GPIO writes to the registers of a Pi up
to 4, rpi-lgpio asks the kernel and works on every Pi. The table uses what both have in common.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from importlib.metadata import distributions
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, Protocol, cast

from rules.sentences import Worded, _

from .errors import NoGpio, PinRefused
from .matrix import Pin

CLASSIC, NEWER = "RPi.GPIO", "rpi-lgpio"
MODEL = Path("/proc/device-tree/model")
RP1_MODELS = re.compile(r"Raspberry Pi (5|Compute Module 5)")
"""Models whose pins are on a chip of their own, which the classic library cannot reach."""


class Gpio(Protocol):
    """What the table uses of the module `RPi.GPIO`."""

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
    """An installed library that brings `RPi.GPIO`, and the folder it is in."""

    name: str
    version: str
    folder: Path


def gpio_libraries(path: Sequence[str] | None = None) -> list[GpioLibrary]:
    """Return those installed, the one that `import RPi.GPIO` finds first; `path` as `sys.path`."""
    found = []
    for library in distributions(path=sys.path if path is None else list(path)):
        for name in (CLASSIC, NEWER):
            if re.sub(r"[-_.]+", "-", library.name).lower() == name.lower().replace(".", "-"):
                folder = Path(str(library.locate_file("")))
                found.append(GpioLibrary(name, library.version, folder))
    return list(dict.fromkeys(found))


def pi_model(path: Path = MODEL) -> str | None:
    """Return which Raspberry Pi this is, None if it is none."""
    try:
        return path.read_text().rstrip("\0\n")
    except OSError:
        return None


class GpioTrouble(NamedTuple):
    """Why the pins cannot be used here, and the mend."""

    found: str
    mend: str


def gpio_trouble(libraries: Sequence[GpioLibrary], model: str | None) -> GpioTrouble | None:
    """Return why the libraries installed cannot be used on this model, with the mend, or None."""
    if not libraries:
        return GpioTrouble(
            _("RPi.GPIO is not installed"), _("sudo apt-get install python3-rpi-lgpio")
        )
    used = libraries[0]
    rivals = {library.name for library in libraries if library.folder == used.folder}
    if len(rivals) > 1:
        found = _(
            "{classic} and {newer} are both installed in {folder} and have overwritten each other"
        )
        mend = _("pip uninstall {classic} {newer}, then pip install {newer}")
        return GpioTrouble(
            Worded(found, classic=CLASSIC, newer=NEWER, folder=used.folder),
            Worded(mend, classic=CLASSIC, newer=NEWER),
        )
    if used.name == CLASSIC and RP1_MODELS.match(model or ""):
        found = _("{classic} {version} cannot reach the pins of a {model}")
        return GpioTrouble(
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
    """Import `RPi.GPIO`; raises NoGpio with the mend where it is missing, wrong or there twice."""
    trouble = gpio_trouble(gpio_libraries(), pi_model())
    if trouble is not None:
        raise NoGpio(_("{found}: {mend}"), found=trouble.found, mend=trouble.mend)
    try:
        with imported_aside():
            from RPi import GPIO
    except (ImportError, RuntimeError, NotImplementedError, OSError) as error:
        raise NoGpio(_("RPi.GPIO cannot be used here: {why}"), why=error) from error
    return cast(Gpio, GPIO)


class GpioPins:
    """`matrix.Pins` over the Pi's own."""

    def __init__(self, gpio: Gpio) -> None:
        self._gpio = gpio
        self.calls = 0
        """How often the library was called."""
        try:
            gpio.setwarnings(False)
            gpio.setmode(gpio.BCM)
        except Exception as error:  # the libraries' errors have no base in common
            raise PinRefused(
                _("no pins to be had: {why} (is the user in the group gpio?)"), why=error
            ) from error

    def drive_low(self, pin: Pin) -> None:
        self.calls += 1
        self._gpio.setup(pin, self._gpio.OUT, initial=self._gpio.LOW)

    def release(self, pin: Pin) -> None:
        """Make `pin` an input; raises PinRefused if something else holds it."""
        gpio = self._gpio
        self.calls += 1
        try:
            gpio.setup(pin, gpio.IN, pull_up_down=gpio.PUD_UP)
        except Exception as error:  # the libraries' errors have no base in common
            raise PinRefused.held(pin, error) from error

    def read(self, pins: Sequence[Pin]) -> list[bool]:
        self.calls += len(pins)
        read = self._gpio.input
        return [bool(read(pin)) for pin in pins]

    def close(self) -> None:
        """Make all pins inputs again, and let go of them."""
        self._gpio.cleanup()
