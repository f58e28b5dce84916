"""Matches each step of an account with changes of the trace, and prices how they showed.

The steps are gone through from the last to the first, and each takes the latest changes it can, so
that a piece that was put down twice counts as put down the second time. A change that is taken is
gone, and those after it on its square are left over. A step that finds no changes rules the
sequence out, unless its switch has failed or something held it.

A plain move costs nothing, and a capture that showed no gap most. The doubt that was left is named,
for people to read. `holding`, `flight` and `early` say what one duration costs, wherever it is
charged.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from hardware.ports import FaultKind
from rules import Square, mask_of, squares_of

from .costs import PRICES, Bill, Charge
from .readings import (
    BLINKED,
    BOTH_KNOCKED,
    DOWN_COVERED,
    DOWN_UNSEEN,
    FELL_TOO,
    FLICKERS,
    LIFT_LATE,
    LIFT_UNSEEN,
    VICTIM_UNSEEN,
    JetanGame,
    Standing,
    Step,
)
from .scene import Scene

MOST_THOUGHT = 2.5  # times: as what takes twelve times as long


class TraceMatcher:
    """The changes of a trace that no step accounts for yet: on each square, always its earliest.

    What steps have left over costs `leftover`. What was touched on `undone`, a mask, was touched in
    making and undoing a step that was given up. `beside` says which squares are next to one.
    """

    def __init__(self, scene: Scene, undone: int, beside: Callable[[Square], int]) -> None:
        self._scene = scene
        self._changes = {
            square: list(times)
            for square, times in scene.trace.changes.items()
            if not scene.ignored >> square & 1
        }
        self._undone = undone
        self._beside = beside
        self.leftover = Bill()

    def take_standing(self, differs: int) -> dict[int, float] | None:
        """Take the last change of each square of the mask `differs`, and return when it was.

        By it the square came to stand otherwise than the steps say. None where one has never
        changed. But where a piece that was taken has lain all the while, there is nothing to take.
        """
        since: dict[int, float] = {}
        # A captured piece that lies there since before the anchor has left no change in this trace.
        resting = self._scene.aside & ~(self._scene.opened | self._scene.closed)
        for square in squares_of(differs & ~resting):
            times = self._changes.get(square)
            if not times:
                return None
            since[square] = times.pop()
        return since

    def take_move(
        self, source: int, target: int | None, until: float, beside: int
    ) -> tuple[float | None, float | None, bool]:
        """Take the changes by which a piece left `source` and came down on the empty `target`.

        No `target` is one whose switch something else held closed already. Returns when each was,
        None where there is none, and whether `source` was seen empty only long after: the magnets
        `beside` it, a mask, may have held its switch. It came down at or before `until` if that is
        possible at all, and was lifted before; or, where it slid, a moment later.
        """
        down_at = None
        if target is not None:
            # A piece cannot come down before it has left, but one dragged over an edge closes the
            # next switch first.
            since = self._last_left(source, until) - self._scene.slow * PRICES.DRAGGED_S
            down_at = self._take_change(target, until, was_occupied=False, since=since)
        by = until if down_at is None else down_at + self._scene.slow * PRICES.DRAGGED_S
        left_at = self._take_change(source, by, was_occupied=True)
        is_late = left_at is not None and left_at > by
        # What held its switch until then was moved.
        # A sound switch may stay closed under the magnets beside it (4 of 720). It opens when one
        # of those is moved, so that only a hand near by makes a late opening credible.
        was_held = left_at is not None and is_late and self._scene.is_busy(beside, left_at)
        return None if is_late else left_at, down_at, was_held

    def _last_left(self, square: int, until: float) -> float:
        """Return when something left a square for the last time before `until`, if ever."""
        by = until + self._scene.slow * PRICES.DRAGGED_S
        times = self._changes.get(square, ())
        left = (at for index, at in enumerate(times) if self._was_occupied(square, index))
        return max((at for at in left if at <= by), default=-math.inf)

    def _take_change(
        self, square: int, until: float, *, was_occupied: bool, since: float = -math.inf
    ) -> float | None:
        """Take a change by which something left `square`, or came down there, and return its time.

        `was_occupied` says which of the two: how the square stood before the change. It is the last
        such change at or before `until`; if all are later, the earliest; None where there is none.
        What was seen to leave for less than a flicker came down when it first did, after `since`,
        and each wobble costs a little.
        """
        times = self._changes.get(square, [])
        fitting = range(self._was_occupied(square, 0) is not was_occupied, len(times), 2)
        if not fitting:
            return None
        found = max((at for at in fitting if times[at] <= until), default=fitting[0])
        # A piece that wobbles as it is set down blinks. Its ply was played when it first came, not
        # when it came to rest; otherwise a reply made meanwhile would seem to come too early.
        limit = PRICES.FLICKER_S * self._scene.pace
        weak = self._scene.flickering >> square & 1
        while (
            not was_occupied
            and found > 1
            and times[found] - times[found - 1] < limit
            and times[found - 2] >= since
        ):
            self.leftover.charge(PRICES.FLICKER if weak else PRICES.WOBBLE)  # it had come before
            del times[found - 1 : found + 1]
            found -= 2
        moment = times[found]
        self._leave_over(square, found + 1)
        del times[found:]
        return moment

    def take_capture(
        self, source: int, target: int, until: float, latest: float
    ) -> tuple[float | None, tuple[float, float] | None]:
        """Take the changes that a capture showed: the attacker's lift, and the gap at the victim's.

        It was over by `until`; or, where the attacker was lifted only later, by `latest`, for the
        piece that replied was held ready. The gap is from when until when `target` was empty since
        the attacker left, None where it never was. Where the attacker's switch has failed it is the
        last: those before may have been of other captures.
        """
        if self._scene.ignored >> source & 1:
            return None, self._take_gap(target, -math.inf, until, is_last=True)
        times = self._changes.get(source, [])
        # A piece that is dragged has come to the next square before it has left its own.
        by = until + self._scene.slow * PRICES.DRAGGED_S
        departures = [
            at
            for at in range(len(times) - 1, -1, -1)
            if self._was_occupied(source, at) and times[at] <= by
        ]
        if not departures:
            if until < latest:
                return self.take_capture(source, target, latest, latest)
            return None, None
        # The attacker's square may have been left several times: it was adjusted, or others slid
        # over it. From the last departure backwards, the first after which the victim's square was
        # empty for a while began the capture; one before which a piece stood at rest was the
        # attacker's own, and none earlier can be.
        slack = self._scene.slow * PRICES.OVERLAP_SLIDE_S
        gap, chosen, has_stood = None, departures[0], False
        for at in departures:
            # What ends as the attacker is lifted was another's capture, if there is a later gap.
            gap = self._take_gap(target, times[at] + slack, until)
            gap = gap or self._take_gap(target, times[at] - slack, until)
            if gap or not has_stood:
                chosen = at  # with no gap, the latest that ended a stand: others only passed there
            if gap:
                break
            has_stood |= at == 0 or times[at] - times[at - 1] > PRICES.SLIDING_S
            if at > 0 and times[at] - times[at - 1] > PRICES.COUNTED_S:
                break  # a piece stood there before it left: it was not away since an earlier time
        left_at = times[chosen]
        self._leave_over(source, chosen + 1)
        del times[chosen:]
        return left_at, gap

    def _take_gap(
        self, square: int, since: float, until: float, *, is_last: bool = False
    ) -> tuple[float, float] | None:
        """Take the first gap that is no flicker, else the longest, and return its two ends.

        It ends between `since` and `until`. With `is_last` they are gone through from the last one.
        """
        times = self._changes.get(square, [])
        best: int | None = None
        for at in range(len(times) - 1)[:: -1 if is_last else 1]:
            if not self._was_occupied(square, at) or not since <= times[at + 1] <= until:
                continue
            length = times[at + 1] - times[at]
            # The first real gap is the victim's: later ones are of people who adjust what stands
            # there now. Among flickers the longest has most to say for itself.
            if best is None or length > times[best + 1] - times[best]:
                best = at
            if length >= PRICES.FLICKER_S * self._scene.pace:
                break
        if best is None:
            return None
        gap = times[best], times[best + 1]
        self._leave_over(square, best + 2)
        del times[best:]
        return gap

    def close(self) -> None:
        """Leave over all that no step has taken."""
        for square in self._changes:
            self._leave_over(square, 0)

    def by_square(self) -> dict[int, float]:
        """Return what each square's changes cost where no step accounts for them."""
        return {
            square: sum(self._charges(square, 0))
            for square, times in self._changes.items()
            if len(times) > 1
        }

    def _was_occupied(self, square: int, at: int) -> bool:
        """Return True if a square was occupied before its change number `at`."""
        return bool(self._scene.trace.base >> square & 1) is not bool(at & 1)

    def _blip(self, square: int, at: float) -> Charge:
        """Weigh that a switch opened for a moment at `at`: a magnet beside may have done that."""
        if self._scene.flickering >> square & 1:
            return PRICES.FLICKER
        is_busy = self._scene.is_busy(self._beside(Square(square)), at)
        return PRICES.BLIP_BESIDE if is_busy else PRICES.BLIP

    def _leave_over(self, square: int, first: int) -> None:
        if len(self._changes.get(square, ())) > first + 1:
            self.leftover += self._charges(square, first)

    def _charges(self, square: int, first: int) -> Iterator[Charge]:
        """Weigh the changes of a square from number `first` on: passings, flickers and touches."""
        times = self._changes[square]
        pace = self._scene.pace
        for at in range(first, len(times) - 1, 2):
            length = times[at + 1] - times[at]
            was_occupied = self._was_occupied(square, at)
            if self._undone >> square & 1 or (
                not was_occupied and length < PRICES.PASSING_S * pace
            ):
                yield PRICES.TRANSIT
            elif not was_occupied and length < PRICES.COUNTED_S:
                yield PRICES.RESTED
            elif was_occupied and length < PRICES.FLICKER_S * pace:
                yield self._blip(square, times[at])
            else:
                yield PRICES.TOUCH
                if length > self._scene.rise_s:
                    yield PRICES.LONG_AIR


