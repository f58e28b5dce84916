"""Questions to the players: what the board cannot show, and what has been answered since."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from . import costs
from .cost import Hypothesis
from .readable_game import P, Step
from .readings import Asked, Evidence, Played, Reading, Recalled, TakenBack, Wandered
from .showing import LIFT_LATE
from .worlds import Reported, World

TURNED_OUT = "what came later does not fit what was told before"


def is_agreed(rivals: Iterable[Hypothesis[P]], index: int) -> bool:
    """Whether all of these hypotheses hold the same step at `index`."""
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


def hidden_captures(
    rivals: Sequence[Hypothesis[P]], steps_reported: int, failed: int
) -> list[Step[P]]:
    """Return the captures that pieces over `failed` switches, a mask, may have made unseen.

    They come next after the steps reported. None where something else may have happened, or is
    about to.
    """
    hidden = [
        rival.steps[steps_reported] for rival in rivals if len(rival.steps) == steps_reported + 1
    ]
    has_rival = any(len(r.steps) > steps_reported + 1 or r.in_hand | r.strangers for r in rivals)
    if has_rival or not all(failed >> step.from_square & 1 for step in hidden):
        return []
    return list({step.squares: step for step in hidden}.values())


def unseen_captures(
    keeping: Iterable[Hypothesis[P]], best: Hypothesis[P], steps_reported: int
) -> list[Hypothesis[P]]:
    """Return the hypotheses by which the piece that `best` holds in the air has taken another.

    None where all of them are too unlikely, the best by more than twice the margin.
    """
    found = [
        hypothesis
        for hypothesis in keeping
        if len(hypothesis.steps) == steps_reported + 1
        and not hypothesis.in_hand | hypothesis.strangers
        and hypothesis.fault is None
        and hypothesis.steps[-1].is_ply
    ]
    cheapest = min((hypothesis.cost for hypothesis in found), default=0.0)
    return found if cheapest < best.cost + costs.RETRACT + costs.MARGIN else []


def answers_to(
    number: int,
    rivals: Iterable[Hypothesis[P]],
    worlds: Sequence[World[P]],
    reported: Sequence[Reported[P]],
) -> list[Step[P]]:
    """Return what ply `number` may have been in any of these hypotheses."""
    steps: dict[object, Step[P]] = {}
    for rival in rivals:
        for asked, step in worlds[rival.world].asked:
            if asked == number and step.is_ply:
                steps[step.squares] = step
        for entry, step in zip(reported, rival.steps, strict=False):
            if entry.number == number and entry.is_ply:
                steps[step.squares] = step
    return list(steps.values())


def when_to_ask(
    rivals: Sequence[Hypothesis[P]], index: int, changed_at: float, pace: float
) -> float:
    """Return when to ask which step is at `index`: once the board is quiet, or the reply stands.

    The board changed last at `changed_at`. Whether anything was taken at all is asked only if
    neither the reply nor a piece in the air may show it. Quick players leave no quiet moment, and
    what is not asked is dragged along: what nothing later shows any more is asked as soon as the
    reply stands, so what a piece took, or which of several came to where one did. Where the piece
    may have come down on a switch that has failed, there is time; and where it was not seen to
    leave, the switch may open as soon as a piece beside is moved.
    """
    quiet_at = changed_at + costs.ASK_S
    replies = [[at for at in r.landed_at[index + 1 :] if at is not None] for r in rivals]
    landed = [reply[0] for reply in replies if reply]
    steps = [rival.steps[index] for rival in rivals]
    captures = [step.capture for step in steps]
    in_hand = any(rival.in_hand for rival in rivals)
    if any(captures) and not all(captures) and (in_hand or len(landed) < len(rivals)):
        return math.inf
    has_left = [r.lifted_at[index] is not None or r.step_doubts[index] == LIFT_LATE for r in rivals]
    is_late = all(rival.lifted_at[index] is None for rival in rivals)
    if is_late and (in_hand or not all(has_left)):
        held_until = max(landed, default=changed_at) + costs.ASK_HELD_S
        return math.inf if in_hand else held_until
    came_there = all(has_left) and len({step.to_square for step in steps}) == 1
    if len(landed) < len(rivals) or not (all(captures) or came_there):
        return quiet_at
    return min(quiet_at, max(landed) + costs.HOLD_S * max(pace, 1.0))


def undoing(entry: Reported[P], at: float) -> Reading[P]:
    """Return the reading by which what was told no longer stands."""
    return TakenBack(entry.number, at) if entry.is_ply else Recalled(entry.number, at)


def telling_again(entry: Reported[P], at: float) -> Reading[P]:
    """Return the reading by which it is told again, as it has turned out to be.

    Where that is not certain, it is asked: its options are captures by one piece.
    """
    question = question_about(entry.number, entry.options, at) if len(entry.options) > 1 else None
    if question is not None:
        return question
    step = entry.options[0]
    if not entry.is_ply:
        return Wandered(entry.number, step, at)
    return Played(
        entry.number, step, Evidence(None, entry.landed_at, (TURNED_OUT,), costs.MARGIN), at
    )
