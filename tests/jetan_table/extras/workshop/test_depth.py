"""One depth from drawing to field: magnets and reeds of the drawn solids, laid on each other.

The field is reckoned by a second path: a magnet as two charged discs, a reed's blades by many
points. Only what closes a reed is taken from `hardware.build`.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from math import cos, dist, hypot, pi, sin, sqrt
from typing import Final

import numpy as np
import pytest
from numpy.typing import NDArray

from docs.fitting import push_mn
from hardware.build import A_PER_TURN, REED_MM, REMANENCE_T, Build, Spot, build_of
from jetan_table.extras.workshop.case.disk import disk_bought, disk_sizes
from jetan_table.extras.workshop.case.sizes import bodies, sizes_of
from jetan_table.extras.workshop.pieces import frame_of, piece
from jetan_table.extras.workshop.solids import Solid
from rules import SQUARES, Square

Points = NDArray[np.float64]
Lying = tuple[Points, Points]
"""Both ends of a reed."""

TOLERANCE_MM: Final = 0.5
"""0.3 mm of print, and 0.2 of glue under a magnet."""

REED_MOST_MM: Final = 1.1
"""A reed laid into its slot by hand lies so much under the wood."""

PLA_G_MM3: Final = 1.24e-3
NEODYMIUM_G_MM3: Final = 7.5e-3
FRICTION: Final = 0.3

TABLES: Final = (
    build_of(),
    build_of(square_mm=44),
    build_of(square_mm=50),
    build_of(square_mm=55),
    build_of(way="wired"),
    build_of(way="wired", square_mm=42),
    build_of(way="wired", square_mm=60),
    build_of("ninth-ray"),
)
EACH: Final = pytest.mark.parametrize(
    "build", TABLES, ids=lambda build: f"{build.board}-{build.way}-{build.square_mm:g}"
)


@cache
def foot(build: Build) -> tuple[float, float, float]:
    """Width and height of the magnet in a printed foot, and the height of its middle.

    The pocket is what is missing of the foot's lowest layers: the magnet is flush with them.
    """
    solid = piece("P", frame_of(build))
    opened = solid.slice(0.5).to_polygons()
    inner = min(opened, key=lambda each: np.ptp(np.asarray(each)[:, 0]))
    width = float(np.ptp(np.asarray(inner)[:, 0]))
    roof = min(z for z in (at / 100 for at in range(50, 600)) if solid.slice(z).num_contour() == 1)
    return width, roof, (roof - 0.2) / 2


def reeds_of(build: Build) -> dict[Square, list[Lying]]:
    """The ends of all reeds, as they are drawn: 0 is the top of the surface."""
    if build.board == "ninth-ray":
        (drawn,) = (b.solid for b in disk_bought(build, disk_sizes(build)) if b.kind == "reed")
        shift = 0.0
    elif build.way == "strip":
        (drawn,) = (b.solid for b in bodies(build) if b.kind == "reed")
        shift = sizes_of(build).board_top
    else:
        return {square: list(_slotted(build, square)) for square in SQUARES}
    found: dict[Square, list[Lying]] = {square: [] for square in SQUARES}
    for solid in drawn.decompose():
        for reed in _axes(build, solid, shift):
            middle = (reed[0] + reed[1])[:2] / 2
            nearest = min(SQUARES, key=lambda square: dist(build.middle(square), middle))
            found[nearest].append(reed)
    return found


def _axes(build: Build, solid: Solid, shift: float) -> Iterable[Lying]:
    """Yield the axes of a reed's body, or of two that touch each other."""
    x0, y0, z0, x1, y1, z1 = solid.bounding_box()
    long, wide = 14.0, 2.2
    if build.board == "ninth-ray":
        middle = np.array([(x0 + x1) / 2, (y0 + y1) / 2])
        yield np.array([*middle, z1]), np.array([*middle, z0])
        return
    for high in {z0 + wide / 2, z1 - wide / 2}:
        outline = np.concatenate(solid.slice(high).to_polygons())
        low, far = outline.min(axis=0), outline.max(axis=0)
        axis = int(far[1] - low[1] > far[0] - low[0])
        assert far[axis] - low[axis] == pytest.approx(long, abs=0.05)
        middle = (low + far) / 2
        end = np.eye(2)[axis] * REED_MM / 2
        yield np.array([*(middle - end), high + shift]), np.array([*(middle + end), high + shift])


