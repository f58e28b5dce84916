"""The pieces of a set, to be printed: `pieces` makes the files of all of them.

Black's pieces are round, Orange's have six sides and the Juggernaut has eight, so that hands and
eyes tell the sides apart without a colour. Each kind carries its sign, to be counted by touch:
one, two or three feathers, two that cross, three blades, ten jewels or a single large one, and the
eight legs of a thoat. All are drawn for a foot of 24 mm, and put together from turned bodies,
upright plates and a pocket for the magnet. They stand on z = 0 and look along -y.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

import numpy as np
from manifold3d import CrossSection, FillRule, Manifold

from hardware.build import Build, CannotBeBuilt, Magnet
from rules import DEFAULT_PRESET, JUGGERNAUT_LETTER, Side, _, parse_rules

from .solids import Floats, Solid, mesh_of, stl, three_mf

Point = tuple[float, float]

DRAWN_FOR: Final = 24.0
"""The width in millimetres of the foot that all sizes of the drawings are for."""

TALLEST: Final = 44.9
"""The Chief's height on a foot of 24 mm."""

PLAY: Final = 0.2
"""Millimetres by which a pocket is wider, and deeper, than its magnet."""

SIDES: Final = {Side.BLACK: 60, Side.ORANGE: 6}
"""Count of sides of each player's pieces; those with sixty are round."""

OCTAGON: Final = 8

LEAST_FOOT: Final = 19.0
"""Millimetres: on a smaller foot what is thin would be too thin for a printer."""

WIDER_THAN_MAGNET: Final = 2.2
"""Least width of a foot as a multiple of its magnet's, so that a thoat's legs have enough below."""

_ROUND: Final = 60

_ROUNDINGS: Final = (0.004, 0.008, 0.002, 0.016)
"""Millimetres within which corners are made one; the first that serves is taken."""

FOOT: Final = ((12.0, 0.0), (12.0, 2.3), (11.2, 3.1), (9.6, 3.5), (9.4, 4.6), (8.4, 5.2))
"""The foot that all pieces share, as radius and height."""

ROBE: Final = ((5.6, 7.0), (3.7, 10.0))

GOWN: Final = ((7.3, 8.2), (5.6, 13.0))


@dataclass(frozen=True, slots=True)
class Mould:
    """Common sizes of a set's pieces: the foot's width and count of sides, and the magnet."""

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
        """Return a thickness in the drawing's millimetres, at least `least` in real ones."""
        return max(drawn, least / self.scale)

    def over_pocket(self, roof: float) -> float:
        """Return the height, in the drawing's millimetres, of a `roof` so thick over the pocket."""
        return (self.magnet.height + PLAY + roof) / self.scale

    def finish(self, drawn: Solid) -> Solid:
        """Return a drawn piece in its real size, with the pocket cut into its foot from below."""
        # Corners that are nearly one make slivers, and in a file gaps. Merging them cures that, but
        # too wide a merge may make new ones, so the first that leaves the surface closed is taken.
        depth, width = self.magnet.height + PLAY, self.magnet.width + PLAY
        pocket = Manifold.cylinder(depth + 1, width / 2, width / 2, _ROUND).translate((0, 0, -1))
        whole = drawn.scale((self.scale,) * 3) - pocket
        return next(filter(_is_closed_in_a_file, map(whole.simplify, _ROUNDINGS)), whole)


def _is_closed_in_a_file(solid: Solid) -> bool:
    """Return whether its surface stays closed when numbers are as short as in an STL file.

    Corners that become one there may leave edges that do not join exactly two triangles.
    """
    points, triangles = mesh_of(solid)
    short, corner = np.unique(points.astype(np.float32), axis=0, return_inverse=True)
    joined = corner.reshape(-1)[triangles]
    ends = np.concatenate([joined[:, [0, 1]], joined[:, [1, 2]], joined[:, [2, 0]]])
    there, back = ends @ (len(short), 1), ends @ (1, len(short))
    return len(np.unique(there)) == len(there) and bool(np.isin(there, back).all())


