"""Explaining a trace: which sequences of legal steps account for what the switches showed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Generic, NamedTuple

from jetan_table.reading import weights as w
from .board import Board, P, Step
from .trace import Trace, squares_of
from rules import Square

MAX_UNSEEN = 2
MAX_REFILLS = 1
MAX_KEEPING = 1500
MAX_OTHERS = 500


@dataclass(frozen=True, slots=True)
class Explanation(Generic[P]):
    """A sequence of steps from an anchor position, and what it leaves unexplained.

    `lifted_at[i]` and `landed_at[i]` are when step i left and came down, None where unseen.
    `cost` is in nats: the less the better. `hasty`: a piece in the air now was lifted long before
    the last step came down, so that this may be another step than it seems.
    """

    world: int
    steps: tuple[Step[P], ...]
    after: P
    cost: float
    lifted_at: tuple[float | None, ...]
    landed_at: tuple[float | None, ...]
    doubts: tuple[str, ...]
    in_hand: int
    strangers: int
    hasty: bool


@dataclass(slots=True)
class Circumstances:
    """What bears on the weighing besides the trace: the hands' pace and the pieces that flicker."""

    pace: float
    flickering: int


class _Budget(NamedTuple):
    """How much a sequence may still hold: plies, victims unseen, squares entered after being left."""

    plies: int
    unseen: int
    refills: int


class Explainer(Generic[P]):
    """Enumerates and weighs explanations of a trace, from a position of `board`."""

    def __init__(self, board: Board[P]) -> None:
        self.board = board

    def explanations(
        self,
        world: int,
        start: P,
        trace: Trace,
        around: Circumstances,
        told: Sequence[Sequence[Step[P]]],
        max_plies: int,
    ) -> Iterator[Explanation[P]]:
        """Yield every sequence of legal steps that `trace` could have shown.

        `told` are the steps told so far, each with its options: an explanation that gives some of
        them up need not account for what was touched in making and undoing them.
        """
        opened = trace.opened() | trace.ignored
        closed = trace.closed() | trace.ignored
        limit = math.inf
        for steps in self._candidates(start, trace, opened, closed, told, max_plies):
            after = steps[-1].after if steps else start
            undone = _undone(steps, told)
            explanation = _weigh(self.board, world, steps, after, trace, around, undone, limit)
            if explanation is not None:
                limit = min(limit, explanation.cost + w.HOPELESS)
                yield explanation

    def _candidates(
        self,
        start: P,
        trace: Trace,
        opened: int,
        closed: int,
        told: Sequence[Sequence[Step[P]]],
        max_plies: int,
    ) -> Iterator[tuple[Step[P], ...]]:
        """Yield the sequences to be weighed: those that keep what was told first."""
        heads: list[tuple[Step[P], ...]] = [()]
        for options in told:
            heads = [(*head, step) for head in heads for step in self._same(start, head, options)]
        plies = max_plies - sum(options[0].is_ply for options in told)
        budget = _Budget(plies, MAX_UNSEEN, MAX_REFILLS)
        for head in heads:
            after = head[-1].after if head else start
            for tail in islice(self._sequences(after, trace, opened, closed, budget), MAX_KEEPING):
                yield (*head, *tail)
        if told:
            budget = _Budget(max_plies, MAX_UNSEEN, MAX_REFILLS)
            others = self._sequences(start, trace, opened, closed, budget)
            for steps in islice(others, MAX_OTHERS):
                if steps[: len(told)] not in heads:
                    yield steps

    def _same(
        self, start: P, head: tuple[Step[P], ...], options: Sequence[Step[P]]
    ) -> list[Step[P]]:
        """Find the steps told among those that are legal after `head`."""
        position = head[-1].after if head else start
        wanted = {option.squares for option in options}
        sources = {option.from_square for option in options}
        return [
            step
            for source in sources
            for step in self.board.steps_from(position, source)
            if step.squares in wanted
        ]

    def _sequences(
        self, position: P, trace: Trace, opened: int, closed: int, left: _Budget
    ) -> Iterator[tuple[Step[P], ...]]:
        """Yield the sequences that bring `position` nearer to how the board stands.

        Each step leaves a square that is empty now, or one that `trace` saw left and another piece
        may have entered since; it ends where something came down, or takes.
        """
        yield ()
        present = self.board.occupied(position)
        differs = (trace.level ^ present) & ~trace.ignored
        missing, extra = differs & present, differs & ~present
        failed = trace.ignored & present
        if not differs and not failed:
            return
        for square in squares_of((missing | failed | opened) & present):
            refilled = not (missing | failed) >> square & 1
            if refilled and not left.refills:
                continue
            for step in self.board.steps_from(position, Square(square)):
                target = step.to_square
                unseen = step.capture and not closed >> target & 1
                if unseen and step.surprise:
                    continue
                if step.is_ply > left.plies or unseen > left.unseen:
                    continue
                if not step.capture and not closed >> target & 1:
                    continue
                if refilled and not step.capture and not extra >> target & 1:
                    continue
                if refilled and unseen:
                    continue
                rest = _Budget(left.plies - step.is_ply, left.unseen - unseen, left.refills - refilled)
                for tail in self._sequences(step.after, trace, opened, closed, rest):
                    if refilled and not any(later.to_square == square for later in tail):
                        continue
                    yield (step, *tail)


