"""The microcontrollers the firmware is written for, and which of their pins goes where.

`c_headers` writes `firmware/pins.h` from this table; the drawings in `docs/build/` are tested
against it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.errors import near_miss
from rules.sentences import _

from .errors import UnknownBuild


@dataclass(frozen=True, slots=True)
class Pin:
    """A pin by its port and bit ("A0" is bit 0 of port A), and as the board's print names it."""

    port: str
    label: str


@dataclass(frozen=True, slots=True)
class Build:
    """One microcontroller board."""

    name: str
    title: str
    """As people know it."""
    mcu: str
    """Its chip, as avr-gcc and avrdude name it."""
    programmer: str
    """How avrdude writes to it through its bootloader, at `flash_baud`."""
    flash_baud: int
    columns: tuple[Pin, ...]
    rows: tuple[Pin, ...]
    """Empty where shift registers drive the rows."""
    lamps: Pin
    register: Mapping[str, Pin]
    """The pins of those registers: `data`, `clock` and `latch`; empty where there are none."""
    events_kept: int
    """How many events it keeps, to send them again."""
    most_flash: int
    """Bytes that the image may take, as is `most_ram`: what is left is the stack's."""
    most_ram: int


def _pins(*named: str) -> tuple[Pin, ...]:
    return tuple(Pin(port, label) for port, label in (name.split("=") for name in named))


MEGA = Build(
    name="mega",
    title="Arduino Mega 2560",
    mcu="atmega2560",
    programmer="wiring",
    flash_baud=115200,
    columns=_pins(
        *("L0=D49", "L1=D48", "L2=D47", "L3=D46", "L4=D45", "L5=D44", "L6=D43", "L7=D42"),
        *("C0=D37", "C1=D36"),
    ),
    rows=_pins(
        *("A0=D22", "A1=D23", "A2=D24", "A3=D25", "A4=D26", "A5=D27", "A6=D28", "A7=D29"),
        *("C7=D30", "C6=D31"),
    ),
    lamps=Pin("B4", "D10"),
    register={},
    events_kept=128,
    most_flash=8192,
    most_ram=2560,
)

NANO = Build(
    name="nano",
    title="Arduino Nano (ATmega328P), rows by two 74HC595",
    mcu="atmega328p",
    programmer="arduino",
    flash_baud=115200,
    columns=_pins(
        *("D2=D2", "D3=D3", "D4=D4", "D5=D5", "D6=D6", "D7=D7"),
        *("B0=D8", "B1=D9", "C0=A0", "C1=A1"),
    ),
    rows=(),
    lamps=Pin("B2", "D10"),
    register={"data": Pin("C2", "A2"), "clock": Pin("C3", "A3"), "latch": Pin("C4", "A4")},
    events_kept=64,
    most_flash=8192,
    most_ram=1664,
)

BUILDS = {build.name: build for build in (MEGA, NANO)}


def find_build(name: str) -> Build:
    """Return the build of that name; raises UnknownBuild."""
    if name not in BUILDS:
        raise UnknownBuild(
            _("{name}: no such microcontroller{near}"), name=name, near=near_miss(name, BUILDS)
        )
    return BUILDS[name]