def pieces(build: Build, height_mm: float | None = None) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a set as STL and 3MF: forty men, those alike together, and the Juggernaut.

    Their names say how many of each to print. CannotBeBuilt: as `frame_of` says.
    """
    # Pieces that are alike are one file, whose name has the count: a slicer makes copies by itself.
    men = Counter(parse_rules(DEFAULT_PRESET).start_pieces().values())
    wanted = [
        (f"{side.word}-{kind.word}_x{count}", kind.value, SIDES[side])
        for (side, kind), count in men.items()
    ]
    for file, letter, sides in [*wanted, ("juggernaut_x1", JUGGERNAUT_LETTER, OCTAGON)]:
        solid = piece(letter, frame_of(build, sides, height_mm))
        yield f"pieces/{file}.stl", stl(solid)
        yield f"pieces/{file}.3mf", three_mf(solid, file.partition("_")[0])


def frame_of(build: Build, sides: int = SIDES[Side.BLACK], height_mm: float | None = None) -> Mould:
    """Return the common sizes of a table's pieces; `height_mm` is the Chief's, if not the usual.

    CannotBeBuilt: pieces for this table are too small to be printed, or cannot have that height.
    """
    foot, magnet = build.base_mm, build.magnet
    least = max(LEAST_FOOT, WIDER_THAN_MAGNET * magnet.width)
    if foot < least - 1e-9:
        larger = ceil(build.square_mm * least / foot)
        raise CannotBeBuilt(
            _(
                "a foot of {foot:.1f} mm is too small for printed pieces with magnets of "
                "{magnet:g} mm: make the squares {larger} mm or more"
            ),
            foot=foot,
            magnet=magnet.width,
            larger=larger,
        )
    scale = foot / DRAWN_FOR
    usual = TALLEST * scale
    if height_mm is not None and not 0.9 * usual <= height_mm <= 1.1 * usual:
        raise CannotBeBuilt(
            _("a Chief of {height:g} mm: between {least:.0f} and {most:.0f} on this foot"),
            height=height_mm,
            least=0.9 * usual,
            most=1.1 * usual,
        )
    longer = 0.0 if height_mm is None else height_mm / scale - TALLEST
    return Mould(foot, magnet, sides, longer)


def piece(letter: str, mould: Mould) -> Solid:
    """Return the piece of a letter. KeyError: no kind has it."""
    return mould.finish(_DRAWN[letter](mould))


def _figure(
    mould: Mould, shoulder: float, broad: float = 4.6, robe: Sequence[Point] = ROBE
) -> Solid:
    """Return foot, robe and shoulders; the neck ends 2.4 above the shoulders' height."""
    waist = min(0.55 * shoulder + 2.0, shoulder - broad - 2.4)
    skirt = bowed([(8.4, 5.2), *robe, (2.6, waist)])
    chest = bowed([(2.5, shoulder - broad - 1.4), (3.1, shoulder - broad + 1.0)], 3)
    top = [(broad - 0.2, shoulder - 1.7), (broad, shoulder - 1.2), (broad - 0.2, shoulder - 0.6)]
    neck = [(2.6, shoulder + 0.5), (1.5, shoulder + 2.4)]
    return turned([*FOOT, *skirt[1:], *chest, *top, *neck], mould.sides)


def _head(height: float) -> Solid:
    """Return a head whose neck begins at a height; it is 6.8 high."""
    oval = [(1.6, 0.0), (2.1, 1.0), (2.9, 2.6), (3.1, 4.0), (2.6, 5.6), (1.4, 6.6), (0.4, 6.8)]
    return turned(bowed(oval, 4)).translate((0, 0, height))


def _warrior(
    mould: Mould, shoulder: float, crest: Callable[[Mould], Solid], broad: float = 4.6
) -> Solid:
    shoulder += 0.6 * mould.longer
    solid = _figure(mould, shoulder, broad) + _head(shoulder + 1.2)
    return solid + crest(mould).translate((0, 0, shoulder - 1.4))


def _one(mould: Mould) -> Solid:
    return leaning(feather(mould, 20, 3.4), -0.4, 0, 0, 1.6)


