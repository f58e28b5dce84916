"""Reads the squares of one board: from a picture and a view to evidence of every square.

Patches of all squares are cut along the lean of the pieces, slow light is taken out, and two
witnesses speak, whose log-likelihoods are added. The appearance says how well each square fits what
lessons have taught of empty squares and of both sides' pieces, with what may be hidden allowed for.
The network says what stands there by this picture and the first one. Neither knows the rules: which
positions can follow is weighed by the reader.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from rules import Occupant

from .appearance import (
    SUREST,
    UNKNOWN,
    Appearance,
    Occlusion,
    Occupants,
    SquareEvidence,
    occlusion_of,
    shares_beside,
)
from .geometry import BoardView, Floats, Layout, Picture, Pose, pose_of
from .patches import (
    LOG,
    Cutter,
    bare_points,
    discs,
    features_of,
    lightening,
    nearness,
    plain_colours,
    unchanged_points,
)
from .witness import LongCutter, LongPatches, SquareWitness

CHANGED = 0.6
"""A square of which no greater share looks as it did has got or lost a piece."""

OF_GAME, AT_LEANS = (0.7, 0.5), (0.7, 1.2)
"""What has been learned of this game counts beside the network, which counts whole: where a height
of one square leans by the first of AT_LEANS or less, in squares, and by the second or more. Seen from
above a square looks as it did unless something has changed there; seen from low down it also looks
otherwise with each piece that comes before it, which the network allows for."""

DENIED = 5.0
"""Nobody is taught what the network denies so strongly, in nats: 150 to 1."""


@dataclass(frozen=True, slots=True)
class BoardPatches:
    """What one picture shows of the squares."""

    logs: Floats
    """The patches as logarithms of brightness, (heights, squares, points, 3)."""
    means: Floats
    """Mean colour of each square at the board's surface, (squares, 3), in logarithms."""
    occlusion: Occlusion
    """Which squares pieces on which others may hide in its view."""
    long: LongPatches
    """What the network is shown."""


