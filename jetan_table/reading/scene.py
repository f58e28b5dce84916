"""What is to be explained: what the switches showed, and what bears on it.

A `Scene` is made once for each search. A `Census` says until when so many pieces stood at once, for
what is taken does not come back. `Astray` says why something may stand where some steps put
nothing; so the same square may hold a stranger by one account and none by another.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import takewhile
from typing import Generic

from hardware.ports import Evidence, presence
from hardware.switches import FaultKind
from rules import Occupant, Square, mask_of, squares_of

from .costs import PRICES, Bill, Charge
from .habits import Rates
from .readings import P, ReadableGame, Step
from .trace import Trace

AN_INSTANT_S = 1e-6
"""Rounding is no more than this: a wait that ends now is over."""

BESIDE_INNER = 8
"""So many squares are beside one that is not of the rim."""

LOUDEST = 8.0
"""One square speaks no more strongly, in nats: a camera's error lasts, and must stop no game."""

CLEAR = 4.0
"""A side is named where every other explains what was seen so much worse, in nats."""


class Colours:
    """The latest word on whose piece stands on each square, where a sensor can tell.

    A square that shows another side than before, and was seen empty between for a flicker at most,
    has been left and entered all the same.
    """

    def __init__(self) -> None:
        self._losses: dict[int, tuple[float, ...]] = {}
        self._named: dict[int, int] = {}
        self._emptied_at: dict[int, float] = {}

    def losses(self, square: Square) -> tuple[float, ...] | None:
        """Return how much worse each side explains a square than the best; None where all alike."""
        return self._losses.get(square)

    def take(self, square: Square, evidence: Evidence, at: float) -> bool:
        """Take evidence in; return whether it shows another's piece that nobody saw come."""
        self._losses.pop(square, None)
        if presence(evidence) <= 0:
            self._emptied_at.setdefault(square, at)
            return False
        if at - self._emptied_at.pop(square, at) > PRICES.FLICKER_S:
            self._named.pop(square, None)
        sides = evidence[Occupant.BLACK :]
        best = max(sides)
        losses = tuple(min(best - each, LOUDEST) for each in sides)
        if not any(losses):
            return False
        self._losses[square] = losses
        if sorted(losses)[1] < CLEAR:
            return False
        before, now = self._named.get(square), Occupant.BLACK + losses.index(0.0)
        self._named[square] = now
        return before is not None and before != now

    def cost(self, occupants: Sequence[int], present: int) -> float:
        """Return what `occupants` leave unexplained of the squares of a mask, in nats."""
        return sum(
            self._losses[square][occupants[square] - Occupant.BLACK]
            for square in squares_of(present)
            if square in self._losses
        )

    def __bool__(self) -> bool:
        """Whether there is any word at all."""
        return bool(self._losses)


class Census:
    """Until when so many squares were occupied at once; what is taken does not come back."""

    def __init__(self, trace: Trace, ignored: int, overlap_s: float, now: float) -> None:
        """Count the squares that are not in `ignored`, a mask.

        What lasts for less than `overlap_s` does not count: a piece that slides is on two squares
        at once. Nor does what only passed over a square. What stands now counts at once.
        """
        moments: list[tuple[float, int]] = []
        for square, times in trace.changes.items():
            if ignored >> square & 1:
                continue
            if trace.base >> square & 1:
                moments.append((times[0], -1))
            for came_at, gone_at in trace.stays(square):
                if gone_at - came_at >= PRICES.PASSING_S:
                    moments.append((came_at, 1))
                    moments += [(gone_at, -1)] if gone_at < math.inf else ()
        moments.sort(reverse=True)
        count = (trace.base & ~ignored).bit_count() + sum(change for _, change in moments)
        self._counts: list[int] = [count]
        self._until: list[float] = [now]
        until = now
        for at, change in (*moments, (-math.inf, 0)):
            if until - at > overlap_s and count > self._counts[-1]:
                self._counts.append(count)
                self._until.append(until)
            count -= change
            until = at

    def last_with(self, pieces: int) -> float:
        """Return until when so many squares or more were occupied, minus infinity if never."""
        index = bisect_left(self._counts, pieces)
        return self._until[index] if index < len(self._until) else -math.inf


