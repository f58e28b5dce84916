"""`jetan firmware`: build the microcontroller's program, and write it to the board."""

from __future__ import annotations

import shlex
import tempfile
import time
from pathlib import Path

import click

from firmware_bridge.build import (
    BAUD,
    Variant,
    build_firmware,
    flash_command,
    ready_image,
    require,
    run,
)
from firmware_bridge.builds import BUILDS, Microcontroller, find_build
from firmware_bridge.drive import find_drive, write_to_drive
from firmware_bridge.errors import NoTableFound
from firmware_bridge.port import candidates
from rules.sentences import _

from ..languages import Language
from . import examples
from .options import LANGUAGE, saying

microcontroller = click.option(
    "--board", type=click.Choice(list(BUILDS)), default="mega", show_default=True
)
watchdog = click.option(
    "--watchdog/--no-watchdog",
    default=True,
    help="Without: for old bootloaders, which loop for ever after a watchdog reset.",
)
diodes = click.option(
    "--diodes/--no-diodes",
    default=True,
    help="Without: for boards whose switches have none; they can see two pieces at most.",
)
rate = click.option("--baud", type=click.IntRange(9600, 2_000_000), default=BAUD, show_default=True)


@click.group(
    epilog=examples(
        "jetan firmware build --board nano",
        "jetan firmware flash --board mega --port /dev/ttyACM0 --dry-run",
        "jetan firmware flash --board pico",
    )
)
def firmware() -> None:
    """Build and flash the program of the microcontroller under the board."""


@firmware.command(epilog=examples("jetan firmware build", "jetan firmware build --board nano"))
@microcontroller
@watchdog
@diodes
@rate
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), default=Path("firmware-build")
)
@LANGUAGE
def build(
    board: str, watchdog: bool, diodes: bool, baud: int, out: Path, lang: Language | None
) -> None:
    """Build table.hex; or table.uf2 for a Pico.

    Needs make, and gcc-avr and avr-libc, or gcc-arm-none-eabi for a Pico.
    """
    image = build_firmware(find_build(board), Variant(watchdog, diodes, baud), out)
    size = _("{file}: {flash} bytes of flash, {ram} of RAM")
    print(saying(lang)(size, file=image.file, flash=image.flash, ram=image.ram))


@firmware.command(
    epilog=examples("jetan firmware flash", "jetan firmware flash --port /dev/ttyACM0 --dry-run")
)
@microcontroller
@watchdog
@diodes
@rate
@click.option(
    "--port", help="The board's port, or the folder of a Pico's drive; the only one, if not named."
)
@click.option("--dry-run", is_flag=True, help="Print what would be done.")
@LANGUAGE
def flash(
    board: str,
    watchdog: bool,
    diodes: bool,
    baud: int,
    port: str | None,
    dry_run: bool,
    lang: Language | None,
) -> None:
    """Build the firmware and write it to the board. Needs avrdude, too.

    A Pico needs neither. Hold its button BOOTSEL while you plug it in: it is a drive then, and an
    image that comes with this program is copied to it.
    """
    chosen, variant = find_build(board), Variant(watchdog, diodes, baud)
    if dry_run:
        print(shlex.join(dry_command(chosen, variant, port)))
        return
    ready = ready_image(chosen, variant)
    if chosen.programmer:
        require("avrdude")
    with tempfile.TemporaryDirectory() as folder:
        file = ready or build_firmware(chosen, variant, Path(folder)).file
        if chosen.programmer:
            run(flash_command(chosen, file, port or only_port()))
        else:
            write_to_drive(file.read_bytes(), Path(port) if port else find_drive(), time.sleep)
    print(saying(lang)(_("{board}: flashed"), board=chosen.title))


def dry_command(build: Microcontroller, variant: Variant, port: str | None) -> list[str]:
    """Return what would be done, as a command line."""
    if build.programmer:
        return flash_command(build, Path("table.hex"), port or "PORT")
    return ["cp", str(ready_image(build, variant) or "table.uf2"), port or "DRIVE"]


def only_port() -> str:
    """Return the one port there is; raises BoardNotFound."""
    ports = candidates()
    if len(ports) != 1:
        found = ", ".join(ports) or _("none")
        raise NoTableFound(_("name the board's port with --port: found {found}"), found=found)
    return ports[0]
