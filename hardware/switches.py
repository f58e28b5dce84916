"""The switches under the board: their index type, one change, and what one has done so far."""

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


@dataclass(frozen=True, slots=True)
class SwitchCounts:
    """What one switch has done, as far as is certain: a few numbers, kept for later evenings."""

    placed: int = 0
    """Pieces put down on its square."""
    missed: int = 0
    """Those of them that it did not show."""
    row: int = 0
    """Those that it has missed since it closed last, one after another."""
    ghosts: int = 0
    """How often it stayed closed with nobody there."""
    empty_s: float = 0.0
    """For how many seconds its square was empty meanwhile."""
