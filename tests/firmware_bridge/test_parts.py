"""The driver's smaller parts: clocks, levels, frames of lights."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.errors import BadPacket
from firmware_bridge.messages import SENSORS, ShowColours, ShowPalette
from firmware_bridge.mirror import (
    ANSWER_S,
    BoardClock,
    LampFrames,
    SwitchLevel,
    show_command,
    unpack_levels,
)
from hardware.ports import RGB
from tests.firmware_bridge.peer import pack_levels

TWO = [SwitchLevel.OPEN, SwitchLevel.NORTH]


@given(st.lists(st.sampled_from(SwitchLevel), min_size=1, max_size=100))
def test_three_levels_are_a_round_trip(levels: list[SwitchLevel]) -> None:
    packed = pack_levels(levels, SENSORS["hall"])
    assert unpack_levels(packed, SENSORS["hall"], len(levels)) == tuple(levels)


@given(st.lists(st.sampled_from(TWO), min_size=100, max_size=100))
def test_a_hundred_reeds_are_thirteen_bytes(levels: list[SwitchLevel]) -> None:
    packed = pack_levels(levels, SENSORS["reed"])
    assert len(packed) == 13
    assert unpack_levels(packed, SENSORS["reed"], 100) == tuple(levels)


@pytest.mark.parametrize("packed", [b"", bytes(24), bytes(26), b"\x03" + bytes(24)])
def test_what_are_no_levels_is_refused(packed: bytes) -> None:
    with pytest.raises(BadPacket):
        unpack_levels(packed, SENSORS["hall"], 100)


def test_the_quickest_answer_sets_the_clock() -> None:
    clock = BoardClock()
    assert clock.table_time(5, 12.0) == 12.0
    clock.learn(1_000_000, 100.0, 100.8)
    clock.learn(2_000_000, 101.0, 101.002)
    clock.learn(3_000_000, 102.0, 102.5)
    assert clock.table_time(2_500_000, 103.0) == pytest.approx(101.501)
    assert clock.table_time(9_000_000, 103.0) == 103.0


def test_a_clock_that_runs_off_is_followed() -> None:
    clock = BoardClock()
    for second in range(1000):
        board_us = round(second * 1_005_000)
        clock.learn(board_us, second - 0.001, second + 0.001)
        if second > 5:
            at = clock.table_time(board_us + 502_500, second + 1)
            assert at == pytest.approx(second + 0.5, abs=0.02)


def test_the_boards_time_turns_over() -> None:
    clock = BoardClock()
    clock.learn((1 << 32) - 500_000, 10.0, 10.0)
    assert clock.table_time(500_000, 20.0) == pytest.approx(11.0)
    clock.learn(500_000, 11.0, 11.0)
    clock.forget()
    assert clock.table_time(0, 7.0) == 7.0


def shown(command: ShowColours | ShowPalette) -> list[RGB]:
    """Read a message as the firmware does."""
    if isinstance(command, ShowColours):
        rgb = command.rgb
        return [(rgb[at], rgb[at + 1], rgb[at + 2]) for at in range(0, len(rgb), 3)]
    palette, numbers = command.rest[: 3 * command.colours], command.rest[3 * command.colours :]
    colours = [(palette[at], palette[at + 1], palette[at + 2]) for at in range(0, len(palette), 3)]
    return [colours[pair >> shift & 15] for pair in numbers for shift in (0, 4)]


@pytest.mark.parametrize("colours", [1, 2, 15, 16, 17, 100])
def test_frames_show_what_was_wished_for(colours: int) -> None:
    rng = Random(colours)
    palette: list[RGB] = [
        (number, rng.randrange(256), rng.randrange(256)) for number in range(colours)
    ]
    lights = [*palette, *rng.choices(palette, k=100 - colours)]
    command = show_command(lights)
    assert shown(command) == lights
    assert isinstance(command, ShowPalette) == (colours <= 16)


def test_one_frame_is_in_flight_until_it_is_answered() -> None:
    frames = LampFrames()
    assert frames.next(0.0) is None
    frames.show(((1, 1, 1),) * 100)
    assert frames.next(0.0) is not None
    frames.sent(7, 0.0)
    frames.show(((2, 2, 2),) * 100)
    assert frames.next(ANSWER_S / 2) is None
    assert not frames.done(6)
    assert frames.done(7)
    assert frames.next(ANSWER_S / 2) == show_command(((2, 2, 2),) * 100)
    frames.sent(8, 0.1)
    assert frames.next(0.1 + ANSWER_S) is not None
    frames.sent(9, 0.1 + ANSWER_S)
    assert frames.done(9)
    assert frames.next(1.0) is None
    frames.forget()
    assert frames.next(1.0) is not None
