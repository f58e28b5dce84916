"""What the page shows of a camera at the table: its picture, and where the board lies in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from rules import Square
from rules.sentences import _

from ..errors import TableError
from ..languages import LANGUAGES, Language


class NoPicture(TableError, LookupError):
    """There is no camera at this table, or it has shown nothing yet."""


class TableEye(Protocol):
    """A camera at a table, as the page knows it."""

    def picture(self) -> bytes | None:
        """Return the last picture as a JPEG; None before there is one."""
        ...

    def before_and_after(self, squares: Sequence[Square]) -> bytes | None:
        """Return what stood around squares before, and what stands there, as one JPEG."""
        ...

    def outlines(self) -> list[list[list[float]]]:
        """Return the squares' outlines in the last picture's pixels, none while it is not found."""
        ...

    def corners(self) -> list[list[float]]:
        """Return the pixels of the corners a1, j1, j10, a10; a guess where they are not known."""
        ...

    def size(self) -> tuple[int, int] | None:
        """Return the last picture's width and height; None before there is one."""
        ...

    def describe(self, now: float, language: Language) -> str:
        """Return the state of sight in words."""
        ...

    def place(self, corners: list[list[float]]) -> None:
        """Look for the board where its corners are said to be; VisionError where it cannot be."""
        ...


def picture(eye: TableEye | None) -> bytes:
    """Return the camera's last picture, a JPEG; raises NoPicture."""
    if eye is None:
        raise NoPicture(_("there is no camera at this table"))
    taken = eye.picture()
    if taken is None:
        raise NoPicture(_("the camera has shown nothing yet"))
    return taken


def question_picture(eye: TableEye | None, squares: Sequence[Square]) -> bytes:
    """Return what the camera saw of an open question's squares before and now; NoPicture."""
    if eye is None:
        raise NoPicture(_("there is no camera at this table"))
    taken = eye.before_and_after(squares) if squares else None
    if taken is None:
        raise NoPicture(_("there is nothing to compare: no question is open, or it was not seen"))
    return taken


def camera_document(eye: TableEye | None, now: float) -> dict[str, Any]:
    """Return what the camera sees, in words and in pixels; raises NoPicture."""
    if eye is None:
        raise NoPicture(_("there is no camera at this table"))
    sentences = {language: eye.describe(now, language) for language in LANGUAGES}
    return {
        "said": sentences,
        "size": eye.size(),
        "corners": eye.corners(),
        "outlines": eye.outlines(),
    }