def _undone(steps: tuple[Step[P], ...], told: Sequence[Sequence[Step[P]]]) -> int:
    """Return the squares of the steps told that `steps` give up, as a mask."""
    mask = 0
    kept = True
    for index, options in enumerate(told):
        kept = kept and len(steps) > index
        kept = kept and any(steps[index].squares == option.squares for option in options)
        if not kept:
            for option in options:
                mask |= 1 << option.from_square | 1 << option.to_square
    return mask


def _weigh(
    board: Board[P],
    world: int,
    steps: tuple[Step[P], ...],
    after: P,
    trace: Trace,
    around: Circumstances,
    undone: int,
    limit: float,
) -> Explanation[P] | None:
    """Weigh one sequence of steps; None where the trace cannot have come from it.

    None too where it costs more than `limit` at first sight.
    """
    pace = around.pace
    expected = board.occupied(after)
    differs = (trace.level ^ expected) & ~trace.ignored
    in_hand, strangers = differs & expected, differs & ~expected
    cost = w.STRANGER * strangers.bit_count()
    if cost + w.LIFTED * in_hand.bit_count() > limit:
        return None
    doubts: list[str] = []
    changes = {square: list(times) for square, times in trace.changes.items()}
    held_since: list[float] = []
    for square in squares_of(differs):
        if not changes.get(square):
            return None  # a landing that the switch did not show
        since = changes[square].pop()
        if in_hand >> square & 1:
            held_since.append(since)

    lifted: list[float | None] = []
    landed: list[float | None] = []
    until = math.inf
    account = _Account(trace, changes, around, undone)
    for step in reversed(steps):
        cost += step.surprise
        gap: tuple[float, float] | None = None
        if step.capture:
            left_at, gap = account.take_capture(step.from_square, step.to_square, until)
            down_at = gap[1] if gap else None
        else:
            down_at = account.take(step.to_square, until, occupied=False)
            by = until if down_at is None else down_at + pace * w.OVERLAP_SLIDE_S
            left_at = account.take(step.from_square, by, occupied=True)
            if down_at is None and not trace.ignored >> step.to_square & 1:
                return None
            if left_at is not None and left_at > by:
                return None
        if left_at is not None:
            until = left_at + pace * w.OVERLAP_REPLY_S
        elif not trace.ignored >> step.from_square & 1:
            return None
        if step.capture and not trace.ignored >> step.to_square & 1:
            weak = bool(around.flickering >> step.to_square & 1)
            extra, doubt = _victim_cost(left_at, gap, weak, pace)
            cost += extra
            if doubt:
                doubts.append(doubt)
        lifted.append(left_at)
        landed.append(down_at)
    lifted.reverse()
    landed.reverse()

    cost += _order_cost(lifted, landed, pace)
    early = _held_early(landed, held_since, pace)
    cost += w.HASTY * early
    account.close()
    cost += account.leftover
    if account.leftover:
        doubts.append("other pieces were touched")
    cost += _in_hand_cost(board, after, in_hand, doubts)
    if strangers:
        doubts.append("something stands where nothing legal can have come")
    return Explanation(
        world=world,
        steps=steps,
        after=after,
        cost=cost,
        lifted_at=tuple(lifted),
        landed_at=tuple(landed),
        doubts=tuple(doubts),
        in_hand=in_hand,
        strangers=strangers,
        hasty=early > 0,
    )


