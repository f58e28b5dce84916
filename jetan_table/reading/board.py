"""What the reader must be told of a game; it knows no piece and no rule itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from rules import Square

P = TypeVar("P")


@dataclass(frozen=True, slots=True)
class Step(Generic[P]):
    """One legal way on from a position: what stands on `from_square` goes to `to_square`.

    With `capture` something stood there and is taken. `after` is the position that results.
    `is_ply` is False for the step of a piece that belongs to nobody and moves between plies.
    `surprise` is how much rarer than others such a step is, in nats.
    """

    from_square: Square
    to_square: Square
    capture: bool
    after: P
    is_ply: bool = True
    surprise: float = 0.0

    @property
    def squares(self) -> tuple[Square, Square]:
        """What tells this step from another: where from and where to."""
        return self.from_square, self.to_square


class Board(Protocol[P]):
    """A game as the reader sees it: occupancy and legal steps. Positions must be immutable."""

    def occupied(self, position: P) -> int:
        """Return the squares on which something stands, as a bit mask by square."""
        ...

    def steps_from(self, position: P, square: Square) -> Sequence[Step[P]]:
        """Return the legal steps that begin on `square`; none where nothing there may act."""
        ...
