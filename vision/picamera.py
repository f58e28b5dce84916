"""Cameras on a Raspberry Pi's ribbon cable through picamera2, where the system has it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from importlib import import_module
from typing import Any

from rules.sentences import _

from .errors import NoCamera
from .live import HEIGHT, RATE, WIDTH, Clock, Reader
from .sources import Frame, checked

MEND = _("sudo apt-get install python3-picamera2, or use rpicam:0 instead")


def picamera_reader(number: str) -> Reader:
    """Read the camera of a number, as `picamera2` counts them."""

    def read(clock: Clock) -> Iterator[Frame]:
        with closing(_opened(number)) as camera:
            # Its RGB888 is blue first in memory, as OpenCV wants it.
            main = {"size": (WIDTH, HEIGHT), "format": "RGB888"}
            configuration = camera.create_video_configuration(
                main=main, controls={"FrameRate": RATE}
            )
            try:
                camera.configure(configuration)
                camera.start()
                while True:
                    yield checked("picamera", clock(), camera.capture_array("main"))
            except RuntimeError as error:
                raise NoCamera(_("picamera:{number}: {why}"), number=number, why=error) from None

    return read


def _opened(number: str) -> Any:
    try:
        make = import_module("picamera2").Picamera2
    except (ImportError, ValueError) as error:  # ValueError: built for another numpy than this one
        raise NoCamera(
            _("picamera2 cannot be used here ({why}): {mend}"), why=error, mend=MEND
        ) from None
    try:
        return make(int(number))
    except (IndexError, ValueError, RuntimeError) as error:
        raise NoCamera(
            _("picamera:{number}: no such camera, or it is in use ({why})"),
            number=number,
            why=error,
        ) from None
