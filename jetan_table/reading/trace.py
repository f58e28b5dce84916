"""What the switches showed since a known position: per square, the times at which it changed.

What a knock against the table makes switches show is no evidence of hands, and is dropped. A knock
is several squares that change within an instant and are soon as before: three with two of them
occupied, or two that only blinked and are not next to each other. It lasts until all has been still
for a moment. A piece that came down during it, and stays, is kept.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import chain, zip_longest
from typing import NamedTuple

from rules import Square, mask_of, squares_of

from .costs import PRICES

FEWEST_SHAKEN = 3  # squares at once; two may be those of a capture
FEWEST_OPENED = 2  # of them, those that a piece stood on: a piece that slides closes many, at most
MOST_TOUCHED = 6  # squares in an instant: two hands that slide do not come to more


class Trace:
    """The changes of every square since the board stood as `base`.

    Whether a square is occupied is its *level*. Its changes alternate, so that its level after n of
    them is its bit of `base`, turned over n times.
    """

    __slots__ = ("base", "begun", "changes", "ignored", "level", "shaken")

    def __init__(self, base: int, level: int, ignored: int = 0, begun: float = -math.inf) -> None:
        self.base = base  # the squares that were occupied at first, as bits
        self.level = level  # those that are occupied now
        self.ignored = ignored  # those whose switches have failed, and whose changes are not kept
        self.begun = begun  # changes before that time are of what was in the air already
        self.shaken = (-math.inf, -math.inf)  # the last knock: since when and until when
        self.changes: dict[int, list[float]] = {}  # when each square changed, oldest first

    def add(self, square: int, occupied: bool, at: float, is_another: bool = False) -> bool:
        """Take note of a change; False where the square already stood so or is ignored.

        `is_another`: what stands there now is another piece than before, so that even where it
        stood so already the square was left and entered, unseen.
        """
        bit = 1 << square
        if bool(self.level & bit) is occupied and not is_another:
            return False
        times = (at,) if bool(self.level & bit) is not occupied else (at, at)
        self.level = self.level | bit if occupied else self.level & ~bit
        if self.ignored & bit:
            return False
        self.changes.setdefault(square, []).extend(times)
        return True

    def forget_last(self, square: int) -> None:
        """Drop the last two changes of a square."""
        times = self.changes[square]
        del times[-2:]
        if not times:
            del self.changes[square]

    def ignore(self, square: int) -> None:
        """Forget what a failed switch showed, and take no more notice of it."""
        self.ignored |= 1 << square
        self.changes.pop(square, None)

    def heed(self, square: int, occupied: bool, at: float) -> None:
        """Take notice of a switch again that was thought to have failed, and has changed."""
        bit = 1 << square
        self.ignored &= ~bit
        self.level = self.level | bit if occupied else self.level & ~bit
        if bool(self.base & bit) is not occupied:
            self.changes[square] = [at]

    def since(self, cut: float, base: int) -> Trace:
        """Return what happened after the moment `cut`, when the board should have stood as `base`.

        A square that stood otherwise then keeps its last change before it: its piece was in the air
        already. Where it had never changed before, the new trace begins with it as it stood.
        """
        later = Trace(base, self.level, self.ignored, cut)
        later.shaken = self.shaken
        for square, times in self.changes.items():
            kept = [at for at in times if at > cut]
            if (len(kept) & 1) != ((self.level ^ base) >> square & 1):
                before = [at for at in times if at <= cut]
                if before:
                    kept.insert(0, before[-1])
                else:
                    later.base ^= 1 << square
            if kept:
                later.changes[square] = kept
        for square in squares_of((self.level ^ base) & ~self.ignored):
            later.changes.setdefault(square, [cut])
        return later

    def until(self, cut: float) -> Trace:
        """Return what happened up to the moment `cut`, where all has become as it was then."""
        earlier = Trace(self.base, self.level, self.ignored, self.begun)
        earlier.shaken = self.shaken
        for square, times in self.changes.items():
            kept = [at for at in times if at <= cut]
            kept = kept if (len(times) - len(kept)) % 2 == 0 else times
            if kept:
                earlier.changes[square] = kept
        return earlier

    def after(self, earlier: Trace, cut: float) -> Trace:
        """Return what happened since `earlier` began, of which this is the rest, since `cut`."""
        whole = Trace(earlier.base, self.level, self.ignored, earlier.begun)
        for square in {*earlier.changes, *self.changes}:
            times = [at for at in earlier.changes.get(square, ()) if at <= cut]
            times += [at for at in self.changes.get(square, ()) if at > cut]
            if (len(times) & 1) != ((self.level ^ earlier.base) >> square & 1):
                del times[-1:]  # its other half was of a knock, or of a switch out of account
            if times:
                whole.changes[square] = times
        return whole

    def differences(self, expected: int, untold: int) -> tuple[list[Square], list[Square]]:
        """Return where `expected`, a mask, has a piece and none stands, and where it is reversed.

        The first are in the order in which they were left; none is among `untold`, a mask.
        """
        differs = (self.level ^ expected) & ~(self.ignored | untold)
        missing = sorted(
            squares_of(differs & expected), key=lambda s: self.changes.get(s, [0.0])[-1]
        )
        return missing, list(squares_of(differs & ~expected))

    def departures(self) -> dict[int, list[float]]:
        """Return when something left each square since, oldest first."""
        return {
            square: times[~self.base >> square & 1 :: 2] for square, times in self.changes.items()
        }

    def landings(self) -> dict[int, list[float]]:
        """Return when something came down on each square since, oldest first."""
        return {
            square: times[self.base >> square & 1 :: 2] for square, times in self.changes.items()
        }

    def stays(self, square: int) -> list[tuple[float, float]]:
        """Return from when until when what came to a square stood there; infinity where it does."""
        return self._spans(square, self.base >> square & 1)

    def absences(self, square: int) -> list[tuple[float, float]]:
        """Return from when until when a square was empty, each time; infinity where it still is."""
        return self._spans(square, ~self.base >> square & 1)

    def _spans(self, square: int, first: int) -> list[tuple[float, float]]:
        times = self.changes.get(square, ())
        return list(zip_longest(times[first::2], times[first + 1 :: 2], fillvalue=math.inf))


def shakes_until(trace: Trace) -> float:
    """Return until when a knock that is under way is waited for; minus infinity where none is.

    While the table shakes, what its switches show is not worth a thought.
    """
    lasts = sorted((times[-1] for times in trace.changes.values()), reverse=True)
    if len(lasts) <= MOST_TOUCHED or lasts[0] - lasts[MOST_TOUCHED] > PRICES.TOGETHER_S:
        return -math.inf
    return lasts[0] + PRICES.TOGETHER_S


class _Brief(NamedTuple):
    """Two changes of a square that soon left it as it was before."""

    begun: float
    square: int
    change: int
    opened: bool
    length: float


def forget_shock(trace: Trace, beside: Callable[[Square], int], now: float) -> bool:
    """Drop from a trace what a knock against the table has made switches show for a moment.

    What begins to change before all has been still for a moment is of the same knock, also where it
    lasts for longer than most; what had come down just before is not. `beside` says which squares
    are next to one. Returns whether anything was dropped.
    """
    begun, until = trace.shaken
    briefs = sorted(_briefs(trace, now - 2 * PRICES.SHOCK_S))
    found = next(
        (brief.begun for brief in briefs if _is_shock(briefs, brief.begun, beside)), math.inf
    )
    if until < found < math.inf:
        begun, until = found, found + PRICES.TOGETHER_S
    elif now > begun + PRICES.SHOCK_S and shakes_until(trace) > now:
        begun, until = now - PRICES.TOGETHER_S, now
    if now > until + PRICES.SHOCK_S:
        return False  # all that it shook has come to an end, or there was none
    for at in sorted(chain.from_iterable(trace.changes.values())):
        if until < at <= min(until + PRICES.QUIET_S, begun + PRICES.SHOCK_S):
            until = at
    trace.shaken = begun, until
    is_dropped = False
    for brief in sorted(_briefs(trace, begun), key=lambda brief: (brief.square, -brief.change)):
        if brief.begun <= until:
            del trace.changes[brief.square][brief.change : brief.change + 2]
            if not trace.changes[brief.square]:
                del trace.changes[brief.square]
            is_dropped = True
    return is_dropped


def _briefs(trace: Trace, since: float) -> list[_Brief]:
    """Return what lasted for no longer than a shock, disjoint on each square."""
    found: list[_Brief] = []
    for square, times in trace.changes.items():
        if times[-1] < since:
            continue
        index = 0
        while index < len(times) - 1:
            if times[index] >= since and times[index + 1] - times[index] <= PRICES.SHOCK_S:
                opened = bool(trace.base >> square & 1) is not bool(index & 1)
                length = times[index + 1] - times[index]
                found.append(_Brief(times[index], square, index, opened, length))
                index += 1
            index += 1
    return found


def _is_shock(briefs: list[_Brief], begun: float, beside: Callable[[Square], int]) -> bool:
    """Whether so many squares changed within an instant from `begun` that it was a shock."""
    here = [brief for brief in briefs if begun <= brief.begun <= begun + PRICES.TOGETHER_S]
    shaken = {brief.square for brief in here}
    opened = {brief.square for brief in here if brief.opened}
    blinks = (brief for brief in here if brief.opened and brief.length < PRICES.BLINK_S)
    blinked = {Square(brief.square) for brief in blinks}
    if any(mask_of(blinked - {square}) & ~beside(square) for square in blinked):
        return True
    return len(shaken) >= FEWEST_SHAKEN and len(opened) >= FEWEST_OPENED
