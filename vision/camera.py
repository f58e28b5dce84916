"""One board under one camera: each frame becomes a sight of what stands where."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from math import inf

import cv2
import numpy as np

from rules import Occupant, Square, Worded, _, format_square

from .appearance import BELIEVED_MOST, UNKNOWN, Occupants, SquareEvidence
from .errors import BoardNotFound, UnlikePosition
from .finder import FOUND, NOT_THERE, BoardFinder, BoardPlace, line_of
from .gate import Gate, equal_to
from .geometry import Floats, Picture, Pose, orientations
from .patches import POINTS_ACROSS, averaged, is_noisy
from .sources import Frame
from .squares import BoardPatches, SquareClassifier, pose_by_leaning


class Clarity(Enum):
    """What a frame is good for; the value is the word people read.

    The first three are those of frames in which the board was not found yet.
    """

    STARTING = "starting"
    NOT_FOUND = "not found"
    NOT_SET_UP = "not set up"
    SETTLED = "settled"
    MOVING = "moving"
    COVERED = "a hand is in the way"
    LOST = _("the board is out of sight")
    UNLIKE = _("the board looks quite different")
    UNREADABLE = _("unreadable")


UNLIKE_SHARE = 0.25
UNLIKE_NATS = 8.0
"""Where a quarter of the squares speaks so strongly against what stood there (3,000 to 1), more has
changed than hands do at once: something is wrong."""

SHARPER = 1.5
"""A picture whose lines are so many times narrower than the first one's shows that this was
blurred. Of 72 painted games the first picture was so in three, 1.8 to 3.2 times as wide as the
second, and no more than 1.3 times in all others."""

SEPARATE, OF_NETWORK = 5.0, 3.0
FEW = 4
"""A first picture is believed if four in five squares of each occupant look so many nats more like
it than like any other, where what the network says counts OF_NETWORK times. Of an occupant on fewer
squares than FEW nothing can be said. So 71 of 72 painted starts look, and none of 48 bare boards.
A square that looks so much more like another occupant, 150 to 1, teaches nothing at first: of a
hundred squares hardly one is wrong."""

ELSEWHERE = _("pieces seem to stand elsewhere: look at {squares}")
GONE = _("no pieces are seen where they should stand: look at {squares}")
MOST_MOVED = 2
"""Where so many pieces have moved, twice as many squares look otherwise, and are read so. Where
more do, or more pieces are missing, yet others may be that are not seen: only people can say
whether this is the position. In 72 painted starts no more than one piece is missed, in 65 of 72 of
the same from which six pieces were taken three or more."""

DOUBTED = 2.0
"""The network denies what should stand on a square by so many nats, 7 to 1."""

LIGHTER_ORANGE, LIGHT_A1 = 2.0, 1.0
"""When it is asked which side of a board is whose: what it counts for, in nats a square, that
Orange has the lighter pieces, and what against, that a1 is light, as on a few boards that are sold.
"""


@dataclass(frozen=True, slots=True)
class Sight:
    """What a frame shows."""

    frame: Frame
    clarity: Clarity
    place: BoardPlace | None = None
    """Where the board was seen; None where it was not."""
    seen: SquareEvidence | None = None
    """What the squares show; None unless the frame is settled."""
    patches: BoardPatches | None = None
    """From what the evidence was made; for lessons."""
    has_moved: bool = False
    """Whether the board was found at another place than before."""
    blur: float = inf
    """Over how many pixels the board's lines are smeared, where that was looked at."""
    is_again: bool = False
    """Whether nothing has changed since the last frame that was read, so that this one was not."""


