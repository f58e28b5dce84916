"""Builds the firmware for a microcontroller, and flashes it, by gcc, make and avrdude."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rules.sentences import _

from .builds import PICO, Microcontroller
from .errors import BuildFailed
from .uf2 import checked, format_uf2

SOURCES = Path(__file__).parent / "firmware"
BAUD = 500_000
"""Exact at 16 MHz, and a rate every USB adapter has."""

READY = SOURCES / "ready" / "pico.uf2"
READY_BY = "12.2.1"
"""The version of gcc that it was built by: another may build other bytes."""

FLASH_BAUD = 115_200
"""Of the bootloaders."""

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
    """What can be chosen when the firmware is built."""

    has_watchdog: bool = True
    """A program that hangs is started anew. Old bootloaders loop for ever after that."""
    has_diodes: bool = True
    """Every switch has one; without, rectangles of closed switches are not believed."""
    baud: int = BAUD


@dataclass(frozen=True, slots=True)
class Image:
    """A built firmware: what is flashed, and the bytes of flash and of fixed RAM it takes."""

    file: Path
    flash: int
    ram: int


def build_firmware(build: Microcontroller, variant: Variant, folder: Path) -> Image:
    """Build into `folder`. Raises BuildFailed where a tool is missing or the image is too large."""
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
    run(["make", "--silent", "--always-make", "-C", str(SOURCES), *options])
    flash, ram = sizes(folder / "table.elf", f"{tools}-size")
    if flash > build.most_flash or ram > build.most_ram:
        raise BuildFailed(
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
    """Raise BuildFailed, with the mend, where a program is missing."""
    if shutil.which(program) is None:
        raise BuildFailed(
            _("{program} is missing: sudo apt-get install {package}"),
            program=program,
            package=NEEDED[program],
        )


def run(command: Sequence[str]) -> str:
    """Run a program and return what it printed; raises BuildFailed with its last words."""
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        words = (done.stderr or done.stdout).strip().splitlines()
        raise BuildFailed(
            _("{program} failed: {why}"), program=command[0], why=" / ".join(words[-3:])
        )
    return done.stdout


def sizes(elf: Path, size_tool: str) -> tuple[int, int]:
    """Return the bytes of flash and of fixed RAM of a program, as its `size` tells them."""
    report = run([size_tool, "-A", str(elf)])
    of = {name: int(size) for name, size in re.findall(r"^\.(\w+)\s+(\d+)", report, re.MULTILINE)}
    data = of.get("data", 0)
    return of["text"] + data, data + of.get("bss", 0) + of.get("noinit", 0)


if __name__ == "__main__":
    make_ready()
