"""Sources by name: what people type for a camera, a file or an address."""

from __future__ import annotations

from pathlib import Path

from .errors import BadSource
from .sources import PICTURES, VIDEOS, Folder, Pictures, Source, Video

KINDS = "a folder of pictures, a video, usb:0, /dev/video0, rpicam:0, http://… or rtsp://…"


def open_source(name: str) -> Source:
    """Open a source; BadSource where the name means none, NoCamera where it does not answer."""
    path = Path(name)
    if path.is_dir():
        return Folder(path)
    if path.is_file():
        if path.suffix.lower() in PICTURES:
            return Pictures([path])
        if path.suffix.lower() in VIDEOS:
            return Video(path)
    raise BadSource(f"{name}: no such source; give {KINDS}")
