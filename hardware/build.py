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

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import atan2, cos, hypot, pi, radians, sin, sqrt
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


Turns = tuple[float, float]
"""A class of reeds: the ampere-turns of a test coil that close them, (least, most)."""

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

LEAST_MM, MOST_MM = 16.0, 90.0
"""The smallest and the largest squares that can be asked for. A printed board of the smallest fits
on a page A4: coins stand on it."""

_SENSED_MM: Mapping[Shape, tuple[float, float]] = {"grid": (42.0, 60.0), "ninth-ray": (34.0, 34.0)}
"""The smallest and the largest squares, or rings, whose pieces magnets and reeds tell apart."""

MARGIN_MM, DISK_MARGIN_MM = 25.0, 6.0
"""Border of the playing surface round the squares: on a flat board captured pieces stand there."""

_FLAT_BASE = 24.0 / SQUARE_MM
# On a disk's innermost ring pieces stand 20.02 mm apart.
_DISK_BASE = 19.7 / RING_MM
# The first lies across the second, whose glass lies on the edge of the lamp in the middle.
_CROSSED = (ReedPlace((0.5, -4.5), (1.0, 0.0)), ReedPlace((2.5, -2.0), (0.0, 1.0), 2.2))
_SLOTTED = (ReedPlace((8.0, 0.0), (1.0, 0.0)), ReedPlace((0.0, 8.0), (0.0, 1.0), 1.5))
_UPRIGHT = (ReedPlace((0.0, 0.0), None),)
_SENSITIVE, _USUAL = (10.0, 15.0), (15.0, 20.0)
_USUAL_UP_TO_MM = 50.0
"""Up to such squares the neighbours' magnets are too near for sensitive reeds."""

_INNER_RANKS = range(4, 8)
"""The ranks of a disk's two inner rings, where neighbours are nearest."""


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
    """From the middle of a magnet down to the axis of the shallowest reed, or to the top of an
    upright one. The magnet is flush with the foot, which stands on the playing surface."""
    reeds: Sequence[ReedPlace]
    """Those under each square, joined in parallel; its file runs along x, on a disk outwards."""
    turns: Turns
    """The class of the reeds."""
    inner_turns: Turns
    """That of the reeds of a disk's two inner rings; on a flat board the same."""
    lamp: Spot
    """The lamp's place off the middle of its square; a disk's turns with the square."""

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
    def surface_width_mm(self) -> float:
        """The width of the playing surface, square or round."""
        margin = MARGIN_MM if self.board == "grid" else DISK_MARGIN_MM
        return self.width_mm + 2 * margin

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
    def reed_mm(self) -> float:
        """The depth of the shallowest reed under the playing surface's upper face."""
        return self.depth_mm - self.magnet.height / 2

    @property
    def play_mm(self) -> float:
        """The distance off its middle up to which a piece stands wholly on its square."""
        return (self.square_mm - self.base_mm) / 2

    def play_on(self, square: Square) -> float:
        """Return that distance for one square: near a disk's middle it is less than elsewhere."""
        if self.board == "grid":
            return self.play_mm
        aside = hypot(*self.middle(square)) * sin(pi / 20)
        return min(self.play_mm, aside - self.base_mm / 2)

    def turns_at(self, square: Square) -> Turns:
        """Return the class of the reeds under a square."""
        return self.inner_turns if is_inner(square) else self.turns

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

    def lamp_at(self, square: Square) -> Spot:
        """Return the place of a square's lamp: on a flat board always in the same corner."""
        if self.board == "ninth-ray":
            return self.placed(square, self.lamp)
        x, y = self.middle(square)
        return x + self.lamp[0], y + self.lamp[1]

    @property
    def button_ways(self) -> tuple[Spot, Spot]:
        """The ways from the middle to the buttons at the rim: the die's first, then the menu's.

        A disk's are where it has no foot.
        """
        turn = radians(18) if self.board == "ninth-ray" else 0.0
        return (cos(turn), sin(turn)), (-cos(turn), sin(turn))

    def middle(self, square: Square) -> Spot:
        """Return the middle of a square, from the board's middle; y towards rank 10."""
        x, y = self.topology.centres[square]
        return self.unit_mm * (x - 5), self.unit_mm * (y - 5)


def is_inner(square: Square) -> bool:
    """Return whether a square is on one of a disk's two inner rings."""
    return square // 10 + 1 in _INNER_RANKS


def usual_way(board: Shape) -> Way:
    """Return the usual way to build a board; there are no strips for disks."""
    return "strip" if board == "grid" else "wired"


def build_of(
    board: Shape = "grid", way: Way | None = None, square_mm: float | None = None
) -> Build:
    """Return the sizes of a table, by default of the usual way and size for its board.

    CannotBeBuilt: there are no strips for a disk; or no piece that can be held stands on such
    squares, or no printer's page takes them.
    """
    way = way or usual_way(board)
    if board != "grid" and way == "strip":
        raise CannotBeBuilt(_("strips are for flat boards: a disk is made by --way wired or paper"))
    usual = SQUARE_MM if board == "grid" else RING_MM
    wanted = usual if square_mm is None else square_mm
    least, most = (LEAST_MM, MOST_MM) if way == "paper" else _SENSED_MM[board]
    if not least <= wanted <= most:
        raise CannotBeBuilt(
            _("squares of {wanted:g} mm: between {least:g} and {most:g} mm can be built"),
            wanted=wanted,
            least=least,
            most=most,
        )
    if board == "ninth-ray":
        base, magnet, lamp = _DISK_BASE * wanted, Magnet(6.0, 2.0), (-11.5, 0.0)
        classes = _SENSITIVE, _USUAL
        return Build(board, way, wanted, base, magnet, 2.0, 5.4, _UPRIGHT, *classes, lamp)
    turns = _USUAL if wanted <= _USUAL_UP_TO_MM else _SENSITIVE
    # A circuit board has its lamp under the middle; wired by hand it is so far in a corner that a
    # foot which stands there hides less than half of it.
    aside = 16.0 / SQUARE_MM * wanted if way == "wired" else 0.0
    reeds, depth = (_SLOTTED, 6.0) if way == "wired" else (_CROSSED, 6.8)
    base, magnet, lamp = _FLAT_BASE * wanted, Magnet(10.0, 3.0), (aside, aside)
    return Build(board, way, wanted, base, magnet, 2.0, depth, reeds, turns, turns, lamp)
