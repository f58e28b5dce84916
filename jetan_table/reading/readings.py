"""The game as readers see it, and the readings that they tell of it.

It knows no rule. Where `Standing` is what stands, `JetanGame` says which squares are occupied and
which legal steps lead on; whoever reads looks asks less, as a `CameraGame` has it, so that another
game may be read. What a reader finds out it tells as readings, one after another: events as the
journal keeps them, with what they rest on. `Belief` is what it holds true at any moment.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cache, lru_cache, partial
from typing import Final, Generic, Protocol, TypeVar, cast

from hardware.ports import FaultKind
from rules import (
    SQUARES,
    TOPOLOGIES,
    Move,
    MoveKind,
    Occupant,
    Position,
    Square,
    _,
    format_square,
    mask_of,
    squares_of,
)

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
    """True where a piece on `to_square` is taken."""
    _make: Callable[[], P] | None
    _: KW_ONLY
    is_ply: bool = True
    """False where a piece that belongs to nobody moves between plies."""
    surprise: float = 0.0
    """The rarity of such a step beside others, in nats."""
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


# What may have been odd about how a step showed.
TOUCHED = _("other pieces were touched")
DOWN_UNSEEN = _("it came down where the switch has failed")
DOWN_COVERED = _("it came down where a piece that was taken held the switch")
LIFT_UNSEEN = _("its lift was not seen")
LIFT_LATE = _("the switch it left stayed closed")
VICTIM_UNSEEN = _("victim unseen")
FELL_TOO = _("another piece fell with the victim, and was put up again")
FLICKERS = _("the victim's switch flickers")
BLINKED = _("victim seen to leave for a moment only")
HELD_FOR_LONG = _("its piece had been in the air for long before the victim left")
BOTH_KNOCKED = _("both pieces left at once, as if knocked over")
STRANGE = _("something stands where nothing legal can have come")


@dataclass(frozen=True, slots=True)
class Evidence:
    """The grounds for believing a ply, and the doubt that was left."""

    lifted_at: float | None
    """Time at which its piece was lifted, in table seconds; None where no switch showed it."""
    landed_at: float | None
    """Time at which it came down, likewise."""
    doubts: tuple[str, ...] = ()
    """The oddities: a captured piece whose lift was not seen, pieces touched besides, ..."""
    margin: float = 0.0
    """By how many nats it was likelier than all else together."""
    is_unsure: bool = False
    """True where a question about an earlier ply is open, so that this one is as sure as that."""


@dataclass(frozen=True, slots=True)
class GameLost(Generic[P]):
    """Nothing explains any more what is seen: people are asked which position stands there."""

    number: int
    """That of the next ply, as far as was told."""
    positions: tuple[P, ...]
    """The likeliest, the best first; three at most."""


@dataclass(frozen=True, slots=True)
class FoundAgain:
    """The reader follows the game again."""

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
    """Time at which it was told, in seconds on the table clock."""
    step: Step[P] | None = None
    """The step that a `Ply`, an `Answer` or a `Wander` tells; None in all others."""
    evidence: Evidence | None = None
    """The grounds for a `Ply`; None in all others."""

    @property
    def is_unsure(self) -> bool:
        """True where it is only as sure as the answer to an open question."""
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


def number_of(step: Step[P], number: int) -> int:
    """The number of the ply that a step is, or that it follows; `number` is that of the next."""
    return number if step.is_ply else number - 1


def question_about(number: int, steps: Iterable[Step[P]]) -> Question | None:
    """Ask which of these steps ply `number` was; None where no one question tells them apart.

    Nor where one of them is a ply and another is none: what happens next will tell.
    """
    steps = list(steps)
    if len({step.is_ply for step in steps}) > 1:
        return None
    is_ply = steps[0].is_ply
    sources, targets = (
        [format_square(square) for square in sorted(set(ends))]
        for ends in zip(*(step.squares for step in steps), strict=True)
    )
    if len(sources) == 1:
        return Question(number, sources[0], tuple(targets), is_ply=is_ply)
    if len(targets) == 1:
        return Question(number, None, tuple(sources), targets[0], is_ply)
    return None


@dataclass(frozen=True, slots=True)
class Belief(Generic[P]):
    """The position as it is read now, and what is open in it."""

    position: P
    """The confirmed one; of several that stand in question, the likeliest."""
    number: int
    """That of the next ply."""
    lifted: tuple[Square, ...] = ()
    """The `missing` in the order in which they were left: in the air as far as anyone can see."""
    missing: frozenset[Square] = frozenset()
    """Squares where a piece should stand and does not, those with a failed switch left out."""
    extra: frozenset[Square] = frozenset()
    """Squares where none should stand and something does, likewise."""
    question: Question | None = None
    faults: Mapping[Square, FaultKind] = field(default_factory=dict)
    """The switches that are known to have failed."""
    unseen: frozenset[Square] = frozenset()
    """Squares of pieces that their switch does not show, to be shifted; none of them `missing`."""
    seen: tuple[Square, ...] = ()
    """Start and end of a step that is not told yet: its piece has come to rest, and may go on."""


ESCAPE_SURPRISE = 2.5
"""In nats, 12 to 1: the Princess escapes once in a game, and mostly late in it."""

TELEPORT_SURPRISE = 2.5
"""In nats, 12 to 1: one roll in ten sends the Juggernaut to any square, the rest next door."""

EVERY_SQUARE = mask_of(SQUARES)


@dataclass(frozen=True, slots=True)
class Way:
    """One way in which a piece may go on: by its ordinary moves, by the escape, or by hand."""

    ends: int
    """The squares on which it may end, as bits."""
    kind: MoveKind | None
    """None where it is the Juggernaut that may be put there."""
    steps: dict[int, Step[Standing]] = field(default_factory=dict)
    """Those made so far, by the square on which they end."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A position, and what may happen in it before the next ply."""

    position: Position
    may_wander: bool = False
    """True while the Juggernaut may still be moved."""
    is_fought: bool = False
    """True where the last ply entered a square that is fought for; nothing follows it here."""
    _ways: dict[Square, tuple[Way, ...]] = field(default_factory=dict, compare=False, repr=False)

    def ways_from(self, square: Square) -> tuple[Way, ...]:
        """Return the ways on for the piece on a square; asked again, the same ones."""
        known = self._ways.get(square)
        if known is None:
            known = self._ways[square] = tuple(way for way in self._find(square) if way.ends)
        return known

    def forget_ways(self) -> None:
        """Forget them, and all positions to which they lead; asked again, others are made."""
        self._ways.clear()

    def _find(self, square: Square) -> Iterator[Way]:
        if self.is_fought:
            return
        if square != self.position.juggernaut:
            ends, escapes = self.position.ends_from(square)
            yield Way(ends, MoveKind.MOVE)
            yield Way(escapes, MoveKind.ESCAPE)
        elif self.may_wander:
            yield Way(EVERY_SQUARE ^ 1 << square, None)


