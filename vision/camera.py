"""One board under one camera: from each frame to a sight of the board and its squares."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from math import inf

import cv2
import numpy as np

from hardware.ports import IN_DOUBT
from rules import Occupant, Square, Worded, _, format_square

from .appearance import BELIEVED_MOST, Occupants, SquareEvidence
from .errors import BoardNotFound, UnlikePosition
from .finder import FOUND, NOT_THERE, BoardFinder, BoardPlace, line_of
from .gate import Gate, equal_to
from .geometry import SAME_SHAPE, Floats, Picture, Pose, orientations
from .patches import POINTS_ACROSS, averaged, is_noisy
from .sources import Frame
from .squares import BoardPatches, SquareClassifier, pose_by_leaning


class Clarity(Enum):
    """Use of a frame; the value is the word people read.

    The first three are of frames before the board was found.
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
"""Share of squares that deny their occupant, and nats by which they do, when more has changed than
hands do at once: something is wrong."""

SHARPER = 1.5
"""Ratio of the lines' widths in the first picture and a later one from which the first was blurred.
Of 72 painted games three had such a first picture, 1.8 to 3.2 times as wide as the second; all
others are below 1.3."""

SEPARATE, DOUBTFUL, OF_NETWORK = 6.5, 5.0, 3.0
FEW = 4
"""Nats by which four in five squares of each occupant must look like it in a first picture, with
the network's counted OF_NETWORK times; occupants on fewer than FEW squares are left out. That holds
for 76 of 84 painted starts, and for 2 of 12 of which the sides were mixed. A square that looks by
DOUBTFUL nats like another occupant teaches nothing at first: of a hundred hardly one is wrong."""

ELSEWHERE = _("pieces seem to stand elsewhere: look at {squares}")
GONE = _("no pieces are seen where they should stand: look at {squares}")
MOST_MOVED = 2
"""Most pieces moved or missing in a first picture; a moved one changes two squares. With more,
others may be that are not seen: only people can say whether this is the position. In 72 painted
starts at most one piece is missed, and three or more in 65 of the same with six pieces removed."""

DOUBTED = 2.0
"""Nats by which the network denies an expected occupant."""

LIGHTER_ORANGE, LIGHT_A1 = 2.0, 1.0
"""Nats a square, in the choice of an orientation, for Orange having the lighter pieces, and against
a light a1, as on a few boards that are sold."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A frame, and what was seen in it."""

    frame: Frame
    clarity: Clarity
    place: BoardPlace | None = None
    """The board's place; None if it was not seen."""
    seen: SquareEvidence | None = None
    """The squares' evidence; None unless the frame is settled."""
    patches: BoardPatches | None = None
    """The squares cut out for the evidence, to learn from."""
    has_moved: bool = False
    """True if the board was found at another place than before."""
    blur: float = inf
    """Width of the board's lines in pixels; infinite if it was not measured."""
    is_again: bool = False
    """True if the frame equals the last one read, whose evidence it repeats."""


