"""Gestures: what hands tell the table by pieces that are lifted one after another and held.

Two pieces of one side in the air are never part of a ply, by any rules on either board, and two
that fall do so at once. So the signs are a side's own pair, Chief and Princess, alone or with one
or both of the other side's; a new game is wanted by whoever sets all men up for it. Each is held
while light fills its squares, and called off by putting a piece back. Switches see no more than
which squares are empty; the position says what stood there.
"""

from collections.abc import Collection, Iterable, Mapping, Set
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType

from hardware.ports import Flip, Observation
from rules import Kind, Position, Rules, Side, Square, squares_of

from ..game.record import Record

BEGINS_S = 0.8
"""Pieces held for so long begin a gesture: who adjusts two at once is done before."""

DONE_S = 4.0
"""... and for so long have made it."""

FILL_STEPS = 5
FILL_STEP_S = (DONE_S - BEGINS_S) / FILL_STEPS
"""In so many steps the light fills up meanwhile, each of so many seconds."""

TOGETHER_S = 0.6
"""Pieces that left within so short a time fell over: hands lift one after another."""

APART_S = 3.0
"""... and the next within so long: what is gone for longer is no part of a gesture."""

PUT_S = 0.25
"""What is put down so long after the first is lifted is no other side's ply that was not over yet:
hands move, and hold nothing."""

GONE_S = 0.085
"""What was gone for less has flickered, and was not put down."""

FAR = 4
"""More squares than this differ from the start before setting it up means anything: no ply, and
none taken back, changes as many."""


class Deed(Enum):
    """What a gesture asks for."""

    RESIGN = "resign"
    DRAW = "draw"
    TAKE_BACK = "take-back"
    PAUSE = "pause"
    NEW_GAME = "new-game"


@dataclass(frozen=True, slots=True)
class Gesture:
    """What hands ask for by the pieces they hold, or by setting all men up."""

    deed: Deed
    side: Side | None
    """Who asks; None where both do."""
    squares: tuple[Square, ...]
    """The squares whose pieces are held; for another game those of the men set up."""
    unsure: Square | None = None
    """A square whose switch has failed, so that hands may as well mean another deed."""


@dataclass(frozen=True, slots=True)
class Filling:
    """A gesture under way, of whose light `step` of FILL_STEPS steps are on."""

    gesture: Gesture
    step: int

    @property
    def squares(self) -> frozenset[Square]:
        """The squares that are lit: a bar for each piece in the air; all men's, file by file."""
        if self.gesture.deed is Deed.NEW_GAME:
            return frozenset(
                s for s in self.gesture.squares if s % 10 * FILL_STEPS < self.step * 10
            )
        bars = (bar(square)[: self.step] for square in self.gesture.squares)
        return frozenset(self.gesture.squares).union(*bars)


def bar(square: Square) -> tuple[Square, ...]:
    """Return the five squares of a square's half file, from the rim: its gesture's bar of light."""
    ranks = range(5) if square < 50 else range(9, 4, -1)
    return tuple(Square(10 * rank + square % 10) for rank in ranks)


class _Part(Enum):
    """What is in the air of one side."""

    NOTHING = auto()
    CHIEF = auto()
    PRINCESS = auto()
    PAIR = auto()
    OTHER = auto()


SIGNS: Mapping[_Part, Deed] = MappingProxyType(
    {
        _Part.NOTHING: Deed.RESIGN,
        _Part.CHIEF: Deed.DRAW,
        _Part.PRINCESS: Deed.TAKE_BACK,
        _Part.PAIR: Deed.PAUSE,
    }
)
"""What one's own pair means, by what of the other side is lifted with it."""


def sign_of(position: Position, lifted: Collection[Square]) -> Gesture | None:
    """Return what it means that exactly these squares of a position are empty; None: nothing."""
    parts = {side: _part(position, side, lifted) for side in Side}
    belonging = [square for square in lifted if position.piece_at(square) is not None]
    if len(belonging) < len(lifted):
        return None
    for side in Side:
        if parts[side] is _Part.PAIR and parts[side.other] in SIGNS:
            deed = SIGNS[parts[side.other]]
            return Gesture(deed, None if deed is Deed.PAUSE else side, tuple(sorted(lifted)))
    return None


def _part(position: Position, side: Side, lifted: Collection[Square]) -> _Part:
    """Return what of a side is lifted; with no Chief any more, any other piece passes for him."""
    pieces = position.pieces()
    own = {square: piece.kind for square, piece in pieces.items() if piece.side is side}
    kinds = [own[square] for square in lifted if square in own]
    if not kinds:
        return _Part.NOTHING
    has_princess = Kind.PRINCESS in kinds
    others = [kind for kind in kinds if kind is not Kind.PRINCESS]
    if not others:
        return _Part.PRINCESS
    if len(others) > 1 or (others[0] is not Kind.CHIEF and Kind.CHIEF in own.values()):
        return _Part.OTHER
    return _Part.PAIR if has_princess else _Part.CHIEF


@lru_cache(maxsize=8)
def men_at_start(rules: Rules) -> frozenset[Square]:
    """Return where the men stand when a game by these rules begins."""
    return frozenset(Position.start(rules).pieces())


