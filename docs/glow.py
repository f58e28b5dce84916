"""The light of a lamp under its square: what is seen past a foot, and what a neighbour gets.

Rays go from a lamp's face evenly by Lambert's law, and are followed through white walls, floor and
paper until nearly nothing is left of them. The print is a sheet of paper under clear acrylic: what
gets through it goes on by Lambert's law, is bent by the acrylic and leaves at its top, unless a
foot stands there. A square is taken as a rectangle, a disk's as wide as the middle of its ring.
Shares of light that materials give back are usual ones. Nothing here was ever measured.
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from math import cos, hypot, pi, sin
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hardware.build import Build, Spot
from jetan_table.extras.workshop.case.disk import DECK_MM, disk_sizes
from jetan_table.extras.workshop.case.sizes import LAMP_HIGH_MM, WALL_MM, sizes_of
from jetan_table.extras.workshop.paper import LAMP_MM
from jetan_table.extras.workshop.parts import WOOD_MM
from rules import Square

Floats = NDArray[np.float64]

RAYS: Final = 60_000
BOUNCES: Final = 60
GAP_MM: Final = 0.3
"""Gap between the walls and the paper over them, where parts are not quite even."""

WHITE, MASK, PAPER, THROUGH = 0.85, 0.75, 0.70, 0.20
"""Shares of light given back by white plastic, by a white board with its parts, and by paper; and
the share that gets through paper."""

BENDING: Final = 1.49
"""Acrylic's refractive index."""

FACE_MM: Final = 2.0
"""Radius of a lamp's shining face."""


@dataclass(frozen=True, slots=True)
class Chamber:
    """The room under a square: its sides, depths below the paper, and lamp, in millimetres."""

    sides: Spot
    deep: float
    """From the paper down to the floor, or into the wood."""
    lamp_deep: float
    """From the paper down to the lamp's face."""
    lamp: Spot
    wall: float
    floor: float
    """The share of light that the floor gives back."""


def chamber_of(build: Build, square: Square) -> Chamber:
    """Return the room under a square of a table with its printed case, or drilled by hand."""
    side, wall, lamp = build.square_mm, WALL_MM, build.lamp
    if build.way == "strip":
        sizes = sizes_of(build)
        deep = sizes.surface_low - sizes.board_top
        return Chamber((side, side), deep, deep - LAMP_HIGH_MM, lamp, wall, MASK)
    if build.board == "grid":
        # A hole of its own for each lamp, in the corner of its square.
        return Chamber((LAMP_MM + 0.1,) * 2, WOOD_MM, WOOD_MM - LAMP_HIGH_MM, (0, 0), 0.1, WHITE)
    disk = disk_sizes(build)
    deep = disk.surface_low - disk.deck_top
    across = 2 * hypot(*build.middle(square)) * sin(pi / 20)
    return Chamber((side, across), deep, deep + DECK_MM - LAMP_HIGH_MM, lamp, wall, WHITE)


@cache
def lit(chamber: Chamber) -> tuple[Floats, Floats]:
    """Return the places, from the square's middle, where light gets through the paper; its shares.

    All shares together are what gets through of all that the lamp gives.
    """
    rng = np.random.default_rng(65)
    at, way = _from_lamp(chamber, rng)
    left = np.full(RAYS, 1.0)
    places, shares = [], []
    sides, half = np.asarray(chamber.sides), chamber.wall / 2
    for _ in range(BOUNCES * 3):
        # The middle of the nearest border, and how far from it, along each ray's way.
        off = at[:, :2] / sides - 0.5
        off = (off - np.round(off)) * sides * np.sign(way[:, :2])
        over = (np.abs(off) < half).any(axis=1)
        floor = np.where(over, -GAP_MM, -chamber.deep)
        ahead = np.where(off < -half - 1e-9, -half, np.where(off < half - 1e-9, half, sides - half))
        with np.errstate(divide="ignore"):
            steps = (ahead - off) / np.abs(way[:, :2])
            rise = np.where(way[:, 2] > 0, -at[:, 2], floor - at[:, 2]) / way[:, 2]
        step = np.column_stack([steps, np.maximum(rise, 0)])
        which = step.argmin(axis=1)
        at = at + way * step.min(axis=1)[:, None]
        up = (which == 2) & (way[:, 2] > 0)
        down = (which == 2) & ~up
        wall = (which < 2) & ~over & (at[:, 2] < -GAP_MM)
        places.append(at[up, :2])
        shares.append(left[up] * THROUGH)
        left = left * np.where(up, PAPER, np.where(down & ~over, chamber.floor, 1.0))
        left = left * np.where(wall | (down & over), WHITE, 1.0)
        normal = np.zeros_like(way)
        normal[up, 2], normal[down, 2] = -1, 1
        rows = np.flatnonzero(wall)
        normal[rows, which[rows]] = -np.sign(way[rows, which[rows]])
        turned = up | down | wall
        way[turned] = _lambert(normal[turned], rng)
        # On to the other side of the face that was met, or back from the wall that it was.
        aside = np.flatnonzero(which < 2)
        at[aside, which[aside]] += 1e-7 * np.sign(way[aside, which[aside]])
        alive = left > 1e-3
        at, way, left = at[alive], way[alive], left[alive]
        if not len(left):
            break
    return np.concatenate(places), np.concatenate(shares) / RAYS


