"""Where a board's squares lie, in millimetres."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import atan2, cos, dist, hypot, pi, sin

from rules import SQUARES, Square
from rules.topology import Topology

Spot = tuple[float, float]

SQUARE_MM = 45.0
"""The side of a flat board's squares."""

RING_MM = 130.0
"""The width of a disk's rings: so wide that the wedges at the centre have room for a piece."""


@dataclass(frozen=True, slots=True)
class TableGeometry:
    """A board laid out: the middle of each square, and the way to its next neighbour's.

    `turns` are the angles, in radians, by which the squares are turned. `half` is half the board's
    width; `is_round`: it is a disk. The middle of the board is (0, 0).
    """

    centres: tuple[Spot, ...]
    pitches: tuple[float, ...]
    turns: tuple[float, ...]
    half: float
    is_round: bool

    def reach(self, square: Square, share: float) -> float:
        """Return a share of a square's width; of a wide one no more than of a flat board's."""
        return share * min(self.pitches[square], SQUARE_MM)

    def ways_out(self, spot: Spot, beyond: float) -> list[Spot]:
        """Return where a piece may leave the board for, nearest first, `beyond` its edge."""
        x, y = spot
        out = self.half + beyond
        if self.is_round:
            ends = []
            for part in range(8):
                ux, uy = cos(part * pi / 4), sin(part * pi / 4)
                along = x * ux + y * uy
                reach = -along + (along * along - x * x - y * y + out * out) ** 0.5
                ends.append((x + reach * ux, y + reach * uy))
        else:
            ends = [(out, y), (-out, y), (x, out), (x, -out)]
        return sorted(ends, key=lambda end: dist(end, spot))

    def is_on_board(self, spot: Spot) -> bool:
        """Return whether a spot lies on the board."""
        x, y = spot
        return hypot(x, y) <= self.half if self.is_round else max(abs(x), abs(y)) <= self.half


@cache
def geometry_of(topology: Topology) -> TableGeometry:
    """Lay a board out by its outlines."""
    is_round = topology.columns_around > 0
    scale = RING_MM if is_round else SQUARE_MM
    centres = []
    for square in SQUARES:
        x, y = topology.centres[square]
        centres.append((scale * (x - 5), scale * (y - 5)))
    pitches = tuple(
        min(dist(centre, other) for other in centres if other is not centre) for centre in centres
    )
    turns = tuple(atan2(y, x) if is_round else 0.0 for x, y in centres)
    return TableGeometry(tuple(centres), pitches, turns, 5 * scale, is_round)
