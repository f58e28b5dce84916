"""A board under a camera as a sensor: frames go in, observations come out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from hardware.ports import Evidence, Observation
from rules import SQUARES, Square

from .appearance import UNKNOWN, SquareEvidence
from .camera import BoardCamera, Clarity, Sight
from .errors import BoardNotFound, UnlikePosition
from .sources import Frame

BLIND_S = 2.0
"""What was seen counts for so long while hands or motion hide the board; then it is unknown."""

CALM_S = 1.0
"""A lesson is learned from a board that has looked the same for so long."""

LESSON_S = 3.0
"""From one lesson to the next: light drifts slower."""

RETRY_S = 0.5
"""A board that was not found is looked for again after so long."""

EXPLAINED, DENIED = 3.0, 9.0
"""A square is taught where what is known to stand there costs no more than this, in nats: 3 (20 to
1 against it), or 9 (8,000 to 1) once after something new has become known, so that what was misread
at first is learned. A piece in the air while nothing new is known must not become the look of its
square."""


class Visibility(Enum):
    """How well the camera sees the board."""

    STARTING = "starting"
    NOT_FOUND = "not found"
    NOT_SET_UP = "not set up"
    SEES = "sees"
    COVERED = "covered"
    LOST = "lost"
    UNLIKE = "unlike"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class SightStatus:
    """How well the camera sees now."""

    visibility: Visibility
    since: float
    """Since when it has seen so, in seconds on the table clock."""
    why: str = ""
    """In words, where something fails."""
    sight: Sight | None = None
    """That of the last frame with a picture; None before there is one."""


OF_CLARITY = {
    Clarity.SETTLED: Visibility.SEES,
    Clarity.MOVING: Visibility.SEES,
    Clarity.COVERED: Visibility.COVERED,
    Clarity.LOST: Visibility.LOST,
    Clarity.UNLIKE: Visibility.UNLIKE,
    Clarity.UNREADABLE: Visibility.GONE,
}


class CameraSensor:
    """Reads a board from frames.

    One thread may give it frames by `take`, another may `poll`, `know` and `restart`: what passes
    between them is single values that replace each other. Nothing is told before a frame shows the
    position that is known; from it is learned how the pieces look, and from later ones anew.
    """

    def __init__(self, make: Callable[[], BoardCamera], now: float = 0.0) -> None:
        """`make` returns a camera that has seen nothing yet; `now` is the time in seconds."""
        self.status = SightStatus(Visibility.STARTING, now)
        self._make = make
        self._made_by: Callable[[], BoardCamera] | None = None
        self._camera: BoardCamera | None = None
        self._known: tuple[int, ...] | None = None
        self._newest: Observation | None = None
        self._seen_at: float | None = None
        self._told_at = 0.0
        self._calm_since = self._lesson_at = self._tried_at = -LESSON_S
        self._likeliest = np.zeros(0, int)
        self._taught: tuple[int, ...] | None = None

    # ------------------------------------------------------------------ for the table's thread

    def know(self, occupants: Sequence[int] | None) -> None:
        """Take in what certainly stands on each square, UNKNOWN in doubt; None if nothing is."""
        self._known = None if occupants is None else tuple(occupants)

    def restart(self, make: Callable[[], BoardCamera]) -> None:
        """Begin anew with a camera that `make` returns: for another board, or better corners."""
        self._make = make

    def poll(self, now: float) -> list[Observation]:
        """Return what the newest settled frame since the last call shows, of every square.

        Once nothing settled has been seen for long, that nothing is seen any more.
        """
        newest, self._newest = self._newest, None
        if newest is not None:
            self._seen_at = newest.at
            self._told_at = max(newest.at, self._told_at)
            return [Observation(self._told_at, newest.squares)]
        if self._seen_at is None or now < self._seen_at + BLIND_S:
            return []
        self._seen_at, self._told_at = None, now
        return [Observation(now, dict.fromkeys(SQUARES))]

    # ------------------------------------------------------------------ for the camera's thread

    def take(self, frame: Frame) -> None:
        """Take one frame in."""
        if self._made_by is not self._make:
            self._made_by, self._camera = self._make, None
        sight = self._begin(frame) if self._camera is None else self._camera.look(frame)
        if sight is None:
            return
        self._report(OF_CLARITY[sight.clarity], frame.at, sight.frame.trouble, sight)
        if sight.seen is not None:
            self._newest = observation_of(sight)
            self._learn(sight, sight.seen)

    def _begin(self, frame: Frame) -> Sight | None:
        """Return the first sight, once a frame shows the position that is known."""
        if frame.picture is None:
            self._report(Visibility.GONE, frame.at, frame.trouble)
            return None
        known = self._known
        if known is None or frame.at < self._tried_at + RETRY_S:
            return None
        self._tried_at = frame.at
        camera = self._make()
        try:
            sight = camera.begin(frame, known, is_certain=False)
        except BoardNotFound as error:
            is_unlike = isinstance(error, UnlikePosition)
            found = Visibility.NOT_SET_UP if is_unlike else Visibility.NOT_FOUND
            self._report(found, frame.at, error.worded, Sight(frame, Clarity.LOST, camera.place))
            return None
        self._camera, self._taught = camera, known
        return sight

    def _report(
        self, visibility: Visibility, at: float, why: str, sight: Sight | None = None
    ) -> None:
        before = self.status
        since = before.since if before.visibility is visibility else at
        self.status = SightStatus(visibility, since, why, sight or before.sight)

    def _learn(self, sight: Sight, evidence: SquareEvidence) -> None:
        """Learn from what is known for certain, where the board has been calm for a while."""
        assert self._camera is not None
        at, likeliest = sight.frame.at, evidence.likelihoods.argmax(axis=1)
        if not np.array_equal(likeliest, self._likeliest):
            self._likeliest, self._calm_since = likeliest, at
        known = self._known
        if known is None or at < max(self._calm_since + CALM_S, self._lesson_at + LESSON_S):
            return
        lesson = np.array(known)
        loss = -evidence.likelihoods[np.arange(len(lesson)), lesson]
        most = EXPLAINED if known == self._taught else DENIED
        lesson[(loss > most) | evidence.is_strange] = UNKNOWN
        self._camera.learn(sight, lesson.tolist())
        self._lesson_at, self._taught = at, known


def observation_of(sight: Sight) -> Observation:
    """Return what a sight that can be read says of every square, None where a hand covers it."""
    assert sight.seen is not None
    likelihoods, is_strange = sight.seen.likelihoods.round(1).tolist(), sight.seen.is_strange
    squares = {
        Square(square): None if strange else _evidence(nats)
        for square, (nats, strange) in enumerate(zip(likelihoods, is_strange, strict=True))
    }
    return Observation(sight.frame.at, squares)


def _evidence(likelihoods: list[float]) -> Evidence:
    empty, black, orange, neutral = likelihoods
    return empty, black, orange, neutral