def _two(mould: Mould) -> Solid:
    solid = Manifold()
    for side in (-1, 1):
        solid += leaning(feather(mould, 20, 2.7 * side), 2.3 * side, 6 * side, 0, 1.6)
    return solid


def _crossed(mould: Mould) -> Solid:
    solid = Manifold()
    for side in (-1, 1):
        plume = feather(mould, 27, 2.7 * side, side)
        solid += leaning(plume, -4.7 * side, 23 * side, 0.2, 0.8 + 0.85 * side)
    return solid


def _three(mould: Mould) -> Solid:
    solid = leaning(feather(mould, 21.5, 2.9), -0.3, 0, 0, 1.6)
    for side in (-1, 1):
        solid += leaning(feather(mould, 20.5, 2.6 * side, side), 1.7 * side, 19 * side, 0, 1.6)
    return solid


def _flier(mould: Mould) -> Solid:
    top = 24.5 + mould.longer
    robe = bowed([(8.4, 5.2), (5.2, 7.4), (3.2, 12.0), (2.3, top - 8.0), (1.9, top)])
    ring = [(1.9, top + 0.4), (3.4, top + 1.9), (3.4, top + 2.7), (1.8, top + 4.4), (1.8, top + 5)]
    mast = turned([*FOOT, *robe[1:], *ring], mould.sides)
    return mast + propeller(mould).translate((0, 0, top + 3.6))


def _chief(mould: Mould) -> Solid:
    shoulder = 30.1 + mould.longer
    solid = _figure(mould, shoulder)
    cup = bowed([(1.7, 0.0), (2.6, 1.0), (4.3, 3.2), (6.8, 6.0), (8.2, 7.7)], 3)
    rim = [(8.2, 8.2), (6.3, 8.2), (5.6, 7.2), (4.1, 5.5), (3.5, 5.7), (3.3, 8.0), (2.3, 10.2)]
    solid += turned([*cup, *rim, (0.6, 11.6)]).translate((0, 0, shoulder + 1.2))
    for stone in jewels(mould, 10, 7.1, 1.55, 1.9):
        solid += stone.translate((0, 0, shoulder + 1.2 + 7.9))
    return solid


def _princess(mould: Mould) -> Solid:
    shoulder = 28.0 + mould.longer
    solid = _figure(mould, shoulder, 4.2, GOWN) + _head(shoulder + 1.2)
    thick = mould.wall(2.2, 1.5)
    wing: list[Point] = [(0.0, 0.0), (2.6, 2.4), (5.6, 5.8), (7.3, 8.8), (7.3, 10.6), (5.8, 10.4)]
    wing = bowed([*wing, (4.2, 8.8), (2.6, 9.0)], 3)
    outline = [*wing, (0.0, 11.0), *((-x, z) for x, z in reversed(wing))]
    solid += plate(outline, thick).translate((0, 0, shoulder + 1.2))
    return solid + jewel(3.7, 11.0).translate((0, 0, shoulder + 1.2 + 6.6))


BACK: Final[Sequence[Point]] = (
    *((6.25, 7.15), (7.2, 9.8), (8.0, 12.4), (9.0, 13.8), (11.3, 16.2), (11.0, 17.5), (8.4, 16.9)),
    *((11.9, 21.0), (11.5, 22.5), (9.4, 23.1), (8.2, 23.5), (7.4, 24.7), (6.5, 23.2)),
    *((5.6, 19.5), (4.3, 15.5), (2.2, 12.6), (-1.5, 11.4), (-5.5, 12.2), (-8.2, 12.8)),
    *((-10.0, 15.4), (-10.0, 18.6), (-11.8, 18.4), (-12.0, 14.2), (-8.8, 10.2), (-7.55, 7.15)),
)
"""A thoat's outline from its foreleg over the gaping head and the back to its hind leg."""

ABREAST: Final[Sequence[Point]] = (
    *((4.0, 0.0), (3.3, 1.6), (3.3, 4.0), (3.7, 6.7), (3.4, 9.6), (2.5, 11.6), (1.8, 14.0)),
    *((1.6, 19.0), (1.5, 26.0)),
)
"""Half its outline from before."""


