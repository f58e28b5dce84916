"""Watches a game through a camera: frames in, readings out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rules import Position, Square
from vision.annotate import annotated, as_jpeg
from vision.camera import BoardCamera, Clarity, Sight
from vision.errors import BoardNotFound
from vision.sensor import observation_of
from vision.sources import Frame, Source

from ..reading.camera_reader import CameraReader
from ..reading.jetan_game import JetanGame, Standing
from ..reading.readings import Answered, Played, Reading, TakenBack, Wandered


@dataclass(frozen=True, slots=True)
class Watched:
    """What one frame showed, and what has been read by it."""

    sight: Sight
    readings: tuple[Reading[Standing], ...] = ()


class Watcher:
    """Follows a game from `start`, which the first readable frame must show."""

    def __init__(self, camera: BoardCamera, start: Position) -> None:
        self.reader = CameraReader(JetanGame(), Standing(start, True), start.ply_number)
        self._camera = camera
        self._has_begun = False

    def watch(self, source: Source) -> Iterator[Watched]:
        """Yield what each frame shows; BoardNotFound where none shows the board."""
        lost: BoardNotFound | None = None
        for frame in source.frames():
            try:
                yield self.see(frame)
            except BoardNotFound as error:
                lost = error
                yield Watched(Sight(frame, Clarity.LOST))
        if lost is not None and not self._has_begun:
            raise lost

    def see(self, frame: Frame) -> Watched:
        """Take one frame in. BoardNotFound where the first that can be read shows no board."""
        if not self._has_begun:
            return self._begin(frame)
        sight = self._camera.look(frame)
        if sight.seen is None:
            return Watched(sight)
        readings = self.reader.observe(observation_of(sight))
        if self.reader.makes_sense:
            self._camera.learn(sight, self.reader.agreed)
        return Watched(sight, tuple(readings))

    def _begin(self, frame: Frame) -> Watched:
        if frame.picture is None:
            return Watched(Sight(frame, Clarity.UNREADABLE))
        sight = self._camera.begin(frame, self.reader.occupants)
        self._has_begun = True
        return Watched(sight)


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
