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
    """What people do at the table: shares (0..1), weights, and spans of seconds at pace 1."""

    pace: float = 1.0
    """Multiplies every time a hand takes: 2 is half as quick."""
    spread: float = 0.0
    """0 draws evenly within the spans; more draws log-normally around their middle, that much
    wider, and lets each person have their own times."""

    # Which ply, and how it is made. Styles are the `behaviours` of the truth.
    capture: float = 0.35
    escape: float = 0.015
    end_early: float = 0.002  # plies that could end the game, and do: at first, ...
    end_late: float = 0.12  # ... and later
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
    fast: float = 0.15  # replies that begin before the last piece is down
    unhurried_after: tuple[str, ...] = ("slide", "capture-no-gap")

    # What goes wrong, or happens besides.
    wrong_is_legal: float = 0.8  # wrong squares to which the piece could have gone
    jadoube: float = 0.07
    jadoube_pieces: Weights = (("1", 5), ("2", 3), ("3", 2))
    hesitation: float = 0.07
    illegal: float = 0.05
    illegal_takes: float = 0.03  # illegal moves that take a piece
    knock: float = 0.04
    knock_at_landing: float = 0.25  # knocks that follow a landing
    rolls: float = 0.33  # fallen pieces that roll over an empty square
    takeback: float = 0.035
    takeback_two: float = 0.4  # take-backs of two plies
    bounce: float = 0.85  # edges at which a contact bounces
    victim_back_first: float = 0.0  # undone captures whose victim is put back before the attacker

    # How long a reply takes: log-normal around `think_s` with `think_sigma`, within `think`.
    think_s: float = 3.2
    think_sigma: float = 0.7
    think: Span = Span(0.7, 20.0)

    # How long hands take.
    air: Span = Span(0.15, 0.9)  # a piece from square to square
    to_attacker: Span = Span(0.2, 1.5)  # from lifting the victim to lifting the attacker
    swept: Span = Span(0.04, 0.4)  # for which a swept victim's square is open
    no_gap: Span = Span(0.001, 0.0145)  # the same where the attacker comes as the victim goes, ...
    gapless: float = 0.45  # ... and the share at which it never opens
    slide_square: Span = Span(0.025, 0.22)  # over each square of the way
    slide_gap: Span = Span(0.001, 0.12)  # from one square of it to the next
    slide_overlap: Span = Span(0.001, 0.025)  # for which two squares of it are closed together, ...
    slide_overlaps: float = 0.2  # ... and the share of squares at which they are
    between: Span = Span(0.5, 3.0)  # put down between squares, where no switch closes
    slip: Span = Span(0.5, 1.6)  # on a wrong square, soon noticed
    stands: Span = Span(2.4, 4.0)  # on a wrong square, noticed late, ...
    slips: float = 0.6  # ... and the share soon noticed
    overlap: Span = Span(0.01, 0.15)  # by which a fast reply comes before the last landing
    pause: Span = Span(0.3, 0.9)  # from one piece to the next that is adjusted
    recover: Span = Span(0.5, 3.0)  # after something went wrong
    hesitates: Span = Span(0.3, 3.0)  # with a piece in hand
    illegal_stands: Span = Span(2.0, 5.0)
    knock_falls: Span = Span(0.002, 0.25)  # from the first piece's fall to another's
    knock_lasts: Span = Span(3.0, 10.0)  # until all stand again
    knock_after: Span = Span(0.02, 0.23)  # from a landing to the knock that follows it
    roll_after: Span = Span(0.03, 0.15)  # from a fall to the square rolled over
    roll_lasts: Span = Span(0.025, 0.18)  # over that square
    fetch: Span = Span(0.5, 1.9)  # to get a taken piece back
    takeback_after: Span = Span(2.5, 8.5)
    takeback_next: Span = Span(0.7, 2.7)  # from one ply taken back to the one before it
    juggernaut_after: Span = Span(1.2, 5.0)  # from the ply to lifting the Juggernaut

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
