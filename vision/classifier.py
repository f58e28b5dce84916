"""One board through one camera: from a picture and a view to evidence of every square."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rules import Occupant

from .appearance import UNKNOWN, Appearance, Occupants, SquareEvidence
from .arrays import Floats, Picture
from .features import (
    bare_points,
    discs,
    features_of,
    logarithms,
    plain_colours,
    unchanged_points,
)
from .homography import BoardView
from .layout import Layout
from .light import LightComparison
from .occlusion import Occlusion, behind_newcomers, hiding_of
from .patches import Cutter
from .pose import pose_of


@dataclass(frozen=True, slots=True)
class BoardPatches:
    """What one picture shows of the squares: logarithms of the patches, and their mean colours.

    `hiding` tells which squares pieces on which others may hide in its view.
    """

    logs: Floats
    means: Floats
    hiding: Occlusion


@dataclass(frozen=True, slots=True)
class Reference:
    """How every square looked when its occupant was last known, in the first picture's light.

    `bare` is what it shows with nothing on it, `hidden` the share of an empty one that something
    else stood before.
    """

    bare: Floats
    means: Floats
    surface: Floats
    hidden: Floats


class SquareClassifier:
    """Reads the squares of a board.

    Its first lesson is a picture of a position that is known; before it, nothing can be read.
    `has_neutral`: a piece that belongs to nobody may stand on the board.
    """

    def __init__(self, layout: Layout, has_neutral: bool) -> None:
        self.layout = layout
        self._looks = Appearance(layout, has_neutral)
        self._light = LightComparison(layout)
        self._memory: Reference | None = None
        self._view: BoardView | None = None

    def look(self, picture: Picture, view: BoardView) -> BoardPatches:
        """Cut the squares out of a picture in which the board is seen in `view`."""
        if view is not self._view:
            pose = pose_of(view, np.full(2, self.layout.size / 2))
            self._cutter = Cutter(view, self.layout, pose)
            self._hiding = hiding_of(self.layout, pose)
            self._view = view
        logs = logarithms(self._cutter.cut(picture))
        return BoardPatches(logs, discs(logs), self._hiding)

    def read(self, glance: BoardPatches) -> SquareEvidence:
        """Return the evidence of every square."""
        memory = self._remembered()
        lighter = self._light.lightening(glance.means, memory.means).astype(np.float32)
        even = glance.logs - lighter[:, None]
        unchanged = unchanged_points(even[0], memory.surface)
        bare = bare_points(even[0], memory.bare)
        fresh = self._looks.compare(features_of(even, memory.bare))
        behind = behind_newcomers(unchanged, bare, fresh.is_empty, glance.hiding)
        # What something hid already looks unchanged whatever comes there.
        share = (unchanged.mean(axis=1) - memory.hidden) / np.maximum(1 - memory.hidden, 0.1)
        return self._looks.see(fresh, np.clip(share, 0.0, 1.0), behind, memory.hidden)

    def learn(self, glance: BoardPatches, occupants: Occupants) -> None:
        """Take a picture as a lesson: on each square stands what `occupants` says."""
        if self._memory is None:
            bare = plain_colours(glance.means, self.layout, occupants == Occupant.EMPTY)
            hidden = np.zeros(len(occupants))
            self._memory = Reference(bare, glance.means, glance.logs[0], hidden)
        memory = self._memory
        lighter = self._light.lightening(glance.means, memory.means).astype(np.float32)
        surface = glance.logs[0] - lighter[:, None]
        covered = 1 - bare_points(surface, memory.bare).mean(axis=1)
        known = (occupants != UNKNOWN)[:, None]
        self._memory = Reference(
            memory.bare,
            np.where(known, glance.means - lighter, memory.means),
            np.where(known[:, None], surface, memory.surface),
            np.where(known[:, 0], covered * (occupants == Occupant.EMPTY), memory.hidden),
        )
        self._looks.learn(features_of(glance.logs - lighter[:, None], memory.bare), occupants)

    def margins(self, glance: BoardPatches, occupants: Occupants) -> Floats:
        """Return how much more each square looks like its occupant than like any other, in nats.

        Asked of the first lesson: what most squares of an occupant look like tells the few that
        are not.
        """
        features = features_of(glance.logs, self._remembered().bare)
        return self._looks.margins(features, occupants)

    def coherence(self, glance: BoardPatches, occupants: Occupants) -> float:
        """Return how well the look of `occupants` goes together, in nats a square."""
        features = features_of(glance.logs, self._remembered().bare)
        return self._looks.coherence(features, occupants)

    def _remembered(self) -> Reference:
        assert self._memory is not None, "the first lesson comes first"
        return self._memory
