"""`jetan firmware`: build the microcontroller's program, and write it to the board."""

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import click

from firmware_bridge.build import (
    BAUD,
    BUILDS,
    Microcontroller,
    Variant,
    build_firmware,
    find_build,
    flash_command,
    ready_image,
)
from rules.sentences import _

from ..extras.updates.renewal import told
from ..machine import flashing
from .options import FOLDER, Words, command, group, option


@dataclass(frozen=True, slots=True)
class ImageOptions:
    """For which microcontroller, and how, the firmware is built."""

    board: Annotated[str, option(type=click.Choice(list(BUILDS)), default="mega")]
    watchdog: Annotated[
        bool,
        option(
            "Without: for old bootloaders, which loop for ever after a watchdog reset.",
            default=True,
        ),
    ]
    diodes: Annotated[
        bool,
        option(
            "Without: for boards whose switches have none; they can see two pieces at most.",
            default=True,
        ),
    ]
    baud: Annotated[int, option(within=(9600, 2_000_000), default=BAUD)]

    @property
    def variant(self) -> Variant:
        return Variant(self.watchdog, self.diodes, self.baud)


@group(
    "jetan firmware build --board nano",
    "jetan firmware flash --board mega --port /dev/ttyACM0 --dry-run",
    "jetan firmware flash --board pico",
)
def firmware() -> None:
    """Build and flash the program of the microcontroller under the board."""


@command("jetan firmware build", "jetan firmware build --board nano", of=firmware)
def build(
    image: ImageOptions,
    out: Annotated[Path, option(type=FOLDER, default=Path("firmware-build"))],
    say: Words,
) -> None:
    """Build table.hex; or table.uf2 for a Pico.

    Needs make, and gcc-avr and avr-libc, or gcc-arm-none-eabi for a Pico.
    """
    made = build_firmware(find_build(image.board), image.variant, out)
    size = _("{file}: {flash} bytes of flash, {ram} of RAM")
    print(say(size, file=made.file, flash=made.flash, ram=made.ram))


@command(
    *("jetan firmware flash", "jetan firmware flash --port /dev/ttyACM0 --dry-run"), of=firmware
)
def flash(
    image: ImageOptions,
    port: Annotated[
        str | None, "The board's port, or the folder of a Pico's drive; the only one, if not named."
    ],
    dry_run: Annotated[bool, "Print what would be done."],
    say: Words,
) -> None:
    """Build the firmware and write it to the board. Needs avrdude, too.

    A Pico needs neither. Hold its button BOOTSEL while you plug it in: it is a drive then, and an
    image that comes with this program is copied to it.
    """
    chosen, variant = find_build(image.board), image.variant
    if dry_run:
        print(shlex.join(dry_command(chosen, variant, port)))
        return
    flashing.write_firmware(chosen, variant, port, told(say), None)


def dry_command(build: Microcontroller, variant: Variant, port: str | None) -> list[str]:
    """Return what would be done, as a command line."""
    if build.programmer:
        return flash_command(build, Path("table.hex"), port or "PORT")
    return ["cp", str(ready_image(build, variant) or "table.uf2"), port or "DRIVE"]
