"""Sources by name: what people type for a camera, a file or an address."""

from functools import partial
from pathlib import Path

from rules.sentences import _

from .errors import BadSource
from .live import Clock, LiveSource, address_frames, rpicam_frames, usb_frames, without_password
from .sources import PICTURES, VIDEOS, Pictures, Source, Video, pictures_in

KINDS = _("a folder of pictures, a video, usb:0, /dev/video0, rpicam:0, http://… or rtsp://…")
READERS = {"usb": usb_frames, "rpicam": rpicam_frames}


def open_source(name: str, clock: Clock) -> Source:
    """Open a source; BadSource where the name means none.

    A live camera that does not answer is said in its frames, and tried again.
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
        raise BadSource(_("{name}: no such file"), name=name)
    if suffix in PICTURES:
        return Pictures([path])
    if path.is_file():
        return Video(path)
    raise BadSource(
        _("{source}: no such source; give {kinds}"), source=without_password(name), kinds=KINDS
    )
