"""What the reader tells: readings, one after another, and its belief at any moment."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeAlias

from hardware.ports import FaultKind
from rules import Square

from ..game.events import Question
from .readable_game import P, Step


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
class Played(Generic[P]):
    """Ply `number` has been played; it may still be taken back."""

    number: int
    step: Step[P]
    evidence: Evidence
    at: float


@dataclass(frozen=True, slots=True)
class TakenBack:
    """Ply `number` no longer stands, by the players' hands or by the reader's better knowledge."""

    number: int
    at: float


@dataclass(frozen=True, slots=True)
class Asked:
    """The board cannot show what a ply was: the players are asked."""

    question: Question
    at: float


@dataclass(frozen=True, slots=True)
class Answered(Generic[P]):
    """What ply `number`, which was asked about, has turned out to be."""

    number: int
    step: Step[P]
    at: float


@dataclass(frozen=True, slots=True)
class Wandered(Generic[P]):
    """The piece that belongs to nobody has been moved by hand after ply `after_number`."""

    after_number: int
    step: Step[P]
    at: float


@dataclass(frozen=True, slots=True)
class Recalled:
    """The piece that belongs to nobody stands again where it stood after ply `after_number`."""

    after_number: int
    at: float


def undoing(number: int, is_ply: bool, at: float) -> TakenBack | Recalled:
    """Return the reading by which a ply, or what the neutral piece did after it, stands no more."""
    return TakenBack(number, at) if is_ply else Recalled(number, at)


@dataclass(frozen=True, slots=True)
class Failed:
    """The switch under `square` no longer follows; it is left out of account from now on."""

    square: Square
    kind: FaultKind
    at: float


@dataclass(frozen=True, slots=True)
class Followed:
    """The switch under `square`, which had been named, has followed: it counts again."""

    square: Square
    at: float


@dataclass(frozen=True, slots=True)
class GameLost(Generic[P]):
    """Nothing explains any more what is seen: people are asked which position stands there."""

    number: int
    """That of the next ply, as far as was told."""
    positions: tuple[P, ...]
    """The likeliest, the best first; three at most."""
    at: float


@dataclass(frozen=True, slots=True)
class FoundAgain:
    """What is seen is explained again."""

    number: int
    at: float


ToldOfGame: TypeAlias = (
    "Played[P] | TakenBack | Asked | Answered[P] | Wandered[P] | Recalled | Failed | Followed"
)
"""What is told of a game, and written down."""

Reading: TypeAlias = "ToldOfGame[P] | GameLost[P] | FoundAgain"


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
