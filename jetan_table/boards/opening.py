"""Opens the board that the settings name, for play, trial and set-up alike, and its camera.

A data folder keeps a camera's lens and the corners of its board from evening to evening.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from rules import Worded, _
from vision.errors import require_opencv

from ..errors import TableError
from ..extras import board_kinds, loaded
from ..files import Damaged, read_json, write_whole
from ..people.board import SimulatedBoard
from ..settings import CameraSettings, Settings
from ..table.board import Board

if TYPE_CHECKING:
    from hardware.pin_board import PinBoard

    from .camera import TableCamera

FIRST_PICTURE_S = 1.0
"""Seconds to wait for a camera's first picture, so that a missing camera is reported at once."""


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
    MODULE:NAME makes of settings, clock and wait. Raises what opening it does.
    """
    kind = settings.table.board
    if under is not None:
        if kind != "emulated":
            return under
        from .serial import open_emulated  # a line: only where one is wanted

        return open_emulated(under, settings, clock)
    if camera is not None:
        from .camera import CameraBoard, WatchedBoard  # OpenCV: only where one looks

        if kind == "camera":
            return CameraBoard(camera)
        board = open_board(settings, clock, wait)
        return WatchedBoard(board, camera)
    match kind:
        case "pins":
            return open_pin_board(settings, clock, wait)
        case "serial" | "screen" | "simulated" | "emulated" | "camera":
            from .serial import open_serial_board

            order = settings.reed.switch_of()
            return open_serial_board(settings, settings.serial.port, order, clock)
        case brought if (extra := board_kinds().get(brought)) is not None:
            own: Board = extra.board(settings, clock, wait)
            return own
        case place:
            foreign: Board = loaded(place)(settings, clock, wait)
            return foreign


def open_pin_board(
    settings: Settings, clock: Callable[[], float], wait: Callable[[float], None]
) -> PinBoard:
    """Return the driver of the board on this Pi's pins.

    Raises HardwareError; no pin is driven then.
    """
    from hardware.lamps import SpiLamps, open_spi
    from hardware.pin_board import PinBoard
    from hardware.pins import open_pins

    pin_map, reed = settings.pins.pin_map(), settings.reed
    switch_of = reed.switch_of()
    pins = open_pins(pin_map.columns, pin_map.buttons)
    spi = open_spi(settings.pins.spi)
    lamps = SpiLamps(spi, settings.lamps.limit_ma, settings.lamps.colours)
    return PinBoard(
        pins, lamps, pin_map, switch_of, wait, clock, reed.debounce_ms, diodes=reed.diodes
    )


def camera_of(
    settings: Settings, clock: Callable[[], float], folder: Path, tell: Callable[[str], None]
) -> TableCamera | None:
    """Return the camera of the settings, already looking; None where they name none.

    `folder` keeps its lens and corners. That they are used, and why it shows nothing at first, is
    told by `tell`.
    """
    if not settings.camera.source:
        return None
    require_opencv()
    from .camera import open_camera

    camera = with_kept(settings.camera, folder)
    tell_kept(settings.camera, camera, tell)
    opened = open_camera(camera, clock, partial(keep_corners, folder, camera.source))
    if (trouble := opened.first_trouble(FIRST_PICTURE_S)) is not None:
        tell(trouble.found)
    return opened


# ------------------------------------------------------------------ what is kept of a camera


LENS = "lens.json"
CORNERS = "corners.json"
LIVE = ("usb:", "rpicam:", "/dev/", "http://", "https://", "rtsp://")
"""Beginnings of the names of cameras. Pictures and films may be another camera's."""


class Corners(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The corners that people have set in the pictures of one source, as the settings have them."""

    source: str
    corners: str


def with_kept(camera: CameraSettings, folder: Path) -> CameraSettings:
    """Return the settings with what a data folder keeps of their camera, where they tell nothing.

    TableError where kept corners cannot be read, OSError.
    """
    # A film or a picture may be of any camera and board: what was kept would not fit it.
    if not camera.source.startswith(LIVE):
        return camera
    try:
        corners = read_json(folder / CORNERS, Corners)
    except Damaged as error:
        raise TableError(_("{why}: delete it, and set the corners again"), why=error) from None
    lens = folder / LENS
    if not camera.lens and lens.exists():
        camera = replace(camera, lens=str(lens))
    if not camera.corners and corners is not None and corners.source == camera.source:
        camera = replace(camera, corners=corners.corners)
    return camera


def keep_corners(folder: Path, source: str, corners: str) -> None:
    """Keep in a data folder the corners that were set in a source's pictures; OSError."""
    write_whole(folder / CORNERS, msgspec.json.encode(Corners(source, corners)))


def tell_kept(
    asked: CameraSettings, camera: CameraSettings, tell: Callable[[Worded], None]
) -> None:
    """Tell which lens and corners were kept of a camera and are used, though not asked for now."""
    if camera.lens != asked.lens:
        tell(Worded(_("lens: {path}"), path=camera.lens))
    if camera.corners != asked.corners:
        tell(Worded(_("corners: {corners}, as set on the page"), corners=camera.corners))
