"""Boards are opened as the settings say, and what is kept of a camera is used."""

from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware_bridge import BoardSettings, SerialBoard
from hardware.lamps import spi_bytes
from hardware.pins import GpioPins
from jetan_table.boards.opening import CORNERS, LENS, keep_corners, open_board, with_kept
from jetan_table.errors import TableError
from jetan_table.settings import CameraSettings, Settings, parse_settings
from tests.hardware.contacts import Contacts
from tests.hardware.pi import StandInGpio, StandInPi
from tests.hardware.spi_wire import SpiWire

SET = "1.0,9.0,9.0,9.0,9.0,1.0,1.0,1.0"


@pytest.mark.parametrize(
    ("asked", "used"),
    [
        (CameraSettings("usb:0"), CameraSettings("usb:0", SET, lens="kept")),
        (ASKED := CameraSettings("usb:0", "5,9,9,9,9,5,5,5", lens="wide.json"), ASKED),
        (CameraSettings("usb:1"), CameraSettings("usb:1", lens="kept")),  # another camera's corners
        *((CameraSettings(other), CameraSettings(other)) for other in ("", "pictures", "film.mp4")),
    ],
)
def test_what_is_kept_of_a_camera_is_used_where_nothing_is_told(
    asked: CameraSettings, used: CameraSettings, tmp_path: Path
) -> None:
    folder = tmp_path / "data"
    assert with_kept(asked, folder) == asked
    keep_corners(folder, "usb:0", SET)
    (folder / LENS).touch()
    found = with_kept(asked, folder)
    assert replace(found, lens=found.lens.replace(str(folder / LENS), "kept")) == used


@pytest.mark.parametrize("text", ["", "{", '{"source": 1}', '{"corners": "1,2"}'])
def test_corners_that_cannot_be_read_are_named(text: str, tmp_path: Path) -> None:
    (tmp_path / CORNERS).write_text(text)
    with pytest.raises(TableError, match="delete it"):
        with_kept(CameraSettings("usb:0"), tmp_path)


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
