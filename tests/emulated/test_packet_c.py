"""The firmware's own codec, built for the host: the golden packets, byte for byte."""

import ctypes
import subprocess
from collections.abc import Iterator
from random import Random
from struct import Struct

import pytest

from firmware_bridge.build import SOURCES
from firmware_bridge.messages import COMMANDS, REPORTS
from tests.firmware_bridge.golden import Golden, read_golden

pytestmark = pytest.mark.needs("cc")

GOLDEN = read_golden()
TO_BOARD = [golden for golden in GOLDEN if golden.code in {kind.CODE for kind in COMMANDS}]
TO_HOST = [golden for golden in GOLDEN if golden.code in {kind.CODE for kind in REPORTS}]
UNPACKER_BYTES = 1024
"""More than `struct unpacker` takes."""

Put = ctypes.CFUNCTYPE(None, ctypes.c_uint8)


PACKET = Struct("BBHxxxxP")
"""`struct packet` of packet.h on a 64-bit machine."""


class CUnpacker:
    """The firmware's unpacker."""

    def __init__(self, codec: ctypes.CDLL) -> None:
        self._codec = codec
        self._state = ctypes.create_string_buffer(UNPACKER_BYTES)
        codec.unpacker_start(self._state)

    def feed(self, data: bytes) -> Iterator[tuple[int, int, bytes]]:
        """Yield code, sequence number and payload of each packet."""
        packet = ctypes.create_string_buffer(PACKET.size)
        for byte in data:
            if self._codec.unpacker_feed(self._state, ctypes.c_uint8(byte), packet):
                code, sequence, size, payload = PACKET.unpack(packet.raw)
                yield code, sequence, ctypes.string_at(payload, size)


@pytest.fixture(scope="module")
def codec(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    library = tmp_path_factory.mktemp("codec") / "libpacket.so"
    flags = ["-std=gnu99", "-O1", "-Wall", "-Wextra", "-fPIC", "-shared"]
    subprocess.run(["cc", *flags, "-o", str(library), str(SOURCES / "packet.c")], check=True)
    loaded = ctypes.CDLL(str(library))
    loaded.unpacker_feed.restype = ctypes.c_bool
    return loaded


@pytest.mark.parametrize("golden", TO_BOARD, ids=lambda golden: golden.name)
def test_commands_are_read(codec: ctypes.CDLL, golden: Golden) -> None:
    found = list(CUnpacker(codec).feed(golden.packet))
    assert found == [(golden.code, golden.sequence, golden.payload)]


@pytest.mark.parametrize("golden", TO_HOST, ids=lambda golden: golden.name)
def test_reports_are_written(codec: ctypes.CDLL, golden: Golden) -> None:
    written = bytearray()
    put = Put(written.append)
    codec.packet_write(
        ctypes.c_uint8(golden.code),
        ctypes.c_uint8(golden.sequence),
        golden.payload,
        ctypes.c_uint8(len(golden.payload)),
        put,
    )
    assert bytes(written) == golden.packet


@pytest.mark.parametrize("megabytes", [0.05, pytest.param(10, marks=pytest.mark.soak("emulated"))])
def test_random_bytes_do_no_harm(codec: ctypes.CDLL, megabytes: float) -> None:
    rng, unpacker = Random(1), CUnpacker(codec)
    for _ in range(int(megabytes * 100)):
        list(unpacker.feed(rng.randbytes(10_000)))
        golden = rng.choice(TO_BOARD)
        *_, last = unpacker.feed(golden.packet)
        assert last == (golden.code, golden.sequence, golden.payload)