@dataclass(slots=True)
class Traced:
    """The steps as they showed in the trace; times are seconds on the table clock."""

    lifted_at: list[float | None]
    landed_at: list[float | None]
    opened_at: list[float | None]
    """Time at which the victim's square was seen empty, of a capture that showed."""
    bills: list[Bill]
    doubts: list[str]


def trace_steps(
    game: JetanGame,
    steps: tuple[Step[Standing], ...],
    scene: Scene,
    matcher: TraceMatcher,
    over_by: Sequence[float],
) -> Traced | None:
    """Find each step's changes in the trace, the last step's first; None where there are none."""
    # Backwards, since the board now is certain and its beginnings are not: the last step has a
    # claim to the last change. Each step must be over before the next was answered (`until`); where
    # a reply was held ready it may be over later (`latest`).
    traced = Traced([], [], [], [], [])
    until = latest = math.inf
    stood = scene.trace.base | mask_of(step.to_square for step in steps)
    for index in range(len(steps) - 1, -1, -1):
        step = steps[index]
        if index < len(over_by):
            until, latest = min(until, over_by[index]), min(latest, over_by[index])
        gap, over_at, was_held = None, until, False
        source, beside = step.from_square, game.beside(step.after, step.from_square)
        if step.capture:
            left_at, gap = matcher.take_capture(source, step.to_square, until, latest)
            down_at = gap[1] if gap else None
        else:
            is_covered = bool((scene.aside | scene.ignored) >> step.to_square & 1)
            target = None if scene.aside >> step.to_square & 1 else step.to_square
            left_at, down_at, was_held = matcher.take_move(source, target, until, beside)
            if down_at is None and not is_covered:
                return None
        if left_at is not None:
            until = left_at + scene.slow * PRICES.OVERLAP_REPLY_S
        elif was_held and down_at is not None:
            until = down_at
        elif not scene.ignored >> source & 1:
            return None
        latest = latest if down_at is None else min(latest, down_at)
        following = mask_of(later.from_square for later in steps[index + 1 :])
        bill, doubt = step_charges(game, step, stood & ~following, left_at, gap, over_at, scene)
        # It replaces what else was odd: a switch that opens late makes the lift seem unseen or
        # slow.
        if was_held:
            bill, doubt = Bill([PRICES.HELD_CLOSED]), LIFT_LATE
        bill.charge(PRICES.RECKONED, step.surprise)
        traced.bills.insert(0, bill)
        traced.doubts.insert(0, doubt)
        traced.lifted_at.insert(0, left_at)
        traced.landed_at.insert(0, down_at)
        traced.opened_at.insert(0, gap[0] if gap else None)
    return traced


