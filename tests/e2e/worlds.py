"""Worlds that a real `jetan` may run in: `python -m tests.e2e.worlds WORLD ARGUMENTS`."""

import sys
from pathlib import Path
from typing import Final

import pytest

from hardware.pins import GpioPins
from jetan_table.__main__ import main
from jetan_table.boards import opening
from rules import SQUARES, Position, parse_rules
from tests.hardware.contacts import Contacts
from tests.hardware.pi import StandInGpio, StandInPi
from tests.hardware.spi_wire import SpiWire

WORLD: Final = pytest.MonkeyPatch()
"""What is patched stays so until the process ends."""


def on_a_pi() -> None:
    """Have a board at this machine's own pins, with all pieces where a game begins."""
    start = Position.start(parse_rules("appendix"))
    pi = StandInPi(Contacts(square for square in SQUARES if start.occupied >> square & 1))
    opens = opening.open_pin_board
    WORLD.setattr("hardware.pins.open_pins", lambda *_: GpioPins(StandInGpio(pi)))
    WORLD.setattr("hardware.lamps.open_spi", lambda _device: SpiWire())
    WORLD.setattr(
        opening, "open_pin_board", lambda settings, clock, _wait: opens(settings, clock, pi.wait)
    )


def with_little_patience() -> None:
    """Take an engine for hung after a moment."""
    WORLD.setattr("jetan_table.engine.process.LATE_S", 0.5)
    WORLD.setattr("jetan_table.engine.process.SILENT_S", 0.5)


def with_a_weak_supply(supply: Path, drive: Path) -> None:
    """Have a Pi's supply told by a file, and a Pico's drive shown at a folder."""
    WORLD.setattr("jetan_table.extras.commissioning.machine.THROTTLED", str(supply).lstrip("/"))
    WORLD.setattr("firmware_bridge.build.MOUNTED", (str(drive).lstrip("/"),))


if __name__ == "__main__":
    world, *sys.argv[1:] = sys.argv[1:]
    {each.__name__: each for each in (on_a_pi, with_little_patience)}[world]()
    sys.exit(main())
