"""Which of the Pi's pins does what, refused where that cannot work before any pin is driven."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from rules.sentences import Worded, _

from .errors import BadWiring
from .matrix import Pin

SIZE = 10
"""Rows and columns of the matrix."""

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
