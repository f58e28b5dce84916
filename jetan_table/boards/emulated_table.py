"""A table whose board is a microcontroller: the real firmware, emulated, at the end of a real line.

The emulator is a program of its own, compiled when it is started; it names the Debian packages it
needs.
"""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence

from firmware_bridge import SerialBoard
from hardware.buttons import ButtonPress
from hardware.debounce import Bouncing
from hardware.ports import RGB, Observation
from hardware.switches import Change, Switch
from rules import Square
from rules.sentences import _

from ..errors import TableError
from ..settings import Settings
from ..simulation.board import SWITCH_OF, SimulatedBoard
from ..table.board import BoardHands
from .serial import open_serial_board


class NoEmulator(TableError, RuntimeError):
    """The board cannot be emulated here; the message names what is missing."""


class ChipBoard:
    """A simulated board whose switches and lamps a microcontroller has, at the end of a line."""

    def __init__(
        self, under: SimulatedBoard, driver: SerialBoard, end: Callable[[], object]
    ) -> None:
        """`under` is touched, `driver` is the line's; `end` lets the microcontroller go."""
        self._under, self._driver, self._end = under, driver, end

    @property
    def hands(self) -> BoardHands:
        """Whoever may touch the switches."""
        return self._under

    @property
    def due(self) -> float | None:
        """When something moves next over the switches."""
        return self._under.due

    def poll(self, now: float) -> Iterable[Observation]:
        """Let hands go on, and return what has come over the line since the last call."""
        self._under.play(now)
        return self._driver.poll(now)

    def show(self, lights: Sequence[RGB]) -> None:
        """Show one colour a lamp, in lamp order, to the hands' eyes too."""
        self._under.show(lights)
        self._driver.show(lights)

    @property
    def trouble(self) -> str | None:
        """Why the board cannot be trusted now, in words; None while it can."""
        return self._driver.trouble

    @property
    def notes(self) -> tuple[str, ...]:
        """What people should know of parts that work."""
        return self._driver.notes

    @property
    def bouncing(self) -> Mapping[Square, Bouncing]:
        """How the switches under squares have bounced, where they have."""
        return self._driver.bouncing

    def has_told(self, at: float) -> bool:
        """Whether all that was sensed until `at` has come."""
        return self._driver.has_told(at)

    def take_presses(self) -> list[ButtonPress]:
        """Return the presses of the board's buttons since the last call, oldest first."""
        return self._driver.take_presses()

    def statistics(self) -> list[str]:
        """Return what has been counted, in words."""
        return self._driver.statistics()

    def close(self) -> None:
        """Let go of the line and of the microcontroller."""
        self._under.listener = None
        self._driver.close()
        self._end()


def emulated(under: SimulatedBoard, settings: Settings, clock: Callable[[], float]) -> ChipBoard:
    """Build the real firmware and run it in an emulated chip, which takes some seconds.

    `clock` tells the table's time. Raises NoEmulator.
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
        raise NoEmulator(_("no emulated board: {why}"), why=lines[-1] if lines else _("it ended"))

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
    driver = open_serial_board(settings, port, SWITCH_OF, clock)
    return ChipBoard(under, driver, program.communicate)
