"""The machine that a table is set up on, as set-up asks of it."""

import os
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from msgspec.structs import replace

from rules import Position
from rules.sentences import SentenceError, _
from vision.errors import require_opencv

from ...boards.opening import CameraKept, open_board
from ...game.agreements import named_rules
from ...languages import worded
from ...machine.machine import cameras, look_around, serial_ports
from ...notices import Notice
from ...people.board import steady_board
from ...settings import BoardKind, Settings, find_settings, places
from ...table.board import Board
from ...table.loop import WallClock
from ...wiring import Seating
from .doctor import examine
from .guide import Kind, SetUp
from .planted import drawn_wiring

PRACTICE_SEED = 7
"""The practice board is wired by chance, but always the same: set-up may be cut and go on."""

CHECKS: dict[Kind, frozenset[str]] = {
    "serial": frozenset({"groups", "serial"}),
    "pins": frozenset({"groups", "gpio", "spi", "i2c", "supply", "pace"}),
    "camera": frozenset({"opencv"}),
}
"""What of the doctor's checks a sort of table stands on."""


WAY_IN = (
    Notice(
        "stand",
        "pass",
        _(
            "hold the camera firmly above the board, all of it in the picture: 45 to 60 degrees "
            "are enough for flat discs, tall pieces need more"
        ),
    ),
    Notice("mirror", "pass", _("turn the camera's mirroring off; phones call it the selfie view")),
    Notice("lamp", "pass", _("light the board evenly, so that no lamp is mirrored in it")),
    Notice(
        "print",
        "pass",
        _(
            "the surest is a printed board with markers and flat discs: jetan build evening "
            "--way paper, with --board ninth-ray for the round one. Its evening/paper/markers.json "
            "is what is asked for here"
        ),
    ),
)
"""What people see to before a camera's picture is judged."""


class ThisMachine:
    """This one; `folder` is where games are kept."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def kinds(self) -> Sequence[Kind]:
        has_emulator = shutil.which("simavr") is not None
        emulated: tuple[Kind, ...] = ("emulated",) if has_emulator else ()
        return ("screen", "camera", "serial", "pins", *emulated, "practice")

    def candidates(self, kind: Kind) -> Sequence[str]:
        match kind:
            case "serial":
                return serial_ports()
            case "camera":
                return cameras()
        return ()

    def examine(self, kind: Kind, settings: Settings, whole: bool) -> Iterator[Notice]:
        wanted = CHECKS.get(kind, frozenset())
        if whole or wanted:
            board = kind if kind in ("serial", "pins", "camera") else "screen"
            table = replace(settings.table, board=board)
            machine = look_around(self._folder, WallClock())
            for finding in examine(machine, replace(settings, table=table)):
                if whole or finding.check in wanted:
                    yield finding
        if kind == "camera":
            if not whole:
                yield from WAY_IN
            yield from self._findings(settings)

    def _findings(self, settings: Settings) -> Iterator[Notice]:
        """Yield what is found of the table's camera over the board that the table plays on."""
        from .camera_doctor import findings_of_camera  # OpenCV: only for a camera

        try:
            start = Position.start(named_rules(settings.table.rules))
            camera = CameraKept(self._folder).added_to(settings.camera)
        except (SentenceError, OSError) as error:
            yield Notice("board", "fail", worded(error))
            return
        yield from findings_of_camera(camera, start)

    def picture(self, settings: Settings) -> bytes:
        from ...cli.camera import first_place, pictured

        camera = CameraKept(self._folder).added_to(settings.camera)
        return pictured(*first_place(camera, named_rules(settings.table.rules).board))

    def check(self, kind: Kind, settings: Settings) -> None:
        if kind == "camera":
            require_opencv()
            from vision.sources import open_source

            from ...boards.camera import found_by

            named_rules(settings.table.rules)
            found_by(settings.camera)
            open_source(settings.camera.source, time.monotonic).close()
        elif kind in ("serial", "pins", "emulated"):
            self.open(kind, settings).close()

    def open(self, kind: Kind, settings: Settings) -> Board:
        clock, under = WallClock(), None
        board: BoardKind = "simulated" if kind == "practice" else kind
        if kind in ("practice", "emulated"):
            rng = Random(PRACTICE_SEED)
            under = steady_board((), rng, wiring=drawn_wiring(rng) if kind == "practice" else None)
        named = replace(settings, table=replace(settings.table, board=board))
        return open_board(named, clock.now, time.sleep, under=under)


def set_up_of(settings: Settings, folder: Path, config: Path | None) -> SetUp | None:
    """Return the set-up of the table whose games are in `folder`; None where its board is held."""
    if settings.table.board != "screen":
        return None
    settings_file = find_settings(config, os.environ) or places(os.environ)[0]
    return SetUp(folder, settings_file, ThisMachine(folder), WallClock)


def begin_anew(set_up: SetUp, seating: Seating) -> None:
    """Let this process begin again as the table that was set up, if it was, its page in place."""
    if not set_up.is_finished:
        return
    arguments = ["play", "--no-browser", "--port", str(seating.port)]
    arguments += ["--lan"] if seating.is_open else []
    arguments += ["--board", "emulated"] if set_up.kind == "emulated" else []
    arguments += ["--data", str(seating.folder)]
    arguments += [] if seating.config is None else ["--config", str(seating.config)]
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, "-m", "jetan_table", *arguments])