class BoardCamera:
    """Follows a board from frame to frame.

    It begins with a frame of a known position, and learns on from later ones when their position
    has become known. `are_stills`: every frame stands for itself, and stillness is not waited for.
    `place` is the board's last place; None before it was found. `doubts`: nobody has confirmed the
    position it began with, and it has learned nothing since.
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
        """Width of lines, in pixels, in the picture of the first lesson."""
        self.are_stills = are_stills
        self._is_still: Callable[[Picture, float], bool] | None = None
        """Test whether a picture equals the last one read; None before there is one."""
        self._read_last: Sight | None = None
        self._looked_at = 0.0

    def begin(self, frame: Frame, occupants: Sequence[int], is_certain: bool = True) -> Sight:
        """Find the board in a frame with these `occupants`; BoardNotFound.

        If they are not certain, squares that look like another occupant teach nothing, and
        UnlikePosition is raised for too many of them or too many missing pieces. A board whose
        lines are not seen is found only if its pieces look right.
        """
        if frame.picture is None:
            raise BoardNotFound(_("{name}: {trouble}"), name=frame.name, trouble=frame.trouble)
        self._occupants = np.array(occupants)
        place = self._finder.find(frame.picture)
        if place.how == "lines":
            place = self._oriented(frame.picture, place, self._occupants)
        if place.view.is_cut_out(place.layout.corners):  # its shape does not tell the pose then
            self._pose = pose_by_leaning(frame.picture, place.view, place.layout, self._occupants)
        self._classifier = SquareClassifier(place.layout, self._has_neutral, self._pose)
        self.place = place
        self._finder.learn(frame.picture, place)
        self._is_noisy = is_noisy(frame.picture)
        _step, self._blur = line_of(frame.picture, place)
        even = self._even(frame.picture, place)
        self._gate.enter(place, even)
        patches = self._classifier.cut(even, place.view)
        is_seen = place.support >= FOUND  # else its corners are people's word alone
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
        self._gate.is_hidden(evidence.is_covered, frame.at)
        return self._stilled(Sight(frame, Clarity.SETTLED, place, evidence, patches), frame.picture)

    def _undoubted(self, picture: Picture, patches: BoardPatches) -> Occupants:
        """Return the expected occupants, IN_DOUBT on squares that do not look like them.

        UnlikePosition: as in `begin`.
        """
        # The first picture is judged twice: taught as if all stood as it should, each kind of
        # occupant must be told from the others by its own looks; and the network, which no lesson
        # has misled, must not deny too many squares.
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
        doubted = self._margins(by_looks + by_network) < -DOUBTFUL
        if missing.any() and (denied & ~missing).any():
            doubted |= denied  # what the network only misses, or only sees, may be its own error
        # While no piece is missed, what seems to stand elsewhere is one that leans over there.
        is_missed = (doubted & (self._occupants != Occupant.EMPTY)).any()
        return np.where(doubted & is_missed, IN_DOUBT, self._occupants)

    def _taught(self, patches: BoardPatches) -> SquareClassifier:
        """Return a classifier taught that all stands as it should in a first picture."""
        assert self.place is not None
        classifier = SquareClassifier(self.place.layout, self._has_neutral)
        classifier.learn(patches, self._occupants)
        return classifier

    def _is_turned(self, picture: Picture, by_network: Floats) -> bool:
        """Return whether the network denies fewer squares of the board turned by a quarter."""
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
        """Return the nats of each square's expected occupant above any other on the board."""
        others = np.where(np.isin(np.arange(len(Occupant)), self._occupants), likelihoods, -np.inf)
        np.put_along_axis(others, self._occupants[:, None], -np.inf, axis=1)
        margins: Floats = _of_each(likelihoods, self._occupants) - others.max(axis=1)
        return margins

    def look(self, frame: Frame) -> Sight:
        """Return the sight of a later frame."""
        # From cheap to dear, each step only for frames that pass the one before: equal to the last
        # one read (most are); the board's place; motion; an arm; the squares; and a search of the
        # whole picture for a board that was turned round.
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
        if self._gate.is_moving(even, frame.at):
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
        if not self.are_stills and self._gate.is_hidden(sight.seen.is_covered, frame.at):
            return replace(sight, clarity=Clarity.COVERED, seen=None, patches=None)
        return self._stilled(sight, picture)

    def _stilled(self, sight: Sight, picture: Picture) -> Sight:
        """Return a sight that was read, and remember its picture: equal ones need no reading."""
        self._is_still = None if self.are_stills else equal_to(picture, sight.frame.at)
        self._read_last, self._looked_at = sight, sight.frame.at
        return sight

    def learn(
        self, sight: Sight, occupants: Sequence[int], margins: Sequence[float] | None = None
    ) -> None:
        """Take a settled sight as a lesson, with each square's occupant or IN_DOUBT.

        `margins` are the certainty of each, in nats; None for people's word. If the first picture
        was blurred, all is learned anew.
        """
        assert self._classifier is not None
        assert sight.patches is not None
        known = np.array(occupants)
        self.doubts = False
        self._occupants = np.where(known == IN_DOUBT, self._occupants, known)
        belief = None if margins is None else np.clip(margins, 0.0, BELIEVED_MOST)
        if SHARPER * sight.blur < self._blur and np.sum(known == IN_DOUBT) <= 2 * MOST_MOVED:
            layout = self._classifier.layout
            self._classifier = SquareClassifier(layout, self._has_neutral, self._pose)
            self._classifier.learn(sight.patches, known)
            self._blur = sight.blur
        else:
            self._classifier.learn(sight.patches, known, sight.seen, belief)

    def trust(self) -> None:
        """Take the last frame for one that nobody reached into."""
        self._gate.trust(self._looked_at)

    def _even(self, picture: Picture, place: BoardPlace) -> Picture:
        """Return a picture, averaged if the first one was noisy."""
        if not self._is_noisy:
            return picture
        return averaged(picture, place.view, place.layout, POINTS_ACROSS)

    def _enter(self, place: BoardPlace, picture: Picture) -> bool:
        """Go on with a place; return whether it differs from the one before."""
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
        """Return whether more has changed than hands do at once."""
        assert sight.seen is not None
        nats = _of_each(sight.seen.likelihoods, self._occupants)
        return float(np.mean(nats < -UNLIKE_NATS)) > UNLIKE_SHARE

    def _look_again(self, sight: Sight, picture: Picture) -> Sight:
        """Return the sight of a board turned round; if none fits, one that is UNLIKE."""
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
        """Return a place found by lines, oriented by where the pieces should stand."""
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
    """Return the squares whose expected occupant the network denies by more than `nats`."""
    known = np.array(occupants)
    is_denied = _of_each(evidence.witness, known) < -nats
    return [int(square) for square in np.flatnonzero(is_denied & (known != Occupant.NEUTRAL))]


def _of_each(likelihoods: Floats, occupants: Occupants) -> Floats:
    """Return the likelihood of each square's own occupant, (squares,)."""
    return np.take_along_axis(likelihoods, occupants[:, None], axis=1)[:, 0]


def resized(picture: Picture, place: BoardPlace) -> Picture | None:
    """Return a picture in the size in which the board was found; None for another shape."""
    size = (place.view.width, place.view.height)
    height, width = picture.shape[:2]
    if (width, height) == size:
        return picture
    if abs(width / height - size[0] / size[1]) > SAME_SHAPE:
        return None
    smaller: Picture = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    return smaller
