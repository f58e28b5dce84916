"""What the reader tells: readings, one after another, and its belief at any moment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeAlias

from hardware.switches import FaultKind
from rules import Square

from .readable_game import P, Step


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a ply is believed: seconds on the table clock, and the doubt that was left.

    `lifted_at` or `landed_at` is None where the switch did not show it. `doubts` names what was
    unusual (a captured piece whose lift was not seen, pieces touched besides, ...). `margin` is by
    how many nats the next best explanation was worse.
    """

    lifted_at: float | None
    landed_at: float | None
    doubts: tuple[str, ...] = ()
    margin: float = 0.0


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
    """The board cannot show what ply `number` was: the players are asked.

    A piece left `from_square`, and `candidates` are the squares on which it may have ended: it took
    one of the pieces there, or a switch there has failed. Where instead it is the piece that is not
    known, `from_square` is None, `candidates` are where it may have come from, to `to_square`.
    """

    number: int
    from_square: Square | None
    candidates: tuple[Square, ...]
    at: float
    to_square: Square | None = None


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


Reading: TypeAlias = (
    "Played[P] | TakenBack | Asked | Answered[P] | Wandered[P] | Recalled | Failed | Followed"
)


@dataclass(frozen=True, slots=True)
class Belief(Generic[P]):
    """What the reader holds true now.

    `position` is the confirmed one (of several that stand in question, the likeliest). `missing`
    and `extra` are the squares that differ from it: a piece should stand there and does not, or
    stands where none should; squares whose switch has failed are left out. `lifted` are the missing
    ones in the order they were left: in the air as far as anyone can see.
    """

    position: P
    number: int
    lifted: tuple[Square, ...] = ()
    missing: frozenset[Square] = frozenset()
    extra: frozenset[Square] = frozenset()
    question: Asked | None = None
    faults: Mapping[Square, FaultKind] = field(default_factory=dict)
