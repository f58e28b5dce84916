"""The machine that a table is set up on, as set-up asks of it."""

from __future__ import annotations

import math
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from threading import Timer

from msgspec.structs import replace

from hardware.ports import RGB, Observation
from hardware.switches import Change, Switch
from rules import SQUARES, Square
from rules.sentences import Translate
from rules.topology import grid
from vision.needs import require_opencv

from ..boards.board import RealBoard
from ..boards.opening import open_board
from ..languages import Language, translation
from ..machine.doctor import Finding, examine
from ..machine.machine import cameras, look_around, serial_ports
from ..settings import Settings, find_settings, places
from ..setup.guide import Found, Kind, SetUp, SetUpBoard
from ..setup.wired import REST_S, TrueWiring, WiredBoard
from ..table.loop import WallClock

PRACTICE_SEED = 7
"""The practice board is wired by chance, but always the same: set-up may be cut and go on."""

CHECKS: dict[Kind, frozenset[str]] = {
    "serial": frozenset({"groups", "serial"}),
    "pins": frozenset({"groups", "gpio", "spi", "i2c", "supply", "pace"}),
    "camera": frozenset({"opencv"}),
}
"""What of the doctor's checks a sort of table stands on."""


class ThisMachine:
    """This one; `folder` is where games are kept."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def kinds(self) -> Sequence[Kind]:
        """Return the sorts of table that can be had here."""
        has_emulator = shutil.which("simavr") is not None
        emulated: tuple[Kind, ...] = ("emulated",) if has_emulator else ()
        return ("screen", "camera", "serial", "pins", *emulated, "practice")

    def candidates(self, kind: Kind) -> Sequence[str]:
        """Return the ports or cameras there are."""
        match kind:
            case "serial":
                return serial_ports()
            case "camera":
                return cameras()
        return ()

    def examine(
        self, kind: Kind, settings: Settings, language: Language, whole: bool
    ) -> Sequence[Found]:
        """Return what is found of a table by these settings, in words."""
        translate, findings = translation(language), self._findings(kind, settings, whole)
        return [_found(each.in_words(translate), translate) for each in findings]

    def _findings(self, kind: Kind, settings: Settings, whole: bool) -> Iterator[Finding]:
        wanted = CHECKS.get(kind, frozenset())
        if whole or wanted:
            board = kind if kind in ("serial", "pins", "camera") else "screen"
            table = replace(settings.table, board=board)
            machine = look_around(self._folder, WallClock())
            for finding in examine(machine, replace(settings, table=table)):
                if whole or finding.check in wanted:
                    yield finding
        if kind == "camera":
            from .camera import findings_of_camera  # OpenCV: only where a camera is looked at

            yield from findings_of_camera(settings.camera.source or None, grid(), None, None, None)

    def picture(self, settings: Settings) -> bytes:
        """Return what the camera sees as a JPEG, the squares that were found drawn in."""
        from .camera import first_place, pictured

        return pictured(*first_place(settings.camera.source, grid(), None, None, None))

    def check(self, kind: Kind, settings: Settings) -> None:
        """Raise what a table of this sort would end with where its parts are not here."""
        if kind == "camera":
            require_opencv()
            from vision.opening import open_source

            open_source(settings.camera.source, time.monotonic).close()
        elif kind in ("serial", "pins", "emulated"):
            self.open(kind, settings).close()

    def open(self, kind: Kind, settings: Settings) -> SetUpBoard:
        """Return its board; TableError or HardwareError where it cannot be had."""
        match kind:
            case "practice":
                return PracticeBoard()
            case "emulated":
                return EmulatedSetUpBoard(settings)
        clock = WallClock()
        named = replace(settings, table=replace(settings.table, board=kind))
        return RealSetUpBoard(open_board(named, clock.now, time.sleep))


class RealSetUpBoard:
    """A real board: only real hands touch it, and only eyes see what is lit."""

    def __init__(self, board: RealBoard) -> None:
        self._board = board

    @property
    def trouble(self) -> str | None:
        return self._board.trouble

    def poll(self, now: float) -> Iterable[Observation]:
        return self._board.poll(now)

    def show(self, lights: Sequence[RGB]) -> None:
        self._board.show(lights)

    def lit(self) -> Square | None:
        return None

    def put(self, square: Square) -> bool:
        return False

    def close(self) -> None:
        self._board.close()


class PracticeBoard:
    """A simulated board that somebody has wired as it came; a page touches it."""

    trouble: str | None = None

    def __init__(self) -> None:
        rng = Random(PRACTICE_SEED)
        self._board = WiredBoard(TrueWiring.drawn(rng), rng)
        self._touched: list[Square] = []

    def poll(self, now: float) -> Iterable[Observation]:
        touched, self._touched = self._touched, []
        observations = self._board.poll(now)
        for square in touched:
            self._board.put(now, square, REST_S)
        return observations

    def show(self, lights: Sequence[RGB]) -> None:
        self._board.show(lights)

    def lit(self) -> Square | None:
        return self._board.lit()

    def put(self, square: Square) -> bool:
        self._touched = [*self._touched, square]
        return True

    def close(self) -> None:
        """There is nothing to let go of."""


class SwitchTouches:
    """Closes a switch for a moment, as a piece does that is put down and taken off again."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """Touch at once, as `clock` tells it."""
        self._clock = clock
        self.listener: Callable[[Iterable[Change], float], None] | None = None
        self.closed: Sequence[bool] = [False] * len(SQUARES)

    def touch(self, square: Square) -> None:
        """Touch the square's switch."""
        self._set(square, True)
        Timer(REST_S, self._set, (square, False)).start()

    def _set(self, square: Square, is_closed: bool) -> None:
        if self.listener is not None:
            # Nothing else is touched until it is, and the chip need not wait to be told so.
            self.listener([Change(self._clock(), Switch(square), is_closed)], math.inf)


