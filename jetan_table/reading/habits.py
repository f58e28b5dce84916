"""What is learned of this table: the pace of its hands, and what its switches are worth.

What is supposed of a switch before it has shown anything weighs as much as some pieces put down on
it, or some hours empty; from there on its own counts speak. `Suspicions` remembers since when a
switch has been doubted by every likely account, and by which magnets beside it may be held
meanwhile.
"""

import math
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from statistics import median

from hardware.switches import FaultKind, SwitchCounts
from rules import Square, squares_of

from .costs import PRICES
from .trace import Trace

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

UNKNOWN = SwitchCounts()


class Tempo:
    """`pace` is how many times slower than ordinary these hands are; 1 until they have shown it."""

    def __init__(self) -> None:
        self._times: deque[float] = deque(maxlen=REMEMBERED_MOVES)  # as logarithms of a pace
        self.pace = 1.0

    @property
    def slowest(self) -> float:
        """How many times slower than ordinary these hands may be, as far as they have shown."""
        unknown = max(1.0 - len(self._times) / SURE_MOVES, 0.0)
        return max(self.pace, 1.0) * (1.0 + UNSURE * unknown)

    def learn(self, air_s: float) -> None:
        """Take note of one plain move: the seconds between its lift and its landing."""
        if air_s <= 0:
            return
        self._times.append(math.log(air_s / PRICES.AIR_S))
        moves = len(self._times)
        log_pace = median(self._times) * moves / (moves + PRIOR_MOVES)
        self.pace = min(max(math.exp(log_pace), FASTEST), SLOWEST)


class Rates:
    """How often each switch misses a piece, or closes with nobody there: counted, ply by ply.

    The counts may be those of earlier evenings. Costs are in nats.
    """

    def __init__(self, counts: Mapping[Square, SwitchCounts] | None = None) -> None:
        self.counts: dict[Square, SwitchCounts] = dict(counts or {})
        self.begin()

    @property
    def total(self) -> SwitchCounts:
        """What all of them have done together."""
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
        known = self.counts.get(square, UNKNOWN)
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
            known = self.counts.get(square, UNKNOWN)
            self.counts[square] = replace(known, empty_s=known.empty_s + seconds)
        for square in (*late, *squares_of(held & ~self._ghosts)):
            self.count_ghost(square)
        self._ghosts = held

    def count_ghost(self, square: Square) -> None:
        """Count that a switch has stayed closed with nobody there."""
        known = self.counts.get(square, UNKNOWN)
        self.counts[square] = replace(known, ghosts=known.ghosts + 1)

    def followed(self, square: Square) -> None:
        """A switch has closed: it is not dead, and shows what stands there."""
        self.dark &= ~(1 << square)
        known = self.counts.get(square, UNKNOWN)
        if known.row:
            self.counts[square] = replace(known, row=0)

    def shift(self, fault: tuple[Square, FaultKind]) -> float:
        """Return by how much likelier than of any switch it is that this one errs like that.

        Negative where it is likelier: what is doubted costs less.
        """
        square, kind = fault
        known = self.counts.get(square, UNKNOWN)
        if kind is FaultKind.DEAD:
            missed = known.missed + MISSED * PRIOR_PIECES
            return -math.log(missed / (MISSED * (known.placed + PRIOR_PIECES)))
        ghosts = known.ghosts + GHOSTS_AN_HOUR * PRIOR_HOURS
        hours = known.empty_s / HOUR_S + PRIOR_HOURS
        return -math.log(ghosts / (GHOSTS_AN_HOUR * hours))

    def is_dead(self, square: Square, unseen: int) -> bool:
        """Whether a switch has rather died than missed its last pieces, `unseen` of them uncounted.

        Each was as likely as by what had been counted before it; a failure costs `FAULT`, and must
        be likelier by the margin.
        """
        known = self.counts.get(square, UNKNOWN)
        missed = known.missed - known.row + MISSED * PRIOR_PIECES
        placed = known.placed - known.row + PRIOR_PIECES
        row = range(known.row + unseen)
        surprise = sum(-math.log((missed + before) / (placed + before)) for before in row)
        return surprise > PRICES.FAULT + PRICES.MARGIN


class Suspicions:
    """What every likely account has supposed of switches, since when, and what may be behind it.

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
