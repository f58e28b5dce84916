"""The nine kinds of pieces as solids, each with its sign: `piece` gives one in its real size.

All are drawn for a foot of 24 mm. They stand on z = 0 and look along -y; heights grow along z.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from manifold3d import Manifold

from ..solids import Solid
from .crests import feather, jewel, jewels, leaning, propeller, star
from .shapes import Mould, Point, bowed, plate, turned

FOOT: Final = ((12.0, 0.0), (12.0, 2.3), (11.2, 3.1), (9.6, 3.5), (9.4, 4.6), (8.4, 5.2))
"""The foot that all pieces share, as radius and height."""


TALLEST: Final = 44.9
"""The Chief's height on a foot of 24 mm."""


def piece(letter: str, mould: Mould) -> Solid:
    """Return the piece of a letter. KeyError: no kind has it."""
    return mould.finish(_DRAWN[letter](mould))


ROBE: Final = ((5.6, 7.0), (3.7, 10.0))
GOWN: Final = ((7.3, 8.2), (5.6, 13.0))


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
    """Four legs on a side, between them and from side to side arches that need no support."""
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
    """He wears one feather that is straight and one that leans: so his thoat goes."""
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