def step_charges(
    game: JetanGame,
    step: Step[Standing],
    stood: int,
    left_at: float | None,
    gap: tuple[float, float] | None,
    until: float,
    scene: Scene,
) -> tuple[Bill, str]:
    """Weigh how a step showed, and name the doubt; an empty one where nothing was odd.

    The step was over by `until`. `stood` are the squares on which pieces stood that no later step
    moves, as bits: others that were left were only passed.
    """
    if scene.ignored >> step.to_square & 1:
        return Bill([PRICES.BLIND_LANDING]), DOWN_UNSEEN
    if scene.aside >> step.to_square & 1 and not step.capture:
        return Bill([PRICES.BLIND_LANDING]), DOWN_COVERED
    if not step.capture:
        if left_at is not None:
            return Bill(), ""
        is_known = scene.trace.ignored >> step.from_square & 1
        return Bill([PRICES.KNOWN_BLIND_LIFT if is_known else PRICES.BLIND_LIFT]), LIFT_UNSEEN
    if gap is None:
        has_trail = left_at is not None and _has_trail(game, step, stood, left_at, until, scene)
        return Bill([PRICES.UNSEEN_TRAIL if has_trail else PRICES.UNSEEN]), VICTIM_UNSEEN
    if _fell_along(step, stood, gap[0], scene):
        return Bill([PRICES.FELL_ALONG]), FELL_TOO
    bill, doubt = _victim_charges(step, left_at, gap, scene)
    is_walk = left_at is not None and _has_trail(game, step, stood, left_at, gap[1], scene)
    return (Bill(), "") if doubt is BOTH_KNOCKED and is_walk else (bill, doubt)  # it did not fall