@dataclass(frozen=True)
class Scene:
    """What is to be explained: a trace, and what bears on it.

    Squares are given as bit masks, times in seconds on the table clock.
    """

    trace: Trace
    pace: float
    """How many times slower than ordinary the hands are."""
    slowest: float
    """How many times slower than ordinary they may be, as far as they have shown."""
    flickering: int
    """The squares that are known to flicker."""
    now: float
    colours: Colours = field(default_factory=Colours)
    rates: Rates = field(default_factory=Rates)
    """What the switches have shown so far."""
    failed: int = 0
    """The squares whose switches are supposed to have failed."""
    aside: int = 0
    """The squares on which a piece lies that was taken before the trace began."""
    double: int = 0
    """Those that a piece beside closes as well as its own, since before the trace began."""

    @cached_property
    def ignored(self) -> int:
        """The squares whose switches have failed, or are supposed to have."""
        return self.trace.ignored | self.failed

    @cached_property
    def departures(self) -> Mapping[int, Sequence[float]]:
        """When something left each square, oldest first."""
        return self.trace.departures()

    @cached_property
    def landings(self) -> Mapping[int, Sequence[float]]:
        """When something came down on each, likewise."""
        return self.trace.landings()

    @cached_property
    def opened(self) -> int:
        """The squares that something has left since the trace began."""
        return mask_of(Square(square) for square, times in self.departures.items() if times)

    @cached_property
    def closed(self) -> int:
        """Those on which something has come down."""
        return mask_of(Square(square) for square, times in self.landings.items() if times)

    @property
    def rise_s(self) -> float:
        """For how long a piece knocked over may lie at the most, in seconds."""
        return PRICES.RISE_S * self.slowest

    @property
    def slow(self) -> float:
        """The pace, where quick hands count as ordinary ones: reeds take their time with both."""
        return max(self.pace, 1.0)

    @cached_property
    def passed(self) -> int:
        """The squares, empty at first, that something came to and has left again, as bits."""
        return self.closed & ~self.trace.base & ~self.trace.level & ~self.ignored

    @property
    def unseen(self) -> float:
        """What a capture costs at the least whose victim was not seen to leave, in nats."""
        return PRICES.UNSEEN_TRAIL if self.passed else PRICES.UNSEEN

    @cached_property
    def least_rested(self) -> dict[int, float]:
        """By square, what a step that ends there costs at the least: all that came had soon gone.

        None of the squares on which something stood for as long as one does that was put down.
        """
        found = {
            square: min(
                (
                    sum(moving_on(gone_at - came_at))
                    for came_at, gone_at in self.trace.stays(square)
                ),
                default=0.0,
            )
            for square in self.landings
        }
        return {square: cost for square, cost in found.items() if cost}

    @cached_property
    def rested(self) -> int:
        """Those of `passed` on which something stood for longer than what slides, as bits.

        From there a piece may have gone back to where it had come from.
        """
        rested = self.least_rested.items()
        brief = (Square(square) for square, cost in rested if cost > PRICES.MOVED_ON)
        return self.passed & ~mask_of(brief)

    @cached_property
    def visits(self) -> list[tuple[int, float]]:
        """What came to a square, stood there for longer than what passes, and left: where and when.

        The times are those when it came.
        """
        return [
            (square, came_at)
            for square in self.landings
            for came_at, gone_at in self.trace.stays(square)
            if PRICES.PASSING_S < gone_at - came_at < math.inf
        ]

    @cached_property
    def census(self) -> Census:
        """Until when how many squares were occupied."""
        return Census(self.trace, self.ignored, PRICES.DRAGGED_S * self.slow, self.now)

    def is_busy(self, among: int, at: float) -> bool:
        """Whether a hand was at work at a time on these squares: something left or came then."""
        near = bisect_left(self._times, (at - PRICES.HOLD_S, -1))
        return any(
            among >> other & 1
            for _, other in takewhile(lambda one: one[0] < at + PRICES.HOLD_S, self._times[near:])
        )

    @cached_property
    def _times(self) -> list[tuple[float, int]]:
        """When which square changed, in order."""
        changes = self.trace.changes.items()
        return sorted((at, square) for square, times in changes for at in times)

    def without(self, failed: Iterable[tuple[Square, FaultKind]]) -> Scene:
        """Return the scene without what these switches showed."""
        return replace(self, failed=self.failed | mask_of(square for square, _ in failed))


def moving_on(stood_s: float) -> tuple[Charge, ...]:
    """Weigh that a piece moved on after so many seconds, though the other side had to play."""
    if stood_s > PRICES.MOVED_ON_S:
        return ()
    if stood_s > PRICES.SLIDING_S:
        return (PRICES.MOVED_ON,)
    return (PRICES.PASSED if stood_s > PRICES.INSTANT_S else PRICES.NEVER_DOWN,)


def is_rim(game: ReadableGame[P], position: P, square: int) -> bool:
    """Whether a square is one of the rim: fewer are beside it than beside others."""
    return game.beside(position, Square(square)).bit_count() < BESIDE_INNER


def is_put_aside(came_at: float, left_at: float) -> bool:
    """Whether what left a square may be what came beside it: taken up, or pushed there."""
    return -PRICES.DRAGGED_S < came_at - left_at < PRICES.ASIDE_S


