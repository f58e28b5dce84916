"""An emulated board in real time: `python -m firmware_bridge.emulation [mega|nano]`.

Prints the name of the pseudo-terminal it answers at, then takes lines until its input ends:

- `SWITCH LEVEL`, 0 or 1: sets a switch at once;
- `AT`: until then nothing else changes, in seconds of a clock of the sender's, which shows the
  first of them now; the board waits for the next;
- `SWITCH LEVEL AT`: sets it at a time of that clock.
"""

import math
import os
import select
import sys
import time
import tty
from collections.abc import Callable
from contextlib import suppress

from hardware.ports import Change, Switch

from ..build import find_build
from ..errors import BridgeError
from . import emulator
from .emulator import AvrBoard

SLICE_S = 0.0005
LONGEST_SLICE_S = 0.02
"""The longest run of the board before the line is looked at again."""

LONGEST_BEHIND_S = 2.0
"""A machine that was busy is caught up with, so that hands keep their times; one that was busy for
longer than this is waited for: the board's time stands meanwhile."""


class RealTime:
    """An emulated board whose time is ours."""

    def __init__(self, board: AvrBoard, line: int, clock: Callable[[], float]) -> None:
        self._board, self._line, self._clock = board, line, clock
        self._begun = clock()
        self._known_until = math.inf
        """The time up to which the switches' changes are known."""
        self._ahead: float | None = None
        """The lead of the sender's clock over ours."""
        self._unwritten = b""

    @property
    def is_behind(self) -> bool:
        """True while the board has not come up to our time."""
        until = min(self._clock(), self._known_until) - self._begun
        return until - self._board.now > LONGEST_SLICE_S

    def go_on(self) -> None:
        """Let the board run on towards now, and pass on what it says and hears."""
        with suppress(BlockingIOError):
            self._board.send(os.read(self._line, 4096))
        now = self._clock()
        until = min(now, max(self._known_until, now - LONGEST_BEHIND_S)) - self._begun
        self._board.run_until(min(until, self._board.now + LONGEST_SLICE_S))
        self._begun += max(now - self._begun - self._board.now - LONGEST_BEHIND_S, 0.0)
        self._unwritten += bytes(byte for _, byte in self._board.receive())
        with suppress(BlockingIOError):
            self._unwritten = self._unwritten[os.write(self._line, self._unwritten) :]

    def touch(self, text: str) -> None:
        """Set the switches that whole lines of `text` name, at their times."""
        for line in text.splitlines():
            match line.split():
                case [until]:
                    if self._ahead is None:
                        self._ahead = float(until) - self._clock()
                    self._known_until = float(until) - self._ahead
                case [switch, level, *at]:
                    due = float(at[0]) - (self._ahead or 0.0) - self._begun if at else 0.0
                    due = max(due, self._board.now)
                    self._board.change([Change(due, Switch(int(switch)), level == "1")])


def main(name: str) -> str | None:
    """Run a board until standard input ends; return why none can be built, if so."""
    try:
        build = find_build(name)
        if not build.programmer:
            return f"{name}: it is emulated in tests only: mega or nano"
        run(emulator.board(build))
    except BridgeError as error:
        return str(error)
    return None


def run(board: AvrBoard) -> None:
    """Let a board run at the end of a pseudo-terminal."""
    line, terminal = os.openpty()
    tty.setraw(terminal)
    os.set_blocking(line, False)
    print(os.ttyname(terminal), flush=True)
    real, begun = RealTime(board, line, time.monotonic), ""
    while True:
        if select.select([sys.stdin], [], [], 0.0 if real.is_behind else SLICE_S)[0]:
            text = os.read(sys.stdin.fileno(), 65536).decode()
            if not text:
                return
            *_, rest = (begun + text).rpartition("\n")
            real.touch((begun + text).removesuffix(rest))
            begun = rest
        real.go_on()


if __name__ == "__main__":
    sys.exit(main(*(sys.argv[1:] or ["mega"])))
