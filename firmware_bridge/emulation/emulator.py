"""An emulated board: the image a user flashes, run by simavr in virtual time.

`board` makes one: the emulator and the firmware's images are built once a run, when they are first
asked for.
"""

import ctypes
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from struct import Struct
from typing import Any

from hardware.ports import RGB, Change
from rules import _

from ..build import Image, Microcontroller, Pin, Variant, build_firmware, find_build, require, run
from ..errors import BridgeError

HERE = Path(__file__).parent
SIMAVR = Path("/usr/include/simavr")
SOURCES = ("board.c", "matrix.c", "strip.c", "line.c")
CYCLES_PER_S = 16_000_000
NO_PIN = 0xFFFF
LAMPS = 100
MOST_SAID = 4096

POWER, BUTTON, BROWN_OUT, WATCHDOG = 1, 2, 4, 8
"""The reasons for a microcontroller's start, as in its MCUSR."""

# The structures of board.h, as they lie in memory on 64-bit machines.
WIRING = Struct("26H")
EDGE = Struct("QBB6x")
SAID = Struct("QB7x")

PIN_REGISTER = {
    **{letter: 0x20 + 3 * index for index, letter in enumerate("ABCDEFG")},
    **{letter: 0x100 + 3 * index for index, letter in enumerate("HJKL")},
}
"""Addresses of the PIN registers of both microcontrollers, from their data sheets."""


@dataclass(frozen=True, slots=True)
class Strip:
    """The lamps: the lights shown last, the time, and the quality of the pulses."""

    lights: tuple[RGB, ...]
    shown_at: float
    frames: int
    bad_pulses: int
    longest_gap_us: float


def build_emulator(folder: Path) -> ctypes.CDLL:
    """Compile the board's model into `folder` and load it; BridgeError names what is missing."""
    require("cc")
    if not SIMAVR.is_dir():
        raise BridgeError(_("simavr is missing: sudo apt-get install simavr libsimavr-dev"))
    library = folder / "libboard.so"
    sources = [str(HERE / name) for name in SOURCES]
    flags = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared"]
    include = ["-isystem", str(SIMAVR)]
    run(["cc", *flags, *include, "-o", str(library), *sources, "-lsimavr"])
    loaded = ctypes.CDLL(str(library))
    loaded.board_new.restype = ctypes.c_void_p
    loaded.board_now.restype = ctypes.c_uint64
    loaded.strip_read.restype = ctypes.c_uint64
    return loaded


def read_hex(path: Path) -> bytes:
    """Return the bytes of an Intel HEX file, from address 0 on."""
    image = bytearray()
    base = 0
    for line in path.read_text().split():
        record = bytes.fromhex(line.removeprefix(":"))
        count, address, kind = record[0], int.from_bytes(record[1:3], "big"), record[3]
        body = record[4 : 4 + count]
        assert sum(record) % 256 == 0, line
        if kind == 2:
            base = int.from_bytes(body, "big") << 4
        elif kind == 4:
            base = int.from_bytes(body, "big") << 16
        elif kind == 0:
            image += b"\xff" * (base + address + count - len(image))
            image[base + address : base + address + count] = body
    return bytes(image)


