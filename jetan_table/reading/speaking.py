"""When to speak: whether to tell, to ask or to take back, and when, by what each is likely to cost.

Both readers `decide` here, each by its rivals, the accounts of what has happened that may be true,
and by its clock. The chance of a rival is exp(-cost), normalised over all of them.

All is weighed against waiting, for what hands do next may show for nothing what is open now. Pauses
of hands have no scale: after s seconds of rest what comes with chance c comes in the next second
with chance c/s. So to wait pays until c times as many seconds have passed as it saves.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from rules import Square

K = TypeVar("K", bound=Hashable)

QUESTION_S = 2.0
"""What a question costs: as much as so many seconds in which a ply that was played is not told."""

TAKING_BACK_S = 12.5
"""What it costs to say a thing and unsay it, likewise: as much as six questions."""

NEXT_SHOWS = 0.5
"""The chance that the reply, or what hands do before it, shows what a piece has done."""


MOST_SILENCE_S = 0.8
"""The longest silence that one look stands for: nobody waits for pictures that come seldom."""

A_MOMENT_S = 1e-9
"""The difference below which two times are the same."""


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
class Ask(Generic[K]):
    """It is open which of some steps has been played, if any: the likeliest comes first."""

    options: tuple[K, ...]
    played: float
    """The chance that one of them has been."""


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Of what was told only the first `kept` steps stand."""

    kept: int


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing is to be said yet."""

    at: float
    """When to decide again; infinity where time alone changes nothing."""


Decision: TypeAlias = Tell[K] | Ask[K] | Withdraw | Wait


class SpeechClock(NamedTuple):
    """The time, and the earliest time for each thing to be said, in seconds on the table clock.

    Infinity where it cannot be said before something else happens.
    """

    now: float
    tells_at: float = -math.inf
    asks_at: float = -math.inf
    withdraws_at: float = -math.inf

    def has_come(self, at: float) -> bool:
        """Return whether it is as late as that."""
        return at <= self.now + A_MOMENT_S


def decide(rivals: Sequence[Rival[K]], steps_told: int, clock: SpeechClock) -> Decision[K]:
    """Return what to say by these rivals, of which none is ruled out, best first.

    While it is open whether the last step that was told stands, nothing is said.
    """
    kept = [rival.kept for rival in rivals]
    if not rivals or min(kept) < steps_told <= max(kept):
        return Wait(math.inf)
    if max(kept) < steps_told:
        return _once(clock.withdraws_at, Withdraw(max(kept)), clock)
    chances = chances_of(rivals)
    steps = [step for step in chances if step is not None]
    if not steps:
        return Wait(math.inf)
    if len(chances) == 1:
        return _once(clock.tells_at, Tell(steps[0]), clock)
    return _once(clock.asks_at, Ask(tuple(steps), 1.0 - chances.get(None, 0.0)), clock)


def _once(at: float, what: Decision[K], clock: SpeechClock) -> Decision[K]:
    return what if clock.has_come(at) else Wait(at)


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


def rest_s(chance: float) -> float:
    """Return for how long to wait before a thing is said that is unsaid with `chance`, in s."""
    return chance * TAKING_BACK_S


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


class Silence(NamedTuple):
    """How long boards have been seen that are explained by nothing that was told or asked."""

    at: float
    """When the last of them was seen, in seconds on the table clock."""
    unlike: frozenset[Square]
    """What differs in it from what was told."""
    cost: float
    """What it has cost, in seconds in which a ply that was played is not told."""


def silence_after(before: Silence | None, at: float, unlike: frozenset[Square]) -> Silence:
    """Return a silence with one more look.

    Each further board may be a ply that was not told, and costs as much as a question; the same
    one costs half its time, for nobody need wait for the table.
    """
    if before is None:
        return Silence(at, unlike, QUESTION_S)
    passed = at - before.at
    is_another = passed > MOST_SILENCE_S and unlike != before.unlike
    cost = before.cost + min(passed, MOST_SILENCE_S) / 2 + QUESTION_S * is_another
    return Silence(at, unlike, cost)
