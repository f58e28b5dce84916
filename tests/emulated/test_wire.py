"""The wiring wizard at the real firmware: switches and lamps of a chip, soldered as it came."""

from collections.abc import Sequence
from random import Random

import pytest

from firmware_bridge.builds import MEGA
from hardware.ports import RGB, Observation
from hardware.switches import FaultKind
from jetan_table.setup.walk import Walk
from jetan_table.setup.wired import Builder, TrueWiring, lit_square
from rules import Square
from tests.emulated.conftest import MakeBoard
from tests.emulated.rig import STEP_S, Rig
from tests.needs import EMULATOR
from tests.profiles import sampled

pytestmark = pytest.mark.needs(*EMULATOR)


class ChipBoard:
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
        return lit_square(self._rig.board.strip.lights, self._wiring)

    def put(self, at: float, square: Square, rest_s: float) -> None:
        if self._wiring.faults.get(square) is not FaultKind.DEAD:
            self._rig.press(at, self._wiring.switch_of[square])
            self._rig.press(at + rest_s, self._wiring.switch_of[square], closed=False)


class ChipClock:
    """The chip's time is the table's."""

    def __init__(self, board: ChipBoard) -> None:
        self._board = board

    def now(self) -> float:
        return self._board.now

    def sleep(self, seconds: float) -> None:
        self._board.sleep(seconds)


@pytest.mark.parametrize("seed", sampled((1, 2), by_hand=1))
def test_a_chip_soldered_as_it_came_is_found_out(make_board: MakeBoard, seed: int) -> None:
    wiring = TrueWiring.drawn(Random(seed))
    board = ChipBoard(Rig(make_board(MEGA)), wiring)
    builder = Builder(board, Random(seed))
    board.sleep(0.5)
    found = Walk(board, builder, ChipClock(board), builder.hear, "de").run(walks=False)
    assert found is not None
    assert tuple(map(found.switches.index, range(100))) == tuple(wiring.switch_of)
    assert tuple(map(found.lamps.index, range(100))) == tuple(wiring.lamp_of)
