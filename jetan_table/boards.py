"""Real boards, opened as the settings say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from firmware_bridge import BoardSettings, SerialBoard
from hardware.ports import Lamps, Sensor
from hardware.switches import Switch

from .loop import Parts
from .settings import Settings


class Board(Sensor, Lamps, Parts, Protocol):
    """A real board's driver."""

    def statistics(self) -> list[str]:
        """Return what has been counted, in words."""
        ...

    def close(self) -> None:
        """Make the lamps dark and let go of the board."""
        ...


def open_serial_board(
    settings: Settings, port: str, switch_of: Sequence[Switch], clock: Callable[[], float]
) -> SerialBoard:
    """Return the driver of the board at a port; `clock` tells the table's time. Raises BadPort."""
    from firmware_bridge.port import SerialPort

    told = BoardSettings(
        round(settings.reed.debounce_ms), round(settings.lamps.limit_ma), settings.serial.baud
    )
    line = SerialPort(port, told.baud, clock)
    return SerialBoard(line, told, switch_of, language=settings.table.language)


def open_board(settings: Settings, clock: Callable[[], float]) -> Board:
    """Return the driver of the board that the settings name, which is not the simulated one."""
    return open_serial_board(settings, settings.serial.port, settings.reed.switch_of(), clock)
