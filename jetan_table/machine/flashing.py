"""Writes the firmware to the microcontroller under a board."""

import tempfile
import time
from contextlib import nullcontext
from pathlib import Path

from firmware_bridge.build import (
    Microcontroller,
    Variant,
    build_firmware,
    find_build,
    find_drive,
    flash_command,
    ready_image,
    require,
    run,
    write_to_drive,
)
from firmware_bridge.errors import BridgeError
from firmware_bridge.port import candidates
from rules import _

from ..notices import Reporter
from ..table.board import Cabled


def flash(name: str, has_diodes: bool, cabled: Cabled | None, tell: Reporter) -> None:
    """Write the firmware to the microcontroller of that name, which may be at the table's line."""
    write_firmware(find_build(name), Variant(has_diodes=has_diodes), None, tell, cabled)


def write_firmware(
    build: Microcontroller,
    variant: Variant,
    port: str | None,
    tell: Reporter,
    cabled: Cabled | None,
) -> None:
    """Build the firmware where none is ready, and write it; raises BridgeError.

    `port` is the board's, or the folder of a Pico's drive; without, the one that `cabled` is at, or
    the only one there is. A table at that line lends its port meanwhile.
    """
    ready = ready_image(build, variant)
    if build.programmer:
        require("avrdude")
    with tempfile.TemporaryDirectory() as folder:
        if ready is None:
            tell(_("The firmware for {board} is built."), board=build.title)
        file = ready or build_firmware(build, variant, Path(folder)).file
        if build.programmer:
            at = port or (cabled.port if cabled else "") or only_port()
            tell(_("It is written to {port}."), port=at)
            with cabled.lent() if cabled else nullcontext():
                run(flash_command(build, file, at))
        else:
            drive = Path(port) if port else find_drive()
            tell(_("It is written to {port}."), port=drive)
            write_to_drive(file.read_bytes(), drive, time.sleep)
    tell(_("{board}: flashed"), board=build.title)


def only_port() -> str:
    """Return the one port there is; raises BridgeError."""
    ports = candidates()
    if len(ports) != 1:
        found = ", ".join(ports) or _("none")
        raise BridgeError(_("name the board's port with --port: found {found}"), found=found)
    return ports[0]
