"""What is read through a camera, line by line: JSON objects for programs, words for people.

`docs/camera.md` describes the objects; they are those of `jetan replay --json`, with the frame
instead of the time and the kind of each ply.
"""

from __future__ import annotations

import msgspec

from rules import MoveKind, Position
from rules.sentences import _
from vision.camera import Clarity, Sight

from ..languages import ENGLISH, Language
from ..reading.jetan_game import Standing
from ..reading.readable_game import Step
from ..reading.readings import Answered, Played, Reading
from ..words.words import Speaker
from .lines import JsonLines, WordLines
from .watching import Watched

WORTH_SAYING = (Clarity.LOST, Clarity.UNLIKE, Clarity.UNREADABLE)
"""What people must know of a frame; that hands come and go is no news."""


class PlyKinds:
    """Tells a capture and an escape from a plain move, ply by ply."""

    def __init__(self, start: Position) -> None:
        self._after = {start.ply_number - 1: start}

    def kind(self, number: int, step: Step[Standing]) -> MoveKind:
        """Return the kind of ply `number`."""
        after = step.after.position
        before = self._after.get(number - 1)
        self._after[number] = after
        if step.capture:
            return MoveKind.CAPTURE
        has_escaped = before is not None and before.escapes != after.escapes
        return MoveKind.ESCAPE if has_escaped else MoveKind.MOVE


class JsonFrameLines:
    """What was watched as JSON objects, in order."""

    def __init__(self, start: Position) -> None:
        self._lines = JsonLines()
        self._kinds = PlyKinds(start)

    def lines(self, watched: Watched[Standing]) -> list[str]:
        """Return the lines of one frame."""
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
        if isinstance(reading, Played | Answered):
            line["kind"] = self._kinds.kind(reading.number, reading.step).value
        return line


class WordFrameLines:
    """What was watched as lines of words, in order."""

    def __init__(self, start: Position, language: Language = ENGLISH) -> None:
        self._lines = WordLines(start, language=language)
        self._say = Speaker(language).say

    def lines(self, watched: Watched[Standing]) -> list[str]:
        """Return the lines of one frame."""
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
