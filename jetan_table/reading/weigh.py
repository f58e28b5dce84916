"""Weighing one explanation: how well a sequence of legal steps accounts for a trace."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic

from rules import Square

from . import weights as w
from .account import Account, Scene
from .board import Board, P, Step
from .readings import FaultKind
from .trace import squares_of


@dataclass(frozen=True, slots=True)
class Explanation(Generic[P]):
    """A sequence of steps from an anchor position, and what it leaves unexplained.

    `lifted_at[i]` and `landed_at[i]` are when step i left and came down, None where unseen.
    `cost` is in nats: the less the better. `in_hand` are squares whose pieces are in the air,
    `strangers` squares on which nothing legal can have come. `hasty`: a piece in the air now was
    lifted long before the last step came down, so that this may be another step than it seems.
    `fault` is a switch that must have failed for this to be true.
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
    fault: tuple[Square, FaultKind] | None = None


def weigh(
    board: Board[P],
    world: int,
    steps: tuple[Step[P], ...],
    after: P,
    scene: Scene,
    undone: int,
    limit: float,
) -> Explanation[P] | None:
    """Weigh one sequence of steps; None where the trace cannot have come from it.

    None too where it costs more than `limit` at first sight. What was touched on the squares of
    `undone`, a mask, was touched in making and undoing a step that no longer stands.
    """
    expected = board.occupied(after)
    trace, ignored, pace = scene.trace, scene.ignored, scene.pace
    differs = (trace.level ^ expected) & ~ignored
    in_hand, strangers = differs & expected, differs & ~expected
    cost = w.STRANGER * strangers.bit_count()
    if cost + w.LIFTED * in_hand.bit_count() > limit:
        return None
    doubts: list[str] = []
    changes = {
        square: list(times) for square, times in trace.changes.items() if not ignored >> square & 1
    }
    held_since: dict[int, float] = {}
    for square in squares_of(differs):
        if not changes.get(square):
            return None  # a landing that the switch did not show
        since = changes[square].pop()
        if in_hand >> square & 1:
            held_since[square] = since
        if differs.bit_count() == 1 and scene.now - since > w.RISE_S * max(pace, 1.0):
            cost += w.NEVER_ROSE

    account = Account(scene, changes, undone)
    lifted: list[float | None] = []
    landed: list[float | None] = []
    until = math.inf
    for step in reversed(steps):
        left_at, gap, down_at = None, None, None
        if step.capture:
            left_at, gap = account.take_capture(step.from_square, step.to_square, until)
            down_at = gap[1] if gap else None
        else:
            down_at = account.take(step.to_square, until, occupied=False)
            by = until if down_at is None else down_at + pace * w.OVERLAP_SLIDE_S
            left_at = account.take(step.from_square, by, occupied=True)
            if down_at is None and not ignored >> step.to_square & 1:
                return None
            if left_at is not None and left_at > by:
                return None
        if left_at is None and not ignored >> step.from_square & 1:
            return None
        extra, doubt = _step_cost(step, left_at, gap, scene)
        cost += extra + step.surprise
        if doubt:
            doubts.append(doubt)
        if left_at is not None:
            until = left_at + pace * w.OVERLAP_REPLY_S
        lifted.append(left_at)
        landed.append(down_at)
    lifted.reverse()
    landed.reverse()

    early = _held_early(landed, held_since.values(), pace)
    account.close()
    cost += _order_cost(lifted, landed, pace) + w.HASTY * early
    cost += w.LONG_AIR * _held_long(steps, lifted, landed, undone, pace)
    cost += account.leftover + _in_hand_cost(board, after, held_since, pace)
    if account.leftover:
        doubts.append("other pieces were touched")
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


def _step_cost(
    step: Step[P], left_at: float | None, gap: tuple[float, float] | None, scene: Scene
) -> tuple[float, str]:
    """Weigh how a step showed, and name the doubt."""
    if scene.ignored >> step.to_square & 1:
        return w.BLIND_LANDING, "it came down where the switch has failed"
    if not step.capture:
        return (w.BLIND_LIFT, "its lift was not seen") if left_at is None else (0.0, "")
    if gap is None:
        return w.UNSEEN, "victim unseen"
    weak = bool(scene.flickering >> step.to_square & 1)
    return _victim_cost(left_at, gap, weak, scene.pace)


def _victim_cost(
    left_at: float | None, gap: tuple[float, float], weak: bool, pace: float
) -> tuple[float, str]:
    """Weigh how the victim's square behaved, and name the doubt."""
    opened_at, down_at = gap
    length = down_at - opened_at
    if length < w.FLICKER_S * pace:
        if weak:
            return w.UNSEEN_FLICKER, "the victim's switch flickers"
        if length < 0.02:
            return w.UNSEEN_BLIP, "victim seen to leave for a moment only"
    if left_at is None:
        return w.BLIND_LIFT, "its lift was not seen"
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


def _held_long(
    steps: tuple[Step[P], ...],
    lifted: list[float | None],
    landed: list[float | None],
    undone: int,
    pace: float,
) -> int:
    """Count the pieces in the air for long, but for one that rested where it was taken back from."""
    return sum(
        start is not None
        and down is not None
        and down - start > w.AIR_LONG_S * pace
        and not undone >> step.from_square & 1
        for step, start, down in zip(steps, lifted, landed, strict=True)
    )


def _held_early(landed: list[float | None], held_since: Iterable[float], pace: float) -> int:
    """Count how often a piece now in the air was there already when a step came down."""
    slack = w.OVERLAP_REPLY_S * pace
    return sum(since < down - slack for down in landed if down is not None for since in held_since)


def _in_hand_cost(board: Board[P], after: P, held_since: dict[int, float], pace: float) -> float:
    """Weigh the pieces in the air: those that may act, or could be taken by them, are likely."""
    acting = [square for square in held_since if board.steps_from(after, Square(square))]
    prey = 0
    for square in acting:
        for step in board.steps_from(after, Square(square)):
            if step.capture:
                prey |= 1 << step.to_square
    first = min((held_since[square] for square in acting), default=math.inf)
    cost = 0.0
    for square, since in held_since.items():
        if square in acting or prey >> square & 1:
            cost += w.LIFTED
        else:
            cost += w.LIFTED_OTHER
            if since > first + w.FALL_S * pace:
                cost += w.OUT_OF_TURN
    return cost