class _Account:
    """The changes still to be accounted for, square by square; taken from the latest backwards."""

    def __init__(
        self,
        trace: Trace,
        changes: dict[int, list[float]],
        around: Circumstances,
        undone: int,
    ) -> None:
        self._trace = trace
        self._changes = changes
        self._around = around
        self._undone = undone
        self.leftover = 0.0

    def take(self, square: int, until: float, *, occupied: bool) -> float | None:
        """Take the last change away from the level `occupied`, not after `until` if there is one.

        None where there is no such change. What came after it on this square is left over.
        """
        times = self._changes.get(square, [])
        found: int | None = None
        for at in range(len(times) - 1, -1, -1):
            if self._was_occupied(square, at) is occupied:
                found = at if found is None or times[found] > until else found
                if times[at] <= until:
                    break
        if found is None:
            return None
        moment = times[found]
        self._leave_over(square, found + 1)
        del times[found:]
        return moment

    def take_capture(
        self, source: int, target: int, until: float
    ) -> tuple[float | None, tuple[float, float] | None]:
        """Take what a capture showed: when the attacker left, and the gap on the victim's square.

        The gap is the first after the attacker left that is longer than a flicker, else the
        longest; None where the square was never seen empty then.
        """
        if self._trace.ignored >> source & 1:
            return None, self._take_gap(target, -math.inf, until)
        times = self._changes.get(source, [])
        departures = [
            at
            for at in range(len(times) - 1, -1, -1)
            if self._was_occupied(source, at) and times[at] <= until
        ]
        if not departures:
            return None, None
        slack = self._around.pace * w.OVERLAP_SLIDE_S
        gap, chosen = None, departures[0]
        for at in departures:
            gap = self._take_gap(target, times[at] - slack, until)
            if gap:
                chosen = at
                break
        left_at = times[chosen]
        self._leave_over(source, chosen + 1)
        del times[chosen:]
        return left_at, gap

    def _take_gap(self, square: int, since: float, until: float) -> tuple[float, float] | None:
        times = self._changes.get(square, [])
        best: int | None = None
        for at in range(len(times) - 1):
            if not self._was_occupied(square, at) or not since <= times[at + 1] <= until:
                continue
            length = times[at + 1] - times[at]
            if best is None or length > times[best + 1] - times[best]:
                best = at
            if length >= w.FLICKER_S * self._around.pace:
                break
        if best is None:
            return None
        gap = times[best], times[best + 1]
        self._leave_over(square, best + 2)
        del times[best:]
        return gap

    def close(self) -> None:
        """Leave over all that has not been taken."""
        for square in self._changes:
            self._leave_over(square, 0)

    def _was_occupied(self, square: int, at: int) -> bool:
        return bool(self._trace.base >> square & 1) is not bool(at & 1)

    def _leave_over(self, square: int, first: int) -> None:
        """Weigh the changes of a square from the `first` on: they come in pairs."""
        times = self._changes[square]
        pace = self._around.pace
        for at in range(first, len(times) - 1, 2):
            length = times[at + 1] - times[at]
            if self._undone >> square & 1:
                self.leftover += w.TRANSIT
            elif not self._was_occupied(square, at):
                self.leftover += w.TRANSIT if length < w.PASSING_S * pace else w.TOUCH
            elif length < w.FLICKER_S * pace:
                weak = self._around.flickering >> square & 1
                self.leftover += w.FLICKER if weak else w.BLIP
            else:
                self.leftover += w.TOUCH


def _victim_cost(
    left_at: float | None, gap: tuple[float, float] | None, weak: bool, pace: float
) -> tuple[float, str]:
    """Weigh how the victim's square behaved, and name the doubt."""
    if gap is None:
        return w.UNSEEN, "victim unseen"
    opened_at, down_at = gap
    length = down_at - opened_at
    if length < w.FLICKER_S * pace:
        if weak:
            return w.UNSEEN_FLICKER, "the victim's switch flickers"
        if length < 0.02:
            return w.UNSEEN_BLIP, "victim seen to leave for a moment only"
    if left_at is None:
        return 0.0, ""
    away = down_at - max(left_at, opened_at)
    if abs(opened_at - left_at) < w.KNOCK_S * pace and away > w.VICTIM_S * pace:
        return w.KNOCKED, "both pieces left at once, as if knocked over"
    if opened_at > left_at and length > w.VICTIM_LONG_S * pace:
        return w.LINGERED, "the victim was away for long"
    return 0.0, ""


def _order_cost(lifted: list[float | None], landed: list[float | None], pace: float) -> float:
    """Weigh whether the steps came one after another, as turns do, each in a hand's time."""
    cost = 0.0
    for i, start in enumerate(lifted):
        down = landed[i]
        if start is not None and down is not None and down - start > w.AIR_LONG_S * pace:
            cost += w.LONG_AIR
        if i == 0:
            continue
        before = landed[i - 1]
        if before is None:
            before = lifted[i - 1]
            if before is not None and start is not None and start < before:
                cost += w.DISORDER
            continue
        if start is not None and start < before - w.OVERLAP_REPLY_S * pace:
            cost += w.HASTY
        if down is not None and down < before:
            cost += w.DISORDER
    return cost


def _held_early(landed: list[float | None], held_since: list[float], pace: float) -> int:
    """Count the pieces in the air that had left well before the last step came down."""
    if not landed or landed[-1] is None:
        return 0
    latest = landed[-1] - w.OVERLAP_REPLY_S * pace
    return sum(since < latest for since in held_since)


def _in_hand_cost(board: Board[P], after: P, in_hand: int, doubts: list[str]) -> float:
    """Weigh the pieces in the air: those that may act, or could be taken by them, are likely."""
    cost = 0.0
    acting = [square for square in squares_of(in_hand) if board.steps_from(after, Square(square))]
    prey = 0
    for square in acting:
        for step in board.steps_from(after, Square(square)):
            if step.capture:
                prey |= 1 << step.to_square
    for square in squares_of(in_hand):
        cost += w.LIFTED if square in acting or prey >> square & 1 else w.LIFTED_OTHER
    return cost
