"""An emulated board whose time is ours: hands keep their times, however busy the machine is."""

import os
import tty
from collections.abc import Iterator
from contextlib import suppress

import pytest

from firmware_bridge import BoardSettings, SerialBoard
from firmware_bridge.build import MEGA
from firmware_bridge.emulation.__main__ import LONGEST_BEHIND_S, LONGEST_SLICE_S, RealTime
from firmware_bridge.emulation.emulator import AvrBoard
from firmware_bridge.port import PortEvent, PortOpened, Received
from hardware.ports import presence
from jetan_table.people.board import SWITCH_OF
from rules import Square
from tests.emulated.conftest import MakeBoard
from tests.needs import EMULATOR

pytestmark = pytest.mark.needs(*EMULATOR)

BEGINS = 5000.0


class Line:
    """The host's end of the line, and a clock that both ends share."""

    def __init__(self) -> None:
        self.now = BEGINS
        self.host, self.board = os.openpty()
        for end in (self.host, self.board):
            tty.setraw(end)
            os.set_blocking(end, False)
        self._events: list[PortEvent] = [PortOpened(BEGINS, "emulated")]

    def clock(self) -> float:
        return self.now

    def take(self) -> list[PortEvent]:
        events, self._events = self._events, []
        with suppress(BlockingIOError):
            events.append(Received(self.now, os.read(self.host, 65536)))
        return events

    def write(self, data: bytes) -> None:
        os.write(self.host, data)

    def close(self) -> None:
        os.close(self.host)
        os.close(self.board)


@pytest.fixture
def line() -> Iterator[Line]:
    made = Line()
    yield made
    made.close()


class Busy:
    """A board and its host on a machine that comes to them when it can."""

    def __init__(self, line: Line, make_board: MakeBoard) -> None:
        self.line = line
        board = make_board(MEGA)
        assert isinstance(board, AvrBoard)
        self.real = RealTime(board, line.board, line.clock)
        self.driver = SerialBoard(line, BoardSettings(), SWITCH_OF)
        self.changes: list[tuple[float, int, bool]] = []
        self.run(2.0)
        self.changes.clear()

    def run(self, seconds: float, step: float = LONGEST_SLICE_S) -> None:
        """Let the machine look in every `step` seconds."""
        ends = self.line.now + seconds
        while self.line.now < ends:
            self.line.now += step
            self.catch_up()

    def catch_up(self) -> None:
        self.real.go_on()
        while self.real.is_behind:
            self.real.go_on()
        for observation in self.driver.poll(self.line.now):
            for square, evidence in observation.squares.items():
                assert evidence is not None
                self.changes.append((observation.at, square, presence(evidence) > 0))


def test_a_touch_is_as_long_as_it_was_though_nobody_looked(
    line: Line, make_board: MakeBoard
) -> None:
    busy = Busy(line, make_board)
    touched = line.now
    line.now += 1.5
    busy.real.touch(f"12 1 {touched + 0.2:.6f}\n12 0 {touched + 0.5:.6f}\n{line.now:.6f}\n")
    busy.catch_up()
    busy.run(0.1)
    (came, _, is_there), (left, square, is_still) = busy.changes
    assert (square, is_there, is_still) == (Square(12), True, False)
    assert left - came == pytest.approx(0.3, abs=0.02)
    assert came == pytest.approx(touched + 0.2, abs=0.05)


def test_a_board_waits_for_what_hands_have_done_meanwhile(
    line: Line, make_board: MakeBoard
) -> None:
    busy = Busy(line, make_board)
    touched = line.now
    busy.real.touch(f"{touched:.6f}\n")
    busy.run(0.4)  # the chip's machine looks in, the hands' does not
    busy.real.touch(f"12 1 {touched + 0.1:.6f}\n{line.now:.6f}\n")
    busy.catch_up()
    busy.run(0.1)
    ((came, square, _),) = busy.changes
    assert square == Square(12)
    assert came == pytest.approx(touched + 0.1, abs=0.05)


def test_a_board_that_nobody_speaks_for_goes_on_after_a_while(
    line: Line, make_board: MakeBoard
) -> None:
    busy = Busy(line, make_board)
    busy.real.touch(f"{line.now:.6f}\n12 1\n")
    busy.run(LONGEST_BEHIND_S / 2)
    assert busy.changes == []
    busy.run(LONGEST_BEHIND_S)
    assert [square for _, square, _ in busy.changes] == [Square(12)]
