"""How simulated people behave at the table, as data: how often, and how long.

Every range is a value here, so another person at another table is another `Habits`. Where the
defaults come from stands in `docs/recordings.md`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, log, sqrt
from random import Random

Weights = Sequence[tuple[str, float]]


@dataclass(frozen=True, slots=True)
class Span:
    """From `least` to `most` seconds."""

    least: float
    most: float


@dataclass(frozen=True, slots=True)
class Habits:
    """What people do at the table: shares (0..1), weights, and spans of seconds at pace 1.

    `pace` multiplies every time a hand takes (2 is half as quick). `spread` 0 draws evenly within
    the spans; more draws log-normally around their middle, that much wider, and lets each person
    have their own times.
    """

    pace: float = 1.0
    spread: float = 0.0

    capture: float = 0.35
    escape: float = 0.015
    end_early: float = 0.002
    end_late: float = 0.12
    moves: Weights = (("plain", 58), ("slide", 22), ("wrong-square", 11), ("between", 9))
    takes: Weights = (
        ("capture-victim-first", 30),
        ("capture-attacker-first", 25),
        ("capture-swept", 27),
        ("capture-no-gap", 18),
    )
    fast_moves: Weights = (("plain", 58), ("between", 9))
    fast_takes: Weights = (("capture-attacker-first", 25), ("capture-swept", 27))
    victim_first_landings: Weights = (("plain", 71), ("slide", 20), ("between", 9))
    fast: float = 0.15
    unhurried_after: tuple[str, ...] = ("slide", "capture-no-gap")
    wrong_is_legal: float = 0.8
    jadoube: float = 0.07
    jadoube_pieces: Weights = (("1", 5), ("2", 3), ("3", 2))
    hesitation: float = 0.07
    illegal: float = 0.05
    illegal_takes: float = 0.03
    knock: float = 0.04
    knock_at_landing: float = 0.25
    rolls: float = 0.33
    takeback: float = 0.035
    takeback_two: float = 0.4
    bounce: float = 0.85
    victim_back_first: float = 0.0

    think_s: float = 3.2
    think_sigma: float = 0.7
    think: Span = Span(0.7, 20.0)
    air: Span = Span(0.15, 0.9)
    to_attacker: Span = Span(0.2, 1.5)
    swept: Span = Span(0.04, 0.4)
    no_gap: Span = Span(0.001, 0.0145)
    gapless: float = 0.45
    slide_square: Span = Span(0.025, 0.22)
    slide_gap: Span = Span(0.001, 0.12)
    slide_overlap: Span = Span(0.001, 0.025)
    slide_overlaps: float = 0.2
    between: Span = Span(0.5, 3.0)
    slip: Span = Span(0.5, 1.6)
    stands: Span = Span(2.4, 4.0)
    slips: float = 0.6
    overlap: Span = Span(0.01, 0.15)
    pause: Span = Span(0.3, 0.9)
    recover: Span = Span(0.5, 3.0)
    hesitates: Span = Span(0.3, 3.0)
    illegal_stands: Span = Span(2.0, 5.0)
    knock_falls: Span = Span(0.002, 0.25)
    knock_lasts: Span = Span(3.0, 10.0)
    knock_after: Span = Span(0.02, 0.23)
    roll_after: Span = Span(0.03, 0.15)
    roll_lasts: Span = Span(0.025, 0.18)
    fetch: Span = Span(0.5, 1.9)
    takeback_after: Span = Span(2.5, 8.5)
    takeback_next: Span = Span(0.7, 2.7)
    juggernaut_after: Span = Span(1.2, 5.0)

    def broad(self) -> Habits:
        """Return the habits of people who keep to no span, and do the rarer things more often."""
        return replace(
            self,
            spread=1.0,
            unhurried_after=(),
            illegal_takes=0.25,
            victim_back_first=0.3,
            wrong_is_legal=0.6,
            rolls=0.5,
        )


class Person:
    """One player's way with time and chance."""

    def __init__(self, habits: Habits, rng: Random) -> None:
        self.habits = habits
        self.rng = rng
        self._own: dict[Span, float] = {}

    def within(self, span: Span) -> float:
        """Return a time that stays within its span at any spread: one that defines a thing."""
        return self.habits.pace * self.rng.uniform(span.least, span.most)

    def takes(self, span: Span) -> float:
        """Return how many seconds something takes this time."""
        spread = self.habits.spread
        if not spread:
            return self.within(span)
        # Four fifths of a log-normal's draws lie within 1.28 sigma of its median.
        own = self._own.setdefault(span, self.rng.lognormvariate(0, 0.25 * spread))
        sigma = spread * log(span.most / span.least) / (2 * 1.28)
        drawn = own * sqrt(span.least * span.most) * exp(sigma * self.rng.gauss(0, 1))
        return self.habits.pace * min(max(drawn, span.least / 3), span.most * 3)

    def thinks(self) -> float:
        """Return how many seconds pass before this person's reply."""
        habits = self.habits
        drawn = self.rng.lognormvariate(log(habits.think_s), habits.think_sigma)
        return habits.pace * min(max(drawn, habits.think.least), habits.think.most)

    def does(self, share: float) -> bool:
        """Return whether something that happens in that share of cases happens now."""
        return self.rng.random() < share

    def chooses(self, weights: Weights) -> str:
        """Return one of the names, by weight."""
        names, numbers = zip(*weights, strict=True)
        return str(self.rng.choices(names, numbers)[0])
