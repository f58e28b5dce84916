"""The loop that reads a camera's board and is taught by what its reader believes; and a sensor.

Each look is answered by a belief: occupants, and the certainty of each. A square teaches if the
belief is sure, surer still while a piece is missing from the board, and if the square itself does
not deny it. The gate trusts a look only if the believed board is that of the lesson before. The
sensor takes frames in and gives observations out.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hardware.ports import IN_DOUBT, Believed, Observation
from rules import SQUARES, Occupant, Square

from .appearance import Occupants, SquareEvidence
from .camera import BoardCamera, Clarity, Sight
from .errors import BoardNotFound, UnlikePosition
from .sources import Frame

LESSON = 10.0
"""Least certainty of an occupant to be learned from, in nats: 22,000 to 1. It rises while a piece
is missing from the board, when less is known of all squares."""

UNSHOWN, DENIES = 9.0, 12.0
"""Nats by which a square may deny a believed piece, and believed emptiness, and still teach. An
empty one may look occupied, as behind a piece; but one that looks empty shows no piece."""

MOST_LOSS = 18.0
"""Most nats of one square against its believed occupant."""


class Eye:
    """Looks through one camera, and learns from each look by what is believed of it afterwards.

    The reader of the looks says by `believe` what it believes, and the last look is learned from
    then. Watching, a table, a trial and a bench all teach in this way.
    """

    def __init__(self, camera: BoardCamera) -> None:
        """`camera` has seen nothing yet."""
        self.camera = camera
        self._last: Sight | None = None
        """The last look, while nothing has been learned from it."""
        self._stood: tuple[int, ...] | None = None
        """The occupants believed at the lesson before."""

    def begin(self, frame: Frame, occupants: Sequence[int], is_certain: bool = True) -> Sight:
        """Return the first sight; see `BoardCamera.begin`."""
        return self.camera.begin(frame, occupants, is_certain)

    def look(self, frame: Frame) -> Sight:
        """Return the sight of a later frame."""
        sight = self.camera.look(frame)
        if not sight.is_again:
            self._last = sight if sight.seen is not None else None
        return sight

    def believe(self, believed: Believed | None, at: float) -> None:
        """Learn from a belief about all looks until `at` seconds; None for no belief."""
        if believed is None:
            return
        last = self._last
        if last is not None and last.seen is not None and last.frame.at <= at:
            self.camera.learn(last, lesson_of(believed, last.seen).tolist(), believed.margins)
            if self.camera.are_stills or believed.occupants == self._stood:
                self.camera.trust()
            self._last, self._stood = None, believed.occupants


def lesson_of(believed: Believed, evidence: SquareEvidence) -> Occupants:
    """Return the occupants to learn from, IN_DOUBT for squares that teach nothing, (squares,)."""
    occupants = np.array(believed.occupants)
    likelihoods = evidence.likelihoods
    own = likelihoods[np.arange(len(occupants)), occupants]
    losses = np.clip(likelihoods.max(axis=1) - own, 0.0, MOST_LOSS)  # how far each denies belief
    losses[(occupants < 0) | evidence.is_covered] = 0.0
    # Where a believed piece looks missing, the reader may be wrong about other squares too: a piece
    # that was carried elsewhere is missing here and unknown there. So the bar rises for all.
    empty = likelihoods.argmax(axis=1) == Occupant.EMPTY
    missing = float(losses[(occupants > 0) & empty].max(initial=0.0))
    least = np.maximum(LESSON + missing, losses)
    most = np.where(occupants == Occupant.EMPTY, DENIES, UNSHOWN)
    teaches = (np.array(believed.margins) >= least) & (losses < most) & ~evidence.is_covered
    return np.where(teaches & (occupants >= 0), occupants, IN_DOUBT)


# ------------------------------------------------------------------ the sensor


BLIND_S = 2.0
"""Seconds for which the last sight counts while hands or motion hide the board."""

RETRY_S, RETRY_MOST_S = 0.5, 4.0
"""Shortest and longest wait before a board is searched for again, doubled after each failure: a
search takes seconds on a small computer."""

UNFOUND = frozenset({Clarity.NOT_FOUND, Clarity.NOT_SET_UP, Clarity.LOST, Clarity.UNLIKE})
"""Clarities of one and the same problem, between which frames may change while no board, or another
one, is seen."""


@dataclass(frozen=True, slots=True)
class SightStatus:
    """The camera's present state."""

    clarity: Clarity
    since: float
    """Its beginning, or that of the same problem in another form, in seconds on the table clock."""
    why: str = ""
    """The reason for a failure, in words."""
    sight: Sight | None = None
    """The sight of the last frame with a picture; None before there is one."""


class CameraSensor:
    """Reads a board from frames.

    One thread may give it frames by `take`, another may `poll`, `know`, `confirm`, `believe` and
    `restart`: single values pass between them, and replace each other. Nothing is observed before a
    frame shows the known position, which teaches how the pieces look; later looks teach by what is
    believed of them.
    """

    def __init__(self, make: Callable[[], BoardCamera], now: float = 0.0) -> None:
        """`make` returns a camera that has seen nothing yet; `now` is in seconds."""
        self.status = SightStatus(Clarity.STARTING, now)
        self._make = make
        self._made_by: Callable[[], BoardCamera] | None = None
        self._eye: Eye | None = None
        self._known: tuple[int, ...] | None = None
        self._newest: Observation | None = None
        self._seen_at: float | None = None
        self._polled_at = self._told_at = 0.0
        self._tries_at, self._retry_s = 0.0, RETRY_S
        """Time of the next search for the board, and the wait after that."""
        self._believed: tuple[Believed | None, float] | None = None
        self._is_confirmed = False

    # ------------------------------------------------------------------ for the table's thread

    def know(self, occupants: Sequence[int] | None) -> None:
        """Take in the occupants to begin with; None while they are not certain."""
        self._known = None if occupants is None else tuple(occupants)

    def confirm(self) -> None:
        """Take people's word that the known position is on the board, whatever it looks like.

        A sensor that has begun already begins anew.
        """
        self._is_confirmed = True

    @property
    def doubts(self) -> bool:
        """True while it has begun by sight alone and learned nothing since."""
        eye = self._eye
        return eye is not None and eye.camera.doubts

    def believe(self, believed: Believed | None) -> None:
        """Take in what is believed about everything polled so far; None for no belief."""
        self._believed = believed, self._polled_at

    def restart(self, make: Callable[[], BoardCamera]) -> None:
        """Begin anew with a camera made by `make`: for another board, or better corners."""
        self._make = make

    def poll(self, now: float) -> list[Observation]:
        """Return the newest settled frame's observation since the last call, if there is one.

        After BLIND_S without one, an observation says that no square is known any more.
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
        """Take in one frame."""
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
        """Return the first sight, once a frame shows the known position."""
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
    """Return a settled sight's observation of every square; None for squares under a hand."""
    assert sight.seen is not None
    likelihoods, is_covered = sight.seen.likelihoods.round(1).tolist(), sight.seen.is_covered
    squares = {
        Square(square): None if is_covered[square] else (empty, black, orange, neutral)
        for square, (empty, black, orange, neutral) in enumerate(likelihoods)
    }
    return Observation(sight.frame.at, squares)
