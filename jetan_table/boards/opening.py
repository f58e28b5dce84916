"""The one place where a board is opened: for play, trial, set-up and wiring alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..languages import translation
from ..settings import Settings
from ..simulation.board import SimulatedBoard
from ..table.board import Board

if TYPE_CHECKING:
    from hardware.pin_board import PinBoard

    from .emulated_table import ChipBoard
    from .table_camera import TableCamera


def open_board(
    settings: Settings,
    clock: Callable[[], float],
    wait: Callable[[float], None],
    camera: TableCamera | None = None,
) -> Board:
    """Return the driver of the real board that the settings name.

    `wait` lets wires settle, in real seconds. A `camera` sees it by itself, or beside its switches.
    """
    if camera is not None:
        from .camera_boards import CameraBoard, WatchedBoard  # OpenCV: only where one looks

        if settings.table.board == "camera":
            return CameraBoard(camera)
        board = open_board(settings, clock, wait)
        return WatchedBoard(board, camera, settings.table.language)
    match settings.table.board:
        case "pins":
            return open_pin_board(settings, clock, wait)
        case "serial" | "screen" | "simulated" | "camera":
            from .serial import open_serial_board

            switch_of = settings.reed.switch_of()
            return open_serial_board(settings, settings.serial.port, switch_of, clock)


def open_simulated(
    board: SimulatedBoard, settings: Settings, clock: Callable[[], float], is_emulated: bool
) -> SimulatedBoard | ChipBoard:
    """Return a simulated board's driver: its own, or an emulated chip at a serial line.

    Raises NoEmulator.
    """
    if not is_emulated:
        return board
    from .emulated_table import emulated  # a serial line: only where one is wanted

    return emulated(board, settings, clock)


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
        translation(settings.table.language),
    )
    pins = open_pins(board_settings.pins.columns, board_settings.pins.buttons)
    spi = open_spi(settings.pins.spi)
    lamps = SpiLamps(spi, board_settings.limit_ma, settings.lamps.colours)
    return PinBoard(pins, lamps, board_settings, wait, clock)
