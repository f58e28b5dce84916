"""Counting heads: after a capture fewer pieces stand, and what was taken does not come back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules import mask_of

from . import costs
from .readable_game import P, ReadableGame, Step
from .scene import Scene, is_put_aside, is_swept_aside
from .showing import LIFT_LATE
from .tracing import Traced


def too_many(
    game: ReadableGame[P],
    steps: tuple[Step[P], ...],
    traced: Traced,
    expected: int,
    strangers_since: Mapping[int, float],
    aside: int,
    scene: Scene,
) -> int:
    """Count the captures after which still as many pieces stood as before: they took nothing.

    A piece that was taken may have been put down on the board about then or since: such strangers
    are not counted, but for one on the square that the attacker came from, nor those of the
    mask `aside`, nor what lay beside its square and has been cleared away since. A piece that was
    pushed away unseen may have been slid over other squares.
    """
    slack, held = costs.OVERLAP_SLIDE_S * scene.slow, costs.VICTIM_LONG_S * scene.pace
    count = (expected & ~scene.ignored).bit_count()
    count += sum(bool(scene.ignored & mask_of(step.squares)) for step in steps)
    found = 0
    for index in range(len(steps) - 1, -1, -1):
        if not steps[index].capture:
            continue
        count += 1
        down_at = traced.landed_at[index]
        put_down = aside.bit_count() + sum(
            down_at is not None and at > down_at - held and square != steps[index].from_square
            for square, at in strangers_since.items()
        )
        put_down += _cleared_away(game, steps, index, traced, scene)
        lifted_at = traced.lifted_at[index]
        over = down_at if down_at is not None else lifted_at and lifted_at + costs.EXIT_S
        if over is not None:
            put_down += _leaving(steps[:index], traced, over)
            put_down += _held_closed(steps, traced, over, scene)
            found += scene.census.last_with(count + put_down) > over + slack
    return found


def _leaving(steps: Sequence[Step[P]], traced: Traced, at: float) -> int:
    """Count what these steps had taken unseen and may still be on its way off the board."""
    pairs = zip(steps, traced.lifted_at, traced.landed_at, strict=False)
    return sum(
        step.capture and lifted is not None and landed is None and lifted + costs.EXIT_S > at
        for step, lifted, landed in pairs
    )


def _held_closed(steps: Sequence[Step[P]], traced: Traced, at: float, scene: Scene) -> int:
    """Count the switches that pieces had left by these steps and were held closed beside."""
    pairs = zip(steps, traced.doubts, traced.landed_at, strict=False)
    return sum(
        doubt == LIFT_LATE
        and landed is not None
        and any(landed < left and at < left for left in scene.departures.get(step.from_square, ()))
        for step, doubt, landed in pairs
    )


def _cleared_away(
    game: ReadableGame[P], steps: Sequence[Step[P]], index: int, traced: Traced, scene: Scene
) -> int:
    """Count what lay beside the square of a capture from about then on, and has left since."""
    source, target = steps[index].squares
    left_at = scene.departures.get(target, ())
    beside = game.beside(steps[index].after, target)
    return sum(
        any(is_put_aside(came_at, at) for at in left_at)
        or is_swept_aside(came_at, source, target, scene)
        for square, came_at in scene.visits
        if beside >> square & 1 and came_at not in traced.landed_at
    )
