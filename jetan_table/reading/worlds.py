"""What may be true, and what has been told of it: the plain data that explanations start from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic

from hardware.switches import FaultKind
from rules import Square, mask_of

from .readable_game import P, ReadableGame, Step


@dataclass(frozen=True, slots=True)
class World(Generic[P]):
    """One position that may be the true one, and what was assumed to come to it.

    `asked` are the steps taken where the players were asked, or where another was told, by the
    number of the ply. `failed` are switches that must have failed if this world is true.
    """

    position: P
    cost: float
    asked: tuple[tuple[int, Step[P]], ...] = ()
    failed: tuple[tuple[Square, FaultKind], ...] = ()

    @property
    def assumed(self) -> object:
        """What was assumed to come to it, for comparing."""
        return tuple((number, step.squares) for number, step in self.asked), self.failed


@dataclass(frozen=True, slots=True)
class Reported(Generic[P]):
    """A step that has been told, or several of which one was played and the players are asked.

    Where they have answered, `landed_at` is when they did. `is_doubtful`: how it showed left
    doubts, or they were asked.
    """

    number: int
    options: tuple[Step[P], ...]
    landed_at: float | None
    told_at: float
    is_answered: bool = False
    is_doubtful: bool = False

    @property
    def is_ply(self) -> bool:
        """Whether this is a ply; else the neutral piece moved."""
        return self.options[0].is_ply

    @property
    def may_have_taken_another(self) -> bool:
        """Whether one piece took, and it may not have been what was told; people are believed."""
        sources = {option.from_square for option in self.options}
        takes = any(option.capture and option.is_ply for option in self.options)
        return self.is_doubtful and takes and len(sources) == 1 and not self.is_answered

    @property
    def is_unseen(self) -> bool:
        """Whether nothing was seen to leave or to come down where it ended."""
        return self.landed_at is None

    def steps(self, board: ReadableGame[P], position: P) -> list[Step[P]]:
        """Return the legal steps of a position that are what was told."""
        ends = mask_of(option.to_square for option in self.options)
        sources = dict.fromkeys(option.from_square for option in self.options)
        steps = [step for source in sources for step in board.steps_from(position, source, ends)]
        return list(filter(self.allows, steps))

    def allows(self, step: Step[P]) -> bool:
        """Whether `step` is what was told."""
        return step.squares in [option.squares for option in self.options]


def count_kept(steps: Sequence[Step[P]], told: Sequence[Reported[P]]) -> int:
    """Return how many of the steps told `steps` begin with."""
    count = 0
    for entry, step in zip(told, steps, strict=False):
        if not entry.allows(step):
            break
        count += 1
    return count
