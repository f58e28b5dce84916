"""Sources of pictures: cameras, videos, folders and addresses, all as frames in time.

A live camera is read by a thread of its own, and readers get the newest frame.
"""

import re
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse
from itertools import count
from pathlib import Path
from typing import Protocol
from urllib.error import HTTPError
from urllib.parse import unquote, urlsplit
from urllib.request import HTTPBasicAuthHandler, HTTPDigestAuthHandler, build_opener
from urllib.request import HTTPPasswordMgrWithDefaultRealm as WithoutRealm

import cv2
import numpy as np

from rules import Worded, _

from . import MOST_PIXELS
from .errors import BadHint, NoCamera
from .geometry import Picture

PICTURES = {".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"}
VIDEOS = {".mp4", ".mkv", ".avi", ".mov", ".webm", ".mjpeg", ".mjpg"}

LEAST_SIDE = 120
"""Least side of a picture that may show a board, in pixels."""

NO_PICTURE = _("no picture that can be read")
TOO_LARGE = _("too large: take smaller pictures, 1280 × 720 is enough")

WIDTH, HEIGHT = 1280, 720
"""Picture size asked of a camera, in pixels: more shows no more of a board, and costs time."""

RATE = 10
"""Frames a second: hands are slower, and a Raspberry Pi has more to do."""

FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 10.0
"""Shortest and longest wait before a lost camera is tried again, doubled each time."""

SILENCE_S = 3.0
"""Seconds without a picture after which a camera is reported as silent."""

SHOWN_AGAIN_S = 0.5
"""Seconds between repetitions of the last of kept pictures."""

CHUNK = 1 << 14
LARGEST_JPEG = 1 << 24

BEGIN, END = b"\xff\xd8\xff", b"\xff\xd9"
"""Marks of a JPEG."""

SOURCE_FORMS = _(
    "a folder of pictures, a video, usb:0, /dev/video0, rpicam:0, http://… or rtsp://…"
)

NO_CAMERAS = _("none")

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture taken `at` seconds; None, with its `trouble` in words, for one of no use."""

    name: str
    at: float
    picture: Picture | None
    trouble: str = ""


Reader = Callable[[Clock], Iterator[Frame]]
"""Opens a camera and yields its frames; ends, or raises NoCamera, when it is lost."""


class Source(Protocol):
    """Pictures in time. `are_stills`: each stands for itself, taken when hands had rested."""

    are_stills: bool

    def frames(self) -> Iterator[Frame]:
        """Yield what there is to see; a slow taker of a live source gets the newest."""
        ...

    def close(self) -> None:
        """Let the camera go."""
        ...


def open_source(name: str, clock: Clock) -> Source:
    """Open a source; BadHint for a name of none.

    A live camera that does not answer says so in its frames, and is tried again.
    """
    scheme, colon, rest = name.partition(":")
    if colon and scheme in {"http", "https", "rtsp"}:
        return LiveSource(partial(address_frames, name), clock)
    if colon and scheme in READERS:
        return LiveSource(partial(READERS[scheme], rest or "0"), clock)
    path = Path(name)
    if path.is_char_device() or (name.startswith("/dev/") and not path.exists()):
        return LiveSource(partial(usb_frames, name), clock)
    if path.is_dir():
        return pictures_in(path)
    suffix = path.suffix.lower()
    if suffix in PICTURES | VIDEOS and not path.is_file():
        raise BadHint(_("{name}: no such file"), name=name)
    if suffix in PICTURES:
        return pictures([path])
    if path.is_file():
        return video(path)
    shown = without_password(name)
    raise BadHint(_("{source}: no such source; give {kinds}"), source=shown, kinds=SOURCE_FORMS)


@dataclass(slots=True)
class KeptSource:
    """Pictures taken before: `frames` yields them, and `close` lets them go."""

    are_stills: bool
    frames: Callable[[], Iterator[Frame]]
    close: Callable[[], None] = lambda: None


def pictures(files: Sequence[Path]) -> KeptSource:
    """Return single pictures as a source, one a second."""

    def frames() -> Iterator[Frame]:
        for number, path in enumerate(files):
            yield decoded(path.name, float(number), path.read_bytes())

    return KeptSource(True, frames)


def pictures_in(folder: Path) -> KeptSource:
    """Return a folder's pictures as a source, by name; BadHint for a folder without any."""
    files = [path for path in folder.iterdir() if path.suffix.lower() in PICTURES]
    if not files:
        kinds = " ".join(sorted(PICTURES))
        raise BadHint(_("{folder}: holds no pictures ({kinds})"), folder=folder, kinds=kinds)
    return pictures(sorted(files))


def video(file: Path) -> KeptSource:
    """Return a film as a source; BadHint for one that cannot be read."""
    capture = cv2.VideoCapture(str(file))
    if not capture.isOpened():
        raise BadHint(_("{file}: no video that can be read"), file=file)
    if is_too_large(capture):
        raise BadHint(_("{file}: {why}"), file=file, why=TOO_LARGE)

    def frames() -> Iterator[Frame]:
        rate = capture.get(cv2.CAP_PROP_FPS) or 25.0
        for number in count():
            good, picture = capture.read()
            if not good:
                return
            yield checked(f"{file.name}#{number}", number / rate, picture)

    return KeptSource(False, frames, capture.release)


