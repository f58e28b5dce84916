"""The sizes of a table, and the field that its reeds feel of the magnets in the pieces.

Boards, parts, prints, pages and the simulation take both from here. Lengths are millimetres. A flat
board is known by the side of its squares, a disk by the width of its rings but the innermost: its
proportions are those of `rules.board`.

Each piece carries an upright disc magnet in its foot, here a dipole. A reed feels the field along
its own axis alone: its two blades are iron, so each has one magnetic potential, the mean of the
magnets' along it; their difference, in amperes, closes the contact between them, whichever way it
points. So a reed that lies has two lobes with a dead stripe across its gap, and one that stands has
one lobe and a weak ring. Data sheets give what closes a reed in ampere-turns of a test coil. A reed
cropped to 20 mm closes in a uniform field of 0.11 mT for each of them, which is `A_PER_TURN`
between its blades.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import atan2, cos, pi, sin, sqrt
from typing import Literal, NamedTuple

from rules import RING_RADII, Square, Topology, _, grid, ninth_ray

from .ports import HardwareError


class CannotBeBuilt(HardwareError, ValueError):
    """No such table can be made: its sizes do not suit each other, or a part is not to be had."""


Vector = tuple[float, float, float]

MOMENT = 0.19
"""A sound piece's dipole moment in A m^2: a neodymium disc (N35) of 10 by 2.5 mm."""

REMANENCE_T = 1.2
"""Of a usual neodymium magnet (N35)."""

POTENTIAL = 1e6 / (4 * pi)
"""The potential of 1 A m^2 at 1 mm straight above it, in amperes."""

A_PER_TURN = 0.11e-3 / (4e-7 * pi) * 0.010
"""0.11 mT over mu0, along the 10 mm from the middle of one blade to that of the other."""

REED_MM = 20.0
"""The length of a reed, its leads bent down at the glass or cropped there."""

_OFF_MIDDLE = 0.5 / sqrt(3)  # where the mean of a blade is taken: two points after Gauss


class BladePoint(NamedTuple):
    """A point of a blade, relative to the middle of a square.

    `weight` is its share in the difference between the blades, in amperes for 1 A m^2 at 1 mm.
    """

    x: float
    y: float
    z: float
    weight: float


Reed = tuple[BladePoint, ...]
"""A reed, as the points at which it feels the field."""


def lying(gap: tuple[float, float], axis: tuple[float, float], depth: float) -> Reed:
    """Return a reed that lies `depth` under the magnets, by its gap and its axis, a unit vector."""
    x, y = gap
    along, across = axis[0] * REED_MM / 2, axis[1] * REED_MM / 2
    ends = (x - along, y - across, -depth), (x + along, y + across, -depth)
    return _reed(ends[0], (x, y, -depth), ends[1])


def upright(depth: float) -> Reed:
    """Return a reed that stands under the middle, its top `depth` under the magnets."""
    return _reed((0, 0, -depth), (0, 0, -depth - REED_MM / 2), (0, 0, -depth - REED_MM))


def _reed(end: Vector, gap: Vector, other: Vector) -> Reed:
    return (*_blade(end, gap, POTENTIAL / 2), *_blade(gap, other, -POTENTIAL / 2))


def _blade(begins: Vector, ends: Vector, weight: float) -> Iterator[BladePoint]:
    for share in (0.5 - _OFF_MIDDLE, 0.5 + _OFF_MIDDLE):
        x, y, z = (a + share * (b - a) for a, b in zip(begins, ends, strict=True))
        yield BladePoint(x, y, z, weight)


UP: Vector = (0.0, 0.0, 1.0)


def drive(
    reed: Iterable[tuple[float, float, float, float]],
    magnet: Vector,
    moment: float,
    axis: Vector = UP,
) -> float:
    """Return the potential that a magnet makes between a reed's blades, in amperes.

    `reed` is its probes, each as x, y, z and weight. `moment` is the magnet's in A m^2, and `axis`
    the unit vector along which it points. The potential of a dipole is m . r / (4 pi |r|^3).
    """
    # Written out without vectors: a simulated board asks this for every reed near every magnet.
    mx, my, mz = magnet
    ax, ay, az = axis
    total = 0.0
    for x, y, z, weight in reed:
        dx, dy, dz = x - mx, y - my, z - mz
        distance2 = dx * dx + dy * dy + dz * dz
        total += weight * (ax * dx + ay * dy + az * dz) / (distance2 * sqrt(distance2))
    return moment * total


def moment_of(width: float, height: float) -> float:
    """Return the dipole moment of a neodymium disc in A m^2: its remanence times its volume."""
    return REMANENCE_T / (4e-7 * pi) * 1e-9 * pi * width**2 / 4 * height


Shape = Literal["grid", "ninth-ray"]
Way = Literal["paper", "strip", "wired"]
Spot = tuple[float, float]


class Magnet(NamedTuple):
    """A round flat neodymium magnet, by its width and height."""

    width: float
    height: float

    @property
    def moment(self) -> float:
        """Its dipole moment in A m^2."""
        return moment_of(self.width, self.height)


class ReedPlace(NamedTuple):
    """The place of a reed under a square: its gap off the middle, and the way it points.

    `deeper` is the depth of its axis under the shallowest reed's. One without a way is upright.
    """

    gap: Spot
    way: Spot | None
    deeper: float = 0.0


SQUARE_MM = 45.0
"""The usual side of a flat board's squares."""

RING_MM = 34.0
"""The width of a disk's four outer rings: the disk is 420 mm wide then."""

LEAST_PAPER_MM = 16.0
"""A printed board of such squares fits on a page A4: coins stand on it."""