class BoardCamera:
    """Follows a board from frame to frame.

    It begins with a frame of a known position, and goes on learning from later ones of which the
    position has become known. `are_stills`: every frame stands for itself, so stillness is not
    waited for. `place` is where the board was seen last; None before it was found. `doubts`: nobody
    has said that what it began with stands there, and it has learned no more yet.
    """

    def __init__(self, finder: BoardFinder, has_neutral: bool, are_stills: bool) -> None:
        self._finder = finder
        self._has_neutral = has_neutral
        self._gate = Gate(are_stills)
        self.place: BoardPlace | None = None
        self.doubts = False
        self._classifier: SquareClassifier | None = None
        self._occupants = np.zeros(0, int)
        self._pose: Pose | None = None
        self._is_noisy = False
        self._blur = 0.0
        """Over how many pixels lines were smeared in the picture by which all was learned first."""
        self.are_stills = are_stills
        self._is_still: Callable[[Picture, float], bool] | None = None
        """Whether a picture shows what the last one read does; None where that is not asked."""
        self._read_last: Sight | None = None
        self._looked_at = 0.0

    def begin(self, frame: Frame, occupants: Sequence[int], is_certain: bool = True) -> Sight:
        """Find the board in a frame that shows `occupants`; BoardNotFound where it does not.

        Where that is not certain, squares that look like another occupant teach nothing, and
        UnlikePosition is raised if too many do, or too many pieces are missed. A board whose lines
        are not seen is found only where its pieces look so.
        """
        if frame.picture is None:
            raise BoardNotFound(_("{name}: {trouble}"), name=frame.name, trouble=frame.trouble)
        self._occupants = np.array(occupants)
        place = self._finder.find(frame.picture)
        if place.how == "lines":
            place = self._oriented(frame.picture, place, self._occupants)
        if place.view.is_cut_out(place.layout.corners):  # then its shape does not tell its pose
            self._pose = pose_by_leaning(frame.picture, place.view, place.layout, self._occupants)
        self._classifier = SquareClassifier(place.layout, self._has_neutral, self._pose)
        self.place = place
        self._finder.learn(frame.picture, place)
        self._is_noisy = is_noisy(frame.picture)
        _step, self._blur = line_of(frame.picture, place)
        even = self._even(frame.picture, place)
        self._gate.enter(place, even)
        patches = self._classifier.cut(even, place.view)
        is_seen = place.support >= FOUND  # else only people say that it lies there
        try:
            undoubted = (
                self._occupants if is_certain and is_seen else self._undoubted(even, patches)
            )
        except UnlikePosition:
            if is_seen:
                raise
            raise BoardNotFound(NOT_THERE, how=place.how) from None
        self.doubts = not is_certain
        self._classifier.learn(patches, undoubted)
        self._gate.trust(frame.at)
        evidence = self._classifier.read(patches)
        self._gate.is_hidden(evidence.is_strange, frame.at)
        return self._stilled(Sight(frame, Clarity.SETTLED, place, evidence, patches), frame.picture)

    def _undoubted(self, picture: Picture, patches: BoardPatches) -> Occupants:
        """Return what should stand there but on squares that do not look like it, UNKNOWN there.

        Raises UnlikePosition as `begin` does.
        """
        classifier = self._taught(patches)
        by_network, by_looks = classifier.read(patches).witness, classifier.likenesses(patches)
        margins = self._margins(by_looks + OF_NETWORK * by_network)
        kinds = [self._occupants == who for who in Occupant]
        look_so = all(np.percentile(margins[k], 20) > SEPARATE for k in kinds if k.sum() >= FEW)
        denied = _of_each(by_network, self._occupants) < -DOUBTED
        denied &= self._occupants != Occupant.NEUTRAL  # it has learned of none
        missing = denied & (by_network.argmax(axis=1) == Occupant.EMPTY)
        is_denied = denied.sum() > 2 * MOST_MOVED or missing.sum() > MOST_MOVED
        if not look_so or is_denied or self._is_turned(picture, by_network):
            unlike = denied if denied.any() else margins < SEPARATE
            squares = map(format_square, map(Square, np.flatnonzero(unlike).tolist()))
            are_gone = denied.any() and (missing == denied).all()
            why = GONE if are_gone else ELSEWHERE
            raise UnlikePosition(why, squares=", ".join(squares))
        doubted = self._margins(by_looks + by_network) < -SEPARATE
        if missing.any() and (denied & ~missing).any():
            doubted |= denied  # what the network only misses, or only sees, may be its own error
        return np.where(doubted, UNKNOWN, self._occupants)

    def _taught(self, patches: BoardPatches) -> SquareClassifier:
        """Return what has learned of a first picture that all stands as it should."""
        assert self.place is not None
        classifier = SquareClassifier(self.place.layout, self._has_neutral)
        classifier.learn(patches, self._occupants)
        return classifier

    def _is_turned(self, picture: Picture, by_network: Floats) -> bool:
        """Whether the network denies fewer squares of a board that is turned by a quarter."""
        assert self.place is not None
        layout, denied = self.place.layout, self._count_denied(by_network)
        if not denied:
            return False
        for view in orientations(self.place.view, round(layout.size))[1::2]:
            patches = SquareClassifier(layout, self._has_neutral, self._pose).cut(picture, view)
            if self._count_denied(self._taught(patches).read(patches).witness) < denied:
                return True
        return False

    def _count_denied(self, by_network: Floats) -> int:
        return int(np.sum(by_network.argmax(axis=1) != self._occupants))

    def _margins(self, likelihoods: Floats) -> Floats:
        """Return how much likelier what should stand on each square is than what else may."""
        others = np.where(np.isin(np.arange(len(Occupant)), self._occupants), likelihoods, -np.inf)
        np.put_along_axis(others, self._occupants[:, None], -np.inf, axis=1)
        margins: Floats = _of_each(likelihoods, self._occupants) - others.max(axis=1)
        return margins

    def look(self, frame: Frame) -> Sight:
        """Return what a later frame shows."""
        assert self._classifier is not None, "begin comes first"
        assert self.place is not None
        if frame.picture is None:
            return Sight(frame, Clarity.UNREADABLE)
        picture = resized(frame.picture, self.place)
        if picture is None:
            height, width = frame.picture.shape[:2]
            why = Worded(_("of another shape ({width} × {height})"), width=width, height=height)
            wrong = replace(frame, picture=None, trouble=why)
            return Sight(wrong, Clarity.UNREADABLE)
        if self._is_still is not None and self._is_still(picture, frame.at):
            assert self._read_last is not None
            return replace(self._read_last, frame=frame, has_moved=False, is_again=True)
        self._is_still = None
        place = self._finder.follow(picture, self.place)
        if place is None:
            return Sight(frame, Clarity.LOST)
        even = self._even(picture, place)
        has_moved = self._enter(place, even)
        if self._gate.is_moving(even):
            return Sight(frame, Clarity.MOVING, place, has_moved=has_moved)
        _step, blur = line_of(picture, place)
        if SHARPER * blur < self._blur:
            self._gate.forget()
        if self._gate.is_reached_into(frame.at):
            return Sight(frame, Clarity.COVERED, place, has_moved=has_moved)
        sight = replace(self._read(frame, even, place, has_moved), blur=blur)
        assert sight.seen is not None
        if self._is_unlike(sight):
            return self._look_again(sight, picture)
        if not self.are_stills and self._gate.is_hidden(sight.seen.is_strange, frame.at):
            return replace(sight, clarity=Clarity.COVERED, seen=None, patches=None)
        return self._stilled(sight, picture)

    def _stilled(self, sight: Sight, picture: Picture) -> Sight:
        """Return a sight that was read; frames that equal its picture need not be."""
        self._is_still = None if self.are_stills else equal_to(picture, sight.frame.at)
        self._read_last, self._looked_at = sight, sight.frame.at
        return sight

    def learn(
        self, sight: Sight, occupants: Sequence[int], margins: Sequence[float] | None = None
    ) -> None:
        """Take a settled sight as a lesson: on each square stands what `occupants` says.

        UNKNOWN stands for squares of which nobody knows. `margins` are how sure that is of each,
        in nats; None where people say so. If the first picture was blurred, all is learned anew.
        """
        assert self._classifier is not None
        assert sight.patches is not None
        known = np.array(occupants)
        self.doubts = False
        self._occupants = np.where(known == UNKNOWN, self._occupants, known)
        belief = None if margins is None else np.clip(margins, 0.0, BELIEVED_MOST)
        if SHARPER * sight.blur < self._blur and np.sum(known == UNKNOWN) <= 2 * MOST_MOVED:
            layout = self._classifier.layout
            self._classifier = SquareClassifier(layout, self._has_neutral, self._pose)
            self._classifier.learn(sight.patches, known)
            self._blur = sight.blur
        else:
            self._classifier.learn(sight.patches, known, sight.seen, belief)

    def trust(self) -> None:
        """Take the last frame for one that nobody reached into: an unmoved board explains it."""
        self._gate.trust(self._looked_at)

    def _even(self, picture: Picture, place: BoardPlace) -> Picture:
        """Return a picture, without its noise where there was much in the first one."""
        if not self._is_noisy:
            return picture
        return averaged(picture, place.view, place.layout, POINTS_ACROSS)

    def _enter(self, place: BoardPlace, picture: Picture) -> bool:
        """Go on with a place; say whether it is another one than before."""
        if place is self.place:
            return False
        self._gate.enter(place, picture)
        self.place = place
        return True

    def _read(self, frame: Frame, picture: Picture, place: BoardPlace, has_moved: bool) -> Sight:
        assert self._classifier is not None
        patches = self._classifier.cut(picture, place.view)
        return Sight(
            frame, Clarity.SETTLED, place, self._classifier.read(patches), patches, has_moved
        )

    def _is_unlike(self, sight: Sight) -> bool:
        """Whether more has changed than hands do at once."""
        assert sight.seen is not None
        nats = _of_each(sight.seen.likelihoods, self._occupants)
        return float(np.mean(nats < -UNLIKE_NATS)) > UNLIKE_SHARE

    def _look_again(self, sight: Sight, picture: Picture) -> Sight:
        """Look whether the whole table was turned round; else the sight is worth nothing."""
        unlike = replace(sight, clarity=Clarity.UNLIKE, seen=None, patches=None)
        try:
            place = self._finder.find(picture)
        except BoardNotFound:
            return unlike
        side, view = place.layout.side, place.view
        views = [view] if side is None else orientations(view, side)
        places = [replace(place, view=each) for each in views]
        even = self._even(picture, place)
        sights = [self._read(sight.frame, even, place, True) for place in places]
        fitting = [again for again in sights if not self._is_unlike(again)]
        if len(fitting) != 1:
            return unlike
        assert fitting[0].place is not None
        self._enter(fitting[0].place, even)
        return fitting[0]

    def _oriented(self, picture: Picture, place: BoardPlace, occupants: Occupants) -> BoardPlace:
        """Return a place found by lines, turned so that the pieces stand where they should."""
        assert place.layout.side is not None
        scores = []
        views = orientations(place.view, place.layout.side)
        for turns, view in enumerate(views):
            classifier = SquareClassifier(place.layout, self._has_neutral)
            patches = classifier.cut(picture, view)
            classifier.learn(patches, occupants)
            means = patches.means.mean(axis=1)
            black, orange = (
                means[occupants == side].mean() for side in (Occupant.BLACK, Occupant.ORANGE)
            )
            likeness = _of_each(classifier.likenesses(patches), occupants).mean()
            scores.append(likeness + LIGHTER_ORANGE * (orange > black) - LIGHT_A1 * (turns % 2))
        turns = int(np.argmax(scores))
        return replace(place, view=views[turns], sign=place.sign * (-1) ** turns)


def denied(evidence: SquareEvidence, occupants: Sequence[int], nats: float) -> list[int]:
    """Return the squares of which the network denies so much that what should stand there does."""
    known = np.array(occupants)
    is_denied = _of_each(evidence.witness, known) < -nats
    return [int(square) for square in np.flatnonzero(is_denied & (known != Occupant.NEUTRAL))]


def _of_each(likelihoods: Floats, occupants: Occupants) -> Floats:
    """Return how likely each square's own occupant is."""
    return np.take_along_axis(likelihoods, occupants[:, None], axis=1)[:, 0]


def resized(picture: Picture, place: BoardPlace) -> Picture | None:
    """Return a picture in the size in which the board was found, None where its shape differs."""
    size = (place.view.width, place.view.height)
    height, width = picture.shape[:2]
    if (width, height) == size:
        return picture
    if abs(width / height - size[0] / size[1]) > 0.02:
        return None
    smaller: Picture = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return smaller
