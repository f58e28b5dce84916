"""What a reader asks of a game, and what it tells of it.

A reader knows no piece and no rule: a `ReadableGame` tells who reads switches which squares are
occupied in a position, and which legal steps lead on; a `CameraGame` tells who reads looks. What it
finds out it tells as readings, one after another: events as the journal keeps them, with what they
rest on. `Belief` is what it holds true at any moment.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Final, Generic, Protocol, TypeVar, cast

from hardware.ports import FaultKind
from rules import Square, format_square

from ..game.events import Answer, Fault, Follows, Ply, Question, Recall, TakeBack, Wander

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
    def text(self) -> str:
        """The step as a move without its piece and kind: its two squares."""
        return format_square(self.from_square) + format_square(self.to_square)

    @property
    def after(self) -> P:
        """The position after the step."""
        if self._make is not None:
            self._after = self._make()
            self._make = None
        return cast(P, self._after)


class ReadableGame(Protocol[P]):
    """A game as the reader of switches sees it: occupancy and legal steps.

    Positions are values: equal ones are the same, and none ever changes.
    """

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


class CameraGame(Protocol[P]):
    """A game as the camera reader sees it: who stands where, and what is legal."""

    def occupants(self, position: P) -> Sequence[int]:
        """Return for every square what stands there, as `Occupant`."""
        ...

    def placement(self, position: P) -> Hashable:
        """Return which piece stands where and who is to move: what follows depends on no more."""
        ...

    def steps(self, position: P, squares: Iterable[Square]) -> Iterable[Step[P]]:
        """Return every legal step of what stands on some squares."""
        ...


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a ply is believed: when it was seen, and the doubt that was left."""

    lifted_at: float | None
    """When its piece was lifted, in seconds on the table clock; None where no switch showed it."""
    landed_at: float | None
    """When it came down, likewise."""
    doubts: tuple[str, ...] = ()
    """What was unusual: a captured piece whose lift was not seen, pieces touched besides, ..."""
    margin: float = 0.0
    """By how many nats it was likelier than all else together."""
    is_unsure: bool = False
    """Whether a question about an earlier ply is open, so that this one is as sure as that."""


@dataclass(frozen=True, slots=True)
class GameLost(Generic[P]):
    """Nothing explains any more what is seen: people are asked which position stands there."""

    number: int
    """That of the next ply, as far as was told."""
    positions: tuple[P, ...]
    """The likeliest, the best first; three at most."""


@dataclass(frozen=True, slots=True)
class FoundAgain:
    """What is seen is explained again."""

    number: int
    """That of the next ply."""


@dataclass(frozen=True, slots=True)
class Reading(Generic[P]):
    """One thing that a reader tells: an event as the journal keeps it, and what it rests on.

    That the game is lost, or found again, no journal keeps.
    """

    event: (
        Ply
        | TakeBack
        | Question
        | Answer
        | Wander
        | Recall
        | Fault
        | Follows
        | GameLost[P]
        | FoundAgain
    )
    """A move is written by its two squares: what else it says, the game knows."""
    at: float
    """When it was told, in seconds on the table clock."""
    step: Step[P] | None = None
    """The step that a `Ply`, an `Answer` or a `Wander` tells; None in all others."""
    evidence: Evidence | None = None
    """Why a `Ply` is believed; None in all others."""

    @property
    def is_unsure(self) -> bool:
        """Whether it is as sure only as the answer to a question that is open."""
        return self.evidence is not None and self.evidence.is_unsure


def telling(number: int, step: Step[P], evidence: Evidence, at: float) -> Reading[P]:
    """Return the reading that ply `number` was this step, or that the step followed it."""
    if step.is_ply:
        return Reading(Ply(number, step.text), at, step, evidence)
    return answering(number, step, at)


def answering(number: int, step: Step[P], at: float) -> Reading[P]:
    """Return the reading that this step was what was asked about."""
    if step.is_ply:
        return Reading(Answer(number, step.text), at, step)
    return Reading(Wander(number, format_square(step.to_square)), at, step)


def undoing(number: int, is_ply: bool, at: float) -> Reading[P]:
    """Return the reading by which a ply, or what the neutral piece did after it, stands no more.

    It was undone by the players' hands or by the reader's better knowledge.
    """
    return Reading(TakeBack(number, "hands") if is_ply else Recall(number), at)


@dataclass(frozen=True, slots=True)
class Belief(Generic[P]):
    """What the reader holds true now."""

    position: P
    """The confirmed one; of several that stand in question, the likeliest."""
    number: int
    """That of the next ply."""
    lifted: tuple[Square, ...] = ()
    """The `missing` in the order in which they were left: in the air as far as anyone can see."""
    missing: frozenset[Square] = frozenset()
    """Where a piece should stand and does not; squares whose switch has failed are left out."""
    extra: frozenset[Square] = frozenset()
    """Where none should stand and something does, likewise."""
    question: Question | None = None
    faults: Mapping[Square, FaultKind] = field(default_factory=dict)
    """The switches that are known to have failed."""
    unseen: frozenset[Square] = frozenset()
    """Where a piece stands that its switch does not show: to be shifted; none of them `missing`."""
