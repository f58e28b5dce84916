"""The changes to be explained, and all that bears on their worth at this table.

A `Trace` is what the switches showed since a known position: per square, the times at which it
changed. What a knock against the table makes them show is no evidence of hands, and is dropped: a
knock is several squares that change within an instant and are soon as before, three with two of
them occupied, or two that only blinked and are not next to each other. It lasts until all has been
still for a moment. A piece that came down during it, and stays, is kept.

`Tempo` learns the pace of the hands, `Rates` what each switch is worth: what is supposed of it
before it has shown anything weighs as much as some pieces put down on it, or some hours empty; from
there on its own counts speak. `Suspicions` remembers since when a switch has been doubted by every
likely account, and by which magnets beside it may be held meanwhile.

`Colours` has whose piece stands where, as far as a sensor can tell, and a `Census` until when so
many pieces stood at once, for what is taken does not come back. A `Scene` has all of it together,
and is made once for each search.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, takewhile, zip_longest
from statistics import median
from typing import NamedTuple

from hardware.ports import Evidence, FaultKind, SwitchCounts, presence
from rules import Occupant, Square, mask_of, squares_of

from .costs import PRICES, Charge

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
    # Two switches side by side that blink are a piece that is swept away, not a knock: of 137 games
    # three had such a pair, and two of those went wrong by it. Hence `beside`.
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
    """Return True if the squares that changed within an instant from `begun` show a shock."""
    here = [brief for brief in briefs if begun <= brief.begun <= begun + PRICES.TOGETHER_S]
    shaken = {brief.square for brief in here}
    opened = {brief.square for brief in here if brief.opened}
    blinks = (brief for brief in here if brief.opened and brief.length < PRICES.BLINK_S)
    blinked = {Square(brief.square) for brief in blinks}
    if any(mask_of(blinked - {square}) & ~beside(square) for square in blinked):
        return True
    return len(shaken) >= FEWEST_SHAKEN and len(opened) >= FEWEST_OPENED


PRIOR_MOVES = 12  # what is supposed before any move weighs as much as so many ordinary ones
REMEMBERED_MOVES = 40  # the latest, from which the pace is learned
SLOWEST, FASTEST = 2.5, 0.5  # times as slow as ordinary; the pace stays between
SURE_MOVES = 20  # after which hands have shown how slow they are
UNSURE = 0.4  # before the first, they may be slower by this share; by less with every move

# Of 4,200 pieces put down on makes of boards of two authors 14 were not seen before the reply.
MISSED = 1 / 300
PRIOR_PIECES = 40.0  # what that weighs: as much as so many pieces put down on one square
GHOSTS_AN_HOUR = 0.1  # closings with nobody there, of one empty square
PRIOR_HOURS = 10.0  # what that weighs
HOUR_S = 3600.0

NEVER_COUNTED = SwitchCounts()


class Tempo:
    """Learns `pace`, the hands' times as multiples of ordinary ones; 1 until they have shown it."""

    def __init__(self) -> None:
        self._times: deque[float] = deque(maxlen=REMEMBERED_MOVES)  # as logarithms of a pace
        self.pace = 1.0

    @property
    def slowest(self) -> float:
        """The most that the pace may be, by what these hands have shown."""
        unknown = max(1.0 - len(self._times) / SURE_MOVES, 0.0)
        return max(self.pace, 1.0) * (1.0 + UNSURE * unknown)

    def learn(self, air_s: float) -> None:
        """Take note of one plain move: the seconds between its lift and its landing."""
        if air_s <= 0:
            return
        self._times.append(math.log(air_s / PRICES.AIR_S))
        moves = len(self._times)
        # The median, so that one long thought makes nobody slow; shrunk to the ordinary pace while
        # there are few moves.
        log_pace = median(self._times) * moves / (moves + PRIOR_MOVES)
        self.pace = min(max(math.exp(log_pace), FASTEST), SLOWEST)