class AvrBoard:
    """A board with an AVR in virtual time, exact to a sixteenth of a microsecond.

    Times are seconds since power-on.
    """

    def __init__(
        self,
        library: ctypes.CDLL,
        build: Microcontroller,
        hex_file: Path,
        *,
        has_diodes: bool = True,
        rise_us: int = 11,
        baud: int = 500_000,
    ) -> None:
        """Solder the board as `build` says and switch it on; `baud` is the host's rate."""
        self._library = library
        code = read_hex(hex_file)
        register = [build.register.get(name) for name in ("data", "clock", "latch")]
        wiring = WIRING.pack(
            *([_address(pin) for pin in build.rows] or [NO_PIN] * 10),
            *(_address(pin) for pin in build.columns),
            *(NO_PIN if pin is None else _address(pin) for pin in register),
            _address(build.lamps),
            has_diodes,
            rise_us,
        )
        self._board = ctypes.c_void_p(
            library.board_new(build.mcu.encode(), code, ctypes.c_uint32(len(code)), wiring, baud)
        )
        self._said = ctypes.create_string_buffer(MOST_SAID * SAID.size)

    def close(self) -> None:
        """Let the emulator go; the board is gone."""
        self._library.board_free(self._board)

    @property
    def now(self) -> float:
        """Seconds since power-on."""
        return int(self._library.board_now(self._board)) / CYCLES_PER_S

    def run_until(self, at: float) -> None:
        """Let time pass."""
        self._library.board_run(self._board, ctypes.c_uint64(_cycles(at)))

    def change(self, changes: Iterable[Change]) -> None:
        """Let switches open and close, at their times, oldest first."""
        edges = [EDGE.pack(_cycles(change.at), change.switch, change.closed) for change in changes]
        self._library.board_edges(self._board, b"".join(edges), ctypes.c_uint32(len(edges)))

    def send(self, data: bytes) -> None:
        """Put bytes on the line to the board; they arrive one after the other."""
        self._library.board_hear(self._board, data, ctypes.c_uint32(len(data)))

    def receive(self) -> list[tuple[float, int]]:
        """Return the bytes that have come since the last call, with their times."""
        count = self._library.board_said(self._board, self._said, ctypes.c_uint32(MOST_SAID))
        timed_bytes = SAID.iter_unpack(self._said.raw[: count * SAID.size])
        return [(at / CYCLES_PER_S, byte) for at, byte in timed_bytes]

    def reset(self, cause: int, bootloader_s: float = 0.0) -> None:
        """Start anew; the bootloader keeps the line for `bootloader_s`."""
        self._library.board_reset(
            self._board, ctypes.c_uint8(cause), ctypes.c_uint64(_cycles(bootloader_s))
        )

    def hang(self) -> None:
        """Let the program hang until the next reset."""
        self._library.board_hang(self._board)

    @property
    def strip(self) -> Strip:
        """The state of the lamps."""
        rgb = (ctypes.c_uint8 * (3 * LAMPS))()
        counts = (ctypes.c_uint32 * 3)()
        return _strip(rgb, counts, self._library.strip_read(self._board, rgb, counts))

    @property
    def fights(self) -> int:
        """The number of times two driven rows were joined with different levels."""
        return int(self._library.board_fights(self._board))

    @property
    def overruns(self) -> int:
        """The bytes that the receiver lost because nobody fetched those before."""
        return int(self._library.board_overruns(self._board))


def decode_spi(library: ctypes.CDLL, sent: bytes, hz: int) -> Strip:
    """Return what lamps show that are sent these bytes by SPI."""
    rgb = (ctypes.c_uint8 * (3 * LAMPS))()
    counts = (ctypes.c_uint32 * 3)()
    size, cycles = ctypes.c_uint32(len(sent)), ctypes.c_uint32(CYCLES_PER_S // hz)
    library.strip_decode(sent, size, cycles, rgb, counts)
    return _strip(rgb, counts, 0)


def _strip(
    rgb: ctypes.Array[ctypes.c_uint8], counts: ctypes.Array[ctypes.c_uint32], shown_at: int
) -> Strip:
    lights = tuple((rgb[at], rgb[at + 1], rgb[at + 2]) for at in range(0, 3 * LAMPS, 3))
    return Strip(lights, shown_at / CYCLES_PER_S, counts[0], counts[1], counts[2] / 16)


def _address(pin: Pin) -> int:
    return PIN_REGISTER[pin.port[0]] * 8 + int(pin.port[1])


def _cycles(seconds: float) -> int:
    return round(seconds * CYCLES_PER_S)


_SCRATCH = tempfile.TemporaryDirectory(prefix="jetan-emulated-")  # removed when Python ends


@cache
def library() -> ctypes.CDLL:
    """Return the emulator."""
    return build_emulator(Path(_SCRATCH.name))


def image(build: Microcontroller, variant: Variant) -> Image:
    """Return the firmware's image."""
    return _image(build.name, variant)


@cache
def _image(name: str, variant: Variant) -> Image:
    options = f"{variant.has_watchdog:d}{variant.has_diodes:d}-{variant.baud}"
    folder = Path(_SCRATCH.name, f"{name}-{options}")
    return build_firmware(find_build(name), variant, folder)


def board(build: Microcontroller, variant: Variant | None = None, **soldered: Any) -> AvrBoard:
    """Return a board with that firmware in it, soldered as the keywords of AvrBoard say."""
    return AvrBoard(library(), build, image(build, variant or Variant()).file, **soldered)
