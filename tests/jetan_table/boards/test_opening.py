"""Boards are opened as the settings say."""

from contextlib import closing
from pathlib import Path

import pytest

from firmware_bridge import BoardSettings, SerialBoard
from hardware.lamps import spi_bytes
from hardware.pins import GpioPins
from jetan_table.boards.opening import open_board
from jetan_table.settings import Settings, parse_settings
from tests.hardware.contacts import Contacts
from tests.hardware.pi import StandInGpio, StandInPi
from tests.hardware.spi_wire import SpiWire

LAMPS = '[lamps]\ncolours = "rgb"\nlimit_ma = 900\n'


def settings(board: str, more: str = "") -> Settings:
    return parse_settings(f'{LAMPS}[table]\nboard = "{board}"\n{more}')


def test_a_board_on_the_pins_has_the_lamps_of_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    pi, wire = StandInPi(Contacts()), SpiWire()
    monkeypatch.setattr("hardware.pins.open_pins", lambda *_pins: GpioPins(StandInGpio(pi)))
    monkeypatch.setattr("hardware.lamps.open_spi", lambda _device: wire)
    board = open_board(settings("pins"), lambda: 0.0, pi.wait)
    board.show(((1, 2, 3),) * 100)
    assert wire.sent == spi_bytes(((2, 1, 3),) * 100)


def test_a_board_at_a_cable_has_the_lamps_of_the_settings(tmp_path: Path) -> None:
    port = f'[serial]\nport = "{tmp_path / "board"}"\n'
    board = open_board(settings("serial", port), lambda: 0.0, lambda _seconds: None)
    with closing(board):
        assert isinstance(board, SerialBoard)
        assert board.link.settings == BoardSettings(limit_ma=900, colours="rgb")
