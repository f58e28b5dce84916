"""Takes slow changes of light out: lamps that dim, clouds, and the shadow of somebody passing.

Each square's colour is compared with that of the first picture. Light changes alike over many
squares, a piece changes one. So the change around a square is a weighted mean over its neighbours,
in which squares that differ from it have little say; three rounds of that settle it. A shadow with
a sharp edge that runs through a few squares stays, and looks like a piece.
"""

import numpy as np

from .arrays import Floats
from .geometry import Layout

REACH = 1.5
"""How far light is alike, in squares, as the width of a bell curve: shadows of people are soft."""

CHANGE = 0.12
"""What differs more from its surroundings is a piece or a hand, not light; in logarithms, 30 grey
levels off white. At this a square has little more than half its say left, at twice this none."""

OVERALL = 0.5
"""The board's overall change counts for half a square beside those around: where nearly nothing can
be trusted, it must do."""

ROUNDS = 3
"""How often the light is reckoned, each time without what the last time differed from it."""


class LightComparison:
    """Compares a picture's light with that in which the board was first seen."""

    def __init__(self, layout: Layout) -> None:
        apart = layout.centres[:, None] - layout.centres[None]
        near = np.exp(-0.5 * (apart**2).sum(axis=2) / (REACH * np.median(layout.spans)) ** 2)
        self._near = near.astype(np.float64)

    def lightening(self, means: Floats, before: Floats) -> Floats:
        """Return how much lighter each square has become, (squares, 3), in logarithms.

        `means` are the squares' colours now, `before` when what stood there was last seen. Squares
        whose change differs from that around them have no say.
        """
        change = means - before
        lighter = np.broadcast_to(np.median(change, axis=0), change.shape)
        for _ in range(ROUNDS):
            doubt = ((change - lighter) ** 2).sum(axis=1) / CHANGE**2
            weight = np.clip(1 - doubt / 4, 0.0, None) ** 2
            total = self._near @ weight
            overall = (weight @ change) / max(float(weight.sum()), 1e-6)
            local = self._near @ (weight[:, None] * change)
            lighter = (local + OVERALL * overall) / (total + OVERALL)[:, None]
        return lighter