class SquareClassifier:
    """Reads the squares of a board.

    Its first lesson is a picture of a position that is known; before it, nothing can be read.
    `has_neutral`: a piece that belongs to nobody may stand on the board.
    """

    def __init__(self, layout: Layout, has_neutral: bool, pose: Pose | None = None) -> None:
        """`pose` is the camera's, where the board's shape does not tell it."""
        self.layout = layout
        self._pose = pose
        self._appearance = Appearance(layout, has_neutral)
        self._near = nearness(layout)
        # How every square looked when its occupant was last known, in the first picture's light:
        # its mean colour, each point of its patch on the board's surface, what it would show with
        # nothing on it, and the share of an empty one that something else stood before.
        self._means: Floats | None = None
        self._surface = self._bare = self._hidden = np.empty(0)
        self._view: BoardView | None = None
        self._first: tuple[LongPatches, Occupants] | None = None
        self._has_neutral = has_neutral

    def cut(self, picture: Picture, view: BoardView) -> BoardPatches:
        """Cut the squares out of a picture in which the board is seen in `view`."""
        if view is not self._view:
            pose = self._pose or pose_of(view, np.full(2, self.layout.size / 2))
            self._cutter = Cutter(view, self.layout, pose)
            self._long_cutter = LongCutter(view, self.layout, pose)
            self._occlusion = occlusion_of(self.layout, pose)
            self._view = view
        logs: Floats = LOG[self._cutter.cut(picture)]
        return BoardPatches(logs, discs(logs), self._occlusion, self._long_cutter.cut(picture))

    def read(self, patches: BoardPatches) -> SquareEvidence:
        """Return the evidence of every square."""
        assert self._means is not None, "the first lesson comes first"
        lighter = lightening(self._near, patches.means, self._means).astype(np.float32)
        even = patches.logs - lighter[:, None]
        unchanged = unchanged_points(even[0], self._surface)
        bare = bare_points(even[0], self._bare)
        fit = self._appearance.fit(features_of(even, self._bare))
        occlusion = patches.occlusion
        hides, _across, _top = occlusion
        is_new = (unchanged.mean(axis=1) < CHANGED) & ~fit.is_empty
        behind, bare_behind = shares_beside((unchanged, bare), ~unchanged, is_new, occlusion)
        stood = self._appearance.pieces & ~fit.is_empty
        (bare_beside,) = shares_beside((bare,), ~bare, stood, occlusion)
        # What something hid already looks unchanged whatever comes there: it has no part in this.
        hidden = self._hidden
        share = np.clip((unchanged.mean(axis=1) - hidden) / np.maximum(1 - hidden, 0.1), 0.0, 1.0)
        evidence = self._appearance.weigh(
            fit,
            unchanged=share,
            unchanged_behind=behind,
            bare_behind=bare_behind,
            bare_beside=bare_beside,
            hidden=hidden,
            hides=hides,
        )
        by_network = self._witness.likelihoods(patches.long)
        if not self._has_neutral:
            by_network = np.where(np.arange(len(Occupant)) == Occupant.NEUTRAL, -SUREST, by_network)
        by_network, lean = _of_best(by_network), patches.long.lean
        of_game = np.interp(lean, AT_LEANS, OF_GAME)[:, None]
        return replace(
            evidence,
            likelihoods=_of_best(by_network + of_game * evidence.likelihoods),
            witness=by_network,
        )

    def learn(
        self,
        patches: BoardPatches,
        occupants: Occupants,
        evidence: SquareEvidence | None = None,
        belief: Floats | None = None,
    ) -> None:
        """Take a picture as a lesson: on each square stands what `occupants` says.

        `evidence` is what was read in it; None for the first picture. `belief` is how sure that is
        of each square, in nats, besides what the picture itself shows; None where people say so.
        """
        if self._first is None:
            self._first = patches.long, occupants
        if evidence is not None:
            by_network = evidence.witness[np.arange(len(occupants)), occupants]
            occupants = np.where(by_network < -DENIED, UNKNOWN, occupants)
        if self._means is None:
            self._means, self._surface = patches.means, patches.logs[0]
            self._bare = plain_colours(patches.means, self.layout, occupants == Occupant.EMPTY)
            self._hidden = np.zeros(len(occupants))
        lighter = lightening(self._near, patches.means, self._means).astype(np.float32)
        surface = patches.logs[0] - lighter[:, None]
        covered = 1 - bare_points(surface, self._bare).mean(axis=1)
        known = (occupants != UNKNOWN)[:, None]
        self._means = np.where(known, patches.means - lighter, self._means)
        self._surface = np.where(known[:, None], surface, self._surface)
        self._hidden = np.where(known[:, 0], covered * (occupants == Occupant.EMPTY), self._hidden)
        features = features_of(patches.logs - lighter[:, None], self._bare)
        sure = np.full(len(occupants), SUREST) if belief is None else belief
        unbelieved = None if evidence is None else evidence.unbelieved
        self._appearance.learn(features, occupants, sure, unbelieved)

    def likenesses(self, patches: BoardPatches) -> Floats:
        """Return how much each square of the first picture looks like each occupant, in nats.

        A few may hold something else than it was said: they look unlike most others of theirs.
        """
        assert self._means is not None, "the first lesson comes first"
        features = features_of(patches.logs, self._bare)
        return self._appearance.fit(features).likelihoods

    @cached_property
    def _witness(self) -> SquareWitness:
        """The network, made when it is first asked: which side is whose is told without it."""
        assert self._first is not None, "the first lesson comes first"
        return SquareWitness(self.layout, *self._first)


def _of_best(likelihoods: Floats) -> Floats:
    """Return likelihoods of squares beside the best of each."""
    beside: Floats = np.maximum(likelihoods - likelihoods.max(axis=1, keepdims=True), -SUREST)
    return beside
