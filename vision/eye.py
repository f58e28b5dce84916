"""The eye: a camera's board from frame to frame, and the only loop by which it is taught.

A look goes out, and what is believed of it comes back: occupants, and how sure each is. A square
teaches where belief is sure, and surer yet where a piece is missing from the board, and where the
square itself does not speak against it. The gate is told to trust a look only if the believed
board is the one of the lesson before.
"""

from collections.abc import Sequence

import numpy as np

from hardware.ports import Believed
from rules import Occupant

from .appearance import UNKNOWN, Occupants, SquareEvidence
from .camera import BoardCamera, Sight
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
