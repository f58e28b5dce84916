"""What a sensor has told of each square so far: how often it changed, when last, and how it blinks.

A switch that opens for a moment under a piece that stands there is a weak one, or its magnet is.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules import SQUARES, Square

from .ports import Observation, occupancy

BLINK_S = 0.1
"""No hand lifts a piece and puts it back within so long."""


@dataclass(frozen=True, slots=True)
class SquareHistory:
    """What has been told of one square. Times are seconds on the table clock."""

    occupied: bool | None = None
    """None before anything was told, and while it cannot be seen."""
    changes: int = 0
    changed_at: float | None = None
    blinks: int = 0
    """How often it was empty for less than `BLINK_S`."""
    longest_blink_s: float = 0.0

    def after(self, occupied: bool | None, at: float) -> SquareHistory:
        """Return it with what was told of the square at a time."""
        if occupied is None or self.occupied is None or occupied is self.occupied:
            return replace(self, occupied=occupied)
        lasted = at - (self.changed_at if self.changed_at is not None else -BLINK_S)
        is_blink = occupied and lasted < BLINK_S
        return SquareHistory(
            occupied,
            self.changes + 1,
            at,
            self.blinks + is_blink,
            max(self.longest_blink_s, lasted) if is_blink else self.longest_blink_s,
        )


class SquareHistories:
    """The histories of all squares; every observation of a sensor is to be told."""

    def __init__(self) -> None:
        self.of: list[SquareHistory] = [SquareHistory() for _ in SQUARES]

    def observe(self, observation: Observation) -> None:
        """Take in what a sensor saw."""
        for square, evidence in observation.squares.items():
            level = None if evidence is None else occupancy(evidence)
            self.of[square] = self.of[square].after(level, observation.at)

    @property
    def weak(self) -> list[Square]:
        """The squares that blink, those that blink most first."""
        blinking = [square for square in SQUARES if self.of[square].blinks]
        return sorted(blinking, key=lambda square: -self.of[square].blinks)
