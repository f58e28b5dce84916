"""What only a Pico does: it begins by its boot ROM's rules, and is a USB serial port."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from struct import unpack_from

import pytest

from firmware_bridge.build import (
    MEGA,
    PICO,
    READY,
    READY_BY,
    Variant,
    checked,
    crc_32,
    format_uf2,
    ready_image,
)
from firmware_bridge.emulation import emulator
from firmware_bridge.emulation.emulator import BUTTON, POWER, WATCHDOG
from firmware_bridge.messages import Hello, Message, Snapshot, Unpacker
from hardware.ports import Change, Switch
from tests.emulated.pico_board import PicoBoard
from tests.emulated.rig import Rig
from tests.needs import PICO_EMULATOR
from tests.profiles import IN_CI

pytestmark = [pytest.mark.needs(*PICO_EMULATOR), pytest.mark.ci]

STARTED_S = 0.3


@pytest.fixture
def board() -> Iterator[PicoBoard]:
    """A board with the image that comes with the program, as a user flashes it."""
    made = PicoBoard(PICO, READY)
    yield made
    made.close()


def messages(board: PicoBoard) -> list[Message]:
    """What the board has said since it was last asked, whole packets alone."""
    unpacker = Unpacker()
    data = bytes(byte for _, byte in board.receive())
    found = [message for _, message in unpacker.feed(data)]
    assert unpacker.bad_packets == 0
    return found


def test_the_image_that_comes_with_the_program_is_what_its_sources_give() -> None:
    gcc = ["arm-none-eabi-gcc", "-dumpfullversion"]
    version = subprocess.run(gcc, check=True, capture_output=True, text=True).stdout.strip()
    if version != READY_BY and not IN_CI:
        pytest.skip(f"gcc {version} is here; {READY_BY} is missing, of Debian 12")
    mend = "run: python -m firmware_bridge.build"
    assert emulator.image(PICO, Variant()).file.read_bytes() == READY.read_bytes(), mend


def test_only_one_variant_comes_with_the_program() -> None:
    assert ready_image(PICO, Variant()) == READY
    assert ready_image(PICO, Variant(has_watchdog=False)) is None
    assert ready_image(PICO, Variant(has_diodes=False)) is None
    assert ready_image(MEGA, Variant()) is None


def test_a_host_learns_what_it_is_and_sets_its_rate(board: PicoBoard) -> None:
    board.run_until(STARTED_S)
    answers = board.descriptors
    assert unpack_from("<HH", answers["device"], 8) == (0x2E8A, 0x000A)
    assert answers["string 1"][2:].decode("utf-16-le") == "Jetan Table"
    assert answers["rate"] == bytes((0x00, 0xC2, 0x01, 0x00, 0, 0, 8))


def test_its_configuration_is_a_serial_port_of_two_interfaces(board: PicoBoard) -> None:
    board.run_until(STARTED_S)
    answer = board.descriptors["configuration"]
    parts: list[bytes] = []
    at = 0
    while at < len(answer):
        parts.append(answer[at : at + answer[at]])
        at += answer[at]
    assert at == len(answer) == unpack_from("<H", answer, 2)[0]
    interfaces = [part for part in parts if part[1] == 4]
    assert [(part[2], part[4], part[5], part[6]) for part in interfaces] == [
        (0, 1, 2, 2),  # one endpoint, communications, abstract control model
        (1, 2, 10, 0),  # two endpoints, data
    ]
    ends = [part for part in parts if part[1] == 5]
    assert [(part[2], part[3], unpack_from("<H", part, 4)[0]) for part in ends] == [
        (0x81, 3, 8),
        (0x82, 2, 64),
        (0x02, 2, 64),
    ]
    union = next(part for part in parts if part[1:3] == b"\x24\x06")
    assert tuple(union[3:]) == (0, 1)


def test_a_port_that_nobody_has_opened_says_nothing_of_before(board: PicoBoard) -> None:
    board.open(False)
    board.run_until(STARTED_S)
    changes = [Change(0.4 + 0.02 * number, Switch(number), True) for number in range(100)]
    board.change(changes)
    board.run_until(5.0)
    assert board.receive() == []
    board.open(True)
    board.run_until(6.0)
    first, *later = messages(board)
    assert {type(message) for message in (first, *later)} == {Snapshot}
    assert isinstance(first, Snapshot)
    assert first.next_number == 100


def test_a_program_that_opens_the_port_again_finds_the_board_as_it_is(board: PicoBoard) -> None:
    rig = Rig(board)
    rig.start()
    rig.press(rig.now + 0.01, 7)
    rig.run(0.1)
    board.open(False)
    board.change([Change(board.now + 0.1, Switch(8), True)])
    board.run_until(board.now + 2.0)
    board.open(True)
    again = Rig(board)
    again.run(0.8)
    assert again.driver.trouble is None
    assert again.occupied == {7, 8}
    assert again.driver.link.restarts == 0


@pytest.mark.parametrize("cause", [POWER, BUTTON])
def test_it_tells_why_it_has_started(board: PicoBoard, cause: int) -> None:
    board.run_until(STARTED_S)
    board.reset(cause)
    board.run_until(2 * STARTED_S)
    assert hello(board).reset == cause


def test_it_tells_of_its_watchdog_and_that_it_is_another_start(board: PicoBoard) -> None:
    board.run_until(STARTED_S)
    first = hello(board)
    board.hang()
    board.run_until(1.0)
    second = hello(board)
    assert (first.reset, second.reset) == (POWER, WATCHDOG)
    assert first.boot != second.boot


def hello(board: PicoBoard) -> Hello:
    """Greet the board, and return its answer."""
    rig = Rig(board)
    rig.run(0.3)
    assert rig.driver.link.hello is not None
    return rig.driver.link.hello


def test_a_drive_takes_the_image_block_by_block() -> None:
    image = bytes(range(256)) * 2 + b"end"
    packed = format_uf2(image)
    assert len(packed) == 3 * 512
    heads = [unpack_from("<8I", packed, at) for at in (0, 512, 1024)]
    assert [head[3] for head in heads] == [0x10000000, 0x10000100, 0x10000200]
    assert [head[5:7] for head in heads] == [(0, 3), (1, 3), (2, 3)]
    assert b"".join(packed[at + 32 : at + 288] for at in (0, 512, 1024)).rstrip(b"\0") == image


def test_the_first_stage_ends_in_its_checksum(tmp_path: Path) -> None:
    assert crc_32(b"123456789") == 0x0376E6E7  # the check value of this kind of checksum
    stage = checked(bytes(512))
    assert stage[252:256] == crc_32(bytes(252)).to_bytes(4, "little")
    (tmp_path / "bad.uf2").write_bytes(format_uf2(bytes(512)))
    with pytest.raises(AssertionError, match="the emulator has ended"):
        PicoBoard(PICO, tmp_path / "bad.uf2")
