"""What pieces are known by: feathers, a propeller, jewels, a thoat and the Juggernaut's star."""

import math
from collections.abc import Iterator

import numpy as np
from manifold3d import CrossSection, FillRule, Manifold

from ..solids import Floats, Solid
from .shapes import Mould, Point, bowed, plate, turned


def feather(mould: Mould, length: float, half: float, under: int = 0) -> Solid:
    """Return a feather that stands on its quill, nodding to the right where `half` is positive.

    Its vane is split where the splits can be printed: on both sides, or where it is to lean to one
    (`under` 1 for the right, -1 for the left) on the other side only.
    """
    thick = mould.wall(1.7, 1.45)
    quill = mould.wall(0.95, 0.8)
    wide = max(abs(half), quill + 0.8)
    right = [(quill, 0.0), (quill, 0.16 * length), (0.7 * wide, 0.36 * length)]
    right += [(wide, 0.6 * length), (0.88 * wide, 0.82 * length)]
    right += [(0.55 * wide, 0.95 * length), (0.0, length)]
    side = bowed(right, 4)
    outline = [*side, *((-x, z) for x, z in reversed(side[:-1]))]
    vane = plate(_nodding(outline, half, length), thick)
    rib = mould.wall(0.65, 0.63)
    line = [(-rib, 0.0), (-rib, 0.5 * length), (-rib, 0.86 * length)]
    line += [(-x, z) for x, z in reversed(line)]
    vane += plate(_nodding(line, half, length), thick + 0.8)
    deep = 0.42 * wide
    for turn, low in ((1, 0.52), (-1, 0.44), (-1, 0.68)):
        if turn != under:
            notch = [(wide - deep, low * length), (wide + 1, low * length + 0.2)]
            notch += [(wide + 1, low * length + 1.5 * (deep + 1))]
            vane -= plate(_nodding([(turn * x, z) for x, z in notch], half, length), 9.0)
    return vane


def _nodding(outline: list[Point], half: float, length: float) -> list[Point]:
    return [(x + 0.25 * half * max(z / length, 0) ** 2, z) for x, z in outline]


def leaning(crest: Solid, x: float, degrees: float, height: float, y: float = 0.0) -> Solid:
    """Put a crest at so far from the middle, leaning to the right by degrees."""
    return crest.rotate((0, degrees, 0)).translate((x, y, height))


def propeller(mould: Mould) -> Solid:
    """Return a screw with three blades that rise from the hub."""
    outline = [(0.0, 0.0), (1.2, 0.0), (9.6, 9.2), (10.4, 11.0), (9.9, 13.2), (8.2, 14.6)]
    outline += [(6.4, 14.2), (3.5, 11.4), (0.0, 10.5)]
    blade = plate(bowed(outline, 4), mould.wall(2.0, 1.5)).refine_to_length(1.0)
    solid = turned([(1.2, 0), (2.9, 2.4), (3.0, 9.0), (2.2, 12), (1.0, 14.4), (0.4, 14.8)], 48)
    for turn in (90, 210, 330):
        solid += blade.warp_batch(_twist).rotate((0, 0, turn))
    return solid


def _twist(points: Floats) -> Floats:
    """Turn places about the upright the more the higher they are."""
    turn = np.radians(2.4) * points[:, 2]
    cosine, sine = np.cos(turn), np.sin(turn)
    x, y = points[:, 0], points[:, 1]
    return np.stack([x * cosine - y * sine, x * sine + y * cosine, points[:, 2]], axis=1)


def jewel(radius: float, height: float, sides: int = 6) -> Solid:
    """Return a cut stone that stands on its point: so wide at its girdle, so high in all."""
    girdle = radius
    profile = [(0.35 * radius, 0.0), (radius, girdle), (radius, girdle + 0.2 * radius)]
    return turned([*profile, (0.45 * radius, height - 0.02), (0.4 * radius, height)], sides)


def jewels(mould: Mould, count: int, ring: float, radius: float, height: float) -> Iterator[Solid]:
    """Yield the jewels of a diadem, each on a ray, on a ring about the middle."""
    stem = mould.wall(0.85, 0.66)
    for at in range(count):
        turn = 360 * (at + 0.5) / count
        ray = Manifold.cylinder(height, stem, stem, 16)
        stone = jewel(radius, 2.9 * radius).translate((0, 0, height - radius + stem))
        yield (ray + stone).translate((ring, 0, 0)).rotate((0, 0, turn))


def star(reach: tuple[float, float, float], rise: float, thick: float) -> Solid:
    """Return a star with eight rays, of which four are longer: it rises from a small one.

    Its reach is that of the long rays, of the short ones, and of the corners between them.
    """
    long, short, corner = reach
    radii = [long if at % 4 == 0 else short if at % 2 == 0 else corner for at in range(16)]
    points = [
        (r * math.sin(math.radians(22.5 * at)), r * math.cos(math.radians(22.5 * at)))
        for at, r in enumerate(radii)
    ]
    flat = CrossSection([points], FillRule.NonZero)
    small = 1 - rise / long
    under = flat.scale((small, small)).extrude(rise, scale_top=(1 / small, 1 / small))
    return under + flat.extrude(thick).translate((0, 0, rise))
