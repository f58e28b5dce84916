"""Boards at the end of a serial line: real ones, and the real firmware in an emulated chip.

The emulator is a program of its own, compiled when it is started; it names the Debian packages it
needs.
"""

import math
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from firmware_bridge import BoardSettings, SerialBoard
from hardware.ports import RGB, Change, Observation, Switch
from rules import _

from ..errors import TableError
from ..people.board import SWITCH_OF, SimulatedBoard
from ..settings import Settings
from ..table.board import BoardHands


def open_serial_board(
    settings: Settings,
    port: str,
    switch_of: Sequence[Switch],
    clock: Callable[[], float],
    make: Callable[..., SerialBoard] = SerialBoard,
) -> SerialBoard:
    """Return the driver of the board at a port; `clock` tells the table's time. BridgeError."""
    from firmware_bridge.port import SerialPort  # pyserial: only where there is a line

    board_settings = BoardSettings(
        round(settings.reed.debounce_ms),
        round(settings.lamps.limit_ma),
        settings.serial.baud,
        settings.lamps.colours,
    )
    line = SerialPort(port, board_settings.baud, clock)
    return make(line, board_settings, switch_of)


class ChipBoard(SerialBoard):
    """A simulated board whose switches and lamps a microcontroller has, at the end of a line."""

    hands: BoardHands  # type: ignore[assignment]  # which no other board at a line has

    def __init__(
        self, under: SimulatedBoard, end: Callable[[], object], *line: Any, **others: Any
    ) -> None:
        """`under` is touched; `end` lets the microcontroller go; the rest is SerialBoard's."""
        super().__init__(*line, **others)
        self.hands = self._under = under
        self._end = end

    def poll(self, now: float) -> list[Observation]:
        """Let hands go on, and return what has come over the line since the last call."""
        self._under.play(now)
        return super().poll(now)

    def show(self, lights: Sequence[RGB]) -> None:
        """Show one colour a lamp, in lamp order, to the hands' eyes too."""
        self._under.show(lights)
        super().show(lights)

    def close(self) -> None:
        """Let go of the line and of the microcontroller."""
        self._under.listener = None
        super().close()
        self._end()


def open_emulated(
    under: SimulatedBoard, settings: Settings, clock: Callable[[], float]
) -> SerialBoard:
    """Build the real firmware and run it in an emulated chip, which takes some seconds.

    `clock` tells the table's time. TableError names what is missing for it.
    """
    program = subprocess.Popen(
        [sys.executable, "-m", "firmware_bridge.emulation"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert program.stdout is not None
    port = program.stdout.readline().strip()
    if not port:
        _output, errors = program.communicate()
        lines = errors.strip().splitlines()
        raise TableError(_("no emulated board: {why}"), why=lines[-1] if lines else _("it ended"))

    def change(changes: Iterable[Change], until: float) -> None:
        """Tell the chip what changes, each at its time: a busy machine looks in late."""
        assert program.stdin is not None
        lines = [f"{one.switch} {one.closed:d} {one.at:.6f}\n" for one in changes]
        program.stdin.write("".join([*lines, f"{until:.6f}\n"]))
        program.stdin.flush()

    now = clock()
    change((), now)
    change((Change(now, Switch(n), on) for n, on in enumerate(under.closed)), math.inf)
    under.listener = change
    make = partial(ChipBoard, under, program.communicate)
    return open_serial_board(settings, port, SWITCH_OF, clock, make)
