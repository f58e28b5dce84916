"""The board from above, point by point: what is seen of each, and what that colour may be.

One picture of a known position teaches which colours the bare squares have, and which the pieces of
each side; tables then tell how likely any later colour is for each of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from rules import Occupant

from .arrays import Floats, Indices, Picture
from .features import LOG, OPPONENT
from .homography import BoardView
from .layout import Layout
from .patches import averaged

ACROSS = 8
"""Points a square's side, where no other number is wanted."""

SURELY, OPEN = 0.18, 0.42
"""So near to the middle of its square, in squares, a piece is seen; and a board, where none is."""

SAMPLES = 150
"""Points by whose colours a piece or the board is known."""

ALIKE = 0.1
"""How far colours of the same thing are apart, in logarithms."""

SHADES, SHADED, ANYTHING = (0.2, 0.4, 0.6), 0.15, 0.002
"""How much darker a board may be in a shadow, how much of it is in one; and how likely any other
colour is."""

LOWEST, WIDTH, BINS = np.array([2.4, -1.2, -0.8]), np.array([0.1, 0.1, 0.08]), (33, 25, 21)
"""Of the tables: the first bin's middle, how wide bins are, and how many there are; for lightness,
warmth and greenness as `OPPONENT` has them, in logarithms."""


@dataclass(frozen=True, slots=True)
class Points:
    """Points spread evenly over a board: (points,), row by row."""

    at: Floats
    """(points, 2), in board units."""
    square: Indices
    """The square whose middle is nearest."""
    near: Floats
    """How far that is, in the square's widths."""
    shade: Indices
    """The colour of that square, 0 or 1."""
    across: int
    """How many there are on a unit's length."""


def points_of(layout: Layout, across: int = ACROSS) -> Points:
    """Return the points of a board, so many on a unit's length."""
    side = np.arange(0.5 / across, layout.size, 1 / across)
    at = np.stack(np.meshgrid(side, side), -1).reshape(-1, 2)
    away = ((at[:, None] - layout.centres) ** 2).sum(axis=2)
    square = away.argmin(axis=1)
    near = np.sqrt(away.min(axis=1)) / layout.spans[square]
    return Points(at, square, near, np.array(layout.colours)[square], across)


class PointCutter:
    """Where the points of a board lie in the pictures of one view."""

    def __init__(self, view: BoardView, layout: Layout, points: Points) -> None:
        self._view, self._layout, self._across = view, layout, points.across
        self._pixels = view.project(points.at).astype(np.float32)[None]

    def colours(self, picture: Picture) -> Floats:
        """Return the colours of the points, (points, 3): lightness, warmth, greenness.

        Each is the mean of what its point stands for.
        """
        picture = averaged(picture, self._view, self._layout, self._across)
        x, y = self._pixels[..., 0], self._pixels[..., 1]
        colours: Floats = LOG[cv2.remap(picture, x, y, cv2.INTER_LINEAR)[0]] @ OPPONENT
        return colours


@dataclass(frozen=True, slots=True)
class Likely:
    """How likely the colour of each point is, (points,), for the bare board and for pieces."""

    bare: Floats
    pieces: Mapping[Occupant, Floats]


class Colouring:
    """Which colours a board's squares and the pieces of each side have."""

    def __init__(self, colours: Floats, points: Points, occupants: Indices) -> None:
        """Learn them from the colours of points over squares with known `occupants`."""
        stands = occupants[points.square]
        is_bare = (stands == Occupant.EMPTY) & (points.near < OPEN)
        self._bare = np.stack(
            [table_of_bare(colours[is_bare & (points.shade == each)]) for each in (0, 1)]
        )
        self._pieces = {
            occupant: table_of(sampled(known))
            for occupant in list(Occupant)[1:]
            if len(known := colours[(stands == occupant) & (points.near < SURELY)])
        }
        self._shade = points.shade

    def likelihoods(self, colours: Floats) -> Likely:
        """Return how likely the colours of all points are for a bare board, and for pieces."""
        bins = table_at(colours)
        pieces = {who: of[bins] for who, of in self._pieces.items()}
        return Likely(self._bare[self._shade, bins], pieces)


def table_of_bare(colours: Floats) -> Floats:
    """Return the table of squares of one colour, some of which are in a shadow."""
    known = sampled(colours)
    shaded = np.concatenate([known - (darker, 0.0, 0.0) for darker in SHADES])[:: len(SHADES)]
    bare: Floats = (1 - SHADED) * table_of(known) + SHADED * table_of(shaded)
    return bare


def sampled(colours: Floats) -> Floats:
    """Return some of many colours, the same ones each time."""
    few = min(SAMPLES, len(colours))
    some: Floats = colours[np.random.default_rng(0).choice(len(colours), few, replace=False)]
    return some


def table_at(colours: Floats) -> Indices:
    """Return where in a table each of some colours stands; (..., 3) become (...)."""
    steps = ((colours - LOWEST) / WIDTH + 0.5).astype(np.int32)
    places = np.clip(steps, 0, np.array(BINS, np.int32) - 1)
    at: Indices = (places[..., 0] * BINS[1] + places[..., 1]) * BINS[2] + places[..., 2]
    return at


def table_of(known: Floats) -> Floats:
    """Return for each bin how likely it is to be of what has the known colours; 1 at the most.

    Whatever it is, any other colour is a little likely as well.
    """
    axes = [
        low + wide * np.arange(bins) for low, wide, bins in zip(LOWEST, WIDTH, BINS, strict=True)
    ]
    table = np.zeros(BINS, np.float32)
    for colour in known:
        away = [((axis - c) / ALIKE) ** 2 / 3 for axis, c in zip(axes, colour, strict=True)]
        apart = 1 + away[0][:, None, None] + away[1][:, None] + away[2]
        table += (1 / apart**3).astype(np.float32)
    flat: Floats = table.reshape(-1).astype(float) / max(len(known), 1) + ANYTHING
    return flat
