"""The camera of a table that is played at: what the command line says of it, and opening it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec.structs import replace

from rules.sentences import _
from vision.needs import require_opencv

from ..boards.camera_kept import CameraKept
from ..settings import CameraSettings, Settings
from .options import Say, misused, saying

if TYPE_CHECKING:
    from ..boards.table_camera import TableCamera


FIRST_PICTURE_S = 1.0
"""For so long it is waited what a camera shows first: that there is none is said at once."""


@dataclass(frozen=True, slots=True)
class CameraOptions:
    """What the command line says of a camera; None is left to the settings."""

    source: str | None
    corners: str | None
    markers: str | None
    lens: str | None

    def added_to(self, settings: Settings) -> Settings:
        """Return the settings with it: without a real board, the camera is what sees the game."""
        named = {name: value for name, value in asdict(self).items() if value is not None}
        camera = replace(settings.camera, **named)
        table = settings.table
        if self.source and table.board in ("screen", "simulated"):
            table = replace(table, board="camera")
        if table.board == "camera" and not camera.source:
            raise misused(
                _("--board camera: say which camera, as in --camera usb:0, or [camera] source")
            )
        if named and not camera.source:
            raise misused(
                _(
                    "--corners, --markers and --lens belong to a camera: name it, as in"
                    " --camera usb:0"
                )
            )
        return replace(settings, table=table, camera=camera)


def camera_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give a command `--camera` and what belongs to it, and hand them to it as `camera`."""

    @click.option(
        "--camera",
        "source",
        metavar="SOURCE",
        help="A camera over the board, as for `jetan watch`: alone, or beside a board's switches.",
    )
    @click.option("--corners", metavar="X,Y,…", help="Pixels of the corners at a1, j1, j10, a10.")
    @click.option("--markers", metavar="FILE", help="What `jetan camera sheet` wrote.")
    @click.option("--lens", metavar="FILE", help="What `jetan camera calibrate --charuco` wrote.")
    @wraps(command)
    def with_camera(
        source: str | None,
        corners: str | None,
        markers: str | None,
        lens: str | None,
        **others: Any,
    ) -> int:
        return command(camera=CameraOptions(source, corners, markers, lens), **others)

    return with_camera


def camera_of(settings: Settings, clock: Callable[[], float], folder: Path) -> TableCamera | None:
    """Return the camera of the settings, already looking; None where they name none.

    `folder` keeps its lens and corners; that they are used is said.
    """
    if not settings.camera.source:
        return None
    require_opencv()
    from ..boards.table_camera import open_camera

    kept = CameraKept(folder)
    camera = kept.added_to(settings.camera)
    say_kept(settings.camera, camera, saying(settings.table.language))
    keep = partial(kept.keep_corners, camera.source)
    opened = open_camera(camera, clock, settings.table.language, keep)
    if (trouble := opened.first_trouble(FIRST_PICTURE_S)) is not None:
        print(trouble, file=sys.stderr)
    return opened


def say_kept(asked: CameraSettings, camera: CameraSettings, say: Say) -> None:
    """Say which lens and corners were kept of a camera and are used, though not asked for now."""
    if camera.lens != asked.lens:
        print(say(_("lens: {path}"), path=camera.lens), file=sys.stderr)
    if camera.corners != asked.corners:
        words = say(_("corners: {corners}, as set on the page"), corners=camera.corners)
        print(words, file=sys.stderr)
