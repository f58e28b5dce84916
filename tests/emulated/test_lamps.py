"""Every lamp through the real image: the pulses on the wire are the lights that were shown."""

from random import Random
from statistics import median

import pytest

from firmware_bridge import BoardSettings
from firmware_bridge.build import MEGA, Microcontroller, Variant
from firmware_bridge.messages import Count, ShowColours, format_packet
from hardware.ports import RGB
from tests.emulated.conftest import MakeBoard
from tests.emulated.rig import Rig
from tests.needs import EMULATOR

pytestmark = pytest.mark.needs(*EMULATOR)

DARK: tuple[RGB, ...] = ((0, 0, 0),) * 100
BRIGHT = BoardSettings(limit_ma=6200)


def test_each_lamp_shows_its_own_colour(build: Microcontroller, make_board: MakeBoard) -> None:
    rig = Rig(make_board(build), BRIGHT)
    rig.start()
    for lamp in range(100):
        lights = [*DARK]
        lights[lamp] = (lamp + 1, 200 - lamp, 255)
        rig.driver.show(lights)
        rig.run(0.015)
        assert rig.board.strip.lights == tuple(lights)
    assert rig.board.strip.bad_pulses == 0
    assert rig.board.strip.longest_gap_us < 5


def test_any_lights_arrive_whole(build: Microcontroller, make_board: MakeBoard) -> None:
    rig, rng = Rig(make_board(build), BRIGHT), Random(1)
    rig.start()
    for colours in (1, 2, 16, 17, 100):
        palette = [(rng.randrange(256), rng.randrange(256), rng.randrange(256))] * colours
        palette = [(rng.randrange(256), rng.randrange(256), n) for n, _ in enumerate(palette)]
        lights = tuple(palette[lamp % colours] for lamp in range(100))
        rig.driver.show(lights)
        rig.run(0.03)
        assert rig.board.strip.lights == lights


def test_lamps_start_dark_and_the_same_lights_are_sent_once(
    direct: Microcontroller, make_board: MakeBoard
) -> None:
    rig = Rig(make_board(direct))
    rig.start()
    assert rig.board.strip.frames == 1
    assert rig.board.strip.lights == DARK
    for _ in range(10):
        rig.driver.show(((5, 5, 5),) * 100)
        rig.run(0.02)
    assert rig.board.strip.frames == 2


@pytest.mark.parametrize("limit_ma", [150, 400, 2000])
def test_current_stays_within_the_limit(
    direct: Microcontroller, make_board: MakeBoard, limit_ma: int
) -> None:
    rig = Rig(make_board(direct), BoardSettings(limit_ma=limit_ma))
    rig.start()
    rig.driver.show(((255, 255, 255),) * 100)
    rig.run(0.05)
    lights = rig.board.strip.lights
    drawn = 100 + sum(map(sum, lights)) * 20 / 255
    assert 0.9 * (limit_ma - 100) < drawn - 100 <= limit_ma - 100
    assert drawn <= rig.driver.link.current_ma <= limit_ma
    assert len(set(lights)) == 1


def test_lamps_go_dark_when_the_host_is_gone(
    direct: Microcontroller, make_board: MakeBoard
) -> None:
    rig = Rig(make_board(direct))
    rig.start()
    rig.driver.show(((9, 9, 9),) * 100)
    rig.run(4.0)
    assert rig.board.strip.lights == ((9, 9, 9),) * 100
    rig.driver.close()
    rig.board.run_until(rig.now + 2.0)
    assert rig.board.strip.lights == ((9, 9, 9),) * 100
    rig.board.run_until(rig.now + 2.0)
    assert rig.board.strip.lights == DARK


def test_a_burst_of_lights_loses_no_byte(build: Microcontroller, make_board: MakeBoard) -> None:
    rig = Rig(make_board(build))
    rig.start()
    for number in range(100):
        rig.driver.show([(number, lamp, 0) for lamp in range(100)])
        rig.step()
    rig.run(0.1)
    rig.driver.link.ask(Count())
    rig.run(0.05)
    counts = rig.driver.link.counts
    assert counts is not None
    assert (counts.lost_bytes, counts.framing_errors, counts.bad_packets) == (0, 0, 0)
    assert rig.board.overruns == 0
    assert rig.board.strip.frames > 30


def test_frames_sent_blindly_are_lost_and_counted(make_board: MakeBoard) -> None:
    rate = 1_000_000
    rig = Rig(make_board(MEGA, Variant(baud=rate), baud=rate), BoardSettings(baud=rate))
    rig.start()
    frame = format_packet(0, ShowColours(bytes(300)))
    rig.board.send(frame * 20)
    rig.run(0.2)
    assert rig.board.overruns > 0
    assert rig.board.strip.frames < 15
    rig.driver.link.ask(Count())
    rig.run(0.1)
    assert rig.driver.link.counts is not None
    assert rig.driver.link.counts.lost_bytes > 0
    assert rig.driver.trouble is None


def test_a_lift_is_answered_with_light_in_a_fiftieth_of_a_second(
    build: Microcontroller, make_board: MakeBoard
) -> None:
    rig, rng = Rig(make_board(build), BRIGHT), Random(3)
    rig.start()
    delays = []
    for number in range(40):
        edge = rig.now + rng.uniform(0.001, 0.01)
        rig.press(edge, number)
        count, lights = len(rig.events), [(number, lamp, 0) for lamp in range(100)]
        while len(rig.events) == count:
            rig.step()
        rig.driver.show(lights)
        rig.run(0.05)
        assert rig.board.strip.lights == tuple(lights)
        delays.append(rig.board.strip.shown_at - edge)
    assert max(delays) < 0.030
    assert median(delays) < 0.020


def test_switches_are_told_while_the_lamps_change_all_the_time(
    direct: Microcontroller, make_board: MakeBoard
) -> None:
    rig = Rig(make_board(direct))
    rig.start()
    begin = rig.now + 0.01
    for number in range(20):
        rig.press(begin + number * 0.05, number // 2, closed=number % 2 == 0)
    for number in range(250):
        rig.driver.show([(number, lamp, 0) for lamp in range(100)])
        rig.step()
    assert len(rig.events) == 20
    assert max(at - begin - 0.05 * n for n, (at, _, _) in enumerate(rig.events)) < 0.015
