"""Watches a game through a camera: frames in, readings out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Generic

from rules import Position, Square, format_square
from vision.annotate import annotated, as_jpeg
from vision.camera import BoardCamera, Clarity, Sight
from vision.errors import BoardNotFound
from vision.eye import Eye
from vision.sensor import observation_of
from vision.sources import Frame, Source

from ..reading.camera_reader import CameraReader
from ..reading.jetan_game import JetanGame, Standing
from ..reading.readable_game import P
from ..reading.readings import Answered, Played, Reading, TakenBack, Wandered

AGAIN_S = 0.5
"""A board on which nothing has changed is read again so often: what is asked waits for a look."""


@dataclass(frozen=True, slots=True)
class Watched(Generic[P]):
    """What one frame showed, and what has been read by it."""

    sight: Sight
    readings: tuple[Reading[P], ...] = ()


class Follower(Generic[P]):
    """Follows any game that a camera's reader can read; the first frame must show its position."""

    def __init__(self, camera: BoardCamera, reader: CameraReader[P]) -> None:
        self.reader = reader
        self.eye = Eye(camera)
        self._has_begun = False
        self._observed_at = 0.0

    def watch(self, source: Source) -> Iterator[Watched[P]]:
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

    def see(self, frame: Frame) -> Watched[P]:
        """Take one frame in. BoardNotFound where the first that can be read shows no board."""
        if not self._has_begun:
            return self._begin(frame)
        sight = self.eye.look(frame)
        if sight.seen is None or (sight.is_again and frame.at < self._observed_at + AGAIN_S):
            return Watched(sight)
        self._observed_at = frame.at
        readings = self.reader.observe(observation_of(sight))
        self.eye.believe(self.reader.believed, frame.at)
        return Watched(sight, tuple(readings))

    def answer(self, number: int, square: Square) -> list[Reading[P]]:
        """The players say which of its candidates a question meant; ValueError if it is none."""
        return self.reader.answer(number, square)

    def take_word(self, word: str) -> list[Reading[P]]:
        """Take in what people answer: a square that was asked about, or a board's number.

        ValueError where nothing of the kind was asked.
        """
        if word.isdecimal():
            return self.reader.stands(int(word), self._observed_at)
        for question in self.reader.questions:
            for square in question.candidates:
                if format_square(square) == word:
                    return self.reader.answer(question.number, square)
        raise ValueError(f"{word}: nobody was asked about that")

    def _begin(self, frame: Frame) -> Watched[P]:
        if frame.picture is None:
            return Watched(Sight(frame, Clarity.UNREADABLE))
        sight = self.eye.begin(frame, self.reader.occupants)
        self._has_begun = True
        return Watched(sight)


class Watcher(Follower[Standing]):
    """Follows a game of Jetan from `start`."""

    def __init__(self, camera: BoardCamera, start: Position) -> None:
        super().__init__(camera, CameraReader(JetanGame(), Standing(start, True), start.ply_number))


class PictureWriter:
    """Writes one annotated picture a frame that could be read into `folder`."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._last: tuple[Square, Square] | None = None

    def take(self, watched: Watched[Standing]) -> None:
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
