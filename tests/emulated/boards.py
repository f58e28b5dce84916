"""Boards with any of the microcontrollers, each in its emulator."""

from typing import Any

from firmware_bridge.build import PICO, Microcontroller, Variant
from firmware_bridge.emulation import emulator
from tests.emulated.emulated_board import EmulatedBoard
from tests.emulated.pico_board import PicoBoard


def board(build: Microcontroller, variant: Variant | None = None, **soldered: Any) -> EmulatedBoard:
    """Return a board with that firmware in it, soldered as the keywords of its class say."""
    if build is PICO:
        return PicoBoard(build, emulator.image(build, variant or Variant()).file, **soldered)
    return emulator.board(build, variant, **soldered)
