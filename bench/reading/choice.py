"""The games that measurements of hands read, as the environment chooses them.

| variable | what it says |
|---|---|
| JETAN_BENCH_PEOPLE | who plays: names of `people.py`, as `careful,blitz`, or `all` |
| JETAN_BENCH_MAKES | on which makes of boards (`jetan_table/people/reeds.py`), or `all` |
| JETAN_BENCH_GAMES | how many games of each people on each make |
| JETAN_BENCH_PLIES | how long they are at most |
| JETAN_BENCH_FIRST | the first seed; the others follow it |
| JETAN_BENCH_COMMIT | the full hash of a commit, which draws the seeds instead |

People play on makes of their own board only, and on its usual one where none is chosen.

The same choice plays the same games again. Seeds that a commit draws cannot have been looked at
before it was made, and anybody draws the same ones.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import product
from typing import TypeVar

from jetan_table.people.reeds import MAKES
from tools.recordings import Generated, generate, make_for

from .people import PEOPLE

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
