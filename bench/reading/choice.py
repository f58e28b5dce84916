"""The games that measurements of hands read, as the environment chooses them.

| variable | what it says |
|---|---|
| JETAN_BENCH_PEOPLE | who plays: names of `PEOPLE`, as `careful,blitz`, or `all` |
| JETAN_BENCH_MAKES | on which makes of boards (`jetan_table/people/reeds.py`), or `all` |
| JETAN_BENCH_GAMES | how many games of each people on each make |
| JETAN_BENCH_PLIES | how long they are at most |
| JETAN_BENCH_FIRST | the first seed; the others follow it |
| JETAN_BENCH_COMMIT | the full hash of a commit, which draws the seeds instead |

People play on makes of their own board only, and on its usual one where none is chosen. Besides
the people of the simulation there are others, who differ in what the reader was not raised on: how
quick their hands are, how long they think with a piece in the hand, and where they put what they
take.

The same choice plays the same games again. Seeds that a commit draws cannot have been looked at
before it was made, and anybody draws the same ones.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import product
from random import Random
from typing import NamedTuple, TypeVar

from hardware.ports import Change, Switch
from jetan_table.people.manners import BLITZ, CLUB_NIGHT, GRID, PROFILES, Manners, Profile
from jetan_table.people.reeds import MAKES
from jetan_table.people.world import MagnetWorld
from jetan_table.replay.recordings import Recording
from rules import Position
from tools.recordings import Generated, Sit, generate, make_for

from .fingers import COMPANIES
from .neighbours import Neighbours

T = TypeVar("T")

USUAL = "careful,weak-magnets,bumps,blitz,club-night,draggers"
"""The people that the figures of docs/reading.md are of."""

HASH_DIGITS = 40
SEED_BYTES = 4


def played(games: int = 1, plies: int = 40, first: int = 1) -> Iterator[tuple[str, Generated]]:
    """Yield the chosen games by name, `MAKE-PEOPLE-SEED`; what is not chosen is as said here."""
    games, plies, first = (
        int(chosen(name, str(usual)))
        for name, usual in (("GAMES", games), ("PLIES", plies), ("FIRST", first))
    )
    commit = os.environ.get("JETAN_BENCH_COMMIT")
    makes = named(MAKES, chosen("MAKES", "all"))
    is_said = "JETAN_BENCH_MAKES" in os.environ
    for make, people in product(makes, named(PEOPLE, chosen("PEOPLE", USUAL))):
        profile, sit = PEOPLE[people]
        usual = make_for(profile)
        if MAKES[make].is_round is not usual.is_round or not (is_said or make == usual.name):
            continue
        seeds: Sequence[int] = range(first, first + games)
        if commit is not None:
            seeds = seeds_of(commit, make, people, games)
        for seed in seeds:
            name = f"{make}-{people}-{seed}"
            yield name, generate(profile, seed, name, plies, MAKES[make], sit)


def seeds_of(commit: str, make: str, people: str, count: int) -> list[int]:
    """Draw the seeds of a report on some people at some make of board from a commit's full hash.

    Each is the first four bytes of SHA-256 over `COMMIT MAKE PEOPLE NUMBER`, counted from 0.
    """
    if len(commit) != HASH_DIGITS:
        raise ValueError(f"{commit}: the full hash of a commit has {HASH_DIGITS} digits")
    digests = (sha256(f"{commit} {make} {people} {n}".encode()).digest() for n in range(count))
    return [int.from_bytes(digest[:SEED_BYTES], "big") for digest in digests]


def chosen(name: str, usual: str) -> str:
    """Return what the environment says under a name, or what is usual."""
    return os.environ.get(f"JETAN_BENCH_{name}", usual)


def named(known: Mapping[str, T], names: str) -> Sequence[str]:
    """Return the names in a list of them that are known, `all` being every one."""
    if names == "all":
        return list(known)
    unknown = set(names.split(",")) - known.keys()
    if unknown:
        raise ValueError(f"{', '.join(sorted(unknown))}: not among {', '.join(known)}")
    return names.split(",")


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


def _neighbours(name: str, rates: Mapping[str, float]) -> Pair:
    """Return people who were written by somebody who had not seen the others."""

    def sit(start: Position, world: MagnetWorld, rng: Random) -> Neighbours:
        return Neighbours(start, rates, world, rng)

    meaning = f"{name} people of another make"
    return Pair(Profile(f"neighbours-{name}", GRID, Manners(), meaning), sit)


PEOPLE: Mapping[str, Pair] = {
    **{name: Pair(profile) for name, profile in PROFILES.items()},
    **{profile.name: Pair(profile) for profile in _OTHERS},
    **{f"neighbours-{name}": _neighbours(name, rates) for name, rates in COMPANIES.items()},
}
"""All of them by name."""


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
