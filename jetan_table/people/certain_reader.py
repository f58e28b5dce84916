"""The reader of a board on a screen: what is tapped there is a ply for certain."""

from __future__ import annotations

from collections.abc import Iterable

from hardware.ports import Observation
from rules import Position, Square, parse_move
from rules.board import SQUARE_NAMES

from ..reading.jetan_game import JetanGame, Standing
from ..reading.readings import Belief, Evidence, Followed, Played, Reading


class CertainReader:
    """Reads plies that people name, not hands; what a sensor sees is none of its business.

    `failed` are the switches that the game remembers as failed: a screen has none, so they are said
    to follow again.
    """

    def __init__(self, standing: Standing, number: int, failed: Iterable[Square] = ()) -> None:
        self.picked: Square | None = None
        """The piece that people are about to move, which counts as in the air."""
        self._standing, self._number = standing, number
        self._failed = tuple(failed)
        self._named: list[Reading[Standing]] = []
        """What was named and is to be told at the next look."""
        self._told = standing, number
        """What stands by what was told."""
        self.due: float | None = 0.0 if self._failed else None
        """What was named is told at once; nothing becomes certain by waiting."""

    @property
    def position(self) -> Position:
        """The position that stands."""
        return self._standing.position

    @property
    def belief(self) -> Belief[Standing]:
        air = () if self.picked is None else (self.picked,)
        return Belief(self._standing, self._number, lifted=air, missing=frozenset(air))

    def name(self, start: Square, end: Square, now: float) -> bool:
        """Play from one square to another; IllegalMove where that is none.

        False where no ply can follow just now: a square is still fought for.
        """
        self.picked = None
        move = parse_move(SQUARE_NAMES[start] + SQUARE_NAMES[end], self.position)
        steps = JetanGame().steps_from(self._standing, move.from_square)
        step = next((step for step in steps if step.to_square == move.to_square), None)
        if step is None:
            return False
        self._named.append(Played(self._number, step, Evidence(now, now), now))
        self._standing, self._number, self.due = step.after, self._number + 1, now
        return True

    def unname(self) -> None:
        """Forget what was named and is not told yet."""
        self._named = []
        self._standing, self._number = self._told
        self.due = 0.0 if self._failed else None

    def observe(self, observation: Observation) -> list[Reading[Standing]]:
        """Return what was named."""
        return self.tick(observation.at)

    def tick(self, now: float) -> list[Reading[Standing]]:
        """Return what was named."""
        failed, self._failed = self._failed, ()
        read, self._named = [*(Followed(square, now) for square in failed), *self._named], []
        self._told = self._standing, self._number
        self.due = None
        return read

    def answer(self, number: int, square: Square) -> list[Reading[Standing]]:
        """Nothing is ever asked: ValueError."""
        raise ValueError(f"ply {number} is certain")
