"""What a real board's driver does for a table."""

from __future__ import annotations

from typing import Protocol

from hardware.buttons import ButtonPress
from hardware.ports import Lamps, Sensor

from ..table.loop import Parts


class RealBoard(Sensor, Lamps, Parts, Protocol):
    """A real board's driver."""

    def take_presses(self) -> list[ButtonPress]:
        """Return the presses of the board's buttons since the last call, oldest first."""
        ...

    def statistics(self) -> list[str]:
        """Return what has been counted, in words."""
        ...

    def close(self) -> None:
        """Make the lamps dark and let go of the board."""
        ...
