"""What is kept of a table's camera from evening to evening: its lens, and where its board lies."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec
from msgspec.structs import replace

from rules.sentences import Worded, _

from ..errors import TableError
from ..files import Damaged, read_json, write_whole
from ..settings import CameraSettings

LENS = "lens.json"
CORNERS = "corners.json"
LIVE = ("usb:", "rpicam:", "/dev/", "http://", "https://", "rtsp://")
"""How the names of cameras begin. Pictures and films may be another camera's."""


class BadKept(TableError, ValueError):
    """Kept corners that cannot be read; the message names the file."""


class Corners(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The corners that people have set in the pictures of one source, as the settings have them."""

    source: str
    corners: str


@dataclass(frozen=True, slots=True)
class CameraKept:
    """What a data folder keeps of a camera; whatever the settings tell comes before it."""

    folder: Path

    def added_to(self, camera: CameraSettings) -> CameraSettings:
        """Return the settings with what is kept of their camera; BadKept, OSError."""
        if not camera.source.startswith(LIVE):
            return camera
        lens, corners = self.folder / LENS, self._corners()
        if not camera.lens and lens.exists():
            camera = replace(camera, lens=str(lens))
        if not camera.corners and corners is not None and corners.source == camera.source:
            camera = replace(camera, corners=corners.corners)
        return camera

    def keep_corners(self, source: str, corners: str) -> None:
        """Keep the corners that were set in a source's pictures; OSError."""
        write_whole(self.folder / CORNERS, msgspec.json.encode(Corners(source, corners)))

    def _corners(self) -> Corners | None:
        try:
            return read_json(self.folder / CORNERS, Corners)
        except Damaged as error:
            raise BadKept(_("{why}: delete it, and set the corners again"), why=error) from None


def tell_kept(
    asked: CameraSettings, camera: CameraSettings, tell: Callable[[Worded], None]
) -> None:
    """Tell which lens and corners were kept of a camera and are used, though not asked for now."""
    if camera.lens != asked.lens:
        tell(Worded(_("lens: {path}"), path=camera.lens))
    if camera.corners != asked.corners:
        tell(Worded(_("corners: {corners}, as set on the page"), corners=camera.corners))
