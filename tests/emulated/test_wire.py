"""The wiring wizard at the real firmware: switches and lamps of a chip, soldered as it came."""

from collections.abc import Sequence
from random import Random

import pytest

from firmware_bridge.build import MEGA
from hardware.ports import RGB, FaultKind, Observation
from jetan_table.extras.commissioning.simulated import LedHands, drawn_wiring
from jetan_table.extras.commissioning.walk import Leading, WiringWalk
from jetan_table.light.lamps import OFF, Lamp
from jetan_table.people.board import TrueWiring
from rules import Square
from tests.emulated.conftest import MakeBoard
from tests.emulated.rig import STEP_S, Rig
from tests.needs import EMULATOR
from tests.profiles import sampled

pytestmark = pytest.mark.needs(*EMULATOR)


class SolderedChip:
    """A chip's board to the wizard, to the hands at it, and to its clock."""

    def __init__(self, rig: Rig, wiring: TrueWiring) -> None:
        self._rig, self._wiring = rig, wiring
        self._seen: list[Observation] = []

    @property
    def now(self) -> float:
        return self._rig.now

    def sleep(self, seconds: float) -> None:
        until = self.now + seconds
        while self.now < until - STEP_S / 2:
            self._seen += self._rig.step()

    def poll(self, now: float) -> list[Observation]:
        observations, self._seen = self._seen, []
        return observations

    def show(self, lights: Sequence[RGB]) -> None:
        self._rig.driver.show(lights)
        self.sleep(0.02)  # as long as a frame takes to the lamps

    def lit(self) -> Square | None:
        lights = self._rig.board.strip.lights
        lit = [n for n, colour in enumerate(lights) if colour != OFF]
        return Square(list(self._wiring.lamp_of).index(Lamp(lit[0]))) if lit else None

    def put(self, at: float, square: Square) -> None:
        self._press(at, square, True)

    def lift(self, at: float, square: Square) -> None:
        self._press(at, square, False)

    def _press(self, at: float, square: Square, closed: bool) -> None:
        if self._wiring.faults.get(square) is not FaultKind.DEAD:
            self._rig.press(at, self._wiring.switch_of[square], closed=closed)


class ChipClock:
    """The chip's time is the table's."""

    def __init__(self, board: SolderedChip) -> None:
        self._board = board

    def now(self) -> float:
        return self._board.now

    def sleep(self, seconds: float) -> None:
        self._board.sleep(seconds)


@pytest.mark.parametrize("seed", sampled((1, 2), by_hand=1))
def test_a_chip_soldered_as_it_came_is_found_out(make_board: MakeBoard, seed: int) -> None:
    wiring = drawn_wiring(Random(seed))
    board = SolderedChip(Rig(make_board(MEGA)), wiring)
    clock = ChipClock(board)
    hands = LedHands(board, Random(seed), clock.now)
    board.sleep(0.5)
    leading = Leading(board, hands.read, clock, lambda line: None, "de", hear=hands.hear)
    found = WiringWalk(leading).run(walks=False)
    assert found is not None
    assert tuple(map(found.switches.index, range(100))) == tuple(wiring.switch_of)
    assert tuple(map(found.lamps.index, range(100))) == tuple(wiring.lamp_of)