class Rates:
    """Counts, by switch and ply by ply, of pieces missed and of closings with nobody there.

    The counts may be those of earlier evenings. Costs are in nats.
    """

    def __init__(self, counts: Mapping[Square, SwitchCounts] | None = None) -> None:
        self.counts: dict[Square, SwitchCounts] = dict(counts or {})
        self.begin()

    @property
    def total(self) -> SwitchCounts:
        """The sum over all switches."""
        placed = sum(one.placed for one in self.counts.values())
        missed = sum(one.missed for one in self.counts.values())
        return SwitchCounts(placed, missed)

    def begin(self) -> None:
        """Another reader begins: what stands unseen or closed now is counted when it is found."""
        self.dark = 0
        """The squares on which a piece stands unseen that has been counted for it, as bits."""
        self._ghosts = 0
        self._counted_at: float | None = None

    def put_down(self, square: Square, *, is_shown: bool) -> None:
        """Count that a piece was put down for certain, and whether its switch showed it."""
        known = self.counts.get(square, NEVER_COUNTED)
        self.counts[square] = replace(
            known,
            placed=known.placed + 1,
            missed=known.missed + (not is_shown),
            row=0 if is_shown else known.row + 1,
        )
        if not is_shown:
            self.dark |= 1 << square

    def count_dark(self, dark: int, supposed: int = 0) -> None:
        """Count the pieces that were touched and stand unseen since; `dark` are all that do so.

        Those that do only as it is `supposed` may have been counted, and are counted once.
        """
        for square in squares_of(dark & ~self.dark):
            self.put_down(square, is_shown=False)
        self.dark = dark | self.dark & supposed

    def count_ghosts(self, empty: int, closed: int, late: Iterable[Square], at: float) -> None:
        """Count the squares that have been `empty` since the last time, and those shown `closed`.

        Those whose piece had left while something held their switch showed it `late`.
        """
        seconds = 0.0 if self._counted_at is None else max(at - self._counted_at, 0.0)
        self._counted_at = at
        held = empty & closed
        for square in squares_of(empty):
            known = self.counts.get(square, NEVER_COUNTED)
            self.counts[square] = replace(known, empty_s=known.empty_s + seconds)
        for square in (*late, *squares_of(held & ~self._ghosts)):
            self.count_ghost(square)
        self._ghosts = held

    def count_ghost(self, square: Square) -> None:
        """Count that a switch has stayed closed with nobody there."""
        known = self.counts.get(square, NEVER_COUNTED)
        self.counts[square] = replace(known, ghosts=known.ghosts + 1)

    def followed(self, square: Square) -> None:
        """A switch has closed: it is not dead, and shows what stands there."""
        self.dark &= ~(1 << square)
        known = self.counts.get(square, NEVER_COUNTED)
        if known.row:
            self.counts[square] = replace(known, row=0)

    def shift(self, fault: tuple[Square, FaultKind]) -> float:
        """Return by how much likelier than of any switch it is that this one errs like that.

        Negative where it is likelier: what is doubted costs less.
        """
        square, kind = fault
        known = self.counts.get(square, NEVER_COUNTED)
        if kind is FaultKind.DEAD:
            # A prior of so many pieces keeps one miss from condemning a switch, and lets a worn one
            # be cheaper to doubt after some games.
            missed = known.missed + MISSED * PRIOR_PIECES
            return -math.log(missed / (MISSED * (known.placed + PRIOR_PIECES)))
        ghosts = known.ghosts + GHOSTS_AN_HOUR * PRIOR_HOURS
        hours = known.empty_s / HOUR_S + PRIOR_HOURS
        return -math.log(ghosts / (GHOSTS_AN_HOUR * hours))

    def is_dead(self, square: Square, unseen: int) -> bool:
        """Return True if a switch has rather died than missed pieces, `unseen` of them uncounted.

        Each was as likely as by what had been counted before it; a failure costs `FAULT`, and must
        be likelier by the margin.
        """
        known = self.counts.get(square, NEVER_COUNTED)
        # The counted rate of before its last misses: a dead switch would otherwise make its own
        # misses look usual.
        missed = known.missed - known.row + MISSED * PRIOR_PIECES
        placed = known.placed - known.row + PRIOR_PIECES
        row = range(known.row + unseen)
        surprise = sum(-math.log((missed + before) / (placed + before)) for before in row)
        return surprise > PRICES.FAULT + PRICES.MARGIN


