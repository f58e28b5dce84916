"""Markers printed on cards, laid beside a board."""

import numpy as np

from vision.arrays import Floats
from vision.geometry import Layout


def corner_markers(layout: Layout, side: float = 1.0, gap: float = 0.15) -> dict[int, Floats]:
    """Return markers 0..3 beside the corners a1, j1, j10 and a10, on the board's plane."""
    lows = np.where(layout.corners > 0, layout.size + gap, -gap - side)
    quad = np.array([(0, side), (side, side), (side, 0), (0, 0)])
    return {number: low + quad for number, low in enumerate(lows)}
