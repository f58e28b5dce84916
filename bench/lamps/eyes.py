"""How far apart two colours are to an eye, a colour-deficient one too.

Deficiencies are simulated after Machado, Oliveira and Fernandes (2009), at full severity.
Distances are Euclidean in Oklab (Ottosson 2020): 1 is from black to white, about 0.02 is just seen.
"""

from collections.abc import Mapping
from enum import Enum
from math import dist
from types import MappingProxyType
from typing import Final, TypeAlias

from hardware.ports import RGB

Vector: TypeAlias = tuple[float, float, float]
Matrix: TypeAlias = tuple[Vector, Vector, Vector]

EYES: Final[Mapping[str, Matrix]] = MappingProxyType(
    {
        "normal": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
        "protan": (
            (0.152286, 1.052583, -0.204868),
            (0.114503, 0.786281, 0.099216),
            (-0.003882, -0.048116, 1.051998),
        ),
        "deutan": (
            (0.367322, 0.860646, -0.227968),
            (0.280085, 0.672501, 0.047413),
            (-0.011820, 0.042940, 0.968881),
        ),
        "tritan": (
            (1.255528, -0.076749, -0.178779),
            (-0.078411, 0.930809, 0.147602),
            (0.004733, 0.691367, 0.303900),
        ),
    }
)
"""What reaches an eye of each kind, as a matrix on linear sRGB."""

CONES: Final[Matrix] = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
"""Oklab's first matrix, from linear sRGB; the second takes cube roots of it to L, a and b."""

OKLAB: Final[Matrix] = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)


class Shown(Enum):
    """Where a colour is seen: a lamp's light follows its number, a screen's the sRGB curve."""

    LAMP = "lamp"
    SCREEN = "screen"

    def linear(self, colour: RGB) -> Vector:
        """Return how much red, green and blue light a colour is, 0..1 each."""
        red, green, blue = (
            share if self is Shown.LAMP else _of_screen(share)
            for share in (value / 255 for value in colour)
        )
        return red, green, blue


def distance(one: RGB, other: RGB, eye: str, shown: Shown) -> float:
    """Return how far apart two colours are to an eye of EYES."""
    return dist(_oklab(shown.linear(one), EYES[eye]), _oklab(shown.linear(other), EYES[eye]))


def least_distance(one: RGB, other: RGB, eye: str) -> float:
    """Return how far apart two colours are at least, on lamps and on screens."""
    return min(distance(one, other, eye, shown) for shown in Shown)


def _of_screen(share: float) -> float:
    return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)


def _oklab(linear: Vector, eye: Matrix) -> Vector:
    red, green, blue = (min(max(value, 0.0), 1.0) for value in _times(eye, linear))
    long, middle, short = (value ** (1 / 3) for value in _times(CONES, (red, green, blue)))
    return _times(OKLAB, (long, middle, short))


def _times(matrix: Matrix, vector: Vector) -> Vector:
    x, y, z = (sum(m * v for m, v in zip(row, vector, strict=True)) for row in matrix)
    return x, y, z
