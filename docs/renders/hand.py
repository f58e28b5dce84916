"""A hand that holds a piece by its head between thumb and finger, and the arm in its sleeve.

Bones are rods that grow together where they meet, as skin does: a hand is where the distance to
them is nothing. Lengths are millimetres. The tips of thumb and forefinger meet at 0, and the arm
comes from the south.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from math import cos, radians, sin
from typing import Final, TypeAlias

import numpy as np

from .raster import Floats, Whole
from .render import Bands, Colour, Scene, linear

Joint: TypeAlias = tuple[float, float, float, float]
"""A place, and how thick a finger is there."""

Field: TypeAlias = Callable[[Floats], Floats]
"""How far places are from a surface; less than nothing within it."""

SKIN: Final[Colour] = (226, 172, 138)
BLOOD: Final[Colour] = (206, 118, 92)
NAIL: Final[Colour] = (232, 184, 158)
SLEEVES: Final[Sequence[Colour]] = ((46, 62, 84), (112, 44, 38))
"""Cloth of the black player and of the orange one."""

FINGERS: Final[Sequence[Sequence[Joint]]] = (
    ((-8, -3, -1, 7.0), (-17, -19, 17, 8.4), (-15, -46, 31, 9.8), (4, -88, 30, 15)),
    ((8, 3, 0, 6.2), (11, 4, 23, 7.2), (14, -14, 43, 8.4), (20, -56, 39, 11)),
    ((15, -1, -2, 6.4), (22, 3, 24, 7.6), (27, -14, 47, 8.8), (40, -57, 42, 11.5)),
    ((35, -14, 8, 6.2), (44, -7, 29, 7.4), (50, -22, 49, 8.4), (58, -61, 39, 11)),
    ((55, -28, 12, 5.4), (61, -24, 27, 6.4), (67, -36, 43, 7.4), (73, -68, 34, 10)),
)
"""The thumb, then from the first finger to the little one: each from its tip to the hand."""
OPEN: Final[Sequence[tuple[float, float, float]]] = (
    (-9, 0, -2),
    (9, 9, 4),
    (10, 10, 5),
    (6, 7, 4),
    (4, 5, 3),
)
"""How far each tip is away when the hand lets go; the joint behind it goes half as far."""
WRIST: Final[Sequence[Joint]] = ((30, -134, 30, 18), (46, -136, 29, 18))
ARM: Final[Joint] = (48, -230, 44, 27)
CUFF: Final[Sequence[Joint]] = ((39, -168, 34, 30), (56, -330, 78, 37), (70, -560, 150, 44))
STEP_MM: Final = 2.8


@cache
def hand(grip: float = 1.0, turn: float = 0.0, sleeve: Colour = SLEEVES[0]) -> Scene:
    """Return a right hand, from 0 (open) to 1 (holding), turned by degrees about the piece."""
    skin, cuff = _skin(grip), _grown([*pairwise(CUFF)], 6.0)
    parts = [_net(skin, STEP_MM), _net(cuff, 7.0)]
    (points, triangles, normals), (cloth, _, _) = parts
    middles = points[triangles].mean(axis=1)
    tips = np.array([_moved(finger, grip, index)[0][:3] for index, finger in enumerate(FINGERS)])
    joints = np.array([finger[2][:3] for finger in FINGERS])
    near = [np.linalg.norm(middles[:, None] - each, axis=2).min(axis=1) for each in (tips, joints)]
    blush = 0.75 * np.exp(-((near[0] / 13) ** 2)) + 0.3 * np.exp(-((near[1] / 12) ** 2))
    colours = linear(SKIN) + blush[:, None] * (linear(BLOOD) - linear(SKIN))
    colours[_on_nails(middles, grip)] = linear(NAIL)
    others = np.tile(linear(sleeve), (len(parts[1][1]), 1))
    turned = np.array(
        (
            (cos(radians(turn)), -sin(radians(turn)), 0),
            (sin(radians(turn)), cos(radians(turn)), 0),
            (0, 0, 1),
        )
    )
    count = len(triangles), len(others)
    return Scene(
        np.concatenate([points, cloth]) @ turned.T,
        np.concatenate([triangles, parts[1][1] + len(points)]),
        (np.concatenate([normals[triangles], parts[1][2][parts[1][1]]]) @ turned.T).astype(
            np.float32
        ),
        np.concatenate([colours, others]).astype(np.float32),
        np.zeros(sum(count), np.float32),
        np.repeat(np.array((0.35, 0.05), np.float32), count),
        0.0,
    )


def _moved(finger: Sequence[Joint], grip: float, index: int) -> list[Joint]:
    """Return a finger's joints where the hand is not quite closed."""
    shares = (1 - grip, 0.6 * (1 - grip), 0.15 * (1 - grip), 0.0)
    away = OPEN[index]
    return [
        (x + share * away[0], y + share * away[1], z + share * away[2], thick)
        for (x, y, z, thick), share in zip(finger, shares, strict=True)
    ]


