"""Which points of a board, from above, pieces on each square may cover, in one view.

A piece is as good as round, broad below and slimmer above, and leans away from the camera as far as
it is high. The picture of a known position tells how high and broad most pieces are, and what is
seen of each tells how high that one is.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from rules import Occupant, Square

from .arrays import Floats, Indices
from .layout import Layout
from .pose import Pose
from .topview import Likely, Points

HEIGHTS, BREADTHS = (0.12, 0.3, 0.5, 0.75, 1.0, 1.3), (0.55, 0.65, 0.8, 1.0, 1.2)
"""What is tried: how high half of all pieces are at least, in squares, and how broad pieces are, in
shares of what follows."""

AT, RADII = (0.0, 0.25, 0.45, 1.8), (0.36, 0.34, 0.24, 0.2)
"""How far pieces reach to both sides, in squares, at shares of that height."""

SURELY = 0.97
"""A piece covers what its foot stands on but for so little."""

ANY, LEVELS = 0, (1.0, 0.5, 0.7, 1.0, 1.35, 1.8, 2.5, 3.4)
"""How high one piece may be, in shares of that height; the first is of one that was never seen."""

UNEVEN, UNEVEN_KNOWN = 0.22, 0.08
"""How far the heights of all pieces are spread, and by how much one piece's is not known."""

STEPS, EDGE, LEAST = 13, 0.28, 0.02
"""At how many heights a piece is looked at; how broad its uncertain edge is, in squares; and what
is less likely is left out."""


@dataclass(frozen=True, slots=True)
class Volume:
    """What a piece on one square may cover."""

    points: Indices
    """The numbers of the points."""
    share: Floats
    """How likely it is to cover each."""
    whole: float
    """How many it covers."""


class Volumes:
    """What pieces of any of LEVELS may cover on any square."""

    def __init__(
        self, points: Points, layout: Layout, pose: Pose, height: float, breadth: float
    ) -> None:
        """Half of the pieces are at least `height` squares high; `breadth`: in shares of RADII."""
        self._points, self._layout = points, layout
        self._height, self._breadth = height, breadth
        self._leans = pose.lean(layout.centres) * layout.spans[:, None]
        self._side = round(len(points.at) ** 0.5)
        self._known: dict[tuple[Square, int], Volume] = {}
        away = np.hypot(*(layout.centres - (pose.x, pose.y)).T)
        self.order = [Square(int(square)) for square in np.argsort(away)]
        """The squares in the order in which pieces on them hide each other."""
        self._depths = {square: depth for depth, square in enumerate(self.order)}

    def seen_from(self, pose: Pose) -> Volumes:
        """Return what the same pieces cover in another view."""
        return Volumes(self._points, self._layout, pose, self._height, self._breadth)

    def of(self, square: Square, level: int = ANY) -> Volume:
        """Return what a piece of such a height may cover."""
        known = self._known.get((square, level))
        if known is None:
            known = self._known[square, level] = self._reckoned(square, level)
        return known

    def depth(self, square: Square) -> int:
        """Return how many squares are nearer to the camera."""
        return self._depths[square]

    def tallest(self, square: Square) -> Volume:
        """Return what the highest piece may cover."""
        return self.of(square, len(LEVELS) - 1)

    def _reckoned(self, square: Square, level: int) -> Volume:
        centre, span = self._layout.centres[square], float(self._layout.spans[square])
        spread = UNEVEN if level == ANY else UNEVEN_KNOWN
        shares = LEVELS[level] * np.linspace(0.0, 1 + 4 * spread, STEPS)
        axis = centre + self._height * shares[:, None] * self._leans[square]
        low, high = (
            np.clip((end + reach * span) * self._points.across, 0, self._side).astype(int)
            for end, reach in ((axis.min(axis=0), -0.5), (axis.max(axis=0), 0.6))
        )
        across, along = np.arange(low[0], high[0]), np.arange(low[1], high[1])
        near = (along[:, None] * self._side + across).ravel()
        away = np.hypot(*np.moveaxis(self._points.at[near] - axis[:, None], 2, 0)) / span
        radii = self._breadth * np.interp(shares, AT, RADII)
        edge = np.clip((radii[:, None] - away) / EDGE + 0.5, 0.0, 1.0)
        stands = SURELY / (1 + np.exp((shares / LEVELS[level] - 1) / spread))
        share = (edge * stands[:, None]).max(axis=0)
        likely = share > LEAST
        return Volume(near[likely], share[likely], float(share[likely].sum()))


def fitting_volumes(
    points: Points, layout: Layout, pose: Pose, occupants: Indices, likely: Likely
) -> Volumes:
    """Return the volumes of such pieces as explain the picture of a known position best."""
    levels = np.zeros(len(occupants), int)

    def fit(volumes: Volumes) -> float:
        return float(np.log(Layers(volumes, occupants, levels, likely).total).sum())

    def tried(height: float, breadth: float) -> Volumes:
        return Volumes(points, layout, pose, height, breadth)

    height = max(HEIGHTS, key=lambda height: fit(tried(height, 1.0)))
    breadth = max(BREADTHS, key=lambda breadth: fit(tried(height, breadth)))
    height = max(HEIGHTS, key=lambda height: fit(tried(height, breadth)))
    return tried(height, breadth)


class Layers:
    """What is seen where of a board on which it is known what stands.

    `levels` are the heights of the pieces, as numbers of LEVELS; how high those on the squares
    `asked` are can be asked afterwards.
    """

    def __init__(
        self,
        volumes: Volumes,
        occupants: Indices,
        levels: Indices,
        likely: Likely,
        asked: Collection[Square] = (),
    ) -> None:
        self._volumes, self._likely = volumes, likely
        free, self.total = np.ones(len(likely.bare)), np.zeros(len(likely.bare))
        """How likely the colour of each point is, whatever is seen there, (points,)."""
        self.seen: dict[Square, Floats] = {}
        """How surely each piece is seen at each point of its volume."""
        self._front: dict[Square, tuple[Floats, Floats]] = {}
        self.who = {
            square: who
            for square in volumes.order
            if (who := Occupant(int(occupants[square]))) in likely.pieces
        }
        """The pieces, those first that hide others."""
        for square, who in self.who.items():
            volume = volumes.of(square, int(levels[square]))
            at = volume.points
            if square in asked:
                reach = volumes.tallest(square).points
                self._front[square] = self.total[reach], free[reach]
            self.seen[square] = free[at] * volume.share * likely.pieces[who][at]
            self.total[at] += self.seen[square]
            free[at] *= 1 - volume.share
        self.total += free * likely.bare
        for square in self.who:
            self.seen[square] /= self.total[volumes.of(square, int(levels[square])).points]

    def levels(self) -> dict[Square, int]:
        """Return how high the pieces are that are asked about; all must have been of level ANY."""
        found = dict[Square, int]()
        behind = self._likely.bare.copy()
        for square, who in reversed(self.who.items()):
            volume = self._volumes.of(square)
            at, of_piece = volume.points, self._likely.pieces[who]
            if square in self._front:
                before, free = self._front[square]
                reach = self._volumes.tallest(square).points
                fits = dict[int, float]()
                for level in range(1, len(LEVELS)):
                    own = self._volumes.of(square, level)
                    share = np.zeros(len(behind))
                    share[own.points] = own.share
                    covers = share[reach]
                    explained = before + free * (
                        covers * of_piece[reach] + (1 - covers) * behind[reach]
                    )
                    fits[level] = float(np.log(explained).sum())
                found[square] = max(fits, key=lambda level: fits[level])
            behind[at] = volume.share * of_piece[at] + (1 - volume.share) * behind[at]
        return found
