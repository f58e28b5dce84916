"""The microcontrollers of the firmware, and the ways to build it and flash it there.

`tools/c_headers.py` writes `firmware/pins.h` from the table of pins; the drawings in `docs/build/`
are tested against it. gcc and make build an image. avrdude writes it to an AVR; a Raspberry Pi Pico
is a drive while its button BOOTSEL is held, and takes an image packed for it (UF2).
"""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from struct import pack

from rules import _, near_miss

from .errors import BridgeError


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
    mcu: str
    """Its chip, as avr-gcc and avrdude name it."""
    programmer: str | None
    """avrdude's name for its bootloader; None for a chip that is a drive while it is flashed."""
    columns: tuple[Pin, ...]
    rows: tuple[Pin, ...]
    """Empty where shift registers drive the rows."""
    lamps: Pin
    register: Mapping[str, Pin]
    """The pins of those registers: `data`, `clock` and `latch`; empty where there are none."""
    events_kept: int
    """The number of events it keeps, to send them again."""
    most_flash: int
    """The bytes that the image may take, as `most_ram`; what is left is for the stack."""
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
    """Return the build of that name; raises BridgeError."""
    if name not in BUILDS:
        raise BridgeError(
            _("{name}: no such microcontroller{near}"), name=name, near=near_miss(name, BUILDS)
        )
    return BUILDS[name]


SOURCES = Path(__file__).parent / "firmware"
BAUD = 500_000
"""Exact at 16 MHz, and a rate every USB adapter has."""

READY = SOURCES / "ready" / "pico.uf2"
READY_BY = "12.2.1"
"""The version of gcc that it was built by: another may build other bytes."""

FLASH_BAUD = 115_200

NEEDED = {
    "make": "make",
    "arm-none-eabi-gcc": "gcc-arm-none-eabi",
    "arm-none-eabi-size": "binutils-arm-none-eabi",
    "avr-gcc": "gcc-avr avr-libc",
    "avr-size": "binutils-avr",
    "avrdude": "avrdude",
    "cc": "gcc libc6-dev",
}


@dataclass(frozen=True, slots=True)
class Variant:
    """The choices when the firmware is built."""

    has_watchdog: bool = True
    """True: a program that hangs is started anew. Old bootloaders loop for ever after that."""
    has_diodes: bool = True
    """True if every switch has one; without, rectangles of closed switches are not believed."""
    baud: int = BAUD


@dataclass(frozen=True, slots=True)
class Image:
    """A built firmware: its file, and the bytes of flash and of fixed RAM it takes."""

    file: Path
    flash: int
    ram: int


def build_firmware(build: Microcontroller, variant: Variant, folder: Path) -> Image:
    """Build into `folder`. Raises BridgeError where a tool is missing or the image is too large."""
    folder.mkdir(parents=True, exist_ok=True)
    options = [
        f"BOARD={build.name}",
        f"WATCHDOG={variant.has_watchdog:d}",
        f"DIODES={variant.has_diodes:d}",
        f"BAUD={variant.baud}",
        f"OUT={folder.resolve()}",
    ]
    tools = "avr" if build.programmer else "arm-none-eabi"
    for program in ("make", f"{tools}-gcc", f"{tools}-size"):
        require(program)
    # Built anew every time, for the options are no files whose age make could compare.
    run(["make", "--silent", "--always-make", "-C", str(SOURCES), *options])
    flash, ram = sizes(folder / "table.elf", f"{tools}-size")
    if flash > build.most_flash or ram > build.most_ram:
        raise BridgeError(
            _(
                "{name}: {flash} bytes of flash and {ram} of RAM: at most {most_flash} and "
                "{most_ram}, so that the stack has room"
            ),
            name=build.name,
            flash=flash,
            ram=ram,
            most_flash=build.most_flash,
            most_ram=build.most_ram,
        )
    if build.programmer:
        return Image(folder / "table.hex", flash, ram)
    file = folder / "table.uf2"
    file.write_bytes(format_uf2(checked((folder / "table.bin").read_bytes())))
    return Image(file, flash, ram)


def ready_image(build: Microcontroller, variant: Variant) -> Path | None:
    """Return the image that comes with the program, where there is one of this variant."""
    is_ready = build is PICO and variant.has_watchdog and variant.has_diodes
    return READY if is_ready else None


def make_ready() -> None:
    """Build that image anew: `python -m firmware_bridge.build`, by a compiler of READY_BY."""
    with tempfile.TemporaryDirectory() as folder:
        image = build_firmware(PICO, Variant(), Path(folder))
        READY.write_bytes(image.file.read_bytes())


def flash_command(build: Microcontroller, hex_file: Path, port: str) -> list[str]:
    """Return avrdude's command line that writes `hex_file` to the board on `port`."""
    assert build.programmer
    return [
        "avrdude",
        *("-p", build.mcu),
        *("-c", build.programmer),
        *("-P", port),
        *("-b", str(FLASH_BAUD)),
        "-D",
        *("-U", f"flash:w:{hex_file}:i"),
    ]


