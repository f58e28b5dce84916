"""Where a board's squares lie, in millimetres."""

from dataclasses import dataclass
from functools import cache
from math import cos, dist, hypot, pi, sin

from hardware.build import Build, Spot, build_of
from rules import SQUARES, Square
from rules.board import Topology

BESIDE = 31.0 / 45.0
"""How far from the middle of a square a piece is set aside, as a share of the square's width."""


@dataclass(frozen=True, slots=True)
class TableGeometry:
    """A board laid out: the middle of each square, and the way to its next neighbour's.

    `turns` are the angles, in radians, by which the squares are turned. `half` is half the board's
    width; `is_round`: it is a disk. The middle of the board is (0, 0). `side` is how wide a usual
    square is, and `foot` a piece's foot: two that stand cannot come nearer to each other.
    """

    centres: tuple[Spot, ...]
    pitches: tuple[float, ...]
    turns: tuple[float, ...]
    half: float
    is_round: bool
    side: float
    foot: float

    def reach(self, square: Square, share: float) -> float:
        """Return a share of a square's width; of a wide one no more than of a usual one's."""
        return share * min(self.pitches[square], self.side)

    def aside(self, square: Square) -> float:
        """Return how far from a square's middle a piece stands that has been set aside from it."""
        return max(self.reach(square, BESIDE), 1.1 * self.foot)

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
    """Lay a board out in its usual size."""
    return laid_out(build_of("ninth-ray" if topology.columns_around else "grid"))


def laid_out(build: Build) -> TableGeometry:
    """Lay a board out as it is built."""
    is_round = build.board == "ninth-ray"
    centres = tuple(build.middle(square) for square in SQUARES)
    pitches = tuple(
        min(dist(centre, other) for other in centres if other is not centre) for centre in centres
    )
    turns = tuple(map(build.turn, SQUARES))
    half = build.width_mm / 2
    return TableGeometry(centres, pitches, turns, half, is_round, build.square_mm, build.base_mm)