class GestureWatch:
    """Follows what is lifted and put, and says which gesture is under way, or made.

    A sign can begin only on a board that stood right (`arm`), so that pieces that are being set
    up, or led back, are none.
    """

    def __init__(self) -> None:
        self._lifted_at: dict[Square, float] = {}
        self._put_at: dict[Square, float] = {}
        self._is_armed = False
        self._was_far = True  # men may have been set up while the table was off
        self._gesture: Gesture | None = None
        self._made: Gesture | None = None
        self._since = self._now = 0.0
        self._withheld: list[Observation] = []

    def arm(self) -> None:
        """The board stands as the game has it, and a ply, or a gesture, may begin."""
        self._is_armed = True
        self._lifted_at.clear()
        self._withheld.clear()

    def disarm(self) -> None:
        """The board is not as the game has it: no sign can be made until it is."""
        self._is_armed = self._was_far = False
        self._gesture = None

    def follow(
        self,
        flips: Iterable[Flip],
        at: float,
        record: Record,
        occupied: Set[Square],
    ) -> None:
        """Take in what has changed on the board at `at`, and what is `occupied` now."""
        for square, is_occupied in flips:
            lifted_at = self._lifted_at.pop(square, None)
            if not is_occupied:
                self._lifted_at[square] = at
            elif lifted_at is None or at - lifted_at > GONE_S:
                self._put_at[square] = at
        gesture = self._set_up(record, occupied)
        if gesture is None and self._is_armed and not record.ending:
            gesture = self._sign(record.position, occupied, record.faults.keys())
        if gesture != self._gesture:
            self._gesture, self._since = gesture, at
        self._now = at

    def tick(self, now: float) -> None:
        """Let time pass, by which a gesture may be made."""
        self._now = now
        if self._gesture is not None and self._held_s >= DONE_S:
            self._made = self._gesture
            self.disarm()

    def take_made(self) -> Gesture | None:
        """Return the gesture that has been made, once."""
        made, self._made = self._made, None
        return made

    def sift(self, observation: Observation) -> list[Observation]:
        """Return what may be read by now: what may be a gesture only once it turns out to be none.

        What a gesture has been made of is never read.
        """
        self._withheld.append(observation)
        if self._gesture is not None:
            return []
        withheld, self._withheld = self._withheld, []
        return withheld

    @property
    def filling(self) -> Filling | None:
        """The gesture under way, once it has begun."""
        if self._gesture is None or self._held_s < BEGINS_S:
            return None
        return Filling(
            self._gesture, min(1 + int((self._held_s - BEGINS_S) / FILL_STEP_S), FILL_STEPS)
        )

    @property
    def is_possible(self) -> bool:
        """Whether what is in the air is a gesture, begun or not yet, and no ply."""
        return self._gesture is not None

    @property
    def _held_s(self) -> float:
        """How long the gesture has been held, a hair more, so that `due` is never too early."""
        return self._now - self._since + 1e-6

    @property
    def due(self) -> float | None:
        """When the gesture under way goes a step on, in seconds; None where there is none."""
        if self._gesture is None:
            return None
        steps = 0 if (filling := self.filling) is None else filling.step
        return self._since + BEGINS_S + steps * FILL_STEP_S

    def _sign(
        self, position: Position, occupied: Set[Square], unsure: Collection[Square]
    ) -> Gesture | None:
        """Return what the pieces in the air mean, lifted one after another off a right board."""
        belongs = set(squares_of(position.occupied))
        missing = belongs.difference(occupied, unsure)
        if len(missing) < 2 or occupied - belongs.union(unsure):
            return None
        times = sorted(self._lifted_at.get(square, -APART_S) for square in missing)
        if times[-1] - times[0] < TOGETHER_S:
            return None
        if any(later - earlier > APART_S for earlier, later in pairwise(times)):
            return None
        if any(self._put_at.get(s, 0.0) > times[0] + PUT_S for s in belongs - missing):
            return None
        sign = sign_of(position, missing)
        hidden = belongs.difference(missing).intersection(unsure)
        also = (square for square in sorted(hidden) if sign_of(position, missing | {square}))
        return None if sign is None else replace(sign, unsure=next(also, None))

    def _set_up(self, record: Record, occupied: Set[Square]) -> Gesture | None:
        """Return the gesture of men set up for another game; the Juggernaut may stand anywhere.

        So may what one man closes besides his own switch: it is led off once the game has begun.
        """
        position, unsure = record.position, record.faults.keys()
        start = men_at_start(position.rules)
        missing, extra = start.difference(occupied, unsure), occupied - start.union(unsure)
        self._was_far = self._was_far or len(missing) + len(extra) > FAR
        most = 1 + (position.juggernaut is not None)
        if missing or len(extra) > most or not self._was_far:
            return None
        if not record.ending and len(start.symmetric_difference(position.pieces())) <= FAR:
            return None
        return Gesture(Deed.NEW_GAME, None, tuple(sorted(start)))


TOUCH_S = 0.15
"""A touch lasts at least so long; a weak magnet flickers for less."""


class TouchWatch:
    """Notices a square that is touched, with nothing between.

    Its piece is lifted and put back; or, where none stands, one is put down and taken up again.
    """

    def __init__(self) -> None:
        self._begun: Square | None = None
        self._begun_at = 0.0

    def touched(self, flips: Iterable[Flip], among: Collection[Square], at: float) -> Square | None:
        """Take in what changed at `at`; return the square of `among` that was touched, if one."""
        touched = None
        for square, _ in flips:
            is_end = square == self._begun
            touched = square if is_end and at >= self._begun_at + TOUCH_S else None
            self._begun = square if square in among and not is_end else None
            self._begun_at = at
        return touched
