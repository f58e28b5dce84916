"""When to speak: whether to tell, to ask or to take back, and when, by what each is likely to cost.

Both readers ask here. Each gives its rivals: the accounts of what has happened that may be true,
what each costs in nats, with how much of what was told it begins, and what it would tell next. The
chance of an account is exp(-cost), normalised over all of them.

All is weighed against waiting, for what hands do next may show for nothing what is open now. Pauses
of hands have no scale: what has not come for a while comes within as long again about as often,
however long that is. So after s seconds of rest it comes in the next second with chance c/s, if c
is the chance that it comes at all. To wait for it pays as long as that, times what it saves, is
more than what a second of silence costs: until c times that many seconds have passed.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

K = TypeVar("K", bound=Hashable)

QUESTION_S = 2.0
"""What a question costs: as much as so many seconds in which a ply that was played is not told."""

TAKING_BACK_S = 12.5
"""What it costs to say a thing and unsay it, likewise: as much as six questions."""

NEXT_SHOWS = 0.5
"""The chance that the reply, or what hands do before it, shows what a piece has done."""


@dataclass(frozen=True, slots=True)
class Rival(Generic[K]):
    """One account of what has happened."""

    cost: float
    """What goes against it, in nats."""
    kept: int
    """With how many of the steps told it begins."""
    following: K | None
    """What it would tell next; None where nothing has happened since."""


@dataclass(frozen=True, slots=True)
class Tell(Generic[K]):
    """A step is sure enough to be told."""

    step: K


@dataclass(frozen=True, slots=True)
class AskOf(Generic[K]):
    """It is open which of some steps has been played, if any: the likeliest comes first."""

    options: tuple[K, ...]
    played: float
    """The chance that one of them has been."""


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Of what was told only the first `kept` steps stand."""

    kept: int


Speech: TypeAlias = "Tell[K] | AskOf[K] | Withdraw | None"
"""What there is to say; None where nothing is."""


def what_to_say(rivals: Sequence[Rival[K]], told: int) -> Speech[K]:
    """Return what there is to say by these rivals, of which none is ruled out, best first.

    So many steps have been told. Nothing is said where it is open whether the last of them stands.
    """
    kept = [rival.kept for rival in rivals]
    if max(kept, default=told) < told:
        return Withdraw(max(kept))
    if not rivals or min(kept) < told:
        return None
    chances = chances_of(rivals)
    steps = [step for step in chances if step is not None]
    if not steps:
        return None
    if len(chances) == 1:
        return Tell(steps[0])
    return AskOf(tuple(steps), 1.0 - chances.get(None, 0.0))


def chances_of(rivals: Iterable[Rival[K]]) -> dict[K | None, float]:
    """Return how likely each is to be what is told next, the likeliest first.

    Accounts that say the same count once: they differ in what is nobody's question.
    """
    least: dict[K | None, float] = {}
    for rival in rivals:
        least[rival.following] = min(rival.cost, least.get(rival.following, math.inf))
    floor = min(least.values(), default=0.0)
    weights = {following: math.exp(floor - cost) for following, cost in least.items()}
    total = sum(weights.values())
    by_weight = sorted(weights.items(), key=lambda each: -each[1])
    return {following: weight / total for following, weight in by_weight}


def odds_for(step: K, rivals: Iterable[Rival[K]]) -> float:
    """Return by how many nats a step is likelier than all else that may come next, together."""
    chance = chances_of(rivals).get(step, 0.0)
    return math.log(chance / (1.0 - chance)) if chance < 1.0 else math.inf


def rest_s(chance: float, things: int = 1) -> float:
    """Return for how long to wait before a step is told that hands may still put right, in s.

    `chance` is that of their doing so; `things` are to be unsaid then.
    """
    return chance * TAKING_BACK_S * things


def silence_s(shows: float, played: float = 1.0) -> float:
    """Return for how long to wait before a question is asked, in s.

    `shows` is the chance that hands answer it by what they do next. Where nothing may have been
    `played`, silence costs less: who only thinks waits for nobody.
    """
    return shows * QUESTION_S / played if played else math.inf


def later_s(played: float = 1.0) -> float:
    """Return for how long to wait before a question is asked that a later ply answers, in s.

    Silence costs half then, for nobody need wait for the table.
    """
    return silence_s(1.0, played / 2)
