"""A hand that holds a piece by its head, and the arm in its sleeve."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import pi, sin
from typing import Final, NamedTuple, TypeAlias

from manifold3d import Manifold

from hardware.build import Spot
from jetan_table.extras.workshop.solids import Solid, joined

from .render import Colour, Painted
from .scenery import moved, painted

Joint: TypeAlias = tuple[float, float, float, float]
"""A place and how thick a finger is there, in millimetres; the fingertips meet at 0."""

SKIN: Final[Colour] = (222, 168, 136)
SLEEVE: Final[Colour] = (92, 54, 44)
FINGERS: Final[Sequence[Sequence[Joint]]] = (
    ((3, 6, -4, 6), (4, 13, 18, 7), (2, 2, 44, 8), (0, -30, 56, 9.5)),
    ((-15, 5, 6, 6), (-17, 14, 27, 7), (-17, 2, 51, 8), (-16, -32, 59, 9.5)),
    ((-28, -2, 14, 6), (-32, 6, 32, 7), (-33, -6, 52, 8), (-29, -37, 57, 9.5)),
    ((-38, -12, 22, 5), (-44, -6, 36, 6), (-45, -16, 50, 7), (-40, -43, 54, 8.5)),
    ((5, -7, -4, 6.5), (13, -16, 14, 8), (17, -36, 28, 9.5), (6, -68, 44, 13)),
)
"""From the first to the little one, then the thumb: each from its tip to the hand."""
PALM: Final[Sequence[Joint]] = (
    *(finger[-1] for finger in FINGERS),
    *((-30, -86, 52, 13), (0, -92, 52, 14)),
)
ARM: Final[Sequence[Joint]] = ((-14, -92, 52, 17), (-18, -190, 78, 23))
CUFF: Final[Sequence[Joint]] = ((-16, -150, 68, 25), (-30, -420, 160, 31))


SCALE: Final = 0.86


def hand(x: float, y: float, z: float) -> Iterator[Painted]:
    """Yield a right hand whose fingertips meet at a place, as one reaches from the south."""
    bones = [hull(pair) for chain in (*FINGERS, ARM) for pair in pairwise(chain)]
    yield moved(painted(joined([*bones, hull(PALM)]), SKIN, gloss=0.5), x, y, z)
    yield moved(painted(hull(CUFF), SLEEVE, gloss=0.2), x, y, z)


def hull(joints: Sequence[Joint]) -> Solid:
    """Return what is spanned by balls."""
    balls = [Manifold.sphere(thick, 40).translate((x, y, z)) for x, y, z, thick in joints]
    return Manifold.batch_hull(balls).scale((SCALE, SCALE, SCALE))


class Pose(NamedTuple):
    """A moment of a move: how far the hand is, what it holds, and what is lit."""

    reach: tuple[float, float, float]
    """From where the piece's head was, in millimetres."""
    is_held: bool
    is_lit: bool


AWAY: Final = (70.0, -230.0, 120.0)
LIFT_MM: Final = 26.0


def poses(way: Spot) -> Iterator[Pose]:
    """Yield the moments of a move: a hand comes, lifts, carries, puts down, and leaves."""
    for share in (0.66, 0.33, 0.0):
        yield Pose(_part(AWAY, share), is_held=False, is_lit=False)
    yield Pose((0.0, 0.0, LIFT_MM), is_held=True, is_lit=True)
    for share in (0.33, 0.67, 1.0):
        rise = LIFT_MM * (1 + sin(pi * share) / 2)
        yield Pose((way[0] * share, way[1] * share, rise), is_held=True, is_lit=True)
    yield Pose((*way, 0.0), is_held=True, is_lit=False)
    for share in (0.35, 0.8):
        x, y, z = _part(AWAY, share)
        yield Pose((way[0] + x, way[1] + y, z), is_held=False, is_lit=False)


def _part(way: tuple[float, float, float], share: float) -> tuple[float, float, float]:
    return way[0] * share, way[1] * share, way[2] * share
