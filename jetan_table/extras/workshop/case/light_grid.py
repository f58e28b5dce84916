"""The light grid: walls between the squares, from the strips up to the surface.

It is screwed down together with the strips. Where a soldered pin stands in a wall's way, the wall
has a notch; parts beside a wall only make it shorter where they would touch.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import Final

from hardware.build import Build

from ..pcb.strip import strip
from ..solids import Solid
from .shapes import block, joined, rod, without
from .sizes import END_WALL_MM, GAP_MM, THROUGH_MM, WALL_MM, CaseSizes
from .strips import places, screws, strip_bodies

BOSS_MM, HEAD_MM, HEAD_HIGH_MM = 9.0, 6.2, 1.9
"""Round each screw, the hole for its head, and how deep that is."""

CLEAR_MM: Final = 0.4
"""What is kept free beside a part, and above it."""

Span = tuple[float, float]


def light_grid(build: Build, sizes: CaseSizes) -> Iterator[tuple[tuple[int, int], Solid]]:
    """Yield the parts of the grid where they lie, each with its column and row."""
    columns = [-sizes.half, *sizes.grid_columns, sizes.half]
    rows = [-sizes.half, *sizes.grid_rows, sizes.half]
    across, along = _walls(sizes, columns), _walls(sizes, rows)
    height = (sizes.board_top, sizes.surface_low)
    whole = (-sizes.half, sizes.half)
    lattice = joined(
        [
            *(block(wall, whole, height) for wall in across),
            *(block(whole, wall, height) for wall in along),
        ]
    )
    bosses = [rod(at.x, at.y, height, BOSS_MM) for at in screws(build)]
    taken = list(_taken(build, sizes, across, along))
    drilled = without(joined([lattice, *bosses]), [*_drilled(build, sizes), *taken])
    for (column, x), (row, y) in product(enumerate(pairwise(columns)), enumerate(pairwise(rows))):
        room = block((x[0] + GAP_MM, x[1] - GAP_MM), (y[0] + GAP_MM, y[1] - GAP_MM), height)
        yield (column, row), drilled ^ room


def _walls(sizes: CaseSizes, ends: Sequence[float]) -> list[Span]:
    """Return each wall's bounds across it: thicker where two parts meet, half of it for each."""
    walls = []
    for number in range(11):
        at = sizes.border(number)
        at_end = any(abs(at - end) < 1e-6 for end in ends)
        half = END_WALL_MM + GAP_MM if at_end else WALL_MM / 2
        walls.append((at - half, at + half))
    return walls


def _drilled(build: Build, sizes: CaseSizes) -> Iterator[Solid]:
    for at in screws(build):
        yield rod(at.x, at.y, (sizes.board_top - 1, sizes.surface_low + 1), THROUGH_MM)
        head = (sizes.surface_low - HEAD_HIGH_MM, sizes.surface_low + 1)
        yield rod(at.x, at.y, head, HEAD_MM)


def _taken(
    build: Build, sizes: CaseSizes, across: Sequence[Span], along: Sequence[Span]
) -> Iterator[Solid]:
    """Yield what parts take out of walls: all of a wall's thickness, or no more than a corner."""
    for body in strip_bodies(strip(build)):
        if body.kind == "board":
            continue
        for placed in places(build, body.solid):
            yield from _notch(placed, sizes, across, along)


def _notch(
    placed: Solid, sizes: CaseSizes, across: Sequence[Span], along: Sequence[Span]
) -> Iterator[Solid]:
    x0, y0, _, x1, y1, z1 = placed.bounding_box()
    if z1 <= 0:
        return
    x, y = (
        _widened((x0 - CLEAR_MM, x1 + CLEAR_MM), across),
        _widened((y0 - CLEAR_MM, y1 + CLEAR_MM), along),
    )
    if x[1] or y[1]:
        yield block(x[0], y[0], (sizes.board_top - 1, sizes.board_top + z1 + CLEAR_MM))


def _widened(span: Span, walls: Sequence[Span]) -> tuple[Span, bool]:
    """Return a span that goes through the whole of each wall it touches, and whether it does."""
    low, high = span
    touched = False
    for wall in walls:
        if wall[0] < high and span[0] < wall[1]:
            low, high, touched = min(low, wall[0] - 0.01), max(high, wall[1] + 0.01), True
    return (low, high), touched
