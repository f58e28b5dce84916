"""Writes the firmware's headers from the tables of messages and pins, as `-m tools.c_headers`."""

from collections.abc import Iterator
from pathlib import Path

from firmware_bridge.build import BUILDS, SOURCES, Microcontroller, Pin
from firmware_bridge.messages import (
    COMMANDS,
    MAJOR,
    MESSAGES,
    MINOR,
    RESULTS,
    SENSORS,
    Message,
    has_rest,
    layout_of,
    parts_of,
)

C_TYPES = {"B": "uint8_t", "H": "uint16_t", "I": "uint32_t"}
WRITTEN = "/* Written by tools/c_headers.py from messages.py and build.py: change those. */"


def messages_h() -> str:
    """Return the text of messages.h."""
    lines = [WRITTEN, "#pragma once", "#include <stdint.h>", ""]
    lines += [f"#define PROTOCOL_MAJOR {MAJOR}", f"#define PROTOCOL_MINOR {MINOR}", ""]
    lines += [f"#define RESULT_{name.upper()} {value}" for name, value in RESULTS.items()]
    lines += [f"#define SENSOR_{name.upper()} {value}" for name, value in SENSORS.items()]
    for kind in MESSAGES:
        lines += ["", *_message(kind)]
    fixed = [layout_of(kind).size for kind in COMMANDS if not has_rest(kind)]
    lines += ["", f"#define LONGEST_FIXED_COMMAND {max(fixed)}"]
    return "\n".join(lines) + "\n"


def pins_h() -> str:
    """Return the text of pins.h."""
    lines = [WRITTEN, "#pragma once"]
    for build in BUILDS.values():
        lines += ["", f"#ifdef BOARD_{build.name.upper()}", *_pins(build), "#endif"]
    return "\n".join(lines) + "\n"


def write_headers(folder: Path = SOURCES) -> None:
    """Write both headers into `folder`."""
    (folder / "messages.h").write_text(messages_h(), encoding="utf-8")
    (folder / "pins.h").write_text(pins_h(), encoding="utf-8")


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)[1:]


def _message(kind: type[Message]) -> Iterator[str]:
    name = _snake(kind.__name__)
    yield f"#define MSG_{name.upper()} {kind.CODE:#04x}"
    if not layout_of(kind).size:
        return  # nothing but bytes, or nothing at all
    yield f"struct __attribute__((packed)) {name} {{"
    for part, code in parts_of(kind):
        yield f"    uint8_t {part}[];" if code == "rest" else f"    {C_TYPES[code]} {part};"
    yield "};"
    size = layout_of(kind).size
    yield f'_Static_assert(sizeof(struct {name}) == {size}, "{name} has gaps");'


def _pins(build: Microcontroller) -> Iterator[str]:
    def named(pin: Pin) -> str:
        return f"PIN({pin.port if pin.port.isdigit() else ', '.join(pin.port)})"

    yield f"#define EVENTS_KEPT {build.events_kept}"
    yield f"#define COLUMN_PINS {', '.join(map(named, build.columns))}"
    if build.rows:
        yield f"#define ROW_PINS {', '.join(map(named, build.rows))}"
    for name, pin in build.register.items():
        yield f"#define REGISTER_{name.upper()} {named(pin)}"
    if build.lamps.port.isdigit():
        yield f"#define LAMP_PIN {build.lamps.port}"
        return
    yield f"#define LAMP_PORT PORT{build.lamps.port[0]}"
    yield f"#define LAMP_DDR DDR{build.lamps.port[0]}"
    yield f"#define LAMP_BIT {build.lamps.port[1]}"


if __name__ == "__main__":
    write_headers()
