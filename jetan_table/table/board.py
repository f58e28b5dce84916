"""What a table asks of its board, real or simulated, and of whoever may touch it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from hardware.buttons import ButtonPress
from hardware.debounce import Bouncing
from hardware.ports import Lamps, Sensor
from rules import Square


class Surface(Sensor, Lamps, Protocol):
    """Squares that are sensed and lit."""


class BoardHands(Protocol):
    """Hands that a program moves over a board, and eyes that see its lamps.

    Times are seconds on the table's clock, and must not have passed.
    """

    def lift(self, at: float, square: Square) -> object:
        """Take up what stands on a square."""
        ...

    def put(self, at: float, square: Square) -> None:
        """Put a piece down on a square."""
        ...

    def lit(self) -> Square | None:
        """Return the first square that is lit; None while all are dark."""
        ...


class Parts(Protocol):
    """A board's parts, as far as they can fail."""

    @property
    def trouble(self) -> str | None:
        """Why the board cannot be trusted now, in words; None while it can."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """What people should know of parts that work."""
        ...

    @property
    def bouncing(self) -> Mapping[Square, Bouncing]:
        """How the switches under squares have bounced, where they have."""
        ...

    def has_told(self, at: float) -> bool:
        """Whether all that was sensed until `at` has come; if not, the board is asked for it."""
        ...


class Board(Surface, Parts, Protocol):
    """A board's driver."""

    @property
    def hands(self) -> BoardHands | None:
        """What can touch it: nothing but people's own hands where it is real."""
        ...

    def take_presses(self) -> list[ButtonPress]:
        """Return the presses of the board's buttons since the last call, oldest first."""
        ...

    def statistics(self) -> list[str]:
        """Return what has been counted, in words."""
        ...

    def close(self) -> None:
        """Make the lamps dark and let go of the board."""
        ...


class Plain:
    """What a board answers that has no buttons, and nothing to remark or to count."""

    notes: tuple[str, ...] = ()

    def take_presses(self) -> list[ButtonPress]:
        """Return no presses: there are no buttons."""
        return []

    def statistics(self) -> list[str]:
        """Count nothing."""
        return []


class OwnTimed(Board, Protocol):
    """A board in whose time things happen by themselves."""

    @property
    def due(self) -> float | None:
        """When something moves next, in seconds on the table's clock; None where nothing is to."""
        ...
