"""Opens the board that the settings name, for play, trial and set-up alike, and its camera."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from rules.sentences import Worded
from vision.errors import require_opencv

from ..extras import board_kinds, loaded
from ..people.board import SimulatedBoard
from ..settings import Settings
from ..table.board import Board
from .camera_kept import CameraKept, tell_kept

if TYPE_CHECKING:
    from hardware.pin_board import PinBoard

    from .table_camera import TableCamera


FIRST_PICTURE_S = 1.0
"""For so long it is waited what a camera shows first: that there is none is said at once."""


def open_board(
    settings: Settings,
    clock: Callable[[], float],
    wait: Callable[[float], None],
    camera: TableCamera | None = None,
    under: SimulatedBoard | None = None,
) -> Board:
    """Return the driver of the board that the settings name.

    `clock` tells the table's time, and `wait` lets wires settle, in real seconds. A `camera` sees
    the board by itself, or beside its switches. What is `under` hands of a program drives itself,
    or is at the end of an emulated chip's line. A board of another package is what its
    MODULE:NAME makes of settings, clock and wait. Raises what opening it does, as NoEmulator.
    """
    kind = settings.table.board
    if under is not None:
        if kind != "emulated":
            return under
        from .serial_boards import open_emulated  # a line: only where one is wanted

        return open_emulated(under, settings, clock)
    if camera is not None:
        from .camera_boards import CameraBoard, WatchedBoard  # OpenCV: only where one looks

        if kind == "camera":
            return CameraBoard(camera)
        board = open_board(settings, clock, wait)
        return WatchedBoard(board, camera)
    match kind:
        case "pins":
            return open_pin_board(settings, clock, wait)
        case "serial" | "screen" | "simulated" | "emulated" | "camera":
            from .serial_boards import open_serial_board

            order = settings.reed.switch_of()
            return open_serial_board(settings, settings.serial.port, order, clock)
        case brought if (extra := board_kinds().get(brought)) is not None:
            return extra.board(settings, clock, wait)
        case place:
            foreign: Board = loaded(place)(settings, clock, wait)
            return foreign


def camera_of(
    settings: Settings, clock: Callable[[], float], folder: Path, tell: Callable[[Worded], None]
) -> TableCamera | None:
    """Return the camera of the settings, already looking; None where they name none.

    `folder` keeps its lens and corners. That they are used, and why it shows nothing at first, is
    told by `tell`.
    """
    if not settings.camera.source:
        return None
    require_opencv()
    from .table_camera import open_camera

    kept = CameraKept(folder)
    camera = kept.added_to(settings.camera)
    tell_kept(settings.camera, camera, tell)
    opened = open_camera(camera, clock, partial(kept.keep_corners, camera.source))
    if (trouble := opened.first_trouble(FIRST_PICTURE_S)) is not None:
        tell(trouble)
    return opened


def open_pin_board(
    settings: Settings, clock: Callable[[], float], wait: Callable[[float], None]
) -> PinBoard:
    """Return the driver of the board on this Pi's pins.

    Raises NoGpio, PinRefused or BadWiring; no pin is driven then.
    """
    from hardware.lgpio_pins import open_pins
    from hardware.pin_board import PinBoard, PinBoardSettings
    from hardware.spi_lamps import SpiLamps, open_spi

    board_settings = PinBoardSettings(
        settings.pins.pin_map(),
        settings.reed.switch_of(),
        settings.reed.debounce_ms,
        settings.reed.diodes,
        settings.lamps.limit_ma,
    )
    pins = open_pins(board_settings.pins.columns, board_settings.pins.buttons)
    spi = open_spi(settings.pins.spi)
    lamps = SpiLamps(spi, board_settings.limit_ma, settings.lamps.colours)
    return PinBoard(pins, lamps, board_settings, wait, clock)
