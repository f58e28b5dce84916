"""Lamps on SPI: sent when they change, within the current, dark in the end."""

from typing import get_args

import pytest

from hardware.lamps import PULSES, ColourOrder, SpiLamps, open_spi, spi_bytes
from hardware.ports import RGB, BadWiring, HardwareError, current_ma
from tests.hardware.spi_wire import SpiWire

DARK: tuple[RGB, ...] = ((0, 0, 0),) * 100
WHITE: tuple[RGB, ...] = ((255, 255, 255),) * 100
SPIDEV_HOLDS = 4096


@pytest.fixture
def wire() -> SpiWire:
    return SpiWire()


@pytest.fixture
def lamps(wire: SpiWire) -> SpiLamps:
    return SpiLamps(wire, 2000)


def test_a_frame_fits_one_transfer() -> None:
    assert len(spi_bytes(WHITE)) < SPIDEV_HOLDS


def test_a_frame_begins_and_ends_low() -> None:
    sent = spi_bytes(WHITE)
    assert sent[0] == 0
    assert not any(sent[-120:])
    assert sent[1:5] == bytes([0b11101110] * 4)


@pytest.mark.parametrize("order", get_args(ColourOrder))
def test_colours_are_sent_in_the_order_that_the_lamps_take(order: ColourOrder) -> None:
    wire = SpiWire()
    SpiLamps(wire, 2000, order).show([(1, 2, 3)])
    parts = {"r": 1, "g": 2, "b": 3}
    assert wire.sent[1:13] == b"".join(PULSES[parts[part]] for part in order)


@pytest.mark.parametrize("limit_ma", [150, 400, 2000, 10_000])
def test_current_stays_within_the_limit(limit_ma: int) -> None:
    wire = SpiWire()
    lamps = SpiLamps(wire, limit_ma)
    lamps.show(WHITE)
    assert lamps.current_ma <= limit_ma
    assert lamps.current_ma > 0.9 * min(limit_ma - 100, current_ma(WHITE) - 100)


def test_only_changes_are_sent(wire: SpiWire, lamps: SpiLamps) -> None:
    for _ in range(3):
        lamps.show(DARK)
    assert wire.transfers == 1


def test_a_transfer_that_fails_is_told_and_what_failed_is_sent_again(
    wire: SpiWire, lamps: SpiLamps
) -> None:
    wire.error = OSError(5, "Input/output error")
    lamps.show(DARK)
    assert lamps.trouble is wire.error
    wire.error = None
    lamps.show(DARK)
    assert wire.transfers == 1
    assert lamps.trouble is None


def test_lamps_are_dark_in_the_end(wire: SpiWire, lamps: SpiLamps) -> None:
    lamps.show(WHITE)
    lamps.close()
    assert wire.sent == spi_bytes(DARK)
    assert wire.is_closed


def test_what_is_no_spi_device_is_refused() -> None:
    with pytest.raises(BadWiring, match=r"/dev/ttyUSB0: no SPI device; .* /dev/spidev0\.0"):
        open_spi("/dev/ttyUSB0")


def test_a_device_that_is_missing_is_named_with_the_mend() -> None:
    with pytest.raises(HardwareError, match=r"python3-spidev|dtparam=spi=on"):
        open_spi("/dev/spidev7.7")
