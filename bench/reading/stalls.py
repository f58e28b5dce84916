"""What a table sees of a recording whose machine is too busy to look in time."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from hardware.ports import Change, Switch
from jetan_table.replay.recordings import Recording

BETWEEN_S = 0.3
"""From one stall to the next, in the mean: with stalls of 0.3 s nobody looks for half the time."""

SHORTEST = 0.3
"""The shortest stall, as a share of the longest."""


def stalled(recording: Recording, longest_s: float, rng: Random) -> Recording:
    """Return it as it is seen where nobody looks during stalls of up to so many seconds.

    What changed in a stall is seen at its end; what changed and changed back is never seen.
    """
    shown: list[Change] = []
    levels = dict(enumerate(recording.closed))
    changes = list(recording.changes)
    for begins, ends in stalls(recording.ends_at, longest_s, rng):
        while changes and changes[0].at <= begins:
            shown.append(changes.pop(0))
            levels[shown[-1].switch] = shown[-1].closed
        came: dict[Switch, bool] = {}
        while changes and changes[0].at <= ends:
            change = changes.pop(0)
            came[change.switch] = change.closed
        for switch, closed in sorted(came.items()):
            if levels[switch] is not closed:
                levels[switch] = closed
                shown.append(Change(ends, switch, closed))
    return replace(recording, changes=(*shown, *changes))


def stalls(until: float, longest_s: float, rng: Random) -> Iterator[tuple[float, float]]:
    """Yield when nobody looks."""
    at = rng.expovariate(1 / BETWEEN_S)
    while at < until:
        ends = at + rng.uniform(SHORTEST * longest_s, longest_s)
        yield at, ends
        at = ends + rng.expovariate(1 / BETWEEN_S)
