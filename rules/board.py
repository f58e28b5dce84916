"""The two boards as tables: names, neighbours, colours and outlines of one hundred squares.

Both boards use the same names. A direction is as Black sees it: NORTH goes towards the
higher ranks, EAST towards the next file letter. On the Ninth-Ray disk the ring closes (east of
j1 lies a10) and NORTH of rank 5 crosses the centre, which makes its innermost ring a directed
graph: an attack there is not mutual and a retreat is not the reverse of an advance.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from enum import IntEnum
from functools import cache

from .plain import TYPE_CHECKING, NamedTuple, NewType

if TYPE_CHECKING:
    from typing import Literal

    Bias = Literal["clockwise", "counterclockwise"]

Square = NewType("Square", int)
"""0..99 = (rank - 1) * 10 + file: a1 = 0, j1 = 9, a10 = 90, j10 = 99."""

Point = tuple[float, float]

FILES = "abcdefghij"
SQUARES = tuple(Square(index) for index in range(100))
SQUARE_NAMES = tuple(f"{FILES[index % 10]}{index // 10 + 1}" for index in SQUARES)


class Direction(IntEnum):
    """The eight ways of a step; even ones are straight, odd ones diagonal.

    A die of the Juggernaut showing 1..8 means the direction one less.
    """

    NORTH = 0
    NORTH_EAST = 1
    EAST = 2
    SOUTH_EAST = 3
    SOUTH = 4
    SOUTH_WEST = 5
    WEST = 6
    NORTH_WEST = 7


_RANKS_UP = (1, 1, 0, -1, -1, -1, 0, 1)
_FILES_ON = (0, 1, 1, 1, 0, -1, -1, -1)
_MIRRORED_IN_RANK = tuple(Direction((4 - way) % 8) for way in Direction)

# Chords this short leave the polygon of a rim square within 2 % of a ring's width of its arc.
_POINTS_ON_ARC = 5

RING_RADII = tuple(5 * millimetres / 210 for millimetres in (210, 176, 142, 108, 74, 0))
"""The circles between a disk's rings, from the rim to the centre, in board units.

The innermost ring is so much wider that its wedges hold the same piece as the other squares.
"""


class Topology(NamedTuple):
    """A board: what lies beside what, and where it is drawn."""

    name: str
    neighbours: tuple[tuple[Square | None, ...], ...]
    """`neighbours[square][direction]`: the square one step away, or None off the board."""
    onward: tuple[tuple[Direction, ...], ...]
    """`onward[square][direction]`: the direction that goes straight on after that step. On the disk
    it is another one where a step changes halves beside the centre, or keeps its half across it."""
    colours: tuple[int, ...]
    """0 or 1 for each square; a1 has 0."""
    outlines: tuple[tuple[Point, ...], ...]
    """Each square's polygon, counter-clockwise as seen from above with Black in the south, in board
    units: the board fills 0..10 both ways, a1 towards (0, 0)."""
    centres: tuple[Point, ...]
    """Where a piece stands on each square, in board units."""
    places: tuple[tuple[int, int], ...]
    """Each square's column and row where the board is unrolled."""
    columns_around: int = 0
    """Columns come round after so many; never where it is 0."""


def mask_of(squares: Iterable[Square]) -> int:
    """Return the squares as a set of bits: bit n is square n."""
    mask = 0
    for square in squares:
        mask |= 1 << square
    return mask


def squares_of(mask: int) -> Iterator[Square]:
    """Yield the squares of a set of bits, lowest first."""
    while mask:
        lowest = mask & -mask
        yield SQUARES[lowest.bit_length() - 1]
        mask ^= lowest


