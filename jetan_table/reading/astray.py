"""What stands where no step puts it, and is no stranger: a piece taken, or one that only passes."""

from __future__ import annotations

import math

from rules import Square, squares_of

from . import costs
from .readable_game import P, ReadableGame, Step
from .scene import Scene

AN_INSTANT_S = 1e-6
"""Rounding is no more than this: a wait that ends now is over."""


def put_aside(
    game: ReadableGame[P],
    steps: tuple[Step[P], ...],
    after: P,
    in_hand: int,
    strangers: int,
    scene: Scene,
) -> int:
    """Return those of `strangers` that are pieces taken, and put down beside their square.

    So may one be whose capture is still under way: then what takes it is in the air with it.
    """
    aside = strangers & scene.aside
    unknown = strangers & ~aside
    if not unknown:
        return aside
    done = [(step.from_square, step.to_square) for step in steps if step.capture]
    under_way = [
        (source, target)
        for source in squares_of(in_hand)
        for target in squares_of(in_hand & game.ends_from(after, source))
    ]
    changes = scene.trace.changes
    came = sorted(
        (changes[square][-1], square) for square in squares_of(unknown) if square in changes
    )
    for came_at, square in came:
        for source, target in (*done, *under_way):
            if square == source or not game.beside(after, target) >> square & 1:
                continue
            is_done = (source, target) in done
            if any(
                abs(came_at - at) < costs.ASIDE_S and (back_at < math.inf) is is_done
                for at, back_at in scene.absences(target)
            ):
                aside |= 1 << square
                under_way = under_way if is_done else []  # one capture at a time
                break
    return aside


def passing_until(
    game: ReadableGame[P], after: P, in_hand: int, strangers: int, scene: Scene
) -> dict[int, float]:
    """Return until when each of `strangers` may be a piece in the air that passes there.

    Only those of which that is not over. A piece that is walked on rests on its way, for longer
    where it cannot end there.
    """
    until: dict[int, float] = {}
    for square in squares_of(strangers if in_hand else 0):
        times = scene.trace.changes.get(square)
        if times is None:
            continue
        walked = any(
            _is_walked(game, after, source, square, times[-1], in_hand, scene)
            for source in squares_of(in_hand)
        )
        over_at = times[-1] + (costs.COUNTED_S if walked else costs.HOLD_S)
        if scene.now < over_at - AN_INSTANT_S:
            until[square] = over_at
    return until


def _is_walked(
    game: ReadableGame[P],
    after: P,
    source: Square,
    square: Square,
    came_at: float,
    in_hand: int,
    scene: Scene,
) -> bool:
    """Whether the piece of `source` may have come to a square step by step, and must go on.

    Either it cannot end there, or what it may take further on had been taken up before.
    """
    changes = scene.trace.changes
    if source not in changes:
        return False
    left_at = changes[source][-1] - costs.DRAGGED_S
    here = game.beside(after, source)
    for passed in squares_of(scene.passed):
        if any(left_at < at < came_at for at in scene.landings[passed]):
            here |= game.beside(after, passed)
    if not here >> square & 1:
        return False
    ends = game.ends_from(after, source)
    return not ends >> square & 1 or any(
        target in changes and changes[target][-1] < came_at for target in squares_of(in_hand & ends)
    )
