"""Blocks, rods and rings of which the case's parts are made; z points up."""

from collections.abc import Iterable
from math import cos, pi, sin, sqrt
from typing import Literal

from manifold3d import CrossSection, Manifold, OpType

from ..solids import Solid

Axis = Literal["x", "y", "z"]


def block(x: tuple[float, float], y: tuple[float, float], z: tuple[float, float]) -> Solid:
    """Return a box between three pairs of bounds."""
    size = x[1] - x[0], y[1] - y[0], z[1] - z[0]
    return Manifold.cube(size).translate((x[0], y[0], z[0]))


def rod(
    x: float, y: float, z: tuple[float, float], width: float, top: float | None = None
) -> Solid:
    """Return an upright round rod; its upper end is `top` wide, if it tapers."""
    upper = (width if top is None else top) / 2
    return Manifold.cylinder(z[1] - z[0], width / 2, upper, _segments(width)).translate(
        (x, y, z[0])
    )


def lying_rod(
    middle: tuple[float, float, float], axis: Axis, ends: tuple[float, float], width: float
) -> Solid:
    """Return a round rod along x or y, from one end to the other as seen from its middle."""
    turned = Manifold.cylinder(ends[1] - ends[0], width / 2, width / 2, _segments(width))
    turned = turned.translate((0, 0, ends[0]))
    turned = turned.rotate((0, 90, 0)) if axis == "x" else turned.rotate((-90, 0, 0))
    return turned.translate(middle)


def lying_hole(
    middle: tuple[float, float, float], axis: Axis, ends: tuple[float, float], width: float
) -> Solid:
    """Return what to cut out for a rod along x or y: pointed above, or a printer's lines sag."""
    along, across = (abs(ends[1] - ends[0]), 0.01)
    size = (along, across, across) if axis == "x" else (across, along, across)
    shift = (ends[0] + ends[1]) / 2
    off = (shift, 0.0, width / sqrt(2)) if axis == "x" else (0.0, shift, width / sqrt(2))
    ridge = Manifold.cube(size, True).translate(off).translate(middle)
    return Manifold.batch_hull([lying_rod(middle, axis, ends, width), ridge])


def rounded(half: float, radius: float, z: tuple[float, float]) -> Solid:
    """Return a square plate of so much each way from the middle, with round corners."""
    inner = CrossSection.square((2 * (half - radius), 2 * (half - radius)), True)
    points = [
        (x + radius * cos(turn), y + radius * sin(turn))
        for polygon in inner.to_polygons()
        for x, y in polygon
        for turn in (2 * pi * part / 48 for part in range(48))
    ]
    outline = CrossSection.hull_points(points)
    return Manifold.extrude(outline, z[1] - z[0]).translate((0, 0, z[0]))


def joined(solids: Iterable[Solid]) -> Solid:
    """Return solids as one."""
    return Manifold.batch_boolean(list(solids), OpType.Add)


def without(solid: Solid, holes: Iterable[Solid]) -> Solid:
    """Return a solid with holes cut out of it."""
    return Manifold.batch_boolean([solid, *holes], OpType.Subtract)


def _segments(width: float) -> int:
    return 12 if width < 2 else max(24, min(64, 4 * round(width)))
