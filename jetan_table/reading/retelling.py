"""Telling once more: what was told is taken back, or told as it has turned out to be."""

from __future__ import annotations

from . import costs as w
from .questions import question_about
from .readable_game import P
from .readings import Evidence, Played, Reading, Recalled, TakenBack, Wandered
from .worlds import Reported

TURNED_OUT = "what came later does not fit what was told before"


def taken_back(told: Reported[P], at: float) -> Reading[P]:
    """Return the reading by which what was told no longer stands."""
    return TakenBack(told.number, at) if told.is_ply else Recalled(told.number, at)


def told_again(told: Reported[P], at: float) -> Reading[P]:
    """Return the reading by which it is told again, as it has turned out to be.

    Where that is not certain, it is asked: its options are captures by one piece.
    """
    question = question_about(told.number, told.options, at) if len(told.options) > 1 else None
    if question is not None:
        return question
    step = told.options[0]
    if not told.is_ply:
        return Wandered(told.number, step, at)
    return Played(told.number, step, Evidence(None, told.landed_at, (TURNED_OUT,), w.MARGIN), at)
