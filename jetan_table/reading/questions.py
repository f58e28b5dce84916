"""Questions to the players: what the board cannot show, and what has been answered since."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from . import costs as w
from .cost import Hypothesis
from .readable_game import P, Step
from .readings import Asked
from .worlds import Reported, World


def is_agreed(rivals: Iterable[Hypothesis[P]], index: int) -> bool:
    """Whether all of these explanations hold the same step at `index`."""
    steps = {r.steps[index].squares if len(r.steps) > index else None for r in rivals}
    return len(steps) == 1 and None not in steps


def question_about(number: int, steps: Iterable[Step[P]], at: float) -> Asked | None:
    """Ask which of these steps ply `number` was; None where no one question tells them apart.

    Nor where one of them is a ply and another is none: what happens next will tell.
    """
    steps = list(steps)
    if len({step.is_ply for step in steps}) > 1:
        return None
    squares = {step.squares for step in steps}
    sources = sorted({source for source, _ in squares})
    targets = sorted({target for _, target in squares})
    if len(sources) == 1:
        return Asked(number, sources[0], tuple(targets), at)
    if len(targets) == 1:
        return Asked(number, None, tuple(sources), at, targets[0])
    return None


def hidden_captures(rivals: Sequence[Hypothesis[P]], told: int, failed: int) -> list[Step[P]]:
    """Return the captures that pieces over `failed` switches, a mask, may have made after `told`.

    None where something else may have happened, or is about to.
    """
    hidden = [rival.steps[told] for rival in rivals if len(rival.steps) == told + 1]
    has_rival = any(len(r.steps) > told + 1 or r.in_hand | r.strangers for r in rivals)
    if has_rival or not all(failed >> step.from_square & 1 for step in hidden):
        return []
    return list({step.squares: step for step in hidden}.values())


def unseen_captures(
    keeping: Iterable[Hypothesis[P]], best: Hypothesis[P], told: int
) -> list[Hypothesis[P]]:
    """Return the plies that would explain the piece that `best` holds in the air: each takes.

    None where they are too unlikely.
    """
    found = [
        explanation
        for explanation in keeping
        if len(explanation.steps) == told + 1
        and not explanation.in_hand | explanation.strangers
        and explanation.fault is None
        and explanation.steps[-1].is_ply
    ]
    cheapest = min((explanation.cost for explanation in found), default=0.0)
    return found if cheapest < best.cost + w.RETRACT + w.MARGIN else []


def answers_to(
    number: int,
    rivals: Iterable[Hypothesis[P]],
    worlds: Sequence[World[P]],
    told: Sequence[Reported[P]],
) -> list[Step[P]]:
    """Return what ply `number` may have been in any of these explanations."""
    steps: dict[object, Step[P]] = {}
    for rival in rivals:
        for asked, step in worlds[rival.world].asked:
            if asked == number and step.is_ply:
                steps[step.squares] = step
        for entry, step in zip(told, rival.steps, strict=False):
            if entry.number == number and entry.is_ply:
                steps[step.squares] = step
    return list(steps.values())
