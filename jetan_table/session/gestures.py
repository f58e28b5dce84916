"""Gestures: requests that hands make by lifting pieces one after another and holding them.

By no rules on either board does a ply hold two pieces of one side in the air, and two that fall do
so at once. So the signs are a side's own pair, Chief and Princess, alone or with one or both of the
other side's; setting all men up asks for a new game. Each is held while light fills its squares,
and called off by putting a piece back. Switches see only which squares are empty; the position says
what stood there.
"""

from collections.abc import Collection, Iterable, Mapping, Set
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import Literal, TypeAlias

from hardware.ports import Flip, Observation
from rules import Kind, Position, Rules, Side, Square, squares_of

from ..game.record import Record

BEGINS_S = 0.8
"""Seconds of holding that begin a gesture: whoever adjusts two pieces at once is done before."""

DONE_S = 4.0
"""Seconds of holding that complete it."""

FILL_STEPS = 5
FILL_STEP_S = (DONE_S - BEGINS_S) / FILL_STEPS
"""Steps in which the light fills up meanwhile, and the seconds of each."""

TOGETHER_S = 0.6
"""Pieces that left within these seconds fell over: hands lift one after another."""

APART_S = 3.0
"""Longest time between two lifts of one gesture, in seconds."""

PUT_S = 0.25
"""Seconds after the first lift from which a piece put down rules a gesture out: hands are moving.
Sooner it may end the other side's ply."""

GONE_S = 0.085
"""Seconds below which a piece was not away: its switch has flickered."""

FAR = 4
"""Squares that must differ from the start before setting it up means anything: no ply, and no
take-back, changes as many."""


class Deed(Enum):
    """The request that a gesture makes."""

    RESIGN = "resign"
    DRAW = "draw"
    TAKE_BACK = "take-back"
    PAUSE = "pause"
    NEW_GAME = "new-game"


@dataclass(frozen=True, slots=True)
class Gesture:
    """A request by the pieces that hands hold, or by setting all men up."""

    deed: Deed
    side: Side | None
    """The side that asks; None for both."""
    squares: tuple[Square, ...]
    """The squares whose pieces are held; for another game those of the men set up."""
    unsure: Square | None = None
    """A square whose switch has failed, so that hands may mean another deed as well."""
    step: int = 0
    """Steps of its light that are on, of FILL_STEPS; 0 until it has begun."""

    @property
    def lit(self) -> frozenset[Square]:
        """The squares that are lit: a bar for each piece in the air; all men's, file by file."""
        if self.deed is Deed.NEW_GAME:
            return frozenset(s for s in self.squares if s % 10 * FILL_STEPS < self.step * 10)
        bars = (bar(square)[: self.step] for square in self.squares)
        return frozenset(self.squares).union(*bars)


def bar(square: Square) -> tuple[Square, ...]:
    """Return the five squares of a square's half file, from the rim: its gesture's bar of light."""
    ranks = range(5) if square < 50 else range(9, 4, -1)
    return tuple(Square(10 * rank + square % 10) for rank in ranks)


_Lifted: TypeAlias = Literal["nothing", "chief", "princess", "pair", "other"]
"""The pieces of one side that are in the air."""

SIGNS: Mapping[_Lifted, Deed] = MappingProxyType(
    {
        "nothing": Deed.RESIGN,
        "chief": Deed.DRAW,
        "princess": Deed.TAKE_BACK,
        "pair": Deed.PAUSE,
    }
)
"""The meaning of a side's own pair, by the pieces of the other side that are lifted with it."""


def sign_of(position: Position, lifted: Collection[Square]) -> Gesture | None:
    """Return the gesture of exactly these squares of a position being empty; None if it is none."""
    if any(position.piece_at(square) is None for square in lifted):
        return None
    parts = {side: _lifted_of(position, side, lifted) for side in Side}
    for side in Side:
        if parts[side] == "pair" and (deed := SIGNS.get(parts[side.other])):
            return Gesture(deed, None if deed is Deed.PAUSE else side, tuple(sorted(lifted)))
    return None


def _lifted_of(position: Position, side: Side, lifted: Collection[Square]) -> _Lifted:
    """Return a side's pieces in the air; if its Chief is gone, any other piece passes for him."""
    pieces = position.pieces()
    own = {square: piece.kind for square, piece in pieces.items() if piece.side is side}
    kinds = [own[square] for square in lifted if square in own]
    if not kinds:
        return "nothing"
    has_princess = Kind.PRINCESS in kinds
    others = [kind for kind in kinds if kind is not Kind.PRINCESS]
    if not others:
        return "princess"
    if len(others) > 1 or (others[0] is not Kind.CHIEF and Kind.CHIEF in own.values()):
        return "other"
    return "pair" if has_princess else "chief"


