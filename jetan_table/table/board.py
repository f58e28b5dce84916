"""The protocol of a table's board, real or simulated, and a watch on how well it works."""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from hardware.ports import RGB, Evidence, Lamps, Observation, Sensor
from hardware.reeds import Bouncing, ButtonPress
from hardware.sensors import SquareHistories
from rules import Notice, Square


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


class Cabled(Protocol):
    """A board at the end of a serial line."""

    @property
    def port(self) -> str:
        """The name of its port; empty before one was found."""
        ...

    def heard(self) -> list[str]:
        """Return what went over the line lately, oldest first, a line a message."""
        ...

    def lent(self) -> AbstractContextManager[None]:
        """Leave the port to another program while the block runs."""
        ...


class Surface(Sensor, Lamps, Protocol):
    """Squares that are sensed and lit."""


class Board(Surface, Protocol):
    """A board's driver, and its parts."""

    @property
    def cabled(self) -> Cabled | None:
        """The line that the board is at; None where there is none."""
        ...

    @property
    def trouble(self) -> Notice | None:
        """The reason why the board cannot be trusted now; None while it can."""
        ...

    @property
    def notes(self) -> tuple[Notice, ...]:
        """Notices about parts that work."""
        ...

    @property
    def bouncing(self) -> Mapping[Square, Bouncing]:
        """The bouncing of the switches under squares, where any was seen."""
        ...

    def catch_up(self, at: float) -> bool:
        """Ask for all that was sensed until `at`; return True once it has come."""
        ...

    @property
    def hands(self) -> BoardHands | None:
        """A program's hands over it; None where only people's own can touch it."""
        ...

    def take_presses(self) -> list[ButtonPress]:
        """Return the presses of the board's buttons since the last call, oldest first."""
        ...

    def statistics(self) -> list[str]:
        """Return what has been counted."""
        ...

    def close(self) -> None:
        """Make the lamps dark and let go of the board."""
        ...


class Plain:
    """The answers of a board without lamps, buttons, notices and statistics."""

    cabled: None = None

    @property
    def trouble(self) -> Notice | None:
        return None

    @property
    def notes(self) -> tuple[Notice, ...]:
        return ()

    @property
    def bouncing(self) -> Mapping[Square, Bouncing]:
        return {}

    def show(self, lights: Sequence[RGB]) -> None:
        """Show nothing: the page and the terminal show what lamps would."""

    def catch_up(self, at: float) -> bool:
        """Return True: nothing is under way."""
        return True

    def take_presses(self) -> list[ButtonPress]:
        return []

    def statistics(self) -> list[str]:
        return []

    def close(self) -> None:
        """There is nothing to let go of."""


LOOKS = 2000
"""Looks at the board that are remembered: ten seconds of a usual one."""

TAPPED_S = 3.0
"""Seconds for which a lamp that is tapped on the page is lit."""


class BoardWatch:
    """Follows a board's health while it is played on; squares have the names of its wiring."""

    def __init__(self) -> None:
        self.histories = SquareHistories()
        self.evidence: dict[Square, Evidence | None] = {}
        self.gaps: deque[float] = deque(maxlen=LOOKS)
        """The seconds from each look at the board to the next, the latest last."""
        self._looked_at: float | None = None
        self._tapped: tuple[Square, float] | None = None

    def note(self, now: float, observations: Iterable[Observation]) -> None:
        """Take in one look at the board, and what it showed."""
        if self._looked_at is not None:
            self.gaps.append(now - self._looked_at)
        self._looked_at = now
        for observation in observations:
            self.histories.observe(observation)
            self.evidence.update(observation.squares)

    def tap(self, square: Square, now: float) -> None:
        """Light one lamp alone for a while; the square has its actual name."""
        self._tapped = square, now + TAPPED_S

    def tapped(self, now: float) -> Square | None:
        """Return the square whose lamp was tapped and is still lit."""
        return None if self._tapped is None or now >= self._tapped[1] else self._tapped[0]
