"""Watching a game through a camera: frames in, readings out, line by line.

`docs/camera.md` describes the JSON objects; they are those of `jetan replay --json`, with the frame
instead of the time and the kind of each ply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Generic, TypeAlias

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
"""Seconds after which an unchanged board is read again: a reader's questions wait for a look."""


@dataclass(frozen=True, slots=True)
class Watched(Generic[P]):
    """The sight of one frame, and the readings of it."""

    sight: Sight
    readings: tuple[Reading[P], ...] = ()


class Follower(Generic[P]):
    """Follows any game that a camera's reader can read; the first frame must show its position.

    `is_certain`: it does, even if it does not look so.
    """

    def __init__(
        self, camera: BoardCamera, reader: CameraReader[P], is_certain: bool = True
    ) -> None:
        self.reader = reader
        self._is_certain = is_certain
        self.eye = Eye(camera)
        self._has_begun = False
        self._has_missed = False
        """True once a frame showed no board: play may have gone on since."""
        self._observed_at = 0.0

    def watch(self, frames: Iterable[Frame]) -> Iterator[Watched[P]]:
        """Yield the result of each frame; BoardNotFound if none shows the board."""
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
        """Take one frame in; BoardNotFound if the first that can be read shows no board."""
        if not self._has_begun:
            return self._begin(frame)
        sight = self.eye.look(frame)
        # The same sight again tells nothing new, but a reader waits for quiet by looks, not by a
        # clock.
        if sight.seen is None or (sight.is_again and frame.at < self._observed_at + AGAIN_S):
            return Watched(sight)
        return self._observed(sight)

    def take_word(self, word: str) -> list[Reading[P]]:
        """Take in people's answer: a square that was asked about, or a board's number.

        ValueError if there was no such question.
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
        # After a frame without a board people may have played on: its position is a guess then.
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
    """Return a follower of a game of Jetan from `start`."""
    reader = CameraReader(JetanGame(), Standing(start, True), start.ply_number)
    return Follower(camera, reader, is_certain)


def pictures_into(folder: Path) -> Callable[[Watched[Standing]], None]:
    """Return a function that writes an annotated picture of each frame into `folder`; OSError.

    Frames that show no board have none.
    """
    folder.mkdir(parents=True, exist_ok=True)
    last: tuple[Square, Square] | None = None

    def write(watched: Watched[Standing]) -> None:
        nonlocal last
        for reading in watched.readings:
            if reading.step is not None:
                last = reading.step.squares
            elif isinstance(reading.event, TakeBack):
                last = None
        if watched.sight.seen is not None:
            name = watched.sight.frame.name.replace("#", "-")
            path = (folder / name).with_suffix(".jpg")
            path.write_bytes(as_jpeg(annotated(watched.sight, last)))

    return write


WORTH_SAYING = (Clarity.LOST, Clarity.UNLIKE, Clarity.UNREADABLE)
"""The states of a frame to report; hands that come and go are no news."""


LinesOfFrame: TypeAlias = Callable[[Watched[Standing]], list[str]]
"""Returns the lines of a frame; frames come in order, as questions and kinds depend on earlier
ones."""


def as_json(start: Position) -> LinesOfFrame:
    """Return the form of frames as JSON objects, from the position `start` on."""
    of_readings, kinds = JsonLines(), PlyKinds(start)

    def as_object(reading: Reading[Standing]) -> dict[str, object]:
        line = of_readings.as_object(reading)
        if isinstance(reading.event, Ply | Answer) and reading.step is not None:
            line["kind"] = kinds.kind(reading.event.number, reading.step).value
        return line

    def lines(watched: Watched[Standing]) -> list[str]:
        frame = watched.sight.frame.name
        objects: list[dict[str, object]] = []
        if watched.sight.clarity in WORTH_SAYING:
            objects.append({"trouble": str(trouble(watched.sight))})
        elif watched.sight.has_moved:
            objects.append({"moved": True})
        objects += map(as_object, watched.readings)
        return [msgspec.json.encode(line | {"frame": frame}).decode() for line in objects]

    return lines


def as_words(start: Position, language: Language = ENGLISH) -> LinesOfFrame:
    """Return the form of frames as lines of words, from the position `start` on."""
    of_readings, say = WordLines(start, language=language), partial(say_in, language)

    def lines(watched: Watched[Standing]) -> list[str]:
        sight = watched.sight
        sentences = []
        if sight.clarity in WORTH_SAYING:
            sentences.append(say(_("{why}"), why=trouble(sight)))
        elif sight.has_moved:
            sentences.append(say(_("the camera or the board was moved: found it again")))
        for reading in watched.readings:
            sentences += [line.split(maxsplit=1)[1] for line in of_readings.lines(reading)]
        return [f"{sight.frame.name:>12}  {line}" for line in sentences]

    return lines


def trouble(sight: Sight) -> str:
    """Say what is wrong with a frame."""
    return sight.frame.trouble or sight.clarity.value
