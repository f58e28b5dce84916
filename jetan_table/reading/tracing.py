"""Tracing: which changes of the trace each of a sequence of steps accounts for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from rules import mask_of

from . import costs
from .matching import TraceMatcher
from .readable_game import P, ReadableGame, Step
from .scene import Scene
from .showing import LIFT_LATE, step_cost


@dataclass(slots=True)
class Traced:
    """How the steps showed in the trace: one entry each. Times are seconds on the table clock."""

    lifted_at: list[float | None]
    landed_at: list[float | None]
    opened_at: list[float | None]
    """When the victim's square was seen empty, of a capture that showed."""
    costs: list[float]
    doubts: list[str]


def trace_steps(
    game: ReadableGame[P],
    steps: tuple[Step[P], ...],
    scene: Scene,
    matcher: TraceMatcher,
    over_by: Sequence[float],
) -> Traced | None:
    """Find each step's changes in the trace, the last step's first; None where there are none."""
    traced = Traced([], [], [], [], [])
    until = math.inf
    stood = scene.trace.base | mask_of(step.to_square for step in steps)
    for index in range(len(steps) - 1, -1, -1):
        step = steps[index]
        until = min(until, over_by[index]) if index < len(over_by) else until
        gap, over_at, was_held = None, until, False
        if step.capture:
            left_at, gap, was_held = matcher.take_capture(step.from_square, step.to_square, until)
            down_at = gap[1] if gap else None
        else:
            is_covered = bool((scene.aside | scene.ignored) >> step.to_square & 1)
            target = None if scene.aside >> step.to_square & 1 else step.to_square
            left_at, down_at, was_held = matcher.take_move(step.from_square, target, until)
            if down_at is None and not is_covered:
                return None
        if left_at is not None:
            until = left_at + scene.slow * costs.OVERLAP_REPLY_S
        elif was_held and down_at is not None:
            until = down_at
        elif not scene.ignored >> step.from_square & 1:
            return None
        following = mask_of(later.from_square for later in steps[index + 1 :])
        cost, doubt = step_cost(game, step, stood & ~following, left_at, gap, over_at, scene)
        if was_held:
            cost, doubt = costs.HELD_CLOSED, LIFT_LATE
        traced.costs.insert(0, cost + step.surprise)
        traced.doubts.insert(0, doubt)
        traced.lifted_at.insert(0, left_at)
        traced.landed_at.insert(0, down_at)
        traced.opened_at.insert(0, gap[0] if gap else None)
    return traced