def _has_trail(
    game: JetanGame, step: Step[Standing], stood: int, left_at: float, until: float, scene: Scene
) -> bool:
    """Return True if something passed over a square beside an unseen capture before `until`.

    The attacker came over it, or what it took was pushed away over it; neither stayed there.
    """
    beside = game.beside(step.after, step.to_square) & scene.passed & ~stood
    return any(
        left_at - PRICES.DRAGGED_S < at < left_at + PRICES.WALKED_S and gone_at <= until
        for square in squares_of(beside)
        for at, gone_at in scene.trace.stays(square)
    )


def _fell_along(step: Step[Standing], stood: int, opened_at: float, scene: Scene) -> bool:
    """Return True if another piece left with the victim and was put up again: both fell."""
    return any(
        abs(at - opened_at) < PRICES.KNOCK_S and PRICES.FALL_S < back_at - at < math.inf
        for square in scene.departures
        if stood >> square & 1 and square not in step.squares
        for at, back_at in scene.trace.absences(square)
    )


def _victim_charges(
    step: Step[Standing], left_at: float | None, gap: tuple[float, float], scene: Scene
) -> tuple[Bill, str]:
    """Weigh how the victim's square behaved, and name the doubt."""
    weak, pace = scene.flickering >> step.to_square & 1, scene.pace
    opened_at, down_at = gap
    length = down_at - opened_at
    if length < PRICES.FLICKER_S * pace:
        if weak:
            return Bill([PRICES.UNSEEN_FLICKER]), FLICKERS
        if length < PRICES.BLINK_S:
            return Bill([PRICES.UNSEEN_BLIP]), BLINKED
    if left_at is None:
        return Bill([PRICES.BLIND_LIFT]), LIFT_UNSEEN
    away = down_at - max(left_at, opened_at)
    if abs(opened_at - left_at) < PRICES.KNOCK_S * pace and away > PRICES.VICTIM_S * pace:
        return Bill([PRICES.BOTH_KNOCKED]), BOTH_KNOCKED
    bill = Bill()
    bill.charge(PRICES.THOUGHT, thought(max(length, down_at - left_at), PRICES.VICTIM_S))
    return bill, ""


