"""Profiles of simulated players and of their table's magnets and reeds, as data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import log
from random import Random

from hardware.ports import FaultKind

Weights = Sequence[tuple[str, float]]

Span = tuple[float, float]
"""Shortest and longest pause, in seconds."""


@dataclass(frozen=True, slots=True)
class Manners:
    """Habits with pieces: weights, spans of pauses, and otherwise shares of plies, 0..1.

    `arms` multiplies the time of each movement; `thought_s` is the median pause before a reply, and
    `thought_sigma` the deviation of its logarithm.
    """

    arms: float = 1.0
    thought_s: float = 4.0
    thought_sigma: float = 0.7
    in_hand_s: float = 0.7
    """Median pause in the middle of a capture."""
    ponders: float = 0.08
    """Share of those pauses, and of flights, in which somebody thinks with a piece in the hand."""
    off_centre: float = 0.1
    """Deviation of a landing from the square's middle, each way, as a share of its width."""
    edge: float = 0.02
    carries: Weights = (("plain", 50), ("low", 40), ("slide", 8), ("counting", 2))
    takes: Weights = (
        ("capture-victim-first", 34),
        ("capture-attacker-first", 24),
        ("capture-both-hands", 12),
        ("capture-one-hand", 12),
        ("capture-swept", 18),
        ("capture-beside", 6),
    )
    exits: Weights = (("victim-lifted", 60), ("victim-low", 25), ("victim-slid", 15))
    overlap: float = 0.05
    hover: float = 0.06
    put_again: float = 0.04
    nudge: float = 0.06
    wrong_square: float = 0.04
    adjust: float = 0.03
    fidget: float = 0.04
    sleeve: float = 0.015
    bump: float = 0.01
    topple: float = 0.012
    topple_at_landing: float = 0.004
    illegal: float = 0.03
    takeback: float = 0.025
    takeback_two: float = 0.35
    victim_back_first: float = 0.1
    """Share of undone captures whose victim is put back before the mover."""
    mends_double: float = 0.7
    """Share of landings with two lit lamps that are corrected."""
    capture: float = 0.35
    escape: float = 0.015
    end_early: float = 0.002
    end_late: float = 0.12

    lamp: Span = (0.7, 2.5)
    """Pause until somebody sees that a lamp stays dark."""
    left_beside: Span = (2.0, 6.0)
    stands: Span = (2.4, 5.0)
    slips: Span = (0.3, 1.35)
    recover: Span = (0.6, 3.0)
    lies: Span = (2.0, 6.0)
    takeback_after: Span = (2.5, 8.0)
    juggernaut_after: Span = (1.0, 4.0)


@dataclass(frozen=True, slots=True)
class Profile:
    """Rules and habits of a simulated table, and the defects of its hardware.

    `magnets` are the median moment of the pieces' magnets, as a share of the make's, and the
    deviation of its logarithm; None for the make's. `weak_magnets` is the share of far weaker ones,
    `odd_reeds` that of reeds outside their class, each way. With `weak_switch` one switch hardly
    closes; `fault` is the way in which one fails.
    """

    name: str
    rules: str
    manners: Manners
    meaning: str
    magnets: tuple[float, float | None] = (1.0, None)
    weak_magnets: float = 0.0
    odd_reeds: float = 0.0
    weak_switch: bool = False
    fault: FaultKind | None = None


ON_DISK = "-disk"
"""Ending of the names of profiles on the disk."""

GRID = "appendix,thoat=jumps"
DISK = "ninth-ray-clockwise,thoat=jumps"

