"""An emulated board in real time: `python -m firmware_bridge.emulation [mega|nano]`.

Prints the name of the pseudo-terminal it answers at, then takes lines `SWITCH LEVEL` (0 or 1)
until its input ends.
"""

from __future__ import annotations

import os
import select
import sys
import time
import tty
from collections.abc import Callable
from contextlib import suppress

from hardware.switches import Change, Switch

from ..builds import find_build
from ..errors import BridgeError
from . import built
from .emulator import EmulatedBoard

SLICE_S = 0.0005
LONGEST_SLICE_S = 0.02
"""A machine that was busy for longer than this is waited for: the board's time stands meanwhile."""


class RealTime:
    """An emulated board whose time is ours."""

    def __init__(self, board: EmulatedBoard, line: int, clock: Callable[[], float]) -> None:
        self._board, self._line, self._clock = board, line, clock
        self._begun = clock()
        self._unwritten = b""

    def go_on(self) -> None:
        """Let the board run up to now, and pass on what it says and hears."""
        with suppress(BlockingIOError):
            self._board.send(os.read(self._line, 4096))
        now = self._clock() - self._begun
        if now - self._board.now > LONGEST_SLICE_S:
            self._begun += now - self._board.now - LONGEST_SLICE_S
            now = self._board.now + LONGEST_SLICE_S
        self._board.run_until(now)
        self._unwritten += bytes(byte for _, byte in self._board.receive())
        with suppress(BlockingIOError):
            self._unwritten = self._unwritten[os.write(self._line, self._unwritten) :]

    def touch(self, text: str) -> None:
        """Set the switches that whole lines of `text` name."""
        for line in text.splitlines():
            switch, level = map(int, line.split())
            self._board.change([Change(self._board.now, Switch(switch), bool(level))])


def main(name: str) -> str | None:
    """Run a board until standard input ends; return why none can be built, if so."""
    try:
        run(built.board(find_build(name)))
    except BridgeError as error:
        return str(error)
    return None


def run(board: EmulatedBoard) -> None:
    """Let a board run at the end of a pseudo-terminal."""
    line, terminal = os.openpty()
    tty.setraw(terminal)
    os.set_blocking(line, False)
    print(os.ttyname(terminal), flush=True)
    real, begun = RealTime(board, line, time.monotonic), ""
    while True:
        if select.select([sys.stdin], [], [], SLICE_S)[0]:
            text = os.read(sys.stdin.fileno(), 65536).decode()
            if not text:
                return
            *_, rest = (begun + text).rpartition("\n")
            real.touch((begun + text).removesuffix(rest))
            begun = rest
        real.go_on()


if __name__ == "__main__":
    sys.exit(main(*(sys.argv[1:] or ["mega"])))
