"""The pins in the drawings are the pins in the firmware."""

import re

import pytest

from firmware_bridge.builds import BUILDS, Build
from tests.tidy.tree import ROOT

FOLDER = ROOT / "docs" / "build"
END = re.compile(r"^    - (\w[\w ]*): \[(.*)\]$", re.MULTILINE)
FILES = [f"file {name}" for name in "abcdefghij"]
RANKS = [f"rank {number}" for number in range(1, 11)]


def wires(build: Build) -> dict[str, list[tuple[str, str]]]:
    """Read a drawing: by `from > to`, the pins that are joined. WireViz's YAML, as we write it."""
    text = (FOLDER / f"{build.name}.yml").read_text()
    found = {}
    for connection in text.partition("\nconnections:\n")[2].split("\n  -\n"):
        ends = [(name, pins.split(", ")) for name, pins in END.findall(connection)]
        if len(ends) == 3:
            (start, from_pins), (_, _), (end, to_pins) = ends
            found[f"{start} > {end}"] = list(zip(from_pins, to_pins, strict=True))
    return found


def labels(pins: object) -> list[str]:
    assert isinstance(pins, tuple)
    return [pin.label for pin in pins]


@pytest.mark.parametrize("build", BUILDS.values(), ids=BUILDS)
def test_files_and_lamps_are_wired_as_the_firmware_has_them(build: Build) -> None:
    drawn, name = wires(build), build.name.title()
    assert drawn[f"{name} > Files"] == list(zip(labels(build.columns), FILES, strict=True))
    assert drawn[f"{name} > Lamps"] == [(build.lamps.label, "DIN"), ("GND", "GND")]


def test_ranks_are_wired_as_the_firmware_has_them() -> None:
    drawn = wires(BUILDS["mega"])["Mega > Ranks"]
    assert drawn == list(zip(labels(BUILDS["mega"].rows), RANKS, strict=True))


def test_registers_are_wired_as_the_firmware_has_them() -> None:
    drawn, register = wires(BUILDS["nano"]), BUILDS["nano"].register
    names = {"data": "SER", "clock": "SRCLK", "latch": "RCLK"}
    assert drawn["Nano > Low"][:3] == [(register[key].label, name) for key, name in names.items()]
    outputs = [f"Q{letter}" for letter in "ABCDEFGH"]
    assert drawn["Low > Ranks"] == list(zip(outputs, RANKS[:8], strict=True))
    assert drawn["High > Ranks"] == list(zip(outputs[:2], RANKS[8:], strict=True))
    assert drawn["Low > High"][:3] == [("QH+", "SER"), ("SRCLK", "SRCLK"), ("RCLK", "RCLK")]


@pytest.mark.parametrize("build", BUILDS.values(), ids=BUILDS)
def test_the_drawing_was_rendered_from_the_text(build: Build) -> None:
    drawing = (FOLDER / f"{build.name}.svg").read_text()
    shown = set(re.findall(r"<text [^>]*>([^<]+)</text>", drawing))
    used = {pin for pairs in wires(build).values() for pair in pairs for pin in pair}
    assert used <= shown
