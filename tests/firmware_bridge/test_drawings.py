"""The pins in the drawings are the pins in the firmware."""

import pytest

from firmware_bridge.build import BUILDS, Microcontroller
from tests.drawings import FILES, RANKS, shown, wires


def labels(pins: object) -> list[str]:
    assert isinstance(pins, tuple)
    return [pin.label for pin in pins]


@pytest.mark.parametrize("build", BUILDS.values(), ids=BUILDS)
def test_files_and_lamps_are_wired_as_the_firmware_has_them(build: Microcontroller) -> None:
    drawn, name = wires(build.name), build.name.title()
    assert drawn[f"{name} > Files"] == list(zip(labels(build.columns), FILES, strict=True))
    if build.name == "pico":  # its 3.3 V are made 5
        assert drawn["Pico > Shifter"] == [(build.lamps.label, "1A"), ("GND", "GND")]
        assert drawn["Shifter > Lamps"] == [("1Y", "DIN"), ("GND", "GND")]
    else:
        assert drawn[f"{name} > Lamps"] == [(build.lamps.label, "DIN"), ("GND", "GND")]


@pytest.mark.parametrize("name", ["mega", "pico"])
def test_ranks_are_wired_as_the_firmware_has_them(name: str) -> None:
    drawn = wires(name)[f"{name.title()} > Ranks"]
    assert drawn == list(zip(labels(BUILDS[name].rows), RANKS, strict=True))


def test_registers_are_wired_as_the_firmware_has_them() -> None:
    drawn, register = wires("nano"), BUILDS["nano"].register
    names = {"data": "SER", "clock": "SRCLK", "latch": "RCLK"}
    assert drawn["Nano > Low"][:3] == [(register[key].label, name) for key, name in names.items()]
    outputs = [f"Q{letter}" for letter in "ABCDEFGH"]
    assert drawn["Low > Ranks"] == list(zip(outputs, RANKS[:8], strict=True))
    assert drawn["High > Ranks"] == list(zip(outputs[:2], RANKS[8:], strict=True))
    assert drawn["Low > High"][:3] == [("QH+", "SER"), ("SRCLK", "SRCLK"), ("RCLK", "RCLK")]


@pytest.mark.parametrize("build", BUILDS.values(), ids=BUILDS)
def test_the_drawing_was_rendered_from_the_text(build: Microcontroller) -> None:
    used = {pin for pairs in wires(build.name).values() for pair in pairs for pin in pair}
    assert used <= shown(build.name)
