"""Where pictures come from: cameras, videos, folders and addresses, all as frames in time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from rules.sentences import Worded, _

from .arrays import Picture
from .errors import BadSource
from .picture_size import Size, size_in

PICTURES = {".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"}
VIDEOS = {".mp4", ".mkv", ".avi", ".mov", ".webm", ".mjpeg", ".mjpg"}

LEAST_SIDE = 120
"""A picture that is smaller shows no board, in pixels."""

MOST_PIXELS = 1 << 25
"""A picture of more is not decoded: to find a board in one of so many takes 230 MB."""

NO_PICTURE = _("no picture that can be read")


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture: `at` seconds, its `name`, and None with the reason where it cannot be used."""

    name: str
    at: float
    picture: Picture | None
    trouble: str = ""


class Source(Protocol):
    """Pictures in time. `are_stills`: each stands for itself, taken when hands had rested."""

    are_stills: bool

    def frames(self) -> Iterator[Frame]:
        """Yield what there is to see; a slow taker of a live source gets the newest."""
        ...

    def close(self) -> None:
        """Let the camera go."""
        ...


class Pictures:
    """Single pictures, one a second."""

    are_stills = True

    def __init__(self, files: Sequence[Path]) -> None:
        self._files = files

    def frames(self) -> Iterator[Frame]:
        for number, path in enumerate(self._files):
            yield decoded(path.name, float(number), path.read_bytes())

    def close(self) -> None:
        """Nothing is held open."""


def pictures_in(folder: Path) -> Pictures:
    """Return the pictures of a folder in the order of their names; BadSource without any."""
    files = [path for path in folder.iterdir() if path.suffix.lower() in PICTURES]
    if not files:
        kinds = " ".join(sorted(PICTURES))
        raise BadSource(_("{folder}: holds no pictures ({kinds})"), folder=folder, kinds=kinds)
    return Pictures(sorted(files))


class Video:
    """A video file, every frame of it."""

    are_stills = False

    def __init__(self, file: Path) -> None:
        self._file = file
        self._capture = cv2.VideoCapture(str(file))
        if not self._capture.isOpened():
            raise BadSource(_("{file}: no video that can be read"), file=file)
        if (why := too_large(size_of(self._capture))) is not None:
            raise BadSource(_("{file}: {why}"), file=file, why=why)

    def frames(self) -> Iterator[Frame]:
        rate = self._capture.get(cv2.CAP_PROP_FPS) or 25.0
        for number in count():
            good, picture = self._capture.read()
            if not good:
                return
            yield checked(f"{self._file.name}#{number}", number / rate, picture)

    def close(self) -> None:
        self._capture.release()


def decoded(name: str, at: float, data: bytes) -> Frame:
    """Return the frame of an encoded picture, or of the trouble with it."""
    if not data:
        return Frame(name, at, None, _("empty"))
    if data[:2] == b"\xff\xd8" and b"\xff\xd9" not in data[-64:]:
        return Frame(name, at, None, _("cut short"))  # OpenCV would fill the rest with grey
    size = size_in(data)
    if size is None:
        return Frame(name, at, None, NO_PICTURE)
    if (why := too_large(size)) is not None:
        return Frame(name, at, None, why)
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        picture = None
    if picture is None:
        return Frame(name, at, None, NO_PICTURE)
    return checked(name, at, picture)


def size_of(capture: cv2.VideoCapture) -> Size:
    """Return the size of what a capture will show."""
    return int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))


def too_large(size: Size) -> Worded | None:
    """Return in words that a picture of a size is too large to be decoded; None where it is not."""
    width, height = size
    if width * height <= MOST_PIXELS:
        return None
    words = _("too large ({width} × {height}): take smaller pictures, 1280 × 720 is enough")
    return Worded(words, width=width, height=height)


def checked(name: str, at: float, picture: Picture) -> Frame:
    """Return the frame of a picture, in colour and large enough, or of the trouble with it."""
    if picture.ndim == 2:
        picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    if min(picture.shape[:2]) < LEAST_SIDE:
        height, width = picture.shape[:2]
        why = Worded(_("too small ({width} × {height})"), width=width, height=height)
        return Frame(name, at, None, why)
    return Frame(name, at, picture)
