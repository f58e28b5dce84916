"""Real boards, opened as the settings say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from firmware_bridge import BoardSettings, SerialBoard
from hardware.switches import Switch

from ..languages import translation
from ..settings import Settings
from .board import RealBoard

if TYPE_CHECKING:
    from hardware.pin_board import PinBoard

    from .table_camera import TableCamera


def open_serial_board(
    settings: Settings, port: str, switch_of: Sequence[Switch], clock: Callable[[], float]
) -> SerialBoard:
    """Return the driver of the board at a port; `clock` tells the table's time. Raises BadPort."""
    from firmware_bridge.port import SerialPort

    board_settings = BoardSettings(
        round(settings.reed.debounce_ms), round(settings.lamps.limit_ma), settings.serial.baud
    )
    line = SerialPort(port, board_settings.baud, clock)
    return SerialBoard(
        line, board_settings, switch_of, translate=translation(settings.table.language)
    )


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
    lamps = SpiLamps(open_spi(settings.pins.spi), board_settings.limit_ma)
    return PinBoard(pins, lamps, board_settings, wait, clock)


def open_board(
    settings: Settings,
    clock: Callable[[], float],
    wait: Callable[[float], None],
    camera: TableCamera | None = None,
) -> RealBoard:
    """Return the driver of the board that the settings name, which is not the simulated one.

    `wait` lets wires settle, in real seconds. A `camera` sees it by itself, or beside its switches.
    """
    if camera is not None:
        from .camera_boards import CameraBoard, WatchedBoard

        if settings.table.board == "camera":
            return CameraBoard(camera)
        board = open_board(settings, clock, wait)
        return WatchedBoard(board, camera, settings.table.language)
    if settings.table.board == "pins":
        return open_pin_board(settings, clock, wait)
    return open_serial_board(settings, settings.serial.port, settings.reed.switch_of(), clock)