LEAST_MM, MOST_MM = 20.0, 90.0
"""The smallest and the largest squares that can be asked for."""

_FLAT_BASE = 24.0 / SQUARE_MM
_DISK_BASE = 20.0 / RING_MM
# One on each side of a circuit board, clear of the lamp in the middle: of all such places these see
# a piece most surely.
_CROSSED = (ReedPlace((0.5, -4.5), (1.0, 0.0)), ReedPlace((2.5, -2.0), (0.0, 1.0), 4.0))
_SLOTTED = (ReedPlace((8.0, 0.0), (1.0, 0.0)), ReedPlace((0.0, 8.0), (0.0, 1.0), 1.5))
_UPRIGHT = (ReedPlace((0.0, 0.0), None),)
_STRONGER = Magnet(10.0, 3.0), (10.0, 15.0)
_WEAKER = Magnet(10.0, 2.0), (15.0, 20.0)
"""Magnet and reeds of flat boards: on smaller squares the neighbours' magnets are nearer."""


@dataclass(frozen=True, slots=True)
class Build:
    """A table to be made: which board, the way it sees its pieces, and all its sizes."""

    board: Shape
    way: Way
    square_mm: float
    """The side of a flat board's squares; of a disk the width of its four outer rings."""
    base_mm: float
    magnet: Magnet
    surface_mm: float
    """The thickness of the playing surface."""
    depth_mm: float
    """From the magnets down to the axis of the shallowest reed, or to the top of an upright one."""
    reeds: Sequence[ReedPlace]
    """Those under each square, joined in parallel; its file runs along x, on a disk outwards."""
    turns: tuple[float, float]
    """The class of the reeds: the ampere-turns of a test coil that close them, (least, most)."""
    lamp: Spot
    """The hole for the lamp's light, off the middle as a reed's gap is."""

    @property
    def topology(self) -> Topology:
        """The board's squares. The way in which the centre is crossed changes no size."""
        return grid() if self.board == "grid" else ninth_ray("clockwise")

    @property
    def unit_mm(self) -> float:
        """A tenth of the board's width."""
        ring = 1.0 if self.board == "grid" else RING_RADII[0] - RING_RADII[1]
        return self.square_mm / ring

    @property
    def width_mm(self) -> float:
        """The width of all squares together."""
        return 10 * self.unit_mm

    @property
    def sensed(self) -> Sequence[Reed]:
        """The reeds under one square, as points in the field."""
        return tuple(
            upright(self.depth_mm + place.deeper)
            if place.way is None
            else lying(place.gap, place.way, self.depth_mm + place.deeper)
            for place in self.reeds
        )

    @property
    def play_mm(self) -> float:
        """The distance off its middle up to which a piece stands wholly on its square."""
        return (self.square_mm - self.base_mm) / 2

    def turn(self, square: Square) -> float:
        """Return the angle in radians by which a square's reeds are turned.

        Slots at the rim are turned inwards, so that taken pieces beside the board are not felt.
        """
        if self.board == "ninth-ray":
            x, y = self.middle(square)
            return atan2(y, x)
        at_end, at_top = square % 10 == 9, square >= 90
        if self.way != "wired" or not (at_end or at_top):
            return 0.0
        return pi if at_end and at_top else pi / 2 if at_end else -pi / 2

    def placed(self, square: Square, off: Spot) -> Spot:
        """Return the place of something that is `off` the middle of a square, turned with it."""
        (x, y), turn = self.middle(square), self.turn(square)
        along, across = cos(turn), sin(turn)
        return x + along * off[0] - across * off[1], y + across * off[0] + along * off[1]

    def middle(self, square: Square) -> Spot:
        """Return the middle of a square, from the board's middle; y towards rank 10."""
        x, y = self.topology.centres[square]
        return self.unit_mm * (x - 5), self.unit_mm * (y - 5)


def usual_way(board: Shape) -> Way:
    """Return the usual way to build a board; there are no strips for disks."""
    return "strip" if board == "grid" else "wired"


def build_of(
    board: Shape = "grid", way: Way | None = None, square_mm: float | None = None
) -> Build:
    """Return the sizes of a table, by default of the usual way and size for its board.

    Magnets and reeds suit a flat board of squares from 38 to 60 mm, and a disk of the usual size.
    CannotBeBuilt: there are no strips for a disk; or no piece that can be held stands on such
    squares, or no printer's page takes them.
    """
    way = way or usual_way(board)
    if board != "grid" and way == "strip":
        raise CannotBeBuilt(_("strips are for flat boards: a disk is made by --way wired or paper"))
    usual = SQUARE_MM if board == "grid" else RING_MM
    wanted = usual if square_mm is None else square_mm
    least = LEAST_PAPER_MM if way == "paper" else LEAST_MM
    if not least <= wanted <= MOST_MM:
        raise CannotBeBuilt(
            _("squares of {wanted:g} mm: between {least:g} and {most:g} mm can be built"),
            wanted=wanted,
            least=least,
            most=MOST_MM,
        )
    if board == "grid":
        base = _FLAT_BASE * wanted
        reeds = _SLOTTED if way == "wired" else _CROSSED
        magnet, turns = _STRONGER if wanted >= SQUARE_MM else _WEAKER
        return Build(board, way, wanted, base, magnet, 3.0, 6.0, reeds, turns, (0.0, 0.0))
    base, turns = _DISK_BASE * wanted, (20.0, 25.0)
    return Build(board, way, wanted, base, Magnet(6.0, 3.0), 2.0, 5.0, _UPRIGHT, turns, (6.5, 0.0))
