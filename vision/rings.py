"""The disk's rings: boards are drawn with an inner ring of any width, so it is measured."""

from dataclasses import replace

import numpy as np

from rules.topology import RING_RADII

from .arrays import Floats, Gray
from .geometry import BoardView, Layout, values_at

SECTORS = 20
RADII = np.linspace(0.6, 4.9, 130)
BESIDE_RIM = (4.92, 5.08)
BESIDE_PIECES = (0.06, 0.12, 0.88, 0.94)
"""Where in a sector to look, in its width: pieces stand in its middle."""


def measure_rings(gray: Gray, view: BoardView, layout: Layout) -> Layout:
    """Return the disk's layout with its rings where the picture shows them.

    The colours of a ring's sectors alternate, and from ring to ring the other way round: where the
    alternation turns over, a ring ends. Without four such places the layout is returned as it is.
    """
    turns = _turns(_alternation(gray, view, layout, RADII))
    if len(turns) != len(RING_RADII) - 2:
        return layout
    drawn = np.array(RING_RADII[::-1])
    shown = np.array([0.0, *turns, drawn[-1]])

    def moved(point: tuple[float, float]) -> tuple[float, float]:
        away = np.subtract(point, layout.size / 2)
        radius = float(np.hypot(*away))
        if radius == 0:
            return point
        x, y = away / radius * np.interp(radius, drawn, shown) + layout.size / 2
        return float(x), float(y)

    return replace(
        layout,
        outlines=tuple(tuple(moved(point) for point in outline) for outline in layout.outlines),
        middles=tuple(moved(point) for point in layout.middles),
    )


def rim_clearness(gray: Gray, view: BoardView, layout: Layout) -> float:
    """Return how much clearer sectors are just inside the disk's rim than outside, -1..1."""
    inside, outside = np.abs(_alternation(gray, view, layout, np.array(BESIDE_RIM)))
    return float((inside - outside) / max(inside + outside, 1.0))


def _alternation(gray: Gray, view: BoardView, layout: Layout, radii: Floats) -> Floats:
    """Return for each of `radii` how much lighter the odd sectors are than the even ones."""
    parts = np.array(BESIDE_PIECES)
    angles = np.pi + (np.arange(SECTORS)[:, None] + parts) * (2 * np.pi / SECTORS)
    around = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    points = layout.size / 2 + radii[:, None, None, None] * around
    values = np.median(values_at(gray, view.project(points)), axis=2)
    signs = np.where(np.arange(SECTORS) % 2, 1.0, -1.0)
    # Neighbours beside each other share their light, so a median of their steps is robust.
    steps = (values - np.roll(values, 1, axis=1)) * signs
    alternation: Floats = np.median(steps, axis=1)
    return alternation


def _turns(alternation: Floats) -> Floats:
    """Return the radii at which the alternation turns over between two rings that are seen well."""
    alternation = np.convolve(alternation, np.ones(3) / 3, "same")
    floor = 0.3 * float(np.percentile(np.abs(alternation), 90))
    is_clear = np.abs(alternation) > floor
    values, radii = alternation[is_clear], RADII[is_clear]
    last = np.flatnonzero(values[:-1] * values[1:] < 0)
    part = values[last] / (values[last] - values[last + 1])
    turns: Floats = radii[last] + part * (radii[last + 1] - radii[last])
    return turns
