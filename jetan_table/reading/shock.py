"""Knocks against the table: what they make switches show is no evidence of hands."""

from __future__ import annotations

import math
from itertools import chain
from typing import NamedTuple

from . import costs
from .trace import Trace

FEWEST_SHAKEN = 3  # squares at once; two may be those of a capture
FEWEST_BLINKED = 2  # ... or so many on which a piece stood all the while: no hand is as quick
FEWEST_OPENED = 2  # of them, those that a piece stood on: a piece that slides closes many, at most


MOST_TOUCHED = 6  # squares in an instant: two hands that slide do not come to more


def shakes_until(trace: Trace) -> float:
    """Return until when a knock that is under way is waited for; minus infinity where none is.

    While the table shakes, what its switches show is not worth a thought.
    """
    lasts = sorted((times[-1] for times in trace.changes.values()), reverse=True)
    if len(lasts) <= MOST_TOUCHED or lasts[0] - lasts[MOST_TOUCHED] > costs.AT_ONCE_S:
        return -math.inf
    return lasts[0] + costs.AT_ONCE_S


class _Brief(NamedTuple):
    """Two changes of a square that soon left it as it was before."""

    begun: float
    square: int
    change: int
    opened: bool
    length: float


def forget_shock(trace: Trace, now: float) -> bool:
    """Drop from a trace what a knock against the table has made switches show for a moment.

    Many switches that change at once and are soon as before have been shaken: no hand touches so
    many. What begins to change before all has been still for a moment is of the same knock, also
    where it lasts for longer than most; what had come down just before is not.
    Returns whether anything was dropped.
    """
    begun, until = trace.shaken
    briefs = sorted(_briefs(trace, now - 2 * costs.SHOCK_S))
    found = next((brief.begun for brief in briefs if _is_shock(briefs, brief.begun)), math.inf)
    if until < found < math.inf:
        begun, until = found, found + costs.AT_ONCE_S
    elif now > begun + costs.SHOCK_S and shakes_until(trace) > now:
        begun, until = now - costs.AT_ONCE_S, now
    if now > until + costs.SHOCK_S:
        return False  # all that it shook has come to an end, or there was none
    for at in sorted(chain.from_iterable(trace.changes.values())):
        if until < at <= min(until + costs.STILL_S, begun + costs.SHOCK_S):
            until = at
    trace.shaken = begun, until
    is_dropped = False
    for brief in sorted(_briefs(trace, begun), key=lambda brief: (brief.square, -brief.change)):
        if brief.begun <= until:
            del trace.changes[brief.square][brief.change : brief.change + 2]
            if not trace.changes[brief.square]:
                del trace.changes[brief.square]
            is_dropped = True
    return is_dropped


def _briefs(trace: Trace, since: float) -> list[_Brief]:
    """Return what lasted for no longer than a shock, disjoint on each square."""
    found: list[_Brief] = []
    for square, times in trace.changes.items():
        if times[-1] < since:
            continue
        index = 0
        while index < len(times) - 1:
            if times[index] >= since and times[index + 1] - times[index] <= costs.SHOCK_S:
                opened = bool(trace.base >> square & 1) is not bool(index & 1)
                length = times[index + 1] - times[index]
                found.append(_Brief(times[index], square, index, opened, length))
                index += 1
            index += 1
    return found


def _is_shock(briefs: list[_Brief], begun: float) -> bool:
    """Whether so many squares changed within an instant from `begun` that it was a shock."""
    here = [brief for brief in briefs if begun <= brief.begun <= begun + costs.AT_ONCE_S]
    shaken = {brief.square for brief in here}
    opened = {brief.square for brief in here if brief.opened}
    blinked = {brief.square for brief in here if brief.opened and brief.length < costs.BLINK_S}
    if len(blinked) >= FEWEST_BLINKED:
        return True
    return len(shaken) >= FEWEST_SHAKEN and len(opened) >= FEWEST_OPENED
