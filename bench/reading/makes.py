"""Tables and hands of other makes than those the reader was raised on, as physical profiles.

Each differs from the simulation's own profiles in what a real table may: its reeds, its magnets,
how often it looks, how quick hands are, how long they think with a piece in the hand, and where
they put what they take. `JETAN_BENCH_PHYSICS=makes` reads them all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from jetan_table.simulation.habits import Span

from jetan_table.simulation.manners import BLITZ, CLUB_NIGHT, GRID, Manners, PhysicalProfile

ALL = "makes"
"""All of them, where a profile is asked for."""

_EVENING = replace(CLUB_NIGHT, bump=0.03, sleeve=0.03)

_MAKES = (
    PhysicalProfile("uneven-reeds", GRID, _EVENING, "reeds differ more", usual_mm=(17.5, 2.2)),
    PhysicalProfile("sticky-reeds", GRID, _EVENING, "they let go late", release=(0.35, 0.55)),
    PhysicalProfile("crisp-reeds", GRID, _EVENING, "they let go at once", release=(0.8, 0.95)),
    PhysicalProfile("wide-reeds", GRID, _EVENING, "they close from afar", usual_mm=(20.5, 1.5)),
    PhysicalProfile("narrow-reeds", GRID, _EVENING, "... only from near by", usual_mm=(14.5, 1.2)),
    PhysicalProfile("strong-magnets", GRID, _EVENING, "strong", magnets=(1.2, 0.05)),
    PhysicalProfile("faint-magnets", GRID, _EVENING, "weak and uneven", magnets=(0.6, 0.15)),
    PhysicalProfile("scan-20ms", GRID, _EVENING, "looks 50 times a second", scans_hz=(50, 50)),
    PhysicalProfile("scan-50ms", GRID, _EVENING, "looks 20 times a second", scans_hz=(20, 20)),
    PhysicalProfile("quick-hands", GRID, replace(_EVENING, arms=0.7), "quick arms"),
    PhysicalProfile("slow-hands", GRID, replace(_EVENING, arms=1.4), "slow arms"),
    PhysicalProfile(
        "thinkers",
        GRID,
        replace(_EVENING, in_hand_s=2.0, ponders=0.25, hover=0.2),
        "thinks with a piece in the hand",
    ),
    PhysicalProfile(
        "untidy",
        GRID,
        replace(
            _EVENING,
            left_beside=Span(2.0, 12.0),
            takes=(("capture-victim-first", 20), ("capture-beside", 45), ("capture-swept", 35)),
        ),
        "what is taken lies beside its square, or is swept off",
    ),
    PhysicalProfile(
        "hurried",
        GRID,
        replace(BLITZ, arms=0.8, overlap=0.5, capture=0.6, wrong_square=0.06),
        "replies overlap what was taken",
    ),
    PhysicalProfile(
        "shaky",
        GRID,
        replace(Manners(), bump=0.15, sleeve=0.08, adjust=0.15, fidget=0.15, illegal=0.1),
        "adjusts, fidgets, leans over the board",
    ),
)

MAKES: Mapping[str, PhysicalProfile] = {profile.name: profile for profile in _MAKES}
"""Every one by name."""
