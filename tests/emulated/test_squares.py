"""Every switch through the real image: each press and each release is one event."""

from random import Random

import pytest

from firmware_bridge.build import NANO, Microcontroller, Variant
from hardware.ports import Change, Switch
from rules import SQUARES, Square
from tests.emulated.conftest import MakeBoard
from tests.emulated.rig import Rig
from tests.needs import EMULATOR

pytestmark = pytest.mark.needs(*EMULATOR)

BETWEEN_S = 0.02


def bounced(rng: Random, at: float, switch: int, closed: bool) -> list[Change]:
    """An edge with a burst of bounce after it, 0.3 to 4 ms long."""
    length = rng.uniform(0.0003, 0.004)
    times = sorted(rng.uniform(0, length) for _ in range(2 * rng.randint(1, 5)))
    levels = [closed, *(closed if index % 2 else not closed for index in range(len(times)))]
    return [
        Change(at + after, Switch(switch), level)
        for after, level in zip([0.0, *times], levels, strict=True)
    ]


def test_each_press_and_release_is_one_event(build: Microcontroller, make_board: MakeBoard) -> None:
    rig, rng = Rig(make_board(build)), Random(1)
    rig.start()
    begin = rig.now + 0.01
    for number in range(200):
        square, closed = number // 2, number % 2 == 0
        rig.change(bounced(rng, begin + number * BETWEEN_S, square, closed))
    rig.run(200 * BETWEEN_S + 0.1)
    changes = [(square, closed) for _, square, closed in rig.events]
    assert changes == [(square, closed) for square in SQUARES for closed in (True, False)]
    delays = [at - begin - number * BETWEEN_S for number, (at, _, _) in enumerate(rig.events)]
    assert min(delays) >= 0
    assert max(delays) < 0.006
    assert rig.driver.link.follower.healed == 0


def test_all_squares_closed_at_once_are_told(build: Microcontroller, make_board: MakeBoard) -> None:
    rig = Rig(make_board(build))
    rig.start()
    rig.change([Change(rig.now + 0.01, switch, True) for switch in map(Switch, range(100))])
    rig.run(0.1)
    assert sorted(square for _, square, _ in rig.events) == list(SQUARES)
    rig.change([Change(rig.now + 0.01, switch, False) for switch in map(Switch, range(0, 100, 2))])
    rig.run(0.1)
    assert rig.occupied == {square for square in SQUARES if square % 2}
    assert rig.board.fights == 0
    assert rig.driver.link.follower.healed == 0


def test_what_stands_at_the_start_is_told_first(
    build: Microcontroller, make_board: MakeBoard
) -> None:
    board = make_board(build)
    board.change([Change(0.0, Switch(square), True) for square in (3, 44, 99)])
    rig = Rig(board)
    rig.start()
    assert rig.occupied == {Square(3), Square(44), Square(99)}
    assert rig.events == []


def test_one_disturbed_scan_is_no_event(direct: Microcontroller, make_board: MakeBoard) -> None:
    rig = Rig(make_board(direct))
    rig.start()
    for number in range(20):
        at = rig.now + 0.01 + number * 0.0203
        rig.change([Change(at, Switch(50), True), Change(at + 0.0004, Switch(50), False)])
    rig.run(0.6)
    assert rig.events == []


def test_a_switch_that_settles_otherwise_is_told_after_its_hold_off(
    direct: Microcontroller, make_board: MakeBoard
) -> None:
    rig = Rig(make_board(direct))
    rig.start()
    at = rig.now + 0.01
    rig.change([Change(at, Switch(50), True), Change(at + 0.0032, Switch(50), False)])
    rig.run(0.05)
    (_, _, first), (opened, _, second) = rig.events
    assert (first, second) == (True, False)
    assert 0.006 <= opened - at < 0.012


def test_a_column_too_slow_for_the_settling_time_reads_closed_below(
    direct: Microcontroller, make_board: MakeBoard
) -> None:
    occupied = {}
    for rise_us in (11, 45):
        rig = Rig(make_board(direct, rise_us=rise_us))
        rig.start()
        rig.press(rig.now + 0.01, 37)
        rig.run(0.05)
        occupied[rise_us] = rig.occupied
    assert occupied[11] == {37}
    assert occupied[45] == {37, 47}


def test_phantom_corner_appears_where_the_firmware_takes_diodes_for_granted(
    direct: Microcontroller,
    make_board: MakeBoard,
) -> None:
    rig = Rig(make_board(direct, has_diodes=False))
    rig.start()
    for number, square in enumerate((11, 13, 31)):
        rig.press(rig.now + 0.01 + number * 0.02, square)
    rig.run(0.1)
    assert rig.occupied == {11, 13, 31, 33}


def test_phantom_corner_is_refused_without_diodes(
    direct: Microcontroller, make_board: MakeBoard
) -> None:
    rig = Rig(make_board(direct, Variant(has_diodes=False), has_diodes=False))
    rig.start()
    begin = rig.now + 0.01
    for number, square in enumerate((11, 13, 31)):
        rig.press(begin + number * 0.02, square)
    rig.run(0.1)
    assert rig.occupied <= {11, 13, 31}
    assert "4 switches cannot be believed" in str(rig.driver.notes)
    rig.press(rig.now + 0.01, 31, closed=False)
    rig.run(0.1)
    assert rig.occupied == {11, 13}
    assert rig.driver.notes == ()
    assert rig.board.fights == 0


def test_rows_of_registers_fight_without_diodes(make_board: MakeBoard) -> None:
    fights = {}
    for has_diodes in (True, False):
        rig = Rig(make_board(NANO, has_diodes=has_diodes))
        rig.start()
        rig.press(rig.now + 0.01, 12)
        rig.press(rig.now + 0.01, 52)
        rig.run(0.05)
        fights[has_diodes] = rig.board.fights
    assert fights[True] == 0
    assert fights[False] > 0
