"""The firmware's headers are those of the tables, and its pins can be wired."""

import pytest

from firmware_bridge.build import BUILDS, SOURCES, Microcontroller, find_build
from firmware_bridge.errors import BridgeError
from tools.c_headers import messages_h, pins_h


def test_headers_are_up_to_date() -> None:
    mend = "run: python -m tools.c_headers"
    assert (SOURCES / "messages.h").read_text() == messages_h(), mend
    assert (SOURCES / "pins.h").read_text() == pins_h(), mend


@pytest.mark.parametrize("build", BUILDS.values(), ids=BUILDS)
def test_each_pin_is_wired_once(build: Microcontroller) -> None:
    pins = [*build.columns, *build.rows, build.lamps, *build.register.values()]
    assert len({pin.port for pin in pins}) == len({pin.label for pin in pins}) == len(pins)
    assert len(build.columns) == 10
    assert len(build.rows) == 10 or set(build.register) == {"data", "clock", "latch"}
    serial = {"mega": {"E0", "E1"}, "nano": {"D0", "D1"}, "pico": set[str]()}[build.name]
    assert serial.isdisjoint(pin.port for pin in pins)


def test_an_unknown_microcontroller_is_refused_with_a_near_miss() -> None:
    with pytest.raises(BridgeError, match="megga: no such microcontroller, did you mean mega"):
        find_build("megga")