def _slotted(build: Build, square: Square) -> Iterable[Lying]:
    """Yield what is laid into the slots of the template by hand."""
    for place in build.reeds:
        assert place.way is not None
        (x, y), (ux, uy), half = place.gap, place.way, REED_MM / 2
        ends = (build.placed(square, (x + way * half * ux, y + way * half * uy)) for way in (-1, 1))
        high = -build.surface_mm - REED_MOST_MM - 1.4 - place.deeper
        one, other = (np.array([*end, high]) for end in ends)
        yield one, other


def felt(build: Build, reed: Lying, magnets: Sequence[Spot], closer: float) -> Points:
    """The effect on a reed of a magnet at each of some places, in ampere-turns."""
    width, height, middle = build.magnet.width, build.magnet.height, foot(build)[2]
    shares = (np.arange(6) + 0.5) / 12
    one, other = reed
    blades = [one + np.outer(part, other - one) for part in (shares, shares + 0.5)]
    radii = [width / 2 * sqrt((at + 0.5) / 5) for at in range(5)]
    disc = [
        (r * cos(2 * pi * at / 14), r * sin(2 * pi * at / 14)) for r in radii for at in range(14)
    ]
    charge = REMANENCE_T / (4e-7 * pi) * pi * (width / 2e3) ** 2 / len(disc)
    total = np.zeros(len(magnets))
    for sign in (1, -1):
        faces = np.array([(x, y, middle + sign * height / 2 - closer) for x, y in disc])
        for at, magnet in enumerate(magnets):
            charges = faces + np.array([*magnet, 0.0])
            potentials = [
                (1 / np.linalg.norm(blade[:, None] - charges[None], axis=2)).sum(axis=1).mean()
                for blade in blades
            ]
            total[at] += sign * charge * 1e3 / (4 * pi) * (potentials[0] - potentials[1])
    return np.abs(total) / A_PER_TURN


def sample(build: Build) -> list[Square]:
    """The most crowded squares: one in the middle of a flat board, and one of each ring."""
    crowded = (54,) if build.board == "grid" else (4, 14, 24, 34, 44)
    return [Square(at) for at in crowded]


def judged(build: Build, farther: float) -> tuple[float, float]:
    """The share of seen places, and the effect of all neighbours, at the worst square."""
    drawn, shares, effects = reeds_of(build), [], []
    for square in sample(build):
        least, most = build.turns_at(square)
        (x, y), play = build.middle(square), build.play_on(square)
        steps = [play * at / 9 for at in range(-9, 10)]
        spots = [(x + dx, y + dy) for dx, dy in product(steps, steps) if hypot(dx, dy) <= play]
        own = [felt(build, reed, spots, -farther) for reed in drawn[square]]
        shares.append(float((np.max(own, axis=0) >= most).mean()))
        others = [build.middle(other) for other in SQUARES if other != square]
        effects += [felt(build, reed, others, -farther).sum() / least for reed in drawn[square]]
    return min(shares), max(effects)


@EACH
def test_drawn_parts_lie_at_the_depth_that_is_reckoned_with(build: Build) -> None:
    width, roof, middle = foot(build)
    assert width == pytest.approx(build.magnet.width + 0.2, abs=0.05)
    assert roof == pytest.approx(build.magnet.height + 0.2, abs=0.02)
    drawn = reeds_of(build)
    for square in SQUARES:
        depths = sorted(middle - max(one[2], other[2]) for one, other in drawn[square])
        wanted = sorted(build.depth_mm + place.deeper for place in build.reeds)
        assert depths == pytest.approx(wanted, abs=0.02)


@EACH
@pytest.mark.parametrize("farther", [-TOLERANCE_MM, TOLERANCE_MM])
def test_every_table_sees_its_pieces_and_no_others(build: Build, farther: float) -> None:
    share, effect = judged(build, farther)
    assert share >= 0.99
    assert effect <= 0.5


def test_reeds_drawn_too_deep_are_found() -> None:
    """The disk as it once was: counted from the top of the surface, 1.5 mm too deep."""
    assert judged(build_of("ninth-ray"), 1.5 + TOLERANCE_MM)[0] < 0.9


def test_neighbours_on_a_disk_push_less_than_the_lightest_foot_holds() -> None:
    build = build_of("ninth-ray")
    lightest = min(piece(letter, frame_of(build)).volume() for letter in "PTWADFCQ") * PLA_G_MM3
    lightest += pi * build.magnet.width**2 / 4 * build.magnet.height * NEODYMIUM_G_MM3
    assert push_mn(build) < 0.8 * FRICTION * lightest * 9.81