def _thoat(mould: Mould) -> Solid:
    """Return a thoat: four legs a side, with arches between them that need no support."""
    long = plate(_rounded(BACK), 12.0)
    for at in range(4):
        leg = [
            (-1.3, -0.1),
            (-0.9, 1.2),
            (-0.9, 5.6),
            (-1.9, 7.6),
            (1.9, 7.6),
            (0.9, 5.6),
            (0.9, 1.2),
        ]
        leg.append((1.3, -0.1))
        long += plate(leg, 12.0).translate((-5.9 + 3.5 * at, 0, 0))
    half = bowed(ABREAST, 4)
    across = plate([*half, *((-y, z) for y, z in reversed(half))], 40)
    arch = plate([(-1.0, -1.0), (-1.0, 4.6), (0.0, 5.8), (1.0, 4.6), (1.0, -1.0)], 40)
    beast = (long ^ across.rotate((0, 0, 90))) - arch.rotate((0, 0, 90))
    beast += _rider(mould).translate((-2.0, 0, 11.0))
    top = max(5.2, mould.over_pocket(1.3))
    block = turned([*FOOT[:3], (10.8, 3.4), (10.8, top - 0.6), (10.2, top)], mould.sides)
    return block + beast.translate((0, 0, top - 0.1))


def _rounded(outline: Sequence[Point]) -> list[Point]:
    """Return an outline with its corners cut off, but for the first and last."""
    curve = [outline[0]]
    for (a, b), (c, d), (e, f) in zip(outline, outline[1:], outline[2:], strict=False):
        curve += [
            (c + 0.25 * (a - c), d + 0.25 * (b - d)),
            (c + 0.25 * (e - c), d + 0.25 * (f - d)),
        ]
    return [*curve, outline[-1]]


def _rider(mould: Mould) -> Solid:
    """Return its rider, with one straight feather and one that leans, as a thoat moves."""
    body = [(2.4, -1.4), (2.1, 0.6), (1.6, 2.0), (2.9, 4.4), (2.9, 5.2), (2.2, 5.8), (1.4, 6.6)]
    solid = turned(body) + _head(0).scale((0.85, 0.85, 0.85)).translate((0, 0, 6.0))
    solid += leaning(feather(mould, 17.5, 2.5, -1), 0.6, 0, 4.4, 1.0)
    return solid + leaning(feather(mould, 17.5, -2.4, -1), -0.4, -25, 4.4, 1.0)


def _juggernaut(mould: Mould) -> Solid:
    tower = [(8.0, 5.2), (7.2, 7.0), (6.2, 9.0), (5.6, 14.0), (5.6, 21.0 + mould.longer)]
    solid = turned([*FOOT, *bowed(tower, 4)[1:]], mould.sides)
    crown = star((11.8, 10.4, 7.2), 7.4, 2.6) - turned([(3.4, 6.4), (4.6, 11.0)], 8)
    return solid + crown.translate((0, 0, 18.4 + mould.longer))


_DRAWN: Final[Mapping[str, Callable[[Mould], Solid]]] = {
    "P": lambda mould: _warrior(mould, 18.0, _one, 4.1),
    "W": lambda mould: _warrior(mould, 22.0, _two, 5.0),
    "A": lambda mould: _warrior(mould, 20.5, _crossed, 6.8),
    "D": lambda mould: _warrior(mould, 25.6, _three, 4.9),
    "T": _thoat,
    "F": _flier,
    "C": _chief,
    "Q": _princess,
    "*": _juggernaut,
}


def feather(mould: Mould, length: float, half: float, under: int = 0) -> Solid:
    """Return a feather that stands on its quill, nodding to the right where `half` is positive.

    Its vane is split where the splits can be printed: on both sides, or where it is to lean to one
    (`under` 1 for the right, -1 for the left) on the other side only.
    """
    # On small feet feathers are drawn thicker than to scale, or a printer's nozzle leaves them out.
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
    """Return a crest put at a place, leaning to the right by degrees."""
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
    """Return a cut stone that stands on its point, by the width of its girdle and its height."""
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
