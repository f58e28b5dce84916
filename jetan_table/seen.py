"""What the sensors say stands on the board, square by square, since the last word on each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from hardware.ports import Evidence, Observation, presence
from rules import Square


class Flip(NamedTuple):
    """A square has become occupied, or empty."""

    square: Square
    is_occupied: bool


class Seen:
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


class TouchWatch:
    """Notices a piece that is lifted and put back on its square with nothing between."""

    def __init__(self) -> None:
        self._lifted: Square | None = None

    def touched(self, flips: Iterable[Flip], among: Iterable[Square]) -> Square | None:
        """Take in what changed; return the square of `among` that has been touched, if one."""
        touched = None
        for square, is_occupied in flips:
            touched = square if is_occupied and square == self._lifted else None
            self._lifted = square if not is_occupied and square in among else None
        return touched
