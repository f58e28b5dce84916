"""Two readers that anyone would write first, to see what the hard cases are worth.

Both know the legal moves, as the real reader does; neither weighs a whole turn.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, TypeAlias

from hardware.ports import Observation, presence
from jetan_table.game.events import Question
from jetan_table.reading.readings import (
    Evidence,
    Reading,
    Step,
    answering,
    telling,
    undoing,
)
from rules import Square, format_square, squares_of

Readings: TypeAlias = "list[Reading[Any]]"


class Board(Protocol):
    """A game, as such a reader asks about it."""

    def occupied(self, standing: Any) -> int:
        """Return the squares of all pieces, as bits."""
        ...

    def steps_from(self, standing: Any, square: Square) -> list[Step[Any]]:
        """Return the legal steps of what stands on a square."""
        ...


STEADY_S = 0.25
"""A board that has not changed for so long is taken as it stands."""


class BoardSeen:
    """Which squares are occupied, as bits, by the latest word on each."""

    def __init__(self) -> None:
        self.level = 0

    def flips(self, observation: Observation) -> Iterable[tuple[Square, bool]]:
        """Take an observation in, square by square, and yield what has changed."""
        for square, evidence in observation.squares.items():
            is_occupied = evidence is not None and presence(evidence) > 0
            if evidence is not None and is_occupied != bool(self.level >> square & 1):
                self.level ^= 1 << square
                yield square, is_occupied


class SnapshotReader:
    """Compares the steady board with what it would be after each legal move.

    Where several moves would leave the same board it asks, and goes on with all of them.
    """

    def __init__(self, board: Board, start: Any, number: int = 1) -> None:
        """`start` stands on the board before ply `number`."""
        self.due: float | None = None
        self._board = board
        self._seen = BoardSeen()
        self._worlds = [start]
        self._before: list[list[Any]] = []
        self._number = number

    def observe(self, observation: Observation) -> Readings:
        if list(self._seen.flips(observation)):
            self.due = observation.at + STEADY_S
        return []

    def tick(self, now: float) -> Readings:
        """Look at the board, once it is steady."""
        if self.due is None or now < self.due:
            return []
        self.due = None
        if any(self._fits(world) for world in self._worlds):
            return []
        steps = [step for world in self._worlds for step in self._steps(world)]
        if steps:
            return [self._play(steps, now)]
        if self._before and any(self._fits(world) for world in self._before[-1]):
            self._worlds = self._before.pop()
            self._number -= 1
            return [undoing(self._number, True, now)]
        return []

    def _fits(self, world: Any) -> bool:
        return self._board.occupied(world) == self._seen.level

    def _steps(self, world: Any) -> list[Step[Any]]:
        gone = self._board.occupied(world) & ~self._seen.level
        return [
            step
            for square in squares_of(gone)
            for step in self._board.steps_from(world, square)
            if self._fits(step.after)
        ]

    def _play(self, steps: list[Step[Any]], now: float) -> Reading[Any]:
        number, first = self._number, steps[0]
        if first.is_ply:
            self._before.append(self._worlds)
            self._number += 1
        self._worlds = [step.after for step in steps]
        if not first.is_ply:
            return answering(number - 1, first, now)
        ends = {step.to_square for step in steps}
        if len(ends) > 1:
            start, *targets = map(format_square, (first.from_square, *sorted(ends)))
            return Reading(Question(number, start, tuple(targets)), now)
        return telling(number, first, Evidence(None, now), now)


class FirstLandingReader:
    """Believes the first legal move that comes down: a lifted piece on a square it may go to."""

    def __init__(self, board: Board, start: Any, number: int = 1) -> None:
        """`start` stands on the board before ply `number`."""
        self.due: float | None = None
        self._board = board
        self._seen = BoardSeen()
        self._standing = start
        self._lifted: list[Square] = []
        self._number = number

    def observe(self, observation: Observation) -> Readings:
        readings: Readings = []
        for square, is_occupied in self._seen.flips(observation):
            if is_occupied:
                readings += self._land(square, observation.at)
            else:
                self._lifted.append(square)
        return readings

    def tick(self, now: float) -> Readings:
        """Do nothing: this reader never waits."""
        return []

    def _land(self, square: Square, now: float) -> Readings:
        step = next(
            (
                step
                for start in self._lifted
                for step in self._board.steps_from(self._standing, start)
                if step.to_square == square and step.capture == (square in self._lifted)
            ),
            None,
        )
        gone = {square} if step is None else {square, step.from_square}
        self._lifted = [lifted for lifted in self._lifted if lifted not in gone]
        if step is None:
            return []
        self._standing = step.after
        if not step.is_ply:
            return [answering(self._number - 1, step, now)]
        self._number += 1
        return [telling(self._number - 1, step, Evidence(None, now), now)]
