"""What the sensors say stands on the board, square by square, since the last word on each."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from hardware.ports import Evidence, Observation, presence
from rules import Square


class Flip(NamedTuple):
    """A square has become occupied, or empty."""

    square: Square
    is_occupied: bool


class Occupancy:
    """The latest evidence of every square. Nothing is known before the first observation."""

    def __init__(self) -> None:
        self.evidence: dict[Square, Evidence] = {}
        self.occupied: set[Square] = set()

    def __bool__(self) -> bool:
        """Whether anything has been seen yet."""
        return bool(self.evidence)

    def update(self, observation: Observation) -> list[Flip]:
        """Take evidence in, and return what has changed; covered squares stay as they were."""
        flips = []
        for square, evidence in observation.squares.items():
            if evidence is None:
                continue
            is_occupied = presence(evidence) > 0
            self.evidence[square] = evidence
            if is_occupied != (square in self.occupied):
                flips.append(Flip(square, is_occupied))
                (self.occupied.add if is_occupied else self.occupied.remove)(square)
        return flips


TOUCH_S = 0.15
"""A touch lasts at least so long; a weak magnet flickers for less."""


class TouchWatch:
    """Notices a square that is touched, with nothing between.

    Its piece is lifted and put back; or, where none stands, one is put down and taken up again.
    """

    def __init__(self) -> None:
        self._begun: Square | None = None
        self._begun_at = 0.0

    def touched(self, flips: Iterable[Flip], among: Collection[Square], at: float) -> Square | None:
        """Take in what changed at `at`; return the square of `among` that was touched, if one."""
        touched = None
        for square, _ in flips:
            is_end = square == self._begun
            touched = square if is_end and at >= self._begun_at + TOUCH_S else None
            self._begun = square if square in among and not is_end else None
            self._begun_at = at
        return touched