def paced(source: Source, clock: Clock) -> KeptSource:
    """Return kept pictures as a camera that sees them now; the last one is repeated."""
    is_closed = threading.Event()

    def frames() -> Iterator[Frame]:
        began, frame = clock(), Frame("nothing", 0.0, None, _("no pictures"))
        for frame in source.frames():
            if is_closed.wait(max(began + frame.at - clock(), 0.0)):
                return
            yield replace(frame, at=clock())
        while not is_closed.wait(SHOWN_AGAIN_S):
            yield replace(frame, at=clock())

    def close() -> None:
        is_closed.set()
        source.close()

    return KeptSource(source.are_stills, frames, close)


# ------------------------------------------------------------------ live cameras


class LiveSource:
    """A live source. Its thread keeps the newest frame, and opens a lost camera again."""

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
        """Yield the newest frame, each once, and between them a silent camera's trouble."""
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


def shown_within(source: Source, seconds: float) -> Iterator[Frame]:
    """Yield a source's frames; NoCamera if its first `seconds` have no picture.

    A camera that has shown one is waited for.
    """
    began: float | None = None
    has_shown = source.are_stills
    for frame in source.frames():
        began = frame.at if began is None else began
        has_shown = has_shown or frame.picture is not None
        if not has_shown and frame.at >= began + seconds:
            raise NoCamera(_("{why}"), why=frame.trouble)
        yield frame


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


READERS = {"usb": usb_frames, "rpicam": rpicam_frames}


def listed() -> str:
    """Return the names of the cameras on this machine, in words."""
    found = sorted(Path("/dev/v4l/by-id").glob("*-index0")) or sorted(Path("/dev").glob("video*"))
    return " ".join(map(str, found)) or NO_CAMERAS


def without_password(address: str) -> str:
    """Return an address without its user and password, as it may be shown."""
    return re.sub(r"//[^/@]*@", "//", address)


def _captured(capture: cv2.VideoCapture, clock: Clock, missing: NoCamera) -> Iterator[Frame]:
    """Yield a capture's frames; raises `missing` for one that could not be opened."""
    try:
        if not capture.isOpened():
            raise missing
        if is_too_large(capture):
            raise NoCamera(TOO_LARGE)
        for number in count():
            good, picture = capture.read()
            if not good:
                return
            yield checked(f"#{number}", clock(), picture)
    finally:
        capture.release()


NOT_THAT_PAGE = _("{source}: no such page ({code}); phones mostly show their pictures at /video")
NO_PASSWORD = _(
    "{source}: wants a user and a password, as in http://USER:PASSWORD@phone.local:8080/video"
)
NO_ANSWER = _(
    "{source}: no answer ({why}); is its app running, and the address with its port right?"
)
NO_MOTION_JPEG = _("{source}: sends no motion JPEG; phones mostly do at /video")


def _motion_jpeg(address: str, clock: Clock) -> Iterator[Frame]:
    """Yield the pictures of a stream of JPEGs, the newest as they come."""
    # By hand: OpenCV's reader shows a picture when the next has come, 1.0 s late instead of 0.5 at
    # two a second, and does not say why an address has none.
    source, number = without_password(address), 0
    try:
        with closing(_opened(address)) as stream:
            for jpeg in jpegs_in(iter(lambda: stream.read1(CHUNK), b"")):
                yield decoded(f"#{number}", clock(), jpeg)
                number += 1
    except HTTPError as error:
        error.close()
        why = NO_PASSWORD if error.code == HTTPStatus.UNAUTHORIZED else NOT_THAT_PAGE
        raise NoCamera(why, source=source, code=error.code) from None
    except (OSError, HTTPException, ValueError) as error:
        raise NoCamera(NO_ANSWER, source=source, why=error) from None
    if not number:
        raise NoCamera(NO_MOTION_JPEG, source=source)


def _opened(address: str) -> HTTPResponse:
    """Return the answer of an address, to the user and password in it where it asks for them."""
    plain, parts, known = without_password(address), urlsplit(address), WithoutRealm()
    if parts.username is not None:
        user, password = unquote(parts.username), unquote(parts.password or "")
        known.add_password(None, plain, user, password)
    opener = build_opener(HTTPBasicAuthHandler(known), HTTPDigestAuthHandler(known))
    answer: HTTPResponse = opener.open(plain, timeout=SILENCE_S)
    return answer


def jpegs_in(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Split a stream at the marks of its JPEGs; it ends after LARGEST_JPEG bytes without one."""
    # Each byte is searched once, or a stream without a mark would cost the square of its length.
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


# ------------------------------------------------------------------ encoded pictures


def decoded(name: str, at: float, data: bytes) -> Frame:
    """Return the frame of an encoded picture, or one with the trouble with it."""
    if not data:
        return Frame(name, at, None, _("empty"))
    if data[:2] == b"\xff\xd8" and b"\xff\xd9" not in data[-64:]:
        return Frame(name, at, None, _("cut short"))  # OpenCV would fill the rest with grey
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        return Frame(name, at, None, TOO_LARGE if "CV_IO_MAX" in error.err else NO_PICTURE)
    return Frame(name, at, None, NO_PICTURE) if picture is None else checked(name, at, picture)


def checked(name: str, at: float, picture: Picture) -> Frame:
    """Return the frame of a picture, in colour, or one with the trouble if it is too small."""
    if picture.ndim == 2:
        picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    if min(picture.shape[:2]) < LEAST_SIDE:
        height, width = picture.shape[:2]
        why = Worded(_("too small ({width} × {height})"), width=width, height=height)
        return Frame(name, at, None, why)
    return Frame(name, at, picture)


def is_too_large(capture: cv2.VideoCapture) -> bool:
    """Return whether a capture's pictures are larger than any that is decoded."""
    sides = (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)
    return capture.get(sides[0]) * capture.get(sides[1]) > MOST_PIXELS
