"""The microcontrollers the firmware is written for, and which of their pins goes where.

`c_headers` writes `firmware/pins.h` from this table; the drawings in `docs/build/` are tested
against it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from rules.sentences import _, near_miss

from .errors import UnknownBuild


@dataclass(frozen=True, slots=True)
class Pin:
    """A pin as its chip names it, and as the board's print does.

    An AVR names port and bit ("A0" is bit 0 of port A), an RP2040 a number.
    """

    port: str
    label: str


@dataclass(frozen=True, slots=True)
class Microcontroller:
    """One microcontroller board."""

    name: str
    title: str
    """As people know it."""
    mcu: str
    """Its chip, as avr-gcc and avrdude name it."""
    programmer: str | None
    """How avrdude writes to it through its bootloader; None where it is a drive for that."""
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


MEGA = Microcontroller(
    name="mega",
    title="Arduino Mega 2560",
    mcu="atmega2560",
    programmer="wiring",
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

NANO = Microcontroller(
    name="nano",
    title="Arduino Nano (ATmega328P), rows by two 74HC595",
    mcu="atmega328p",
    programmer="arduino",
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

PICO = Microcontroller(
    name="pico",
    title="Raspberry Pi Pico",
    mcu="rp2040",
    programmer=None,
    columns=_pins(*(f"{number}=GP{number}" for number in range(10))),
    rows=_pins(*(f"{number}=GP{number}" for number in range(10, 20))),
    lamps=Pin("22", "GP22"),
    register={},
    events_kept=128,
    most_flash=16384,
    most_ram=14336,
)

BUILDS = {build.name: build for build in (MEGA, NANO, PICO)}


def find_build(name: str) -> Microcontroller:
    """Return the build of that name; raises UnknownBuild."""
    if name not in BUILDS:
        raise UnknownBuild(
            _("{name}: no such microcontroller{near}"), name=name, near=near_miss(name, BUILDS)
        )
    return BUILDS[name]
