"""What a reed switch feels of the magnets in the pieces: only the field along its own axis.

Each piece carries an upright disc magnet in its foot, here a dipole. A reed's two blades are iron,
so each has one magnetic potential, the mean of the magnets' along it; their difference, in
amperes, closes the contact between them, whichever way it points. So a reed that lies has two
lobes with a dead stripe across its gap, and one that stands has one lobe and a weak ring.

Data sheets give what closes a reed in ampere-turns of a test coil. A reed cropped to 20 mm closes
in a uniform field of 0.11 mT for each of them, which is `A_PER_TURN` between its blades.
Lengths are millimetres.
"""

from collections.abc import Iterable, Iterator
from math import pi, sqrt
from typing import NamedTuple

Vector = tuple[float, float, float]

MOMENT = 0.19
"""A sound piece's dipole moment in A m^2: a neodymium disc (N35) of 10 by 2.5 mm."""

REMANENCE_T = 1.2
"""Of a usual neodymium magnet (N35)."""

POTENTIAL = 1e6 / (4 * pi)
"""What 1 A m^2 does at 1 mm straight above it, in amperes."""

A_PER_TURN = 0.11e-3 / (4e-7 * pi) * 0.010
"""0.11 mT over mu0, along the 10 mm from the middle of one blade to that of the other."""

REED_MM = 20.0
"""How long a reed is, its leads bent down at the glass or cropped there."""

_OFF_MIDDLE = 0.5 / sqrt(3)  # where the mean of a blade is taken: two points after Gauss


class BladePoint(NamedTuple):
    """A point of a blade, relative to the middle of a square.

    `weight` is what 1 A m^2 does 1 mm above it to the difference between the blades, in amperes.
    """

    x: float
    y: float
    z: float
    weight: float


Reed = tuple[BladePoint, ...]
"""One reed, as the points at which it feels."""


def lying(gap: tuple[float, float], axis: tuple[float, float], depth: float) -> Reed:
    """Return a reed that lies `depth` under the magnets, by its gap and its axis, a unit vector."""
    x, y = gap
    along, across = axis[0] * REED_MM / 2, axis[1] * REED_MM / 2
    ends = (x - along, y - across, -depth), (x + along, y + across, -depth)
    return _reed(ends[0], (x, y, -depth), ends[1])


def upright(depth: float) -> Reed:
    """Return a reed that stands under the middle, its top `depth` under the magnets."""
    return _reed((0, 0, -depth), (0, 0, -depth - REED_MM / 2), (0, 0, -depth - REED_MM))


def _reed(end: Vector, gap: Vector, other: Vector) -> Reed:
    return (*_blade(end, gap, POTENTIAL / 2), *_blade(gap, other, -POTENTIAL / 2))


def _blade(begins: Vector, ends: Vector, weight: float) -> Iterator[BladePoint]:
    for share in (0.5 - _OFF_MIDDLE, 0.5 + _OFF_MIDDLE):
        x, y, z = (a + share * (b - a) for a, b in zip(begins, ends, strict=True))
        yield BladePoint(x, y, z, weight)


UP: Vector = (0.0, 0.0, 1.0)


def drive(
    reed: Iterable[tuple[float, float, float, float]],
    magnet: Vector,
    moment: float,
    axis: Vector = UP,
) -> float:
    """Return what a magnet at a place does between a reed's blades, in amperes.

    `reed` is its probes, each as x, y, z and weight. `moment` is the magnet's in A m^2, and `axis`
    the unit vector along which it points. The potential of a dipole is m . r / (4 pi |r|^3).
    """
    mx, my, mz = magnet
    ax, ay, az = axis
    total = 0.0
    for x, y, z, weight in reed:
        dx, dy, dz = x - mx, y - my, z - mz
        distance2 = dx * dx + dy * dy + dz * dz
        total += weight * (ax * dx + ay * dy + az * dz) / (distance2 * sqrt(distance2))
    return moment * total


def moment_of(width: float, height: float) -> float:
    """Return the dipole moment of a neodymium disc in A m^2: its remanence times its volume."""
    return REMANENCE_T / (4e-7 * pi) * 1e-9 * pi * width**2 / 4 * height