def _from_lamp(chamber: Chamber, rng: np.random.Generator) -> tuple[Floats, Floats]:
    radius, turn = FACE_MM * np.sqrt(rng.random(RAYS)), 2 * pi * rng.random(RAYS)
    x, y = chamber.lamp
    deep = np.full(RAYS, -chamber.lamp_deep)
    # A lamp that is sunk into its deck shines through the hole; its walls take nothing away.
    at = np.column_stack([x + radius * np.cos(turn), y + radius * np.sin(turn), deep])
    at[:, 2] = np.maximum(at[:, 2], 1e-6 - chamber.deep)
    return at, _lambert(np.tile([0.0, 0.0, 1.0], (RAYS, 1)), rng)


def _lambert(normals: Floats, rng: np.random.Generator) -> Floats:
    """Return ways off surfaces, by Lambert's law."""
    ways = normals + _on_sphere(len(normals), rng)
    return np.asarray(ways / np.linalg.norm(ways, axis=1, keepdims=True))


def _on_sphere(count: int, rng: np.random.Generator) -> Floats:
    found = rng.normal(size=(count, 3))
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True)) * (1 - 1e-9)


def past_foot(build: Build, square: Square, foot: Spot = (0.0, 0.0)) -> float:
    """Return the share of a square's light that is seen while a piece stands at a place on it."""
    places, shares = _leaving(build, square)
    seen = np.hypot(places[:, 0] - foot[0], places[:, 1] - foot[1]) > build.base_mm / 2
    return float(shares[seen].sum() / shares.sum())


@lru_cache(1)
def _leaving(build: Build, square: Square) -> tuple[Floats, Floats]:
    """Return where light leaves the acrylic, from the square's middle, and its shares."""
    chamber = chamber_of(build, square)
    places, shares = lit(chamber)
    rng = np.random.default_rng(7)
    way = _lambert(np.tile([0.0, 0.0, 1.0], (len(places), 1)), rng)
    bent = way[:, :2] / BENDING
    across = bent / np.sqrt(1 - (bent**2).sum(axis=1, keepdims=True)) * build.surface_mm
    aside = np.asarray(build.lamp) if chamber.lamp != build.lamp else np.zeros(2)
    return places + across + aside, shares


def past_any_foot(build: Build, square: Square) -> float:
    """Return that share while a piece stands where it hides the light most, wholly on its square.

    It is tried in the middle, and on the border of its play in sixteen ways.
    """
    play = build.play_on(square)
    turns = (2 * pi * part / 16 for part in range(16))
    feet = [(0.0, 0.0), *((play * cos(turn), play * sin(turn)) for turn in turns)]
    return min(past_foot(build, square, foot) for foot in feet)


def next_door(build: Build, square: Square) -> float:
    """Return the largest share of a lamp's light that shines through a neighbouring square."""
    chamber = chamber_of(build, square)
    places, shares = lit(chamber)
    number = np.round(places / np.asarray(chamber.sides)).astype(int)
    beside = [
        shares[(number == (x, y)).all(axis=1)].sum() for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))
    ]
    return float(max(beside) / shares.sum())


def spread(build: Build, square: Square, step_mm: float) -> tuple[Floats, float]:
    """Return how bright each part of a square shines, the mean being 1, and the lamp's share seen.

    Rows run along the first side and columns along the second, about `step_mm` wide each.
    """
    chamber = chamber_of(build, square)
    places, shares = lit(chamber)
    ends = [
        np.linspace(-side / 2, side / 2, max(2, round(side / step_mm)) + 1)
        for side in chamber.sides
    ]
    found = np.histogram2d(places[:, 0], places[:, 1], bins=ends, weights=shares)[0]
    return found / found.mean(), float(shares.sum())