@dataclass(slots=True)
class Astray(Generic[P]):
    """What stands where some steps put nothing, and why it may all the same.

    `strangers` are always such squares, as bits; `in_hand` those whose pieces are in the air.
    """

    game: ReadableGame[P]
    steps: tuple[Step[P], ...]
    after: P
    in_hand: int
    scene: Scene

    def lying(self, strangers: int) -> tuple[int, int, Bill]:
        """Return those that are none: a piece that was taken lies there, or one stands beside.

        Also returns which of them a piece beside closes as well as its own, and what they cost.
        """
        known = strangers & self.scene.aside
        double = self._doubled(strangers & ~known)
        beside, rim = self._put_aside(strangers & ~(known | double))
        aside = known | double | beside | rim
        pushed = self._shifted(strangers & ~aside)
        bill = Bill()
        bill.charge(PRICES.ASIDE, (double | beside | pushed).bit_count())
        bill.charge(PRICES.ON_RIM, rim.bit_count())
        bill.charge(PRICES.SHIFTED, pushed.bit_count())
        return aside | pushed, double | pushed | known & self.scene.double, bill

    def _put_aside(self, unknown: int) -> tuple[int, int]:
        """Return those that are pieces taken, and put down beside their square, or on the rim.

        So may one be whose capture is still under way: then what takes it is in the air with it.
        """
        after, scene, beside, rim = self.after, self.scene, 0, 0
        if not unknown:
            return beside, rim
        captures = [(step.from_square, step.to_square, True) for step in self.steps if step.capture]
        captures += [
            (source, target, False)
            for source in squares_of(self.in_hand)
            for target in squares_of(self.in_hand & self.game.ends_from(after, source))
        ]
        changes = scene.trace.changes
        came = sorted((changes[each][-1], each) for each in squares_of(unknown) if each in changes)
        for came_at, square in came:
            for capture in captures:
                source, target, is_done = capture
                is_beside = self.game.beside(after, target) >> square & 1
                if square == source or not (is_beside or is_rim(self.game, after, square)):
                    continue
                if any(
                    is_put_aside(came_at, at) and (back_at < math.inf) is is_done
                    for at, back_at in scene.trace.absences(target)
                ):
                    beside |= is_beside << square
                    rim |= (not is_beside) << square
                    # Each takes one piece, and one at a time is under way.
                    captures = [one for one in captures if one != capture and (is_done or one[2])]
                    break
        return beside, rim

    def _doubled(self, strangers: int) -> int:
        """Return those that a piece which came down beside holds as well as its own.

        It closed both within as long as a piece is over an edge, or the other as it passed there.
        """
        scene, changes, found = self.scene, self.scene.trace.changes, 0
        edge_s = PRICES.DRAGGED_S * scene.slow
        for step in self.steps:
            left_at = min(scene.departures.get(step.from_square, ()), default=math.inf)
            landings = scene.landings.get(step.to_square, ())
            for square in squares_of(strangers & self.game.beside(self.after, step.to_square)):
                if square != step.from_square and square in changes:
                    came_at = changes[square][-1]
                    has_passed = came_at > left_at - PRICES.DRAGGED_S
                    since_s = PRICES.PASSING_S if has_passed else edge_s
                    if any(-edge_s < at - came_at < since_s for at in landings):
                        found |= 1 << square
        return found

    def _shifted(self, strangers: int) -> int:
        """Return those that a piece beside shows, which was pushed or put back over its edge.

        Its own square was empty about when it came to the other.
        """
        scene, changes, found = self.scene, self.scene.trace.changes, 0
        expected = self.game.occupied(self.after)
        lifted_at = (changes[each][-1] for each in squares_of(self.in_hand) if each in changes)
        first = min(lifted_at, default=math.inf)
        for square in squares_of(strangers):
            if square not in changes:
                continue
            came_at = changes[square][-1]
            for source in squares_of(expected & self.game.beside(self.after, square)):
                is_shifted = any(
                    _is_pushed(came_at, at, back_at, first)
                    or (came_at < first and _is_adjusted(came_at, at, back_at))
                    for at, back_at in scene.trace.absences(source)
                )
                found |= is_shifted << square
        return found

    def passing_until(self, strangers: int) -> dict[int, float]:
        """Return until when each may be a piece in the air that passes there, if it still may."""
        until: dict[int, float] = {}
        for square in squares_of(strangers if self.in_hand else 0):
            times = self.scene.trace.changes.get(square)
            over_at = times[-1] + PRICES.HOLD_S if times else -math.inf
            if self.scene.now < over_at - AN_INSTANT_S:
                until[square] = over_at
        return until


def _is_pushed(came_at: float, at: float, back_at: float, first: float) -> bool:
    """Whether what left its square `at` was pushed to the one beside, as others were in the air.

    The first of them since `first`.
    """
    away_s = back_at - at
    if abs(came_at - at) >= PRICES.SHIFTED_S or away_s <= PRICES.FLICKER_S:
        return False
    return away_s < PRICES.PASSING_S or at > first + PRICES.KNOCK_S


def _is_adjusted(came_at: float, at: float, back_at: float) -> bool:
    """Whether what was lifted and put back holds the square beside since."""
    return at < came_at and abs(came_at - back_at) < PRICES.SHIFTED_S
