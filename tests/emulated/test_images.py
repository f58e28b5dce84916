"""What is built: it fits, and refuses what it cannot be."""

from dataclasses import replace
from pathlib import Path

import pytest

from firmware_bridge.build import (
    MEGA,
    NANO,
    Microcontroller,
    Variant,
    build_firmware,
    flash_command,
)
from firmware_bridge.emulation import emulator
from firmware_bridge.errors import BridgeError
from tests.needs import EMULATOR

pytestmark = pytest.mark.needs(*EMULATOR)

STACK = 384
"""Bytes the deepest calls and an interrupt on top of them can take."""


@pytest.mark.parametrize("has_watchdog", [True, False])
@pytest.mark.parametrize("has_diodes", [True, False])
def test_images_fit_with_room_for_the_stack(
    build: Microcontroller, has_watchdog: bool, has_diodes: bool
) -> None:
    image = emulator.image(build, Variant(has_watchdog, has_diodes))
    assert image.flash <= build.most_flash
    assert image.ram <= build.most_ram
    assert build.most_ram + STACK <= {"mega": 8192, "nano": 2048, "pico": 16384}[build.name]


def test_an_image_over_its_budget_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BridgeError, match=r"nano: .* at most 1000"):
        build_firmware(replace(NANO, most_flash=1000), Variant(), tmp_path)


def test_flashing_names_the_chip_and_the_port(tmp_path: Path) -> None:
    command = flash_command(MEGA, tmp_path / "table.hex", "/dev/ttyACM0")
    assert command[:3] == ["avrdude", "-p", "atmega2560"]
    assert "/dev/ttyACM0" in command
    assert command[-1] == f"flash:w:{tmp_path / 'table.hex'}:i"