class Suspicions:
    """The failures that every likely account supposes, since when, and what may explain them.

    A sound switch stays closed for as long as what holds it stands. It is not held by a piece that
    was away meanwhile, unless another held it until that came.
    """

    def __init__(self) -> None:
        self._since: dict[tuple[Square, FaultKind], float] = {}
        self._beside: dict[tuple[Square, FaultKind], int] = {}
        self._holding: dict[tuple[Square, FaultKind], int] = {}

    def suppose(
        self,
        faults: Collection[tuple[Square, FaultKind]],
        beside: Callable[[Square], int],
        standing: int,
        now: float,
    ) -> None:
        """Suppose some more; `beside` are the squares next to one, `standing` those not empty."""
        for fault in faults:
            if fault not in self._since:
                self._since[fault], self._beside[fault] = now, beside(fault[0])
                self._holding[fault] = self._beside[fault] & standing

    def see(self, square: Square, occupied: bool, trace: Trace) -> None:
        """A square has changed: its own switch follows, and what came there was elsewhere."""
        for kind in FaultKind:
            self._since.pop((square, kind), None)
        times = trace.changes.get(square, ())
        has_blinked = len(times) > 1 and times[-1] - times[-2] < PRICES.FLICKER_S
        if not occupied or has_blinked:
            return
        for fault in self._since:
            holding = self._holding[fault] & trace.level & ~(1 << square)
            self._holding[fault] = holding | (1 << square & self._beside[fault] if holding else 0)

    def held_until(self, fault: tuple[Square, FaultKind], standing: int) -> float:
        """Return until when what stands beside may hold a switch that seems to have stuck."""
        has_stuck = fault[1] is FaultKind.STUCK
        holding = self._holding[fault] & standing if has_stuck else 0
        return self._since[fault] + PRICES.HELD_CLOSED_S * holding.bit_count()


AN_INSTANT_S = 1e-6
"""Rounding is no more than this: a wait that ends now is over."""


MOST_OF_A_SIDE = 8.0
"""One square speaks no more strongly, in nats: a camera's error lasts, and must stop no game."""

CLEAR = 4.0
"""Nats by which every other side must explain the evidence worse before one is named."""


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
        losses = tuple(min(best - each, MOST_OF_A_SIDE) for each in sides)
        if not any(losses):
            return False
        self._losses[square] = losses
        if sorted(losses)[1] < CLEAR:
            return False
        # A blink after which another side's piece stands was a capture.
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
        """Return True if any side has been told."""
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
        # Backwards from now, so that each count is the last moment at which so many pieces stood.
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
    """A trace to be explained, with all that bears on it.

    Squares are given as bit masks, times in seconds on the table clock.
    """

    trace: Trace
    pace: float
    """The hands' times, as multiples of ordinary ones."""
    slowest: float
    """The most that multiple may be, by what they have shown."""
    flickering: int
    now: float
    colours: Colours = field(default_factory=Colours)
    rates: Rates = field(default_factory=Rates)
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
        """The times at which something left each square, oldest first."""
        return self.trace.departures()

    @cached_property
    def landings(self) -> Mapping[int, Sequence[float]]:
        """The times at which something came down on each, likewise."""
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
        """The least cost of a capture whose victim was not seen to leave, in nats."""
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
        """Square and time of each piece that came, stood for longer than one that passes, and left.

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
        """Return True if a hand was at work then: one of these squares was left or entered."""
        near = bisect_left(self._times, (at - PRICES.HOLD_S, -1))
        return any(
            among >> other & 1
            for _, other in takewhile(lambda one: one[0] < at + PRICES.HOLD_S, self._times[near:])
        )

    @cached_property
    def _times(self) -> list[tuple[float, int]]:
        """All changes in order, each as its time and its square."""
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
