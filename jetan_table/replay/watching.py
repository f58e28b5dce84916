"""Watches a game through a camera: frames in, readings out, line by line.

`docs/camera.md` describes the JSON objects; they are those of `jetan replay --json`, with the frame
instead of the time and the kind of each ply.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Generic

import msgspec

from rules import Position, Square, _, parse_square, whole_number
from vision.camera import BoardCamera, Clarity, Sight
from vision.errors import BoardNotFound
from vision.eye import Eye, observation_of
from vision.showing import annotated, as_jpeg
from vision.sources import Frame

from ..game.events import Answer, Ply, TakeBack
from ..languages import ENGLISH, Language, say_in
from ..reading.camera_reader import CameraReader
from ..reading.readings import JetanGame, P, Reading, Standing
from .replay import JsonLines, PlyKinds, WordLines

AGAIN_S = 0.5
"""A board on which nothing has changed is read again so often: what is asked waits for a look."""


@dataclass(frozen=True, slots=True)
class Watched(Generic[P]):
    """What one frame showed, and what has been read by it."""

    sight: Sight
    readings: tuple[Reading[P], ...] = ()


class Follower(Generic[P]):
    """Follows any game that a camera's reader can read; the first frame must show its position.

    `is_certain`: it does, whatever it looks like.
    """

    def __init__(
        self, camera: BoardCamera, reader: CameraReader[P], is_certain: bool = True
    ) -> None:
        self.reader = reader
        self._is_certain = is_certain
        self.eye = Eye(camera)
        self._has_begun = False
        self._has_missed = False
        """Whether a frame went by in which nothing was seen: play may have gone on since."""
        self._observed_at = 0.0

    def watch(self, frames: Iterable[Frame]) -> Iterator[Watched[P]]:
        """Yield what each frame shows; BoardNotFound where none shows the board."""
        lost = BoardNotFound(_("no picture shows the board"))
        for frame in frames:
            try:
                yield self.see(frame)
            except BoardNotFound as error:
                lost = error
                yield Watched(Sight(replace(frame, trouble=error.worded), Clarity.LOST))
        if not self._has_begun:
            raise lost

    def see(self, frame: Frame) -> Watched[P]:
        """Take one frame in. BoardNotFound where the first that can be read shows no board."""
        if not self._has_begun:
            return self._begin(frame)
        sight = self.eye.look(frame)
        if sight.seen is None or (sight.is_again and frame.at < self._observed_at + AGAIN_S):
            return Watched(sight)
        return self._observed(sight)

    def take_word(self, word: str) -> list[Reading[P]]:
        """Take in what people answer: a square that was asked about, or a board's number.

        ValueError where nothing of the kind was asked.
        """
        number = whole_number(word)
        if number is not None:
            return self.reader.stands(number, self._observed_at)
        for question in self.reader.questions:
            if word in question.candidates:
                return self.reader.answer(question.number, parse_square(word))
        raise ValueError(f"{word}: nobody was asked about that")

    def _begin(self, frame: Frame) -> Watched[P]:
        was_missed, self._has_missed = self._has_missed, True
        if frame.picture is None:
            return Watched(Sight(frame, Clarity.UNREADABLE))
        is_certain = self._is_certain and not was_missed
        sight = self.eye.begin(frame, self.reader.occupants, is_certain)
        self._has_begun = True
        return self._observed(sight) if was_missed else Watched(sight)

    def _observed(self, sight: Sight) -> Watched[P]:
        at = self._observed_at = sight.frame.at
        readings = self.reader.observe(observation_of(sight))
        self.eye.believe(self.reader.believed, at)
        return Watched(sight, tuple(readings))


def follower_of_jetan(
    camera: BoardCamera, start: Position, is_certain: bool = True
) -> Follower[Standing]:
    """Return what follows a game of Jetan from `start`."""
    reader = CameraReader(JetanGame(), Standing(start, True), start.ply_number)
    return Follower(camera, reader, is_certain)


class PictureWriter:
    """Writes one annotated picture a frame that could be read into `folder`."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._last: tuple[Square, Square] | None = None

    def take(self, watched: Watched[Standing]) -> None:
        """Write the picture of a frame; OSError where it cannot be written."""
        for reading in watched.readings:
            if reading.step is not None:
                self._last = reading.step.squares
            elif isinstance(reading.event, TakeBack):
                self._last = None
        if watched.sight.seen is None:
            return
        name = watched.sight.frame.name.replace("#", "-")
        path = (self._folder / name).with_suffix(".jpg")
        path.write_bytes(as_jpeg(annotated(watched.sight, self._last)))


WORTH_SAYING = (Clarity.LOST, Clarity.UNLIKE, Clarity.UNREADABLE)
"""What people must know of a frame; that hands come and go is no news."""


class JsonFrameLines:
    """What was watched as JSON objects, in order."""

    def __init__(self, start: Position) -> None:
        self._lines = JsonLines()
        self._kinds = PlyKinds(start)

    def lines(self, watched: Watched[Standing]) -> list[str]:
        frame = watched.sight.frame.name
        objects: list[dict[str, object]] = []
        if watched.sight.clarity in WORTH_SAYING:
            objects.append({"trouble": str(trouble(watched.sight))})
        elif watched.sight.has_moved:
            objects.append({"moved": True})
        objects += [self._as_object(reading) for reading in watched.readings]
        return [msgspec.json.encode(line | {"frame": frame}).decode() for line in objects]

    def _as_object(self, reading: Reading[Standing]) -> dict[str, object]:
        line = self._lines.as_object(reading)
        if isinstance(reading.event, Ply | Answer) and reading.step is not None:
            line["kind"] = self._kinds.kind(reading.event.number, reading.step).value
        return line


class WordFrameLines:
    """What was watched as lines of words, in order."""

    def __init__(self, start: Position, language: Language = ENGLISH) -> None:
        self._lines = WordLines(start, language=language)
        self._say = partial(say_in, language)

    def lines(self, watched: Watched[Standing]) -> list[str]:
        sight = watched.sight
        sentences = []
        if sight.clarity in WORTH_SAYING:
            sentences.append(self._say(_("{why}"), why=trouble(sight)))
        elif sight.has_moved:
            sentences.append(self._say(_("the camera or the board was moved: found it again")))
        for reading in watched.readings:
            sentences += [line.split(maxsplit=1)[1] for line in self._lines.lines(reading)]
        return [f"{sight.frame.name:>12}  {line}" for line in sentences]


def trouble(sight: Sight) -> str:
    """Say what is wrong with a frame."""
    return sight.frame.trouble or sight.clarity.value
