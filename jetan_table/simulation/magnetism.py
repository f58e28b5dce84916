"""The magnets of the pieces as the reeds feel them: dipoles, in millimetres and milliteslas.

Every piece carries an upright magnet in its foot. The reeds lie in a plane `DEPTH_MM` under the
magnets of standing pieces, one under the middle of each square. A reed feels the sum of all
magnets, and only how strong it is, not where it points.
"""

from __future__ import annotations

from math import sqrt
from random import Random
from typing import NamedTuple

Vector = tuple[float, float, float]

MU0_OVER_4PI = 1e5
"""The magnetic constant over 4 pi, in mT mm^3 / (A m^2)."""

MOMENT = 0.2
"""A sound piece's dipole moment in A m^2: a neodymium disc of about 10 by 2.5 mm."""

DEPTH_MM = 5.0
"""How far the reeds lie under the magnet of a piece that stands."""

USUAL_RADIUS_MM = (18.0, 1.2)
"""Mean and deviation of the distance, sideways, at which a standing piece closes a reed."""

WEAK_RADIUS_MM = (12.0, 14.0)
STRONG_RADIUS_MM = (22.0, 25.0)

RELEASE = (0.5, 0.8)
"""A reed opens again at a share between these of what closes it."""

NARROW = 0.55
"""No reed closes from farther off than this share of the way to its next neighbour."""


class ReedSpec(NamedTuple):
    """The induction in mT at which one reed closes, and the lower one at which it opens again."""

    operate: float
    release: float


def dipole(moment: Vector, offset: Vector) -> Vector:
    """Return the induction in mT of a dipole (A m^2) at `offset` millimetres from it.

    B = mu0 / 4 pi * (3 (m . r) r / |r|^5 - m / |r|^3).
    """
    mx, my, mz = moment
    x, y, z = offset
    distance2 = x * x + y * y + z * z
    strength = MU0_OVER_4PI / (distance2 * sqrt(distance2))
    along = 3 * (mx * x + my * y + mz * z) / distance2
    return (
        strength * (along * x - mx),
        strength * (along * y - my),
        strength * (along * z - mz),
    )


def modulus(induction: Vector) -> float:
    """Return how strong an induction is, wherever it points."""
    x, y, z = induction
    return sqrt(x * x + y * y + z * z)


def standing_induction(distance_mm: float) -> float:
    """Return what a sound piece does, standing so far sideways from a reed, in mT."""
    return modulus(dipole((0.0, 0.0, MOMENT), (distance_mm, 0.0, -DEPTH_MM)))


def spec_of(radius_mm: float, release: float) -> ReedSpec:
    """Return the reed that a standing piece closes from `radius_mm` on."""
    operate = standing_induction(radius_mm)
    return ReedSpec(operate, release * operate)


def draw_reed(
    rng: Random,
    weak: float,
    strong: float,
    pitch_mm: float,
    usual_mm: tuple[float, float] = USUAL_RADIUS_MM,
    release: tuple[float, float] = RELEASE,
) -> ReedSpec:
    """Draw one reed: by those shares a weak or a strong one, else one as usual.

    `pitch_mm` is the way to the next square's middle: whoever builds a board takes no reed that
    closes from there. `usual_mm` and `release` are as the constants, of another make of reeds.
    """
    drawn = rng.random()
    if drawn < weak:
        radius = rng.uniform(*WEAK_RADIUS_MM)
    elif drawn < weak + strong:
        radius = rng.uniform(*STRONG_RADIUS_MM)
    else:
        radius = rng.gauss(*usual_mm)
    return spec_of(min(radius, NARROW * pitch_mm), rng.uniform(*release))