class EmulatedSetUpBoard(RealSetUpBoard):
    """The firmware in an emulated chip; a page touches its switches."""

    def __init__(self, settings: Settings) -> None:
        from ..boards.emulated_table import Emulator  # a serial line: only where one is wanted

        clock = WallClock().now
        self._emulator, self._fingers = Emulator(settings, clock), SwitchTouches(clock)
        self._lit: Square | None = None
        super().__init__(self._emulator.drive(self._fingers))

    def show(self, lights: Sequence[RGB]) -> None:
        lit = [Square(n) for n, colour in enumerate(lights) if any(colour)]
        self._lit = lit[0] if len(lit) == 1 else None
        super().show(lights)

    def lit(self) -> Square | None:
        return self._lit

    def put(self, square: Square) -> bool:
        self._fingers.touch(square)
        return True

    def close(self) -> None:
        self._fingers.listener = None
        self._emulator.close()


def _found(finding: Finding, translate: Translate) -> Found:
    return Found(translate(finding.check), finding.verdict, finding.found, finding.mend)


def set_up_of(settings: Settings, folder: Path, config: Path | None) -> SetUp | None:
    """Return the set-up of the table whose games are in `folder`; None where its board is held."""
    if settings.table.board != "screen":
        return None
    settings_file = find_settings(config, os.environ) or places(os.environ)[0]
    return SetUp(folder, settings_file, ThisMachine(folder), WallClock)


def begin_anew(set_up: SetUp | None, lan: bool, data: Path | None, config: Path | None) -> None:
    """Let this process begin again as the table that was set up, if it was, its page in place."""
    if set_up is None or not set_up.is_finished:
        return
    arguments = ["play", "--no-browser", "--port", str(set_up.port)]
    arguments += ["--lan"] if lan else []
    arguments += ["--board", "emulated"] if set_up.kind == "emulated" else []
    arguments += [] if data is None else ["--data", str(data)]
    arguments += [] if config is None else ["--config", str(config)]
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, "-m", "jetan_table", *arguments])
