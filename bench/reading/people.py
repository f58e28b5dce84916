"""Who plays the games that are read: the people of the simulation, and others besides.

The others differ in what the reader was not raised on: how quick their hands are, how long they
think with a piece in the hand, and where they put what they take.
"""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import NamedTuple

from jetan_table.people.manners import BLITZ, CLUB_NIGHT, GRID, PROFILES, Manners, Profile
from jetan_table.people.world import MagnetWorld
from rules import Position
from tools.recordings import Sit

from .company import COMPANIES, Company
from .neighbours import Neighbours


class Pair(NamedTuple):
    """Two people: those of a profile, or others whom `sit` seats at its table in their place."""

    profile: Profile
    sit: Sit | None = None


_EVENING = replace(CLUB_NIGHT, bump=0.03, sleeve=0.03)

_OTHERS = (
    Profile("quick-hands", GRID, replace(_EVENING, arms=0.7), "quick arms"),
    Profile("slow-hands", GRID, replace(_EVENING, arms=1.4), "slow arms"),
    Profile(
        "thinkers",
        GRID,
        replace(_EVENING, in_hand_s=2.0, ponders=0.25, hover=0.2),
        "they think with a piece in the hand",
    ),
    Profile(
        "untidy",
        GRID,
        replace(
            _EVENING,
            left_beside=(2.0, 12.0),
            takes=(("capture-victim-first", 20), ("capture-beside", 45), ("capture-swept", 35)),
        ),
        "what is taken lies beside its square, or is swept off",
    ),
    Profile(
        "hurried",
        GRID,
        replace(BLITZ, arms=0.8, overlap=0.5, capture=0.6, wrong_square=0.06),
        "replies overlap what was taken",
    ),
    Profile(
        "shaky",
        GRID,
        replace(Manners(), bump=0.15, sleeve=0.08, adjust=0.15, fidget=0.15, illegal=0.1),
        "they adjust, fidget and lean over the board",
    ),
)


def _neighbours(company: Company) -> Pair:
    """Return people who were written by somebody who had not seen the others."""

    def sit(start: Position, world: MagnetWorld, rng: Random) -> Neighbours:
        return Neighbours(start, company, world, rng)

    meaning = f"{company.name} people of another make"
    return Pair(Profile(f"neighbours-{company.name}", GRID, Manners(), meaning), sit)


PEOPLE: Mapping[str, Pair] = {
    **{name: Pair(profile) for name, profile in PROFILES.items()},
    **{profile.name: Pair(profile) for profile in _OTHERS},
    **{f"neighbours-{name}": _neighbours(company) for name, company in COMPANIES.items()},
}
"""All of them by name."""
