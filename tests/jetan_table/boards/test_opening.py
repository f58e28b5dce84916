"""Boards are opened as the settings say, and what is kept of a camera is used."""

from contextlib import closing
from pathlib import Path

import pytest

from firmware_bridge import BoardSettings, SerialBoard
from hardware.lamps import spi_bytes
from hardware.pins import GpioPins
from jetan_table.boards.opening import CORNERS, LENS, BadKept, CameraKept, open_board
from jetan_table.settings import CameraSettings, Settings, parse_settings
from tests.hardware.contacts import Contacts
from tests.hardware.pi import StandInGpio, StandInPi
from tests.hardware.spi_wire import SpiWire

SET = "1.0,9.0,9.0,9.0,9.0,1.0,1.0,1.0"


def test_corners_and_lens_are_there_at_the_next_start(tmp_path: Path) -> None:
    kept = CameraKept(tmp_path / "data")
    assert kept.added_to(CameraSettings("usb:0")) == CameraSettings("usb:0")
    kept.keep_corners("usb:0", SET)
    (tmp_path / "data" / LENS).touch()
    again = kept.added_to(CameraSettings("usb:0"))
    assert again == CameraSettings("usb:0", SET, lens=str(tmp_path / "data" / LENS))


def test_what_is_told_comes_first(tmp_path: Path) -> None:
    kept = CameraKept(tmp_path)
    kept.keep_corners("usb:0", SET)
    (tmp_path / LENS).touch()
    settings = CameraSettings("usb:0", "5,9,9,9,9,5,5,5", lens="wide.json")
    assert kept.added_to(settings) == settings


def test_corners_are_those_of_one_camera(tmp_path: Path) -> None:
    kept = CameraKept(tmp_path)
    kept.keep_corners("usb:0", SET)
    assert kept.added_to(CameraSettings("usb:1")).corners == ""


@pytest.mark.parametrize("source", ["", "pictures", "evening.mp4"])
def test_pictures_may_be_those_of_another_camera(source: str, tmp_path: Path) -> None:
    (tmp_path / LENS).touch()
    settings = CameraSettings(source)
    assert CameraKept(tmp_path).added_to(settings) == settings


@pytest.mark.parametrize("text", ["", "{", '{"source": 1}', '{"corners": "1,2"}'])
def test_corners_that_cannot_be_read_are_named(text: str, tmp_path: Path) -> None:
    (tmp_path / CORNERS).write_text(text)
    with pytest.raises(BadKept, match="delete it"):
        CameraKept(tmp_path).added_to(CameraSettings("usb:0"))


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