CAREFUL = replace(
    Manners(),
    adjust=0.01,
    sleeve=0.0,
    bump=0.0,
    topple=0.0,
    topple_at_landing=0.0,
    illegal=0.0,
    thought_s=4.0,
    off_centre=0.06,
    edge=0.0,
    wrong_square=0.01,
    takeback=0.01,
    overlap=0.0,
    carries=(("plain", 57), ("low", 36), ("slide", 7)),
    takes=(
        ("capture-victim-first", 55),
        ("capture-attacker-first", 20),
        ("capture-both-hands", 8),
        ("capture-one-hand", 17),
    ),
)
CLUB_NIGHT = replace(
    Manners(),
    thought_s=2.2,
    overlap=0.1,
    edge=0.06,
    put_again=0.06,
    nudge=0.12,
    illegal=0.05,
    fidget=0.08,
    carries=(("plain", 38), ("low", 36), ("slide", 20), ("counting", 6)),
)
BLITZ = replace(
    Manners(),
    arms=0.5,
    thought_s=0.3,
    thought_sigma=0.7,
    in_hand_s=0.25,
    ponders=0.03,
    overlap=0.35,
    off_centre=0.12,
    hover=0.01,
    nudge=0.12,
    takeback=0.015,
    carries=(("plain", 40), ("low", 46), ("slide", 13), ("counting", 1)),
    takes=(
        ("capture-victim-first", 13),
        ("capture-attacker-first", 10),
        ("capture-both-hands", 18),
        ("capture-one-hand", 14),
        ("capture-swept", 30),
        ("capture-beside", 15),
    ),
)
DRAGGERS = replace(
    Manners(),
    thought_s=4.5,
    edge=0.08,
    put_again=0.1,
    wrong_square=0.07,
    nudge=0.1,
    illegal=0.06,
    carries=(("plain", 6), ("low", 36), ("slide", 38), ("counting", 20)),
    exits=(("victim-lifted", 35), ("victim-low", 25), ("victim-slid", 40)),
)
BUMPED = replace(Manners(), bump=0.22, topple=0.05, topple_at_landing=0.02, sleeve=0.04, nudge=0.1)
CLUMSY = replace(
    Manners(),
    arms=1.1,
    off_centre=0.15,
    edge=0.1,
    ponders=0.12,
    hover=0.12,
    put_again=0.1,
    nudge=0.12,
    wrong_square=0.15,
    adjust=0.08,
    fidget=0.1,
    sleeve=0.06,
    bump=0.06,
    topple=0.06,
    topple_at_landing=0.02,
    illegal=0.12,
    takeback=0.06,
)

_FLAT = (
    Profile("careful", GRID, CAREFUL, "slow and clean"),
    Profile("club-night", GRID, CLUB_NIGHT, "everything, at usual rates"),
    Profile("blitz", GRID, BLITZ, "arms and thought are quick, replies overlap"),
    Profile("draggers", GRID, DRAGGERS, "pieces are dragged, and steps counted"),
    Profile("bumps", GRID, BUMPED, "the table is bumped, and pieces fall"),
    Profile(
        "weak-magnets",
        GRID,
        Manners(),
        "weak magnets, uneven reeds",
        magnets=(0.7, 0.22),
        odd_reeds=0.05,
    ),
    Profile("clumsy", GRID, CLUMSY, "clumsy players"),
    Profile("juggernaut", f"{GRID},juggernaut=e5", Manners(), "with the Juggernaut"),
    Profile(
        "weak-switch",
        GRID,
        Manners(),
        "one reed hardly closes, and one magnet is weak",
        weak_magnets=0.025,
        weak_switch=True,
    ),
    Profile("stuck-switch", GRID, CLUB_NIGHT, "a switch sticks closed", fault=FaultKind.STUCK),
    Profile("dead-switch", GRID, CLUB_NIGHT, "a switch dies", fault=FaultKind.DEAD),
)


def _on_disk(profile: Profile) -> Profile:
    rules = profile.rules.replace(GRID, DISK)
    meaning = f"{profile.meaning}, on the disk"
    return replace(profile, name=f"{profile.name}{ON_DISK}", rules=rules, meaning=meaning)


PROFILES: Mapping[str, Profile] = {
    profile.name: profile for profile in (*_FLAT, *map(_on_disk, _FLAT))
}
"""Every profile by name, each on both boards."""


class PlayerManner:
    """One player's random choices, with a tempo each for arms and for thought."""

    def __init__(self, manners: Manners, rng: Random) -> None:
        self.manners, self.rng = manners, rng
        self._arms = manners.arms * rng.lognormvariate(0, 0.15)
        self._thought = rng.lognormvariate(0, 0.25)

    def moves(self, median: float, sigma: float = 0.25) -> float:
        """Return the seconds of a movement that usually takes `median`."""
        return self._arms * median * self.rng.lognormvariate(0, sigma)

    def rests(self, span: Span) -> float:
        """Return a pause within a span, in seconds, whatever the tempo."""
        return self.rng.uniform(*span)

    def pauses(self) -> float:
        """Return the seconds of a pause in the middle of a capture; now and then, very many."""
        manners = self.manners
        if self.does(manners.ponders):
            return self.ponders()
        drawn = self.rng.lognormvariate(log(manners.in_hand_s), 0.8)
        return max(0.05, self._thought * drawn)

    def ponders(self) -> float:
        """Return the seconds of thought with a piece in the hand, up to 60."""
        return min(60.0, self._thought * 1.2 * self.rng.paretovariate(1.1))

    def thinks(self) -> float:
        """Return the seconds of thought before this player's reply."""
        manners = self.manners
        drawn = self.rng.lognormvariate(log(manners.thought_s), manners.thought_sigma)
        return min(max(self._thought * drawn, 0.05), 90.0)

    def does(self, share: float) -> bool:
        """Return True in a share of cases, by chance."""
        return self.rng.random() < share

    def chooses(self, weights: Weights) -> str:
        """Return one of the names, by weight."""
        names, numbers = zip(*weights, strict=True)
        return str(self.rng.choices(names, numbers)[0])
