"""Everything a cable can do: pulled out mid-move, another rate, noise, a board that starts anew."""

import re
from random import Random

import pytest

from firmware_bridge import BoardSettings
from firmware_bridge.build import MEGA, Microcontroller, Variant
from firmware_bridge.emulation.emulator import BROWN_OUT, BUTTON
from firmware_bridge.link import SILENT_S
from firmware_bridge.messages import Count
from hardware.ports import Change, Switch
from rules import Square
from tests.emulated.conftest import MakeBoard
from tests.emulated.rig import Rig
from tests.firmware_bridge.bad_cable import BadCable
from tests.needs import EMULATOR

pytestmark = pytest.mark.needs(*EMULATOR)

LIT = ((7, 8, 9),) * 100
HEARTBEAT_S = 0.5


def test_opening_the_port_resets_the_board_and_is_awaited(
    build: Microcontroller, make_board: MakeBoard
) -> None:
    rig = Rig(make_board(build))
    rig.board.reset(BUTTON, bootloader_s=1.6)
    rig.run(1.0)
    assert "waiting for the board" in str(rig.driver.trouble)
    rig.run(1.0)
    assert rig.driver.trouble is None
    assert rig.driver.link.bad_packets == 0


def test_a_move_made_while_the_cable_is_out_is_told_when_it_is_back(
    direct: Microcontroller, make_board: MakeBoard
) -> None:
    board = make_board(direct)
    board.change([Change(0.0, Switch(12), True)])
    rig = Rig(board)
    rig.start()
    rig.driver.show(LIT)
    rig.press(rig.now + 0.1, 12, closed=False)
    rig.run(0.2)
    rig.port.unplug()
    rig.press(rig.now + 0.1, 32)
    rig.run(1.0)
    assert "unplugged" in str(rig.driver.trouble)
    rig.port.plug(BUTTON, bootloader_s=1.0)
    rig.run(2.0)
    assert rig.driver.trouble is None
    assert [(square, closed) for _, square, closed in rig.events] == [(12, False), (32, True)]
    assert rig.board.strip.lights == LIT


@pytest.mark.parametrize("cause", [BUTTON, BROWN_OUT])
def test_a_board_that_starts_anew_by_itself_is_noticed(make_board: MakeBoard, cause: int) -> None:
    rig = Rig(make_board(MEGA), BoardSettings(limit_ma=1000))
    rig.start()
    rig.driver.show(LIT)
    rig.press(rig.now + 0.01, 5)
    rig.run(0.3)
    rig.board.reset(cause)
    rig.press(rig.now + 0.001, 6)
    rig.run(1.0)
    assert rig.driver.link.restarts == 1
    assert rig.occupied == {Square(5), Square(6)}
    assert [square for _, square, _ in rig.events] == [5, 6]
    assert rig.board.strip.lights == LIT
    assert ("supply" in str(rig.driver.notes)) == (cause == BROWN_OUT)


def test_after_a_brown_out_lamps_draw_at_most_half(make_board: MakeBoard) -> None:
    rig = Rig(make_board(MEGA), BoardSettings(limit_ma=1000))
    rig.start()
    rig.board.reset(BROWN_OUT)
    rig.driver.show(((255, 255, 255),) * 100)
    rig.run(1.0)
    assert 400 < rig.driver.link.current_ma <= 500


def test_a_program_that_hangs_is_started_anew_by_the_watchdog(
    build: Microcontroller, make_board: MakeBoard
) -> None:
    rig = Rig(make_board(build))
    rig.start()
    rig.board.hang()
    rig.press(rig.now + 0.1, 44)
    rig.run(1.0)
    assert rig.driver.link.restarts == 1
    assert "hung" in str(rig.driver.notes)
    assert rig.occupied == {Square(44)}


