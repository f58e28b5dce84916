"""The lamps of a table that cannot start, on the strip of a Pi's board."""

import os
from itertools import count

import pytest

from hardware.lamps import spi_bytes
from hardware.pins import GpioPins
from jetan_table.cli.fault_light import CORNERS, corners_lit, light_until_end
from jetan_table.light.lamps import PALETTES, RARE_FLASH, LampChoice
from jetan_table.settings import Settings, TableSettings
from rules import format_square
from tests.hardware.contacts import Contacts
from tests.hardware.pi import StandInGpio, StandInPi
from tests.hardware.spi_wire import SpiWire

DARK = (0, 0, 0)
PINS = Settings(table=TableSettings(board="pins"))


@pytest.mark.parametrize("palette", PALETTES)
def test_the_corners_flash_seldom_by_a_rhythm_that_all_eyes_see(palette: str) -> None:
    assert {format_square(square) for square in CORNERS} == {"a1", "j1", "a10", "j10"}
    choice = LampChoice(palette=palette, brightness=0.5)  # type: ignore[arg-type]
    moments = [corners_lit(PINS, choice, RARE_FLASH.period_s * (n + 0.5) / 20) for n in range(20)]
    lit = [{lamp for lamp, colour in enumerate(lamps) if colour != DARK} for lamps in moments]
    lamp_of = PINS.lamps.lamp_of()
    assert lit == [{lamp_of[square] for square in CORNERS}] + 19 * [set()]


def test_the_strip_is_lit_until_the_input_ends_and_then_dark(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pi, wire = StandInPi(Contacts()), SpiWire()
    monkeypatch.setattr("hardware.pins.open_pins", lambda *_: GpioPins(StandInGpio(pi)))
    monkeypatch.setattr("hardware.lamps.open_spi", lambda _device: wire)
    dark, lit = spi_bytes([DARK] * 100), set[bytes]()
    input_end, *typed = os.pipe()
    times = (RARE_FLASH.period_s * n / 20 for n in count())

    def clock() -> float:
        now = next(times)
        lit.add(wire.sent)
        if len(lit) == 3 and typed:
            os.close(typed.pop())
        return now

    light_until_end(PINS, LampChoice(), input_end, clock)
    os.close(input_end)
    assert {b"", dark} < lit
    assert wire.sent == dark
    assert wire.is_closed
