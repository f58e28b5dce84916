"""Decides when to tell, to ask or to take back, by what each is likely to cost.

Both readers `decide` here, each by its rivals, the accounts of what has happened that may be true,
and by its clock. The chance of a rival is exp(-cost), normalised over all of them.

All is weighed against waiting, for what hands do next may show for nothing what is open now. Pauses
of hands have no scale: after s seconds of rest what comes with chance c comes in the next second
with chance c/s. So to wait pays until c times as many seconds have passed as it saves.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from rules import Square, squares_of

from .accounts import Hypothesis
from .costs import PRICES
from .history import History
from .readings import Standing, Step
from .scene import Tempo

K = TypeVar("K", bound=Hashable)

QUESTION_S = 2.0
"""The cost of a question, in seconds for which a ply that was played is not told."""

TAKING_BACK_S = 12.5
"""The cost of telling a thing and taking it back, likewise: that of six questions."""

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
    """The sum of all that speaks against it, in nats."""
    kept: int
    """The number of steps told with which it begins."""
    following: K | None
    """The step it would tell next; None where nothing has happened since."""


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
    """Time at which to decide again; infinity where time alone changes nothing."""


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
    # Some keep the last step told and others do not: whatever is said now may have to be unsaid.
    if not rivals or min(kept) < steps_told <= max(kept):
        return Wait(math.inf)
    if max(kept) < steps_told:
        return _once(clock.withdraws_at, Withdraw(max(kept)), clock)
    chances = chances_of(rivals)
    # "Nothing has happened" is a rival like others. It makes a question of a step that all others
    # share, and its chance says how much silence is worth.
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
    """Return the seconds to wait before telling what is taken back with some `chance`."""
    return chance * TAKING_BACK_S


def silence_s(shows: float, played: float = 1.0) -> float:
    """Return the seconds to wait before a question is asked.

    `shows` is the chance that hands answer it by what they do next. Where nothing may have been
    `played`, silence costs less: who only thinks waits for nobody.
    """
    return shows * QUESTION_S / played if played else math.inf


def later_s(played: float = 1.0) -> float:
    """Return the seconds to wait before a question is asked that a later ply answers.

    Silence costs half then, for nobody need wait for the table.
    """
    return silence_s(1.0, played / 2)


class Silence(NamedTuple):
    """A time in which nothing that was told or asked explains the boards that are seen."""

    at: float
    """Time of the last of them, in seconds on the table clock."""
    unlike: frozenset[Square]
    """The squares that differ in it from what was told."""
    cost: float
    """Its cost, in seconds for which a ply that was played is not told."""


def silence_after(before: Silence | None, at: float, unlike: frozenset[Square]) -> Silence:
    """Return a silence with one more look.

    Each further board may be a ply that was not told, and costs as much as a question; the same
    one costs half its time, for nobody need wait for the table.
    """
    if before is None:
        return Silence(at, unlike, QUESTION_S)
    passed = at - before.at
    # A board that changes while nothing is told shows that people play on: a change may be a ply.
    is_another = passed > MOST_SILENCE_S and unlike != before.unlike
    cost = before.cost + min(passed, MOST_SILENCE_S) / 2 + QUESTION_S * is_another
    return Silence(at, unlike, cost)


WALKS = 12
"""The latest moves, of which the second longest rest on the way says how long one may be."""


class Resting:
    """Says how long a step must rest, by how long these hands rest a piece on its way.

    Times are seconds on the table clock.
    """

    def __init__(self, history: History, tempo: Tempo) -> None:
        self._history, self._tempo = history, tempo
        self._rests: deque[float] = deque(maxlen=WALKS)

    def learn(self, best: Hypothesis, index: int) -> None:
        """Take note of how the hands have made a step that is told."""
        step, lifted_at, landed_at = best.steps[index], best.lifted_at[index], best.landed_at[index]
        if not step.is_ply or step.capture or not lifted_at or not landed_at:
            return
        if not (any(best.step_doubts) or best.touches or best.strangers):
            self._tempo.learn(landed_at - lifted_at)
        self._rests.append(self._rested_s(step, lifted_at, landed_at))

    def stands_at(self, best: Hypothesis, index: int, changed_at: float) -> float:
        """Return when the step at `index` has stood for long enough to be told.

        The board changed last at `changed_at`. Infinity where what comes next must show it.
        """
        step, landed_at = best.steps[index], best.landed_at[index]
        is_last = len(best.steps) == index + 1
        has_gone = bool(best.in_hand >> step.to_square & 1)
        is_unsure = best.hasty or landed_at is None or has_gone
        if (is_last and is_unsure) or (has_gone and best.strain(index) > PRICES.STRANGER):
            return math.inf
        settled, decisive = landed_at, index
        if settled is None or has_gone:  # what came next has shown it, and must stand as well
            shown_at, decisive = best.shown_by(index)
            settled = changed_at if shown_at is None else shown_at
        hold_s = self._hold_s(best, index, decisive)
        if is_last and self._overlaps(best):  # that piece may be the one that came down
            hold_s = max(hold_s, PRICES.VICTIM_S)
        sliding_until = changed_at + PRICES.OVERLAP_SLIDE_S * self._tempo.pace
        return max(settled + hold_s, sliding_until)

    def _hold_s(self, best: Hypothesis, index: int, decisive: int) -> float:
        """Return the seconds the step at `decisive` must stand for that at `index` to be told.

        It must stand for longer than it has rested on its way, and than these hands rest theirs,
        but not where it took, or a reply is seen.
        """
        pace = self._tempo.pace
        if decisive != index and not best.in_hand:
            return PRICES.HOLD_S * max(pace, 1.0)  # where the reply is put down does not matter
        step, index = best.steps[decisive], decisive
        lifted_at, landed_at = best.lifted_at[index], best.landed_at[index]
        is_replied = best.in_hand or len(best.steps) > index + 1
        if is_replied or step.capture or not step.is_ply or lifted_at is None or landed_at is None:
            return PRICES.HOLD_S * pace
        longest_s = max(
            self._rested_s(step, lifted_at, landed_at), *sorted(self._rests)[-2:-1], 0.0
        )
        return min(max(PRICES.HOLD_S * max(pace, 1.0), 3 * longest_s), PRICES.COUNTED_S)

    def _rested_s(self, step: Step[Standing], lifted_at: float, landed_at: float) -> float:
        """Return for how many seconds a piece rested on one square of its way, at the most.

        What was still there when it had come down was another piece.
        """
        trace = self._history.trace
        since, until = lifted_at - PRICES.OVERLAP_SLIDE_S, landed_at + PRICES.OVERLAP_SLIDE_S
        stays = (
            (at, gone)
            for square in trace.changes
            if square not in step.squares
            for at, gone in trace.stays(square)
        )
        return max(
            (gone - at for at, gone in stays if since < at < landed_at and gone < until),
            default=0.0,
        )

    def _overlaps(self, best: Hypothesis) -> bool:
        """Return True if a piece in the air now was lifted before the last step came down."""
        changes, landed_at = self._history.trace.changes, best.landed_at[-1]
        lifts = (changes[square][-1] for square in squares_of(best.in_hand))
        return landed_at is not None and any(at < landed_at for at in lifts)
