"""The switches under the board: their index type, and one change of one of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NewType

Switch = NewType("Switch", int)
"""Index of a switch as it is wired (row x columns + column); `switch_of[square]` crosses over."""


@dataclass(frozen=True, slots=True)
class Change:
    """A switch has closed (a magnet is over it) or opened, `at` seconds on the table clock."""

    at: float
    switch: Switch
    closed: bool


class FaultKind(Enum):
    """How a switch fails to follow: always closed, or never closed."""

    STUCK = "stuck"
    DEAD = "dead"

    def is_disproved(self, occupied: bool) -> bool:
        """Whether a switch that now changes to `occupied` cannot have failed like this."""
        return occupied is (self is FaultKind.DEAD)
