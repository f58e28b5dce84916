"""A table whose board is a microcontroller: the real firmware, emulated, at the end of a real line.

The emulator is a program of its own, compiled when it is started; it names the Debian packages it
needs.
"""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence

from firmware_bridge import SerialBoard
from hardware.ports import RGB, Lamps
from hardware.switches import Change, Switch
from rules.sentences import _

from ..errors import TableError
from ..settings import Settings
from ..simulation.board import SWITCH_OF, Switched
from .opening import open_serial_board


class NoEmulator(TableError, RuntimeError):
    """The board cannot be emulated here; the message names what is missing."""


class Emulator:
    """The program that emulates a board at the end of a line, and the driver of that line."""

    def __init__(self, settings: Settings, clock: Callable[[], float]) -> None:
        """Build and start it, which takes some seconds; `clock` tells the table's time.

        Raises NoEmulator.
        """
        self._settings, self._clock = settings, clock
        self._driver: SerialBoard | None = None
        self._program = subprocess.Popen(
            [sys.executable, "-m", "firmware_bridge.emulation"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._program.stdout is not None
        self._port = self._program.stdout.readline().strip()
        if not self._port:
            _output, errors = self._program.communicate()
            lines = errors.strip().splitlines()
            raise NoEmulator(
                _("no emulated board: {why}"), why=lines[-1] if lines else _("it ended")
            )

    def drive(self, board: Switched) -> SerialBoard:
        """Let the chip's switches do what those of `board` do; return the driver of its line."""
        self._let_go()
        now = self._clock()
        self._change((), now)
        stands = (Change(now, Switch(index), on) for index, on in enumerate(board.closed))
        self._change(stands, math.inf)
        board.listener = self._change
        self._driver = open_serial_board(self._settings, self._port, SWITCH_OF, self._clock)
        return self._driver

    def close(self) -> None:
        """End it."""
        self._let_go()
        self._program.communicate()

    def _let_go(self) -> None:
        if self._driver is not None:
            self._driver.close()

    def _change(self, changes: Iterable[Change], until: float) -> None:
        """Tell the chip what changes, each at its time: a busy machine looks in late."""
        assert self._program.stdin is not None
        lines = [f"{one.switch} {one.closed:d} {one.at:.6f}\n" for one in changes]
        self._program.stdin.write("".join([*lines, f"{until:.6f}\n"]))
        self._program.stdin.flush()


class LampsTogether:
    """Several lamps that show the same, each in its own way."""

    def __init__(self, *lamps: Lamps) -> None:
        self._lamps = lamps

    def show(self, lights: Sequence[RGB]) -> None:
        for lamps in self._lamps:
            lamps.show(lights)
