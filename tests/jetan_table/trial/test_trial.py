"""A trial at simulated boards: a sound one is called sound, and each planted fault by its name."""

from __future__ import annotations

from random import Random

import pytest

from hardware.orders import ORDERS
from hardware.simulated_contacts import ContactFault
from hardware.switches import Switch
from jetan_table.lamps.lighting import Lighting
from jetan_table.lamps.lights import LAMP_OF, Dimming, Lamp
from jetan_table.lamps.palette import PALETTES
from jetan_table.setup.wired import TrueWiring, WiredBoard
from jetan_table.table.loop import EagerClock
from jetan_table.trial.hands import ScriptedHands
from jetan_table.trial.running import Course, Trial, Watches
from jetan_table.trial.script import RULES
from jetan_table.trial.truth_of import recording_of, truth_of
from jetan_table.trial.verdict import BoardFault, Verdict, is_fit, judge
from rules import SQUARES, Position, Square, parse_rules, parse_square, squares_of

ROWS = tuple(map(Switch, SQUARES))
STEP_S = 0.02
"""Slower than a real scan, or the tests were."""


class Tried:
    """A trial that has been run at a board."""

    def __init__(self, wiring: TrueWiring, seed: int = 1) -> None:
        rng, clock = Random(seed), EagerClock()
        start = Position.start(parse_rules(RULES))
        board = WiredBoard(wiring, rng, squares_of(start.occupied))
        self.lines: list[str] = []
        lighting = Lighting(PALETTES["standard"], LAMP_OF, Dimming())
        trial = Trial(
            board,
            ScriptedHands(board, rng, clock.now),
            clock,
            self.lines.append,
            "en",
            lighting,
            STEP_S,
            Watches(lambda: 0.0, lambda: 0.0),
        )
        self.course: Course = trial.run(is_fit)
        self.recording = recording_of(self.course)
        self.truth = truth_of(self.course, "trial")
        self.verdict: Verdict = judge(
            self.course,
            trial.histories,
            board.bouncing,
            6.0,
            trial.tempo,
            self.recording,
            self.truth,
        )


def wired(
    faults: dict[str, ContactFault] | None = None,
    weak: tuple[str, ...] = (),
    switch_of: tuple[Switch, ...] = ROWS,
    lamp_of: tuple[Lamp, ...] = LAMP_OF,
) -> TrueWiring:
    """A board that is wired as the settings say, but for what is named."""
    named = {parse_square(name): fault for name, fault in (faults or {}).items()}
    return TrueWiring(switch_of, lamp_of, named, tuple(map(parse_square, weak)))


def exchanged(first: int, second: int, are_files: bool) -> tuple[Switch, ...]:
    """Two wires of the matrix, exchanged."""
    lines = {first: second, second: first}

    def switch(square: Square) -> Switch:
        rank, file = divmod(square, 10)
        if are_files:
            return Switch(rank * 10 + lines.get(file, file))
        return Switch(lines.get(rank, rank) * 10 + file)

    return tuple(map(switch, SQUARES))


@pytest.mark.parametrize("seed", range(3))
def test_a_sound_board_is_called_sound(seed: int) -> None:
    tried = Tried(wired(), seed)
    print(tried.verdict)
    assert tried.verdict.faults == {}
    assert (tried.verdict.counts["wrong"], tried.verdict.counts["never"]) == (0, 0)
    assert (tried.verdict.plies, tried.verdict.vain) == (42, 0)
    assert tried.verdict.is_sound


SNAKE = tuple(Lamp(ORDERS["snake"].index(square)) for square in SQUARES)


@pytest.mark.parametrize(
    ("wiring", "fault", "named"),
    [
        (wired({"e8": ContactFault.DEAD}), BoardFault.DEAD, ["e8"]),
        (wired({"f2": ContactFault.DEAD}), BoardFault.DEAD, ["f2"]),
        (wired({"h5": ContactFault.DEAD}), BoardFault.DEAD, ["h5"]),
        (wired({"e5": ContactFault.STUCK_CLOSED}), BoardFault.STUCK, ["e5"]),
        (wired({"b1": ContactFault.STUCK_CLOSED}), BoardFault.STUCK, ["b1"]),
        (wired(weak=("d2",)), BoardFault.WEAK, ["d2"]),
        (wired(switch_of=exchanged(3, 4, are_files=True)), BoardFault.FILES, ["d>e", "e>d"]),
        (wired(switch_of=exchanged(0, 1, are_files=False)), BoardFault.RANKS, ["1>2", "2>1"]),
        (wired(switch_of=exchanged(1, 2, are_files=False)), BoardFault.RANKS, ["2>3"]),
        (wired(switch_of=exchanged(3, 4, are_files=False)), BoardFault.RANKS, ["4>5", "5>4"]),
        (wired(lamp_of=SNAKE), BoardFault.LAMPS, ["b2>i2", "c10>h10"]),
    ],
)
def test_a_planted_fault_is_named(wiring: TrueWiring, fault: BoardFault, named: list[str]) -> None:
    tried = Tried(wiring)
    assert {kind.name: squares for kind, squares in tried.verdict.faults.items()} == {
        fault.name: named
    }
    assert not tried.verdict.is_sound
