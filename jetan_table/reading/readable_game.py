"""What the reader must be told of a game; it knows no piece and no rule itself."""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Final, Generic, Protocol, TypeVar, cast

from rules import Square

P = TypeVar("P")

EVERYWHERE: Final = -1
"""The bit mask of all squares."""


@dataclass(slots=True, eq=False)
class Step(Generic[P]):
    """One legal way on from a position: what stands on `from_square` goes to `to_square`.

    `squares` are both, and tell it from the other steps of its position. Of the steps that a reader
    looks at it follows few, so the position `after` one is made when it is first asked for.
    """

    from_square: Square
    to_square: Square
    capture: bool
    """Whether something stood on `to_square`, and is taken."""
    _make: Callable[[], P] | None
    _: KW_ONLY
    is_ply: bool = True
    """False where a piece that belongs to nobody moves between plies."""
    surprise: float = 0.0
    """How much rarer than others such a step is, in nats."""
    squares: tuple[Square, Square] = field(init=False)
    _after: P | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.squares = self.from_square, self.to_square

    @property
    def after(self) -> P:
        """The position after the step."""
        if self._make is not None:
            self._after = self._make()
            self._make = None
        return cast(P, self._after)


class ReadableGame(Protocol[P]):
    """A game as the reader sees it: occupancy and legal steps. Positions must be immutable."""

    def occupied(self, position: P) -> int:
        """Return the squares on which something stands, as a bit mask by square."""
        ...

    def occupants(self, position: P) -> Sequence[int]:
        """Return for every square what stands there, as `Occupant`; asked where sensors tell."""
        ...

    def ends_from(self, position: P, square: Square) -> int:
        """Return where the legal steps that begin on `square` end, as a bit mask."""
        ...

    def beside(self, position: P, square: Square) -> int:
        """Return the squares next to one, as a bit mask."""
        ...

    def may_go_on(self, position: P, walk: Sequence[Square]) -> bool:
        """Whether a piece that was walked square by square may have further to go.

        `walk` begins where it stands in `position`, and ends where it has come to.
        """
        ...

    def steps_from(self, position: P, square: Square, among: int = EVERYWHERE) -> Sequence[Step[P]]:
        """Return the legal steps that begin on `square`; none where nothing there may act.

        Only those that end on one of the squares `among`, a bit mask. Asked again, it should return
        the same steps, so that what follows from them is worked out once.
        """
        ...
