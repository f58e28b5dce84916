"""Whole evenings, with the plug pulled at every kind of moment: nothing is lost or misread."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from jetan_table.journal.agreement import Agreement
from tests.simulation.evenings import CLOCKS, Evenings
from tests.simulation.games import Games, Rolls, Stakes
from tests.simulation.mishaps import Mishaps
from tests.simulation.plug import REACHED
from tests.simulation.reach import ALL
from tests.simulation.sayings import Sayings
from tests.simulation.signs import Signs

QUICK = settings(
    stateful_step_count=20,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
MORE_EXAMPLES = (12, 24, 48)
"""So many of each kind of evening are played, more only where something has not happened yet."""

LONG = settings(QUICK, derandomize=False, max_examples=300, stateful_step_count=50)


class WholeEvenings(Mishaps, Sayings, Signs, Games):
    """Everything at once."""


class TimedEvenings(Sayings):
    """Games against the clock, by strict conduct."""

    conducts = ("strict", "tournament")

    clocks = tuple(clock for clock in CLOCKS if clock != "none")


class Fights(Rolls, Mishaps):
    """Fights in the arena, and the Juggernaut, in the middle of a game."""

    plies = 40

    presets = (
        "manator-arena",
        "manator-arena,juggernaut=random-empty",
        "ninth-ray-clockwise,duel=arena,juggernaut=centre",
        "appendix+juggernaut",
    )


class Rolling(Rolls):
    """Hardly anything but the Juggernaut."""

    presets = ("appendix+juggernaut", "ninth-ray-clockwise,juggernaut=centre")


class Deft(Mishaps):
    """Hands that leave the switches little to see, in the middle of a game."""

    presets = ("appendix", "ninth-ray-counterclockwise")
    clocks = ("none",)
    conducts = ("friendly",)
    plies = 30


class Silent(Signs):
    """People who do not say a word."""


class Series(Stakes, Signs):
    """One game after another, for stakes and the bias."""

    presets = ("ninth-ray-clockwise", "manator")
    clocks = ("none",)
    agreements = (Agreement("evening", for_bias=True), Agreement("evening"))


MACHINES: tuple[type[Evenings], ...] = (
    WholeEvenings,
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


def play_samples() -> None:
    """Play the same evenings each time, as many of each kind as it takes to meet everything."""
    for examples in MORE_EXAMPLES:
        for machine in MACHINES:
            assert_holds(machine, settings(QUICK, max_examples=examples))
        if REACHED.keys() >= ALL:
            break
    assert set() == ALL - REACHED.keys()


def test_evenings_with_power_cuts_lose_and_misread_nothing() -> None:
    """In a process of their own: Hypothesis also draws what it finds in the modules loaded so far.

    So what is played would depend on which tests were run before.
    """
    played = subprocess.run(
        [sys.executable, "-m", "tests.simulation.test_evenings"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    assert played.returncode == 0, played.stdout + played.stderr


@pytest.mark.soak
@pytest.mark.parametrize("machine", MACHINES)
def test_many_evenings_with_power_cuts_lose_and_misread_nothing(machine: type[Evenings]) -> None:
    assert_holds(machine, LONG)


if __name__ == "__main__":
    play_samples()
