"""Live cameras: a thread of their own reads them, and whoever looks gets the newest frame."""

import re
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from http.client import HTTPException
from itertools import count
from pathlib import Path
from urllib.request import urlopen

import cv2
import numpy as np

from rules.sentences import _

from .errors import NoCamera
from .sources import Frame, Source, checked, decoded, size_of, too_large

WIDTH, HEIGHT = 1280, 720
"""What is asked of a camera: more shows no more of a board, and costs time."""

RATE = 10
"""Frames a second: hands are slower, and a Raspberry Pi has more to do."""

FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 10.0
"""How long until a camera that was lost is tried again: longer each time."""

SILENCE_S = 3.0
"""A camera that has shown nothing for so long is said to be silent."""

AGAIN_S = 0.5
"""The last of kept pictures is seen again after so long."""

CHUNK = 1 << 14
LARGEST_JPEG = 1 << 24
BEGIN, END = b"\xff\xd8\xff", b"\xff\xd9"
"""Marks of a JPEG."""

Clock = Callable[[], float]
Reader = Callable[[Clock], Iterator[Frame]]
"""Opens a camera and yields its frames; ends, or raises NoCamera, where it is lost."""


class LiveSource:
    """A live source. Its thread keeps one frame, the newest, and opens a lost camera again."""

    are_stills = False

    def __init__(self, read: Reader, clock: Clock) -> None:
        self._read = read
        self._clock = clock
        self._frame: Frame | None = None
        self._there = threading.Condition()
        self._is_closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    def frames(self) -> Iterator[Frame]:
        """Yield the newest frame again and again, each once; a silent camera's trouble between."""
        trouble: str = _("the camera shows nothing")
        while not self._is_closed.is_set():
            with self._there:
                self._there.wait_for(lambda: self._frame is not None, timeout=SILENCE_S)
                frame, self._frame = self._frame, None
            frame = frame or Frame("silence", self._clock(), None, trouble)
            trouble = frame.trouble or _("the camera shows nothing")
            if not self._is_closed.is_set():
                yield frame

    def close(self) -> None:
        """Stop reading and let the camera go."""
        self._is_closed.set()
        self._thread.join(timeout=SILENCE_S)

    def _run(self) -> None:
        wait = FIRST_WAIT_S
        while not self._is_closed.is_set():
            trouble: str = _("the camera is gone")
            try:
                for frame in self._read(self._clock):
                    if self._is_closed.is_set():
                        return
                    self._put(frame)
                    wait = FIRST_WAIT_S
            except Exception as error:  # whatever a camera sends, it is tried again
                trouble = error.worded if isinstance(error, NoCamera) else str(error)
            self._put(Frame("camera", self._clock(), None, trouble))
            self._is_closed.wait(wait)
            wait = min(2 * wait, LONGEST_WAIT_S)

    def _put(self, frame: Frame) -> None:
        with self._there:
            if frame.picture is not None or self._frame is None:
                self._frame = frame
            self._there.notify()


class Shown:
    """A source that ends with NoCamera where it has shown no picture for so many seconds at first.

    A camera that was seen once is waited for.
    """

    def __init__(self, source: Source, seconds: float) -> None:
        self.are_stills = source.are_stills
        self._source, self._seconds = source, seconds

    def frames(self) -> Iterator[Frame]:
        """Yield what there is to see."""
        began: float | None = None
        has_shown = self.are_stills
        for frame in self._source.frames():
            began = frame.at if began is None else began
            has_shown = has_shown or frame.picture is not None
            if not has_shown and frame.at >= began + self._seconds:
                raise NoCamera(_("{why}"), why=frame.trouble)
            yield frame

    def close(self) -> None:
        """Let the source go."""
        self._source.close()


class PacedSource:
    """Kept pictures, shown as if a camera saw them now; the last one goes on being seen."""

    def __init__(self, source: Source, clock: Clock) -> None:
        self.are_stills = source.are_stills
        self._source, self._clock = source, clock
        self._is_closed = threading.Event()

    def frames(self) -> Iterator[Frame]:
        """Yield each frame when its time has come, under the clock's time."""
        began, frame = self._clock(), Frame("nothing", 0.0, None, _("no pictures"))
        for frame in self._source.frames():
            if self._is_closed.wait(max(began + frame.at - self._clock(), 0.0)):
                return
            yield replace(frame, at=self._clock())
        while not self._is_closed.wait(AGAIN_S):
            yield replace(frame, at=self._clock())

    def close(self) -> None:
        """Let the pictures go."""
        self._is_closed.set()
        self._source.close()