@lru_cache(maxsize=8)
def men_at_start(rules: Rules) -> frozenset[Square]:
    """Return the squares of the men at the start by these rules."""
    return frozenset(Position.start(rules).pieces())


class GestureWatch:
    """Follows lifts and landings, and knows the gesture that is under way, or made.

    A sign can begin only on a board that showed the position (`arm`): pieces that are set up, or
    led back, make none.
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
        """Let a gesture begin: the board shows the position."""
        self._is_armed = True
        self._lifted_at.clear()
        self._withheld.clear()

    def disarm(self) -> None:
        """Let no sign be made until the board shows the position again."""
        self._is_armed = self._was_far = False
        self._gesture = None

    def follow(
        self,
        flips: Iterable[Flip],
        at: float,
        record: Record,
        occupied: Set[Square],
    ) -> None:
        """Take in the changes of the board at `at`, and the squares that are `occupied` now."""
        for square, is_occupied in flips:
            lifted_at = self._lifted_at.pop(square, None)
            if not is_occupied:
                self._lifted_at[square] = at
            elif lifted_at is None or at - lifted_at > GONE_S:
                self._put_at[square] = at
        # Men set up ask for a game at any time; signs only from a board that showed the position,
        # since two pieces in the air mean nothing while a box is being emptied.
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
        """Return the observations to be read now: while hands may be making a gesture, none.

        They are kept until it turns out to be none; those of a gesture that is made are dropped.
        """
        self._withheld.append(observation)
        if self._gesture is not None:
            return []
        withheld, self._withheld = self._withheld, []
        return withheld

    @property
    def filling(self) -> Gesture | None:
        """The gesture under way, once it has begun, with the steps of its light."""
        if self._gesture is None or self._held_s < BEGINS_S:
            return None
        steps = 1 + int((self._held_s - BEGINS_S) / FILL_STEP_S)
        return replace(self._gesture, step=min(steps, FILL_STEPS))

    @property
    def is_possible(self) -> bool:
        """True while the pieces in the air are a gesture, begun or not yet, and no ply."""
        return self._gesture is not None

    @property
    def _held_s(self) -> float:
        """Seconds that the gesture has been held, a hair more, so that `due` is never too early."""
        return self._now - self._since + 1e-6

    @property
    def due(self) -> float | None:
        """Time of the next step of the gesture under way, in seconds; None where there is none."""
        if self._gesture is None:
            return None
        steps = 0 if (filling := self.filling) is None else filling.step
        return self._since + BEGINS_S + steps * FILL_STEP_S

    def _sign(
        self, position: Position, occupied: Set[Square], unsure: Collection[Square]
    ) -> Gesture | None:
        """Return the gesture of the pieces in the air, which were lifted one after another."""
        belongs = set(squares_of(position.occupied))
        missing = belongs.difference(occupied, unsure)
        if len(missing) < 2 or occupied - belongs.union(unsure):
            return None
        times = sorted(self._lifted_at.get(square, -APART_S) for square in missing)
        # An elbow takes both at once; and what has been away for long was taken off for another
        # reason.
        if times[-1] - times[0] < TOGETHER_S:
            return None
        if any(later - earlier > APART_S for earlier, later in pairwise(times)):
            return None
        if any(self._put_at.get(s, 0.0) > times[0] + PUT_S for s in belongs - missing):
            return None
        sign = sign_of(position, missing)
        # A piece on a dead switch may be in the air unseen, and would make it another deed.
        hidden = belongs.difference(missing).intersection(unsure)
        also = (square for square in sorted(hidden) if sign_of(position, missing | {square}))
        return None if sign is None else replace(sign, unsure=next(also, None))

    def _set_up(self, record: Record, occupied: Set[Square]) -> Gesture | None:
        """Return the gesture of men set up for another game; the Juggernaut may stand anywhere.

        So may one more thing: a magnet may close a second switch, and is led off it once the game
        begins.
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
"""Shortest touch, in seconds; a weak magnet flickers for less."""


class TouchWatch:
    """Notices a touch of a square: two changes of it, with none of another square between.

    Its piece is lifted and put back; or, on an empty square, one is put down and taken up again.
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
