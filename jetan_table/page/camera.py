"""What the page shows of a camera at the table: its picture, and where the board lies in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rules import Square
from rules.sentences import _

from ..errors import TableError
from ..languages import LANGUAGES, said_in

if TYPE_CHECKING:  # OpenCV: only where there is a camera
    from ..boards.camera import TableCamera


class NoPicture(TableError, LookupError):
    """There is no camera at this table, or it has shown nothing yet."""


def picture(eye: TableCamera | None) -> bytes:
    """Return the camera's last picture, a JPEG; raises NoPicture."""
    if eye is None:
        raise NoPicture(_("there is no camera at this table"))
    taken = eye.picture()
    if taken is None:
        raise NoPicture(_("the camera has shown nothing yet"))
    return taken


def question_picture(eye: TableCamera | None, squares: Sequence[Square]) -> bytes:
    """Return what the camera saw of an open question's squares before and now; NoPicture."""
    if eye is None:
        raise NoPicture(_("there is no camera at this table"))
    taken = eye.before_and_after(squares) if squares else None
    if taken is None:
        raise NoPicture(_("there is nothing to compare: no question is open, or it was not seen"))
    return taken


def camera_document(eye: TableCamera | None, now: float) -> dict[str, Any]:
    """Return what the camera sees, in words and in pixels; raises NoPicture."""
    if eye is None:
        raise NoPicture(_("there is no camera at this table"))
    now_seen = eye.describe(now)
    return {
        "said": {language: said_in(language, now_seen) for language in LANGUAGES},
        "size": eye.size(),
        "corners": eye.corners(),
        "outlines": eye.outlines(),
    }