def usb_frames(device: str, clock: Clock) -> Iterator[Frame]:
    """Read a camera of Video4Linux: `device` is a path or a number."""
    address = int(device) if device.isdigit() else device
    capture = cv2.VideoCapture(address, cv2.CAP_V4L2)
    # Motion JPEG first: raw pictures of this size come too slowly over USB 2.
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, WIDTH)
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, HEIGHT)
    missing = NoCamera(
        _("{device}: no camera there; see which there are: {listed}"),
        device=f"usb:{device}" if device.isdigit() else device,
        listed=listed(),
    )
    yield from _captured(capture, clock, missing)


def address_frames(address: str, clock: Clock) -> Iterator[Frame]:
    """Read a phone's or a network camera's address: motion JPEG over HTTP, or RTSP."""
    if address.startswith("http"):
        yield from _motion_jpeg(address, clock)
        return
    missing = NoCamera(_("{source}: no answer"), source=without_password(address))
    yield from _captured(cv2.VideoCapture(address, cv2.CAP_FFMPEG), clock, missing)


def rpicam_frames(number: str, clock: Clock) -> Iterator[Frame]:
    """Read a camera on a Raspberry Pi's ribbon cable, through the system's `rpicam-vid`."""
    command = ["rpicam-vid", "--nopreview", "--timeout", "0", "--camera", number]
    command += ["--width", str(WIDTH), "--height", str(HEIGHT), "--framerate", str(RATE)]
    command += ["--codec", "yuv420", "--output", "-"]
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except FileNotFoundError:
        raise NoCamera(_("rpicam-vid is missing: sudo apt-get install rpicam-apps")) from None
    with process:
        try:
            assert process.stdout is not None
            size = WIDTH * HEIGHT * 3 // 2
            while len(data := process.stdout.read(size)) == size:
                planes = np.frombuffer(data, np.uint8).reshape(HEIGHT * 3 // 2, WIDTH)
                picture = cv2.cvtColor(planes, cv2.COLOR_YUV2BGR_I420)
                yield checked("rpicam", clock(), picture)
        finally:
            process.kill()
    raise NoCamera(
        _("rpicam:{number}: rpicam-vid ended; try `rpicam-hello --list-cameras`"), number=number
    )


NONE = _("none")


def listed() -> str:
    """Name the cameras there are, in words."""
    found = sorted(Path("/dev/v4l/by-id").glob("*-index0")) or sorted(Path("/dev").glob("video*"))
    return " ".join(map(str, found)) or NONE


def without_password(address: str) -> str:
    """Return an address as it may be shown."""
    return re.sub(r"//[^/@]*@", "//", address)


def _captured(capture: cv2.VideoCapture, clock: Clock, missing: NoCamera) -> Iterator[Frame]:
    """Yield what a capture sees; raises `missing` where it could not be opened."""
    try:
        if not capture.isOpened():
            raise missing
        if (why := too_large(size_of(capture))) is not None:
            raise NoCamera(_("{why}"), why=why)
        for number in count():
            good, picture = capture.read()
            if not good:
                return
            yield checked(f"#{number}", clock(), picture)
    finally:
        capture.release()


def _motion_jpeg(address: str, clock: Clock) -> Iterator[Frame]:
    """Yield the pictures of a stream of JPEGs; a library's reader would queue old ones up."""
    source, number = without_password(address), 0
    try:
        with closing(urlopen(address, timeout=SILENCE_S)) as stream:
            for jpeg in jpegs_in(iter(lambda: stream.read1(CHUNK), b"")):
                yield decoded(f"#{number}", clock(), jpeg)
                number += 1
    except (OSError, HTTPException, ValueError) as error:
        raise NoCamera(_("{source}: no answer ({why})"), source=source, why=error) from None
    if not number:
        raise NoCamera(_("{source}: sends no motion JPEG"), source=source)


def jpegs_in(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Split a stream at the marks of its JPEGs; it ends where LARGEST_JPEG bytes hold none.

    Each byte is searched once, however much comes without a mark.
    """
    kept, is_begun, searched = bytearray(), False, 0
    for chunk in chunks:
        kept += chunk
        while (at := kept.find(END if is_begun else BEGIN, searched)) >= 0:
            if is_begun:
                yield bytes(kept[: at + len(END)])
            del kept[: at + len(END) if is_begun else at]
            is_begun = not is_begun
            searched = 2 if is_begun else 0
        searched = max(searched, len(kept) - len(END))
        if len(kept) > LARGEST_JPEG:
            return
