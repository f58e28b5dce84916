"""Named games: rules, habits and faults together, like those of a published set of recordings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from hardware.simulated_contacts import ContactFault

from .habits import Habits


@dataclass(frozen=True, slots=True)
class SimulationPreset:
    """What a recording is made from; a seed is added to it.

    One seed makes different games under different names.

    `weak`: a weak magnet or a weak switch somewhere. `fault`: how one switch fails, some time in
    the middle of the game.
    """

    name: str
    rules: str
    habits: Habits
    meaning: str
    weak: Literal["magnet", "switch"] | None = None
    fault: ContactFault | None = None


USUAL = Habits()
NO_MISHAP = replace(USUAL, jadoube=0, hesitation=0, illegal=0, knock=0, takeback=0, fast=0)
CLEAN = replace(
    NO_MISHAP,
    moves=(("plain", 58), ("slide", 22)),
    takes=(("capture-victim-first", 30), ("capture-attacker-first", 25)),
    bounce=0.5,
    think_s=6.4,
)
CAPTURES = replace(NO_MISHAP, capture=0.6, think_s=4.8)
HASTY = replace(USUAL, fast=0.6, think_s=1.45)
CLUMSY = replace(
    USUAL,
    moves=(("plain", 58), ("slide", 22), ("wrong-square", 30), ("between", 20)),
    jadoube=0.15,
    hesitation=0.15,
    illegal=0.12,
    knock=0.12,
    takeback=0.07,
)

_GRID = "appendix,thoat=jumps"
_CLOCKWISE = "ninth-ray-clockwise,thoat=jumps"
_COUNTER = "ninth-ray-counterclockwise,thoat=jumps"

_ALL = (
    SimulationPreset("01", _GRID, CLEAN, "slow and clean"),
    SimulationPreset("02", _GRID, CAPTURES, "many captures in every style, wrong squares"),
    SimulationPreset("03", _GRID, USUAL, "everything, at usual rates"),
    SimulationPreset("04", _GRID, USUAL, "everything, and a weak magnet", weak="magnet"),
    SimulationPreset("05", _GRID, HASTY, "most replies overlap"),
    SimulationPreset(
        "06",
        _GRID,
        USUAL,
        "everything, and a switch sticks closed",
        fault=ContactFault.STUCK_CLOSED,
    ),
    SimulationPreset("07", _GRID, CLUMSY, "clumsy players and a weak switch", weak="switch"),
    SimulationPreset("08", f"{_GRID},juggernaut=e5", USUAL, "everything, with the Juggernaut"),
    SimulationPreset("09", _CLOCKWISE, USUAL, "everything"),
    SimulationPreset(
        "10", _CLOCKWISE, USUAL, "everything, and a switch dies", fault=ContactFault.DEAD
    ),
    SimulationPreset("11", _COUNTER, CLUMSY, "clumsy players and a weak magnet", weak="magnet"),
    SimulationPreset("12", f"{_COUNTER},juggernaut=e5", USUAL, "everything, with the Juggernaut"),
)

PRESETS: Mapping[str, SimulationPreset] = {preset.name: preset for preset in _ALL}
"""The twelve kinds of game by name."""