@pytest.mark.ci
def test_without_watchdog_a_hanging_board_is_silent_and_said_to_be(
    direct: Microcontroller, make_board: MakeBoard
) -> None:
    rig = Rig(make_board(direct, Variant(has_watchdog=False)))
    rig.start()
    rig.board.hang()
    rig.run(SILENT_S + 0.6)
    assert re.search(r"board silent for [34] s: check the cable\'", str(rig.driver.trouble))
    rig.board.reset(BUTTON)
    rig.run(1.0)
    assert rig.driver.trouble is None


@pytest.mark.ci
def test_a_bootloader_that_loops_after_a_watchdog_reset_is_named(make_board: MakeBoard) -> None:
    rig = Rig(make_board(MEGA))
    rig.start()
    rig.board.reset(BUTTON, bootloader_s=60)
    rig.run(12.0)
    assert "old bootloader loops" in str(rig.driver.trouble)


@pytest.mark.parametrize("host_baud", [57600, 115200, 1_000_000])
def test_another_rate_is_diagnosed(make_board: MakeBoard, host_baud: int) -> None:
    rig = Rig(make_board(MEGA, baud=host_baud), BoardSettings(baud=host_baud))
    rig.run(4.0)
    assert f"{host_baud} baud may not be its rate" in str(rig.driver.trouble)


def test_the_slower_rate_works_too(make_board: MakeBoard) -> None:
    rig = Rig(make_board(MEGA, Variant(baud=115_200), baud=115_200))
    rig.start()
    rig.driver.show([(lamp, 1, 2) for lamp in range(100)])
    rig.press(rig.now + 0.01, 70)
    rig.run(0.2)
    assert rig.occupied == {Square(70)}
    assert rig.board.strip.lights[99] == (99, 1, 2)


def test_the_clocks_agree(direct: Microcontroller, make_board: MakeBoard) -> None:
    rig = Rig(make_board(direct))
    rig.start()
    begin = rig.now + 0.01
    for number in range(50):
        rig.press(begin + number * 0.0813, number)
    rig.run(5.0)
    delays = [at - begin - 0.0813 * number for number, (at, _, _) in enumerate(rig.events)]
    assert len(delays) == 50
    assert max(map(abs, delays)) < 0.003


def test_events_through_a_bad_cable_are_told_once_and_in_order(
    direct: Microcontroller, make_board: MakeBoard
) -> None:
    to_board, to_host = BadCable(Random(1), 0.05), BadCable(Random(2), 0.05)
    rig = Rig(make_board(direct), to_board=to_board, to_host=to_host)
    rig.start()
    begin, rng = rig.now + 0.02, Random(3)
    wanted: list[tuple[int, bool]] = []
    for number in range(600):
        square = rng.randrange(100)
        closed = sum(1 for other, _ in wanted if other == square) % 2 == 0
        wanted.append((square, closed))
        rig.press(begin + 0.017 * number, square, closed)
    rig.run(600 * 0.017 + 1.5)
    assert to_host.hits > 20
    assert rig.driver.link.follower.repeats > 0
    assert [(square, closed) for _, square, closed in rig.events] == wanted


@pytest.mark.parametrize(
    "kilobytes", [200, pytest.param(10_000, marks=pytest.mark.soak("emulated"))]
)
def test_random_bytes_into_the_board_do_no_harm(
    direct: Microcontroller, make_board: MakeBoard, kilobytes: int
) -> None:
    rig, rng = Rig(make_board(direct)), Random(4)
    rig.start()
    rig.press(rig.now + 0.5, 33)
    for _ in range(kilobytes):
        rig.board.send(rng.randbytes(1000))
        rig.run(0.02)
    assert rig.driver.trouble is None
    assert rig.occupied == {Square(33)}
    rig.driver.show(LIT)
    rig.driver.link.ask(Count())
    rig.run(HEARTBEAT_S)
    assert rig.board.strip.lights == LIT
    assert rig.driver.link.restarts == 0
    assert rig.driver.link.counts is not None
    assert rig.driver.link.counts.bad_packets > 100
