"""A board at the end of a serial line, opened as the settings say."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from firmware_bridge import BoardSettings, SerialBoard
from hardware.switches import Switch

from ..languages import translation
from ..settings import Settings


def open_serial_board(
    settings: Settings, port: str, switch_of: Sequence[Switch], clock: Callable[[], float]
) -> SerialBoard:
    """Return the driver of the board at a port; `clock` tells the table's time. Raises BadPort."""
    from firmware_bridge.port import SerialPort  # pyserial: only where there is a line

    board_settings = BoardSettings(
        round(settings.reed.debounce_ms),
        round(settings.lamps.limit_ma),
        settings.serial.baud,
        settings.lamps.colours,
    )
    line = SerialPort(port, board_settings.baud, clock)
    return SerialBoard(
        line, board_settings, switch_of, translate=translation(settings.table.language)
    )