@lru_cache(maxsize=4096)  # a game with all its doubts comes to a few hundred
def occupants_of(position: Position) -> tuple[int, ...]:
    """Return for every square what stands there, as `Occupant`."""
    found = [int(Occupant.EMPTY)] * len(SQUARES)
    for square, piece in position.pieces().items():
        found[square] = int(Occupant.ORANGE if piece.side else Occupant.BLACK)
    if position.juggernaut is not None:
        found[position.juggernaut] = int(Occupant.NEUTRAL)
    return tuple(found)


MOST_GROWN = 600
"""Ways on that are kept at hand, each with the positions it leads to: a megabyte or two."""


class JetanGame:
    """Jetan as its readers see it: occupancy, legal steps, and the Juggernaut's wanderings.

    Positions are values: equal ones are the same, and none ever changes.
    """

    def __init__(self) -> None:
        self._grown: list[Standing] = []

    def occupied(self, standing: Standing) -> int:
        """Return the squares of all men and of the Juggernaut, as bits."""
        return standing.position.occupied

    def occupants(self, standing: Standing) -> tuple[int, ...]:
        """Return what stands on each square."""
        return occupants_of(standing.position)

    def placement(self, standing: Standing) -> Hashable:
        """Return which piece stands where, and who is to move."""
        position = standing.position
        pieces, juggernaut = tuple(position.pieces().items()), position.juggernaut
        return pieces, position.side, juggernaut, standing.may_wander, standing.is_fought

    def steps(self, standing: Standing, squares: Iterable[Square]) -> Iterator[Step[Standing]]:
        """Yield every legal ply of some men, and where the Juggernaut may be put, if among them."""
        for square in squares:
            yield from self.steps_from(standing, square)

    def ends_from(self, standing: Standing, square: Square) -> int:
        """Return where the piece on `square` may end, or the Juggernaut be put, as bits."""
        return sum(way.ends for way in standing.ways_from(square))

    def beside(self, standing: Standing, square: Square) -> int:
        """Return the squares next to one, as bits."""
        return _around(standing.position.rules["board"])[square]

    def steps_from(
        self, standing: Standing, square: Square, among: int = EVERYWHERE
    ) -> list[Step[Standing]]:
        """Return the legal moves of the piece on `square`, or where the Juggernaut may be put.

        Only those that end on one of the squares `among`, as bits. Asked again, it returns the same
        steps, so that what follows from them is worked out once.
        """
        found: list[Step[Standing]] = []
        for way in standing.ways_from(square):
            for to in squares_of(way.ends & among):
                step = way.steps.get(to)
                if step is None:
                    if not way.steps:
                        self._note_growth(standing)
                    step = way.steps[to] = _step(standing.position, square, to, way.kind)
                found.append(step)
        return found

    def _note_growth(self, standing: Standing) -> None:
        """Forget the ways on from all positions, once they have become many."""
        if len(self._grown) >= MOST_GROWN:
            for each in self._grown:
                each.forget_ways()
            self._grown.clear()
        self._grown.append(standing)


@cache
def _around(board: str) -> tuple[int, ...]:
    """Return by square which are next to it on a board, as bits."""
    return tuple(
        mask_of([other for other in around if other is not None])
        for around in TOPOLOGIES[board]().neighbours
    )


def _step(position: Position, start: Square, end: Square, kind: MoveKind | None) -> Step[Standing]:
    """Return one step of a position; `kind` None for the Juggernaut's.

    A move that ends on an enemy's square is a capture, whichever kind of way leads there.
    """
    capture = bool(position.occupied >> end & 1)
    if kind is None:
        beside = position.rules.board.neighbours[start]
        surprise = 0.0 if end in beside else TELEPORT_SURPRISE

        def wander() -> Standing:
            return Standing(position.move_juggernaut(end))

        return Step(start, end, capture, wander, is_ply=False, surprise=surprise)
    surprise = ESCAPE_SURPRISE if kind is MoveKind.ESCAPE and not capture else 0.0
    move = Move(start, end, MoveKind.CAPTURE if capture else kind)
    return Step(start, end, capture, partial(_played, position, move), surprise=surprise)


def _played(position: Position, move: Move) -> Standing:
    is_fought = position.is_fought(move)
    may_wander = position.juggernaut is not None and not is_fought
    return Standing(position.play(move), may_wander, is_fought)
