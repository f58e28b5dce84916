"""What kinds of people sit at a board, as numbers."""

from collections.abc import Mapping
from dataclasses import dataclass

CARRIES = ("lifted", "low", "slide", "hop")
TAKES = ("victim-first", "mover-first", "two-hands", "take-by-other", "take-swap")
SHOVES = ("take-push", "take-under")

KINDS = ("study", "club", "family", "pub", "novice")

RATES: Mapping[str, tuple[float, ...]] = {
    "thought": (5.0, 3.0, 4.0, 1.8, 6.0),
    "arm": (1.15, 1.0, 1.3, 0.8, 1.4),
    "scatter": (1.8, 3.0, 4.2, 4.6, 3.4),
    "tremor": (0.1, 0.2, 0.35, 0.5, 0.25),
    "reacts": (0.9, 1.3, 2.0, 2.2, 1.6),
    "notices": (0.97, 0.85, 0.7, 0.6, 0.85),
    "tidies": (0.9, 0.5, 0.3, 0.15, 0.5),
    "hunger": (5, 6, 6, 9, 6),
    "lifted": (8, 6, 6, 3, 4),
    "low": (2, 3, 3, 4, 2),
    "slide": (0.5, 1.5, 1.5, 3, 1.5),
    "hop": (1, 0.7, 0.7, 0.4, 5),
    "victim-first": (5, 5, 5, 4, 8),
    "mover-first": (2.5, 2.5, 2.5, 2, 3),
    "two-hands": (2, 2, 2, 2, 2),
    "take-by-other": (0.3, 0.5, 1.2, 0.5, 1.5),
    "take-swap": (3, 3, 2.5, 4, 1),
    "take-push": (0.7, 1.5, 1.5, 2.5, 0.7),
    "take-under": (0.5, 1, 1, 1.5, 0.4),
    "at-once": (0.03, 0.08, 0.08, 0.2, 0.03),
    "pre-lift": (0.005, 0.03, 0.03, 0.08, 0.01),
    "restless": (0.02, 0.06, 0.16, 0.12, 0.06),
    "holds": (0.02, 0.03, 0.06, 0.04, 0.03),
    "adjust": (0.06, 0.05, 0.05, 0.04, 0.05),
    "rethink": (0.05, 0.05, 0.1, 0.05, 0.12),
    "two-lifted": (0.02, 0.03, 0.06, 0.03, 0.03),
    "long-hold": (0.1, 0.05, 0.06, 0.04, 0.12),
    "hover": (0.1, 0.05, 0.06, 0.04, 0.14),
    "slip": (0.01, 0.03, 0.06, 0.05, 0.04),
    "line": (0.005, 0.02, 0.04, 0.04, 0.03),
    "nudge": (0.1, 0.08, 0.08, 0.06, 0.08),
    "wrong-square": (0.01, 0.025, 0.05, 0.025, 0.06),
    "topple": (0.006, 0.02, 0.04, 0.04, 0.02),
    "sleeve": (0.004, 0.008, 0.02, 0.03, 0.008),
    "illegal": (0.008, 0.012, 0.03, 0.012, 0.05),
    "wrong-side": (0.003, 0.006, 0.015, 0.01, 0.02),
    "regrets": (0.05, 0.02, 0.05, 0.02, 0.04),
    "on-rim": (0.03, 0.05, 0.12, 0.1, 0.05),
    "in-fist": (0.05, 0.1, 0.1, 0.2, 0.1),
}
"""What is usual in each of `KINDS`.

First the median thought, factors of an arm's times, the scatter of places and the tremor, the time
until a lamp is looked at, and the shares of dark lamps that are noticed and of double ones that
are put right. `hunger` is how much likelier a capture is than another move, `lifted` to
`take-under` are weights of ways to carry and to take. All others are shares of plies or captures.
"""


@dataclass(frozen=True, slots=True)
class Company:
    """Two who sit down together: how quick, exact, tidy and patient they are, by `RATES`."""

    name: str
    rates: Mapping[str, float]


COMPANIES: Mapping[str, Company] = {
    name: Company(name, {rate: row[column] for rate, row in RATES.items()})
    for column, name in enumerate(KINDS)
}
