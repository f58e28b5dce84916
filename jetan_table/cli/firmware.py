"""`jetan firmware`: build the microcontroller's program, and write it to the board."""

from __future__ import annotations

import shlex
import tempfile
from pathlib import Path

import click

from firmware_bridge.build import BAUD, Variant, build_firmware, flash_command, require, run
from firmware_bridge.builds import BUILDS, find_build
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
    """Build table.hex. Needs make, gcc-avr and avr-libc."""
    image = build_firmware(find_build(board), Variant(watchdog, diodes, baud), out)
    size = _("{file}: {flash} bytes of flash, {ram} of RAM")
    print(saying(lang)(size, file=image.hex_file, flash=image.flash, ram=image.ram))


@firmware.command(
    epilog=examples("jetan firmware flash", "jetan firmware flash --port /dev/ttyACM0 --dry-run")
)
@microcontroller
@watchdog
@diodes
@rate
@click.option("--port", help="The board's port; the only one there, if it is not named.")
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
    """Build the firmware and write it to the board. Needs avrdude, too."""
    chosen = find_build(board)
    if dry_run:
        print(shlex.join(flash_command(chosen, Path("table.hex"), port or "PORT")))
        return
    require("avrdude")
    with tempfile.TemporaryDirectory() as folder:
        image = build_firmware(chosen, Variant(watchdog, diodes, baud), Path(folder))
        run(flash_command(chosen, image.hex_file, port or only_port()))
    print(saying(lang)(_("{board}: flashed"), board=chosen.title))


def only_port() -> str:
    """Return the one port there is; raises BoardNotFound."""
    ports = candidates()
    if len(ports) != 1:
        found = ", ".join(ports) or _("none")
        raise NoTableFound(_("name the board's port with --port: found {found}"), found=found)
    return ports[0]
