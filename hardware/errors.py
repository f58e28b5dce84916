"""What can go wrong with the table's parts."""

from __future__ import annotations

from rules.sentences import SentenceError, _


class HardwareError(SentenceError):
    """The base of every error of this package."""


class BadWiring(HardwareError, ValueError):
    """Pins, switches or lamps are assigned in a way that cannot work."""


class BadSensorSetting(HardwareError, ValueError):
    """A number in a sensor's settings is outside what the sensor can use."""


class CannotBeBuilt(HardwareError, ValueError):
    """No such table can be made: its sizes do not suit each other, or a part is not to be had."""


class NoGpio(HardwareError, ImportError):
    """No library for the Pi's pins can be used here; the message names the mend."""


class PinRefused(HardwareError, OSError):
    """A pin or a device cannot be had, mostly because something else holds it."""

    @classmethod
    def held(cls, pin: int, error: Exception) -> PinRefused:
        """Return the refusal of a pin that a library could not get, with the usual mend."""
        return cls(
            _(
                "GPIO {pin} cannot be had: {why}. SPI holds 7, 8 and 9 unless config.txt says "
                "dtoverlay=spi0-0cs,no_miso"
            ),
            pin=pin,
            why=error,
        )
