"""A board as the camera sees it: where each square lies, and where light meets dark.

Board units: the board fills 0..size both ways, a1 towards (0, 0), the last file towards
(size, 0). A layout may be a grid of any size or the Ninth-Ray disk; nothing here knows which.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rules import Topology

from .arrays import Floats, Indices

Outline = tuple[tuple[float, float], ...]

SAMPLES_PER_UNIT = 5
"""Points of an edge, a board unit."""


@dataclass(frozen=True)
class Layout:
    """A board's squares, by number."""

    size: float
    """Of the whole board, in board units."""
    outlines: tuple[Outline, ...]
    """Corners of each square, in board units."""
    middles: Outline
    """Where a piece stands on each square, in board units."""
    colours: tuple[int, ...]
    """0 as a1's, or 1."""
    side: int | None
    """Squares along a side of a grid; None where the squares are no grid."""

    @cached_property
    def corners(self) -> Floats:
        """The board's corners: a1's, the last file's, the opposite one, the last rank's."""
        return np.array([(0, 0), (self.size, 0), (self.size, self.size), (0, self.size)], float)

    @cached_property
    def centres(self) -> Floats:
        """The middle of each square, (squares, 2)."""
        return np.array(self.middles)

    @cached_property
    def spans(self) -> Floats:
        """How wide each square is: the side of a square of the same area, as far as it has room.

        A long one, as a disk's wedges are, ends sooner at its sides than it is wide by that.
        """
        return np.array([_span(*each) for each in zip(self.outlines, self.middles, strict=True)])

    @cached_property
    def edges(self) -> Edges:
        """Points on the sides that two squares of unlike colours share."""
        owners: dict[tuple[tuple[float, float], ...], list[int]] = {}
        for square, outline in enumerate(self.outlines):
            for start, end in zip(outline, (*outline[1:], outline[0]), strict=True):
                ends = sorted((round(x, 6), round(y, 6)) for x, y in (start, end))
                owners.setdefault(tuple(ends), []).append(square)
        middles = [np.mean(outline, axis=0) for outline in self.outlines]
        points, normals, between = [], [], []
        for (start, end), squares in owners.items():
            if len(squares) != 2 or self.colours[squares[0]] == self.colours[squares[1]]:
                continue
            light, dark = sorted(squares, key=lambda square: -self.colours[square])
            along = np.subtract(end, start)
            length = float(np.hypot(*along))
            across = np.array([-along[1], along[0]]) / length
            if across @ (middles[light] - middles[dark]) < 0:
                across = -across
            count = max(round(SAMPLES_PER_UNIT * length), 1)
            for part in (np.arange(count) + 0.5) / count:
                points.append(np.add(start, along * part))
                normals.append(across)
                between.append((light, dark))
        return Edges(np.array(points), np.array(normals), np.array(between))


@dataclass(frozen=True, slots=True)
class Edges:
    """Points on lines between squares: `points` and `normals` (n, 2); normals point to colour 1.

    `between` are the two squares of each, (n, 2).
    """

    points: Floats
    normals: Floats
    between: Indices


def layout_of(topology: Topology) -> Layout:
    """Return the layout of a table's board."""
    side = 10 if topology.columns_around == 0 else None
    return Layout(10.0, topology.outlines, topology.centres, topology.colours, side)


def square_grid(side: int) -> Layout:
    """Return a board of `side` by `side` squares; square 0 is a1, 1 is b1."""
    places = [(file, rank) for rank in range(side) for file in range(side)]
    return Layout(
        float(side),
        tuple(((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)) for x, y in places),
        tuple((x + 0.5, y + 0.5) for x, y in places),
        tuple((x + y) % 2 for x, y in places),
        side,
    )


def _span(outline: Outline, middle: tuple[float, float]) -> float:
    corners = np.subtract(outline, middle)
    along = np.roll(corners, -1, axis=0) - corners
    areas = np.abs(corners[:, 0] * along[:, 1] - corners[:, 1] * along[:, 0]) / 2
    room = 4 * areas / np.hypot(*along.T)  # how wide a circle is that touches a side
    return min(float(np.sqrt(areas.sum())), float(room.min()))
