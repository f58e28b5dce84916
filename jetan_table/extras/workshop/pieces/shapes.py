"""What pieces are put together from: turned bodies, upright plates, a pocket for the magnet."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from manifold3d import CrossSection, FillRule, Manifold

from hardware.build import Magnet

from ..solids import NEODYMIUM, Load, Solid, read_stl, stl

Point = tuple[float, float]

DRAWN_FOR: Final = 24.0
"""The width in millimetres of the foot that all sizes of the drawings are for."""

PLAY: Final = 0.2
"""Millimetres by which a pocket is wider, and deeper, than its magnet."""

_ROUND: Final = 60

_ROUNDINGS: Final = (0.004, 0.008, 0.002, 0.016)
"""Millimetres within which corners are made one; the first that serves is taken."""


@dataclass(frozen=True, slots=True)
class Mould:
    """What all pieces of a set share: the foot's width, how many sides it has, and the magnet."""

    base_mm: float
    magnet: Magnet
    sides: int = _ROUND
    longer: float = 0.0
    """Millimetres of the drawing by which the shafts of the tall pieces are longer than drawn."""

    @property
    def scale(self) -> float:
        """Millimetres of the piece for each millimetre of the drawing."""
        return self.base_mm / DRAWN_FOR

    def wall(self, drawn: float, least: float) -> float:
        """Return a thickness in the drawing's millimetres that is never less than so many real."""
        return max(drawn, least / self.scale)

    def over_pocket(self, roof: float) -> float:
        """Return the height in the drawing's millimetres at which the pocket's roof is so thick."""
        return (self.magnet.height + PLAY + roof) / self.scale

    @property
    def loads(self) -> Sequence[Load]:
        """The magnet where it lies in the foot."""
        width, height = self.magnet
        grams = NEODYMIUM * math.pi / 4 * width**2 * height
        return (Load(grams, (0.0, 0.0, PLAY + height / 2)),)

    def finish(self, drawn: Solid) -> Solid:
        """Return a drawn piece in its real size, with the pocket cut into its foot from below."""
        depth, width = self.magnet.height + PLAY, self.magnet.width + PLAY
        pocket = Manifold.cylinder(depth + 1, width / 2, width / 2, _ROUND).translate((0, 0, -1))
        whole = drawn.scale((self.scale,) * 3) - pocket
        return next(filter(_keeps_its_corners, map(whole.simplify, _ROUNDINGS)), whole)


def _keeps_its_corners(solid: Solid) -> bool:
    """Whether no two corners are one and the same in a file, whose numbers are short."""
    try:
        read_stl(stl(solid))
    except ValueError:
        return False
    return True


def turned(profile: Iterable[Point], sides: int = _ROUND) -> Solid:
    """Turn a profile of (radius, height) about the upright; few sides make it a prism."""
    solid = CrossSection([_closed(profile)], FillRule.NonZero).revolve(sides)
    return solid.rotate((0, 0, 90 + 180 / sides if sides % 4 == 0 else 90))


def _closed(profile: Iterable[Point]) -> list[Point]:
    points = list(profile)
    return [(0.0, points[0][1]), *points, (0.0, points[-1][1])]


def plate(outline: Iterable[Point], thick: float) -> Solid:
    """Stand an outline of (x, height) upright: a plate so thick, its middle over y = 0."""
    flat = CrossSection([list(outline)], FillRule.NonZero).extrude(thick)
    return flat.translate((0, 0, -thick / 2)).rotate((90, 0, 0))


def bowed(corners: Iterable[Point], steps: int = 6) -> list[Point]:
    """Return a curve through all corners: it goes on smoothly where it passes each."""
    points = list(corners)
    ends = [points[0], *points, points[-1]]
    curve = []
    for (a, b), (c, d), (e, f), (g, h) in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        for step in range(steps):
            t = step / steps
            x = _through(a, c, e, g, t)
            curve.append((max(x, 0.0), _through(b, d, f, h, t)))
    return [*curve, points[-1]]


def _through(a: float, b: float, c: float, d: float, t: float) -> float:
    """Return the value of a Catmull-Rom curve between `b` and `c`."""
    straight = (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3
    return b + straight / 2