def _skin(grip: float) -> Field:
    fingers = [_moved(finger, grip, index) for index, finger in enumerate(FINGERS)]
    chains = [_grown([*pairwise(finger)], 1.6) for finger in fingers]
    roots = [finger[-1] for finger in fingers]
    palm = [(root, WRIST[index > 1]) for index, root in enumerate(roots)]
    palm += [((*one[:3], 9.0), (*other[:3], 9.0)) for one, other in pairwise(roots)]
    palm += [(joint, ARM) for joint in WRIST]
    return _joined([*chains, _grown(palm, 5.0)], 2.4)


def _grown(bones: Sequence[tuple[Joint, Joint]], soft: float) -> Field:
    return _joined([_bone(*bone) for bone in bones], soft)


def _joined(fields: Sequence[Field], soft: float) -> Field:
    """Return where one of these is, filled up by some millimetres where they meet."""

    def field(places: Floats) -> Floats:
        apart = np.stack([each(places) for each in fields])
        least = apart.min(axis=0)
        return np.asarray(least - soft * np.log(np.exp((least - apart) / soft).sum(axis=0)))

    return field


def _bone(one: Joint, other: Joint) -> Field:
    start, way = np.array(one[:3]), np.subtract(other[:3], one[:3])

    def field(places: Floats) -> Floats:
        along = np.clip((places - start) @ way / (way @ way), 0, 1)
        away = np.linalg.norm(places - start - along[..., None] * way, axis=-1)
        return np.asarray(away - one[3] - along * (other[3] - one[3]))

    return field


def _on_nails(middles: Floats, grip: float) -> Whole:
    """Return the triangles of nails: what is behind a finger's tip, seen from its palm."""
    found = np.zeros(len(middles), bool)
    for index, finger in enumerate(FINGERS):
        tip, joint, root = (np.array(each[:3]) for each in _moved(finger, grip, index)[:3])
        along = (joint - tip) / np.linalg.norm(joint - tip)
        # The back of a finger is where it is bent away from.
        back = joint - (tip + root) / 2
        back -= (back @ along) * along
        back /= np.linalg.norm(back)
        aside = np.cross(along, back)
        off = middles - tip
        wide = finger[0][3]
        up = (off @ along - 0.3 * wide) / (0.95 * wide)
        across = (off @ aside) / (0.72 * wide)
        found |= (up**2 + across**2 < 1) & (off @ back > 0.55 * wide)
    return np.flatnonzero(found)


def _net(field: Field, step: float) -> tuple[Floats, Whole, Bands]:
    """Return points, triangles and the points' normals of a field's surface.

    A point lies in each box of a grid through which the surface goes; four boxes that share an
    edge which it cuts have a square between their points.
    """
    low, high = _bounds(field)
    axes = [np.arange(a - step, b + 2 * step, step) for a, b in zip(low, high, strict=True)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    value = np.concatenate([field(slab) for slab in np.array_split(grid, 12)])
    inside = value < 0
    corners = [
        np.s_[x : x - 1 or None, y : y - 1 or None, z : z - 1 or None]
        for x, y, z in np.ndindex(2, 2, 2)
    ]
    count = np.sum([inside[each] for each in corners], axis=0)
    is_cut = (count > 0) & (count < 8)
    number = np.cumsum(is_cut.ravel()).reshape(is_cut.shape) - 1
    points = grid[:-1, :-1, :-1][is_cut] + step / 2
    for _ in range(3):
        normals = _slope(field, points)
        points = points - np.clip(field(points), -step, step)[:, None] * normals
    quads = []
    for axis in range(3):
        here = np.moveaxis(inside, axis, 0)
        boxes = np.moveaxis(number, axis, 0)
        begins, ends = here[:-1, 1:-1, 1:-1], here[1:, 1:-1, 1:-1]
        ways = (0, 1, 3, 2), (0, 2, 3, 1)
        # The middle axis leaves its two others behind in a left-handed order.
        orders = ways[::-1] if axis == 1 else ways
        for cut, order in zip((begins & ~ends, ~begins & ends), orders, strict=True):
            at = np.argwhere(cut)
            shifts = np.array([(0, 0, 0), (0, 1, 0), (0, 0, 1), (0, 1, 1)])
            quads.append(np.stack([boxes[tuple((at + shifts[each]).T)] for each in order], axis=1))
    squares = np.concatenate(quads)
    return points, np.concatenate([squares[:, :3], squares[:, (0, 2, 3)]]), _slope(field, points)


def _bounds(field: Field) -> tuple[Floats, Floats]:
    """Return the corners of what holds all of a field's surface, found on a coarse grid."""
    ways = np.arange(-80.0, 160.0, 8.0), np.arange(-640.0, 60.0, 8.0), np.arange(-40.0, 240.0, 8.0)
    grid = np.stack(np.meshgrid(*ways, indexing="ij"), axis=-1)
    near = grid[field(grid) < 8]
    return near.min(axis=0) - 8, near.max(axis=0) + 8


def _slope(field: Field, places: Floats) -> Bands:
    ways = np.eye(3) * 0.2
    slope = np.stack([field(places + way) - field(places - way) for way in ways], axis=1)
    length = np.linalg.norm(slope, axis=1, keepdims=True)
    return np.asarray(slope / np.maximum(length, 1e-9), np.float32)