def require(program: str) -> None:
    """Raise BridgeError, with the mend, where a program is missing."""
    if shutil.which(program) is None:
        raise BridgeError(
            _("{program} is missing: sudo apt-get install {package}"),
            program=program,
            package=NEEDED[program],
        )


def run(command: Sequence[str]) -> str:
    """Run a program and return what it printed; raises BridgeError with its last words."""
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        words = (done.stderr or done.stdout).strip().splitlines()
        raise BridgeError(
            _("{program} failed: {why}"), program=command[0], why=" / ".join(words[-3:])
        )
    return done.stdout


def sizes(elf: Path, size_tool: str) -> tuple[int, int]:
    """Return the bytes of flash and of fixed RAM of a program, as its `size` tells them."""
    report = run([size_tool, "-A", str(elf)])
    of = {name: int(size) for name, size in re.findall(r"^\.(\w+)\s+(\d+)", report, re.MULTILINE)}
    data = of.get("data", 0)
    return of["text"] + data, data + of.get("bss", 0) + of.get("noinit", 0)


FLASH = 0x10000000
PAYLOAD = 256
FIRST, SECOND, LAST = 0x0A324655, 0x9E5D5157, 0x0AB16F30
HAS_FAMILY, RP2040 = 0x2000, 0xE48BFF56
STAGE = 256
"""Bytes that the boot ROM runs first, if the last four are the checksum of the others."""


def checked(image: bytes) -> bytes:
    """Return the image with the checksum that the boot ROM looks for in its first stage."""
    stage = image[: STAGE - 4]
    return stage + pack("<I", crc_32(stage)) + image[STAGE:]


def crc_32(data: bytes) -> int:
    """Return the checksum of the RP2040's boot ROM: highest bit first, not inverted."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte << 24
        for _bit in range(8):
            crc = (crc << 1 ^ (0x04C11DB7 if crc >> 31 else 0)) & 0xFFFFFFFF
    return crc


def format_uf2(image: bytes) -> bytes:
    """Return the drive's file for an image that stands at the begin of the flash."""
    return b"".join(_blocks(image))


def _blocks(image: bytes) -> Iterator[bytes]:
    count = -(-len(image) // PAYLOAD)
    for number in range(count):
        at = number * PAYLOAD
        part = image[at : at + PAYLOAD].ljust(PAYLOAD, b"\0")
        head = (FIRST, SECOND, HAS_FAMILY, FLASH + at, PAYLOAD, number, count, RP2040)
        yield pack("<8I", *head) + part.ljust(476, b"\0") + pack("<I", LAST)


LABEL = "RPI-RP2"
MOUNTED = (f"media/*/{LABEL}", f"run/media/*/{LABEL}", f"media/{LABEL}", f"Volumes/{LABEL}", "mnt")
"""Places where systems mount the drive, by themselves or by the documentation's command."""

GONE_S = 20.0
"""Seconds that a drive may take to write the image and start it."""

DRIVE_LOOK_S = 0.1


def is_drive(folder: Path) -> bool:
    """Return True if a folder is the drive of a Pico that waits for an image."""
    with suppress(OSError):
        return f"Board-ID: {LABEL}" in (folder / "INFO_UF2.TXT").read_text()
    return False


def find_drive(root: Path = Path("/")) -> Path:
    """Return the one drive there is; raises BridgeError, which says how it appears."""
    drives = [path for pattern in MOUNTED for path in sorted(root.glob(pattern)) if is_drive(path)]
    if len(drives) == 1:
        return drives[0]
    raise BridgeError(
        _(
            "no Pico's drive, or several: hold BOOTSEL while you plug it in, and name its folder "
            "with --port where it is not found: found {found}"
        ),
        found=", ".join(map(str, drives)) or _("none"),
    )


def write_to_drive(image: bytes, folder: Path, sleep: Callable[[float], None]) -> None:
    """Write an image; the Pico starts it and the drive vanishes. Raises BridgeError if it stays.

    `sleep` lets seconds pass.
    """
    if not is_drive(folder):
        raise BridgeError(_("{folder}: not the drive of a Pico"), folder=folder)
    with suppress(OSError), (folder / "table.uf2").open("wb") as file:
        # The drive may be gone before the last of it is told that all is written.
        file.write(image)
        file.flush()
        os.fsync(file.fileno())
    for _look in range(round(GONE_S / DRIVE_LOOK_S)):
        if not is_drive(folder):
            return
        sleep(DRIVE_LOOK_S)
    raise BridgeError(_("{folder}: the drive did not take the image"), folder=folder)


if __name__ == "__main__":
    make_ready()