@cache
def grid() -> Topology:
    """Return the flat board of 10 by 10 unit squares."""

    def neighbour(square: Square, way: Direction) -> Square | None:
        rank, file = divmod(square, 10)
        rank += _RANKS_UP[way]
        file += _FILES_ON[way]
        return SQUARES[rank * 10 + file] if 0 <= rank < 10 and 0 <= file < 10 else None

    def outline(square: Square) -> tuple[Point, ...]:
        y, x = divmod(square, 10)
        return ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))

    return Topology(
        name="grid",
        neighbours=tuple(tuple(neighbour(s, way) for way in Direction) for s in SQUARES),
        onward=(tuple(Direction),) * 100,
        colours=tuple((s // 10 + s % 10) % 2 for s in SQUARES),
        outlines=tuple(outline(square) for square in SQUARES),
        centres=tuple((square % 10 + 0.5, square // 10 + 0.5) for square in SQUARES),
        places=tuple((square % 10, square // 10) for square in SQUARES),
    )


def sector_and_ring(square: Square) -> tuple[int, int]:
    """Return where a square lies on the disk: sector 0..19, ring 1 (rim) .. 5 (innermost)."""
    rank, file = divmod(square, 10)
    return (file, rank + 1) if rank < 5 else (file + 10, 10 - rank)


def at_sector_and_ring(sector: int, ring: int) -> Square:
    """Return the square of a sector (taken modulo 20) and a ring 1..5."""
    half, file = divmod(sector % 20, 10)
    return SQUARES[(10 - ring if half else ring - 1) * 10 + file]


@cache
def ninth_ray(bias: Bias) -> Topology:
    """Return D. Henry's disk of 20 sectors and 5 rings, its centre crossed by `bias`."""
    across = 9 if bias == "clockwise" else 11

    def step(square: Square, way: Direction) -> tuple[Square | None, Direction]:
        sector, ring = sector_and_ring(square)
        inward = _RANKS_UP[way] if sector < 10 else -_RANKS_UP[way]
        sector += _FILES_ON[way]
        ring += inward
        if ring < 1:
            return None, way
        crosses = ring > 5
        landed = at_sector_and_ring(sector + across * crosses, min(ring, 5))
        # Inwards stays inwards, and becomes outwards at the centre; which of both is north is
        # another matter in each half.
        stays = (square < 50) == (landed < 50)
        return landed, _MIRRORED_IN_RANK[way] if crosses == stays else way

    steps = tuple(tuple(step(square, way) for way in Direction) for square in SQUARES)
    return Topology(
        name=f"ninth-ray-{bias}",
        neighbours=tuple(tuple(landed for landed, _ in row) for row in steps),
        onward=tuple(tuple(onward for _, onward in row) for row in steps),
        colours=tuple((sum(sector_and_ring(square)) - 1) % 2 for square in SQUARES),
        outlines=tuple(_sector_outline(square) for square in SQUARES),
        centres=tuple(_sector_centre(square) for square in SQUARES),
        places=tuple(sector_and_ring(square) for square in SQUARES),
        columns_around=20,
    )


def _sector_outline(square: Square) -> tuple[Point, ...]:
    """Draw one square of the disk: sector 0 begins in the west, sectors run counter-clockwise."""
    sector, ring = sector_and_ring(square)
    angles = [
        math.radians(180 + 18 * (sector + part / (_POINTS_ON_ARC - 1)))
        for part in range(_POINTS_ON_ARC)
    ]
    outer = [_on_circle(RING_RADII[ring - 1], angle) for angle in angles]
    inner = (
        [_on_circle(RING_RADII[ring], angle) for angle in reversed(angles)]
        if ring < 5
        else [(5.0, 5.0)]
    )
    return (*outer, *inner)


def _sector_centre(square: Square) -> Point:
    """Return the middle of a square's middle ray; in a wedge, that of the largest circle in it."""
    sector, ring = sector_and_ring(square)
    outer, inner = RING_RADII[ring - 1 : ring + 1]
    slope = math.sin(math.radians(9))
    radius = (outer + inner) / 2 if ring < 5 else outer / (1 + slope)
    return _on_circle(radius, math.radians(180 + 18 * (sector + 0.5)))


def _on_circle(radius: float, angle: float) -> Point:
    return 5 + radius * math.cos(angle), 5 + radius * math.sin(angle)
