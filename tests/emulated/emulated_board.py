"""The part of an emulated board that tests use, whichever microcontroller is on it."""

from collections.abc import Iterable
from typing import Protocol

from firmware_bridge.emulation.emulator import Strip
from hardware.ports import Change


class EmulatedBoard(Protocol):
    """One board in virtual time. Times are seconds since power-on."""

    def close(self) -> None:
        """Let the emulator go; the board is gone."""
        ...

    @property
    def now(self) -> float:
        """Seconds since power-on."""
        ...

    def run_until(self, at: float) -> None:
        """Let time pass."""
        ...

    def change(self, changes: Iterable[Change]) -> None:
        """Let switches open and close, at their times, oldest first."""
        ...

    def send(self, data: bytes) -> None:
        """Put bytes on the line to the board; they arrive one after the other."""
        ...

    def receive(self) -> list[tuple[float, int]]:
        """Return the bytes that have come from the board since the last call, with their times."""
        ...

    def reset(self, cause: int, bootloader_s: float = 0.0) -> None:
        """Start anew; the bootloader keeps the line for `bootloader_s`."""
        ...

    def hang(self) -> None:
        """Let the program hang until the next reset."""
        ...

    @property
    def strip(self) -> Strip:
        """The state of the lamps."""
        ...

    @property
    def fights(self) -> int:
        """The number of times two driven rows were joined with different levels."""
        ...

    @property
    def overruns(self) -> int:
        """The bytes that the receiver lost because nobody fetched those before."""
        ...
