"""WS2812 lamps on the Pi's SPI data pin: four SPI bits draw the pulse of one lamp bit.

At 3.2 MHz a lamp reads 1000 (high for 313 ns) as 0 and 1110 (938 ns) as 1. Nothing but the data
pin is used. The clock must be steady: on a Pi 3 and older config.txt needs core_freq=250, on a
Pi 4 core_freq_min=500. Lamps of other makes take the parts of a colour in another order.
"""

import re
from collections.abc import Sequence
from typing import Literal, Protocol, TypeAlias, cast

from rules import _

from .ports import RGB, BadWiring, HardwareError, capped, current_ma

ColourOrder: TypeAlias = Literal["grb", "rgb", "rbg", "gbr", "brg", "bgr"]
"""`grb`: strips of WS2812B; `rgb`: most strings of WS2811."""


def green_first(lights: Sequence[RGB], order: ColourOrder) -> tuple[RGB, ...]:
    """Return what lamps of this order must be sent for these lights as if they were `grb`."""
    first, second, third = ("rgb".index(part) for part in order)
    return tuple((light[second], light[first], light[third]) for light in lights)


SPI_HZ = 3_200_000
ZERO, ONE = 0b1000, 0b1110
LATCH_S = 300e-6
"""Seconds of low data after which lamps show what they were sent; older ones need less."""

LATCH = bytes(round(SPI_HZ * LATCH_S / 8))
LEAD = b"\0"
"""The pin may be high before a transfer, which would lengthen the first pulse."""

DEVICE = re.compile(r"/dev/spidev(\d+)\.(\d+)")


class Spi(Protocol):
    """The part of `spidev.SpiDev` that the lamps use."""

    max_speed_hz: int
    mode: int

    def writebytes2(self, values: bytes, /) -> None:
        """Send bytes."""
        ...

    def close(self) -> None:
        """Let go of the device."""
        ...


def _pulses(channel: int) -> bytes:
    bits = 0
    for place in range(7, -1, -1):
        bits = bits << 4 | (ONE if channel >> place & 1 else ZERO)
    return bits.to_bytes(4, "big")


PULSES = tuple(map(_pulses, range(256)))
"""The SPI bytes of each value of a channel."""


def spi_bytes(lights: Sequence[RGB]) -> bytes:
    """Return what must be sent to show `lights`, in lamp order, on lamps that take green first."""
    drawn = (PULSES[g] + PULSES[r] + PULSES[b] for r, g, b in lights)
    return LEAD + b"".join(drawn) + LATCH


def open_spi(device: str) -> Spi:
    """Open `/dev/spidevBUS.DEVICE`; HardwareError, BadWiring for another name."""
    found = DEVICE.fullmatch(device)
    if found is None:
        raise BadWiring(
            _("{device}: no SPI device; they are named as /dev/spidev0.0"), device=device
        )
    try:
        from spidev import SpiDev
    except ImportError as error:
        raise HardwareError(
            _("no spidev: sudo apt-get install python3-spidev ({why})"), why=error
        ) from error
    spi = cast(Spi, SpiDev())
    try:
        spi.open(*map(int, found.groups()))  # type: ignore[attr-defined]  # SpiDev's own
        spi.max_speed_hz, spi.mode = SPI_HZ, 0
    except OSError as error:
        raise HardwareError(
            _(
                "{device} cannot be opened: {strerror}. SPI is switched on by dtparam=spi=on in "
                "config.txt, and needs the group spi"
            ),
            device=device,
            strerror=error.strerror,
        ) from error
    return spi


class SpiLamps:
    """Lamps at the end of an SPI data wire, kept within what their supply gives."""

    def __init__(self, spi: Spi, limit_ma: float, colours: ColourOrder = "grb") -> None:
        self._spi, self.limit_ma, self._colours = spi, limit_ma, colours
        self._shown: tuple[RGB, ...] | None = None
        self.trouble: OSError | None = None
        """The error that kept the last lights from being sent; None after a success."""

    @property
    def current_ma(self) -> float:
        """The current of the lamps, as far as it can be reckoned."""
        return current_ma(self._shown or ())

    def show(self, lights: Sequence[RGB]) -> None:
        # What is shown already is not sent again: a frame keeps the line busy for 3 ms. Lights that
        # could not be sent are not noted as shown, so the next call tries them again.
        wanted = capped(lights, self.limit_ma)
        if wanted == self._shown:
            return
        try:
            self._spi.writebytes2(spi_bytes(green_first(wanted, self._colours)))
        except OSError as error:
            self.trouble = error
            return
        self._shown, self.trouble = wanted, None

    def close(self) -> None:
        """Make the lamps dark, and let go of the device."""
        self.show(((0, 0, 0),) * len(self._shown or ()))
        self._spi.close()