def charges_of_failure(
    game: JetanGame, position: Standing, fault: tuple[Square, FaultKind], scene: Scene
) -> Bill:
    """Weigh that a switch has failed, besides those that the scene leaves out.

    One that has stuck among pieces is rather held closed by their magnets.
    """
    square, kind = fault
    # Three of four switches that seemed stuck among pieces were sound.
    is_held = kind is FaultKind.STUCK and game.beside(position, square) & scene.trace.level
    bill = Bill([PRICES.HELD_BESIDE if is_held else PRICES.FAULT])
    bill.charge(PRICES.ANOTHER_FAULT, scene.ignored.bit_count())
    bill.charge(PRICES.FOLLOWED_LATELY, _has_followed(fault, scene))
    bill.charge(PRICES.RECKONED, scene.rates.shift(fault))
    return bill


def _has_followed(fault: tuple[Square, FaultKind], scene: Scene) -> bool:
    """Return True if a switch has lately shown what it could not if it had failed before.

    A piece that is put down where its switch does not see it mostly closes that for a moment.
    """
    square, kind = fault
    times = scene.trace.changes.get(square, ())
    stays = scene.trace.stays(square)
    if kind is FaultKind.DEAD and stays:
        return any(gone_at - came_at >= PRICES.PASSING_S for came_at, gone_at in stays)
    # The first change may itself be the failure; one more shows that the switch still followed.
    is_first_disproof = kind.is_disproved(not scene.trace.base >> square & 1)
    return len(times) > (0 if is_first_disproof else 1)


def thought(seconds: float, mostly_s: float) -> float:
    """Return how often `THOUGHT` is charged where hands took so long for what `mostly` takes less.

    The longer the rarer, but there is no longest thought.
    """
    return min(math.log(seconds / mostly_s), MOST_THOUGHT) if seconds > mostly_s else 0.0


def holding(seconds: float, pace: float) -> Bill:
    """Charge the time that a piece has been in the air."""
    bill, times = Bill(), thought(seconds, PRICES.HELD_S * pace)
    bill.charge(PRICES.HELD, times > 0)
    bill.charge(PRICES.THOUGHT, times)
    return bill


def flight(flight_s: float) -> Charge | None:
    """Return the cost of a flight this short to a square that is not next door."""
    if flight_s >= PRICES.SHORT_FLIGHT_S:
        return None
    return PRICES.DISORDER if flight_s < PRICES.NO_FLIGHT_S else PRICES.SHORT_FLIGHT


def early(early_s: float, slow: float) -> Charge | None:
    """Return the cost of lifting a reply this long before the piece it replies to was down."""
    if early_s > PRICES.OVERLAP_REPLY_S * slow:
        return PRICES.HASTY
    return PRICES.OVERLAPPED if early_s > PRICES.OVERLAP_SLIDE_S * slow else None


def shown_at(steps: Sequence[Step[Standing]], index: int, scene: Scene) -> float:
    """Return by when the step at `index` came down at the latest, as the board stands."""
    if len(steps) <= index:
        return math.inf
    target = steps[index].to_square
    times = scene.trace.changes.get(target)
    return times[-1] if times and scene.trace.level >> target & 1 else math.inf
