"""What a real board's driver does for a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from hardware.buttons import ButtonPress
from hardware.debounce import Bouncing
from hardware.ports import Lamps, Sensor
from rules import Square

from ..table.loop import Parts


class RealBoard(Sensor, Lamps, Parts, Protocol):
    """A real board's driver."""

    def take_presses(self) -> list[ButtonPress]:
        """Return the presses of the board's buttons since the last call, oldest first."""
        ...

    @property
    def bouncing(self) -> Mapping[Square, Bouncing]:
        """How the switches under squares have bounced, where they have."""
        ...

    def statistics(self) -> list[str]:
        """Return what has been counted, in words."""
        ...

    def close(self) -> None:
        """Make the lamps dark and let go of the board."""
        ...
