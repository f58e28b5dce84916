"""Keeps pictures of what was seen, for `jetan watch --show`."""

from __future__ import annotations

from pathlib import Path

from rules import Square
from vision.annotate import annotated, as_jpeg

from ..reading.readings import Answered, Played, TakenBack, Wandered
from .watching import Watched


class PictureWriter:
    """Writes one annotated picture a frame that could be read into `folder`."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._last: tuple[Square, Square] | None = None

    def take(self, watched: Watched) -> None:
        """Write the picture of a frame; OSError where it cannot be written."""
        for reading in watched.readings:
            match reading:
                case Played(step=step) | Answered(step=step) | Wandered(step=step):
                    self._last = step.squares
                case TakenBack():
                    self._last = None
        if watched.sight.seen is None:
            return
        name = watched.sight.frame.name.replace("#", "-")
        path = (self._folder / name).with_suffix(".jpg")
        path.write_bytes(as_jpeg(annotated(watched.sight, self._last)))
