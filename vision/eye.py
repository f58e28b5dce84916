"""The eye: a camera's board from frame to frame, the only loop by which it is taught; and a sensor.

A look goes out, and what is believed of it comes back: occupants, and how sure each is. A square
teaches where belief is sure, and surer yet where a piece is missing from the board, and where the
square itself does not speak against it. The gate is told to trust a look only if the believed
board is the one of the lesson before. As a sensor it takes frames in and gives observations out.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hardware.ports import Believed, Observation
from rules import SQUARES, Occupant, Square

from .appearance import UNKNOWN, Occupants, SquareEvidence
from .camera import BoardCamera, Clarity, Sight
from .errors import BoardNotFound, UnlikePosition
from .sources import Frame

LESSON = 10.0
"""A square teaches where what is believed to stand there is surer than this, in nats: 22,000 to 1.
Where a piece is missing from the board less is known of all squares."""

UNSHOWN, DENIES = 9.0, 12.0
"""A square that speaks so strongly against the piece, or the nobody, who should stand there teaches
nothing: one that is empty may look as if a piece stood there still, behind another; but one that
looks empty shows no piece."""

LOUDEST = 18.0
"""One square speaks against something no louder than this, in nats."""


class Eye:
    """Looks through one camera, and learns from each look by what is believed of it afterwards.

    Whoever reads the looks says by `believe` what it believes; the look taken last is learned from
    then. So watching, a table, a trial and a bench teach alike.
    """

    def __init__(self, camera: BoardCamera) -> None:
        """`camera` has seen nothing yet; it stays the one looked through."""
        self.camera = camera
        self._last: Sight | None = None
        """The look from which nothing has been learned yet; None where there is none."""
        self._stood: tuple[int, ...] | None = None
        """What was believed to stand there at the lesson before."""

    def begin(self, frame: Frame, occupants: Sequence[int], is_certain: bool = True) -> Sight:
        """Look for the first time; see `BoardCamera.begin`."""
        return self.camera.begin(frame, occupants, is_certain)

    def look(self, frame: Frame) -> Sight:
        """Return what a later frame shows."""
        sight = self.camera.look(frame)
        if not sight.is_again:
            self._last = sight if sight.seen is not None else None
        return sight

    def believe(self, believed: Believed | None, at: float) -> None:
        """Learn from what is believed of all looks until `at`, in seconds; None: nothing is."""
        if believed is None:
            return
        last = self._last
        if last is not None and last.seen is not None and last.frame.at <= at:
            self.camera.learn(last, lesson_of(believed, last.seen).tolist(), believed.margins)
            if self.camera.are_stills or believed.occupants == self._stood:
                self.camera.trust()
            self._last, self._stood = None, believed.occupants


def lesson_of(believed: Believed, evidence: SquareEvidence) -> Occupants:
    """Return what each square teaches of who stands there, UNKNOWN where it teaches nothing."""
    occupants = np.array(believed.occupants)
    likelihoods = evidence.likelihoods
    own = likelihoods[np.arange(len(occupants)), occupants]
    losses = np.clip(likelihoods.max(axis=1) - own, 0.0, LOUDEST)  # what each leaves unexplained
    losses[(occupants < 0) | evidence.is_strange] = 0.0
    empty = likelihoods.argmax(axis=1) == Occupant.EMPTY
    missing = float(losses[(occupants > 0) & empty].max(initial=0.0))
    least = np.maximum(LESSON + missing, losses)
    most = np.where(occupants == Occupant.EMPTY, DENIES, UNSHOWN)
    teaches = (np.array(believed.margins) >= least) & (losses < most) & ~evidence.is_strange
    return np.where(teaches & (occupants >= 0), occupants, UNKNOWN)


# ------------------------------------------------------------------ the sensor


BLIND_S = 2.0
"""What was seen counts for so long while hands or motion hide the board; then it is unknown."""

RETRY_S, RETRY_MOST_S = 0.5, 4.0
"""A board that was not found is looked for again after so long, and after twice as long each time
until it is so long: to look takes seconds on a small computer."""

UNFOUND = frozenset({Clarity.NOT_FOUND, Clarity.NOT_SET_UP, Clarity.LOST, Clarity.UNLIKE})
"""While no board, or another one, is seen, how that looks may change from frame to frame."""


@dataclass(frozen=True, slots=True)
class SightStatus:
    """How well the camera sees now."""

    clarity: Clarity
    since: float
    """Since when it has seen so, or nothing of use in another way, in seconds on the table clock.
    """
    why: str = ""
    """In words, where something fails."""
    sight: Sight | None = None
    """That of the last frame with a picture; None before there is one."""


class CameraSensor:
    """Reads a board from frames.

    One thread may give it frames by `take`, another may `poll`, `know`, `confirm`, `believe` and
    `restart`: what passes between them is single values that replace each other. Nothing is told
    before a frame shows the position that is known; from it is learned how the pieces look, and
    from later looks by what is believed of them.
    """

    def __init__(self, make: Callable[[], BoardCamera], now: float = 0.0) -> None:
        """`make` returns a camera that has seen nothing yet; `now` is the time in seconds."""
        self.status = SightStatus(Clarity.STARTING, now)
        self._make = make
        self._made_by: Callable[[], BoardCamera] | None = None
        self._eye: Eye | None = None
        self._known: tuple[int, ...] | None = None
        self._newest: Observation | None = None
        self._seen_at: float | None = None
        self._polled_at = self._told_at = 0.0
        self._tries_at, self._retry_s = 0.0, RETRY_S
        """When the board is looked for next, and how long it is waited after that."""
        self._believed: tuple[Believed | None, float] | None = None
        self._is_confirmed = False

    # ------------------------------------------------------------------ for the table's thread

    def know(self, occupants: Sequence[int] | None) -> None:
        """Take in what stands there when it begins to look; None while that is not certain."""
        self._known = None if occupants is None else tuple(occupants)

    def confirm(self) -> None:
        """Take it from people that what is known stands there, though it does not look like it.

        Where it has begun already, it begins anew by that.
        """
        self._is_confirmed = True

    @property
    def doubts(self) -> bool:
        """Whether it has begun by what it saw alone, and learned no more yet."""
        eye = self._eye
        return eye is not None and eye.camera.doubts

    def believe(self, believed: Believed | None) -> None:
        """Take in what is believed of all that was polled; None: nothing is."""
        self._believed = believed, self._polled_at

    def restart(self, make: Callable[[], BoardCamera]) -> None:
        """Begin anew with a camera that `make` returns: for another board, or better corners."""
        self._make = make

    def poll(self, now: float) -> list[Observation]:
        """Return what the newest settled frame since the last call shows, of every square.

        Once nothing settled has been seen for long, that nothing is seen any more.
        """
        newest, self._newest = self._newest, None
        if newest is not None:
            self._polled_at = newest.at
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
            self._made_by, self._eye = self._make, None
            self._tries_at, self._retry_s = 0.0, RETRY_S
        if self._is_confirmed:
            self._eye = None
        believed, self._believed = self._believed, None
        if self._eye is not None and believed is not None:
            self._eye.believe(*believed)
        sight = self._begin(frame) if self._eye is None else self._eye.look(frame)
        if sight is None:
            return
        self._report(sight.clarity, frame.at, sight.frame.trouble, sight)
        if sight.seen is not None:
            self._newest = observation_of(sight)

    def _begin(self, frame: Frame) -> Sight | None:
        """Return the first sight, once a frame shows the position that is known."""
        if frame.picture is None:
            self._report(Clarity.UNREADABLE, frame.at, frame.trouble)
            return None
        known = self._known
        if known is None or (frame.at < self._tries_at and not self._is_confirmed):
            return None
        is_certain, self._is_confirmed = self._is_confirmed, False
        self._tries_at = frame.at + self._retry_s
        self._retry_s = min(2 * self._retry_s, RETRY_MOST_S)
        eye = Eye(self._make())
        try:
            sight = eye.begin(frame, known, is_certain)
        except BoardNotFound as error:
            is_unlike = isinstance(error, UnlikePosition)
            found = Clarity.NOT_SET_UP if is_unlike else Clarity.NOT_FOUND
            sight = Sight(replace(frame, trouble=error.worded), Clarity.LOST, eye.camera.place)
            self._report(found, frame.at, error.worded, sight)
            return None
        self._eye = eye
        return sight

    def _report(self, clarity: Clarity, at: float, why: str, sight: Sight | None = None) -> None:
        before = self.status
        goes_on = before.clarity is clarity or {before.clarity, clarity} <= UNFOUND
        since = before.since if goes_on else at
        self.status = SightStatus(clarity, since, why, sight or before.sight)


def observation_of(sight: Sight) -> Observation:
    """Return what a sight that can be read says of every square, None where a hand covers it."""
    assert sight.seen is not None
    likelihoods, is_strange = sight.seen.likelihoods.round(1).tolist(), sight.seen.is_strange
    squares = {
        Square(square): None if is_strange[square] else (empty, black, orange, neutral)
        for square, (empty, black, orange, neutral) in enumerate(likelihoods)
    }
    return Observation(sight.frame.at, squares)
