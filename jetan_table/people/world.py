"""A simulated table: where its squares lie, where each magnet is, and every stroke that moves one.

`world_of` draws the switches and magnets of a table by chance, and sets its pieces up.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from math import cos, dist, hypot, pi, sin
from random import Random

from hardware.build import Reed, Spot, Vector, build_of, drive
from rules import SQUARES, Position, Square, Topology, squares_of

from .manners import Profile
from .reeds import FELT_MM, Disc, Make, Switch, hardly, usual_make
from .strokes import HandPose, Magnet, MagnetPath, Stroke

BESIDE = 31.0 / 45.0
"""How far from the middle of a square a piece is set aside, as a share of the square's width."""


@dataclass(frozen=True, slots=True)
class TableGeometry:
    """A board laid out: the middle of each square, and the way to its next neighbour's.

    `turns` are the angles, in radians, by which the squares are turned. `half` is half the board's
    width; `is_round`: it is a disk. The middle of the board is (0, 0). `side` is how wide a usual
    square is, and `foot` a piece's foot: two that stand cannot come nearer to each other.
    """

    centres: tuple[Spot, ...]
    pitches: tuple[float, ...]
    turns: tuple[float, ...]
    half: float
    is_round: bool
    side: float
    foot: float

    def reach(self, square: Square, share: float) -> float:
        """Return a share of a square's width; of a wide one no more than of a usual one's."""
        return share * min(self.pitches[square], self.side)

    def aside(self, square: Square) -> float:
        """Return how far from a square's middle a piece stands that has been set aside from it."""
        return max(self.reach(square, BESIDE), 1.1 * self.foot)

    def ways_out(self, spot: Spot, beyond: float) -> list[Spot]:
        """Return where a piece may leave the board for, nearest first, `beyond` its edge."""
        x, y = spot
        out = self.half + beyond
        if self.is_round:
            ends = []
            for part in range(8):
                ux, uy = cos(part * pi / 4), sin(part * pi / 4)
                along = x * ux + y * uy
                reach = -along + (along * along - x * x - y * y + out * out) ** 0.5
                ends.append((x + reach * ux, y + reach * uy))
        else:
            ends = [(out, y), (-out, y), (x, out), (x, -out)]
        return sorted(ends, key=lambda end: dist(end, spot))

    def is_on_board(self, spot: Spot) -> bool:
        """Return whether a spot lies on the board."""
        x, y = spot
        return hypot(x, y) <= self.half if self.is_round else max(abs(x), abs(y)) <= self.half


@cache
def geometry_of(topology: Topology) -> TableGeometry:
    """Lay a board out in its usual size."""
    build = build_of("ninth-ray" if topology.columns_around else "grid")
    is_round = build.board == "ninth-ray"
    centres = tuple(build.middle(square) for square in SQUARES)
    pitches = tuple(
        min(dist(centre, other) for other in centres if other is not centre) for centre in centres
    )
    turns = tuple(map(build.turn, SQUARES))
    half = build.width_mm / 2
    return TableGeometry(centres, pitches, turns, half, is_round, build.square_mm, build.base_mm)


MOST_OFF_CENTRE = 0.35
"""Nobody who looks puts a piece down farther from the middle, as a share of the square's width."""

NEAR = 70.0 / 45.0
"""A piece at the edge of a square lights no lamp farther off, in widths of a usual square."""

TOUCH_S = 0.01
"""How long a piece takes straight up from its square, or straight down."""

HELD_MM = 100.0
"""How high a piece is held that nobody carries: no reed feels it."""

SIDES = 8

TRIES = 5
"""So often the pieces are looked over when they are set up."""


class MagnetWorld:
    """Where every magnet will be once all strokes so far are made.

    `standing` says whose square a piece stands on, or is meant to. People look at the lamps:
    `lit` says which will be on.
    """

    def __init__(
        self,
        geometry: TableGeometry,
        switches: Sequence[Switch],
        discs: Mapping[Magnet, Disc],
        rng: Random,
    ) -> None:
        self.geometry, self.switches, self.discs = geometry, switches, dict(discs)
        self.poses: dict[Magnet, HandPose] = {}
        self.standing: dict[Square, Magnet] = {}
        self.starts: dict[Magnet, HandPose] = {}
        self.free_at: dict[Magnet, float] = {}
        self._rng = rng
        self._paths: list[MagnetPath] = []

    def set_up(self, occupied: Iterable[Square], off_centre: float) -> None:
        """Set the pieces up, each so that its lamp is lit."""
        for square in occupied:
            magnet = Magnet(square)
            self.standing[square] = magnet
            self.poses[magnet] = self.place(square, off_centre)
        for _ in range(TRIES):
            for square, magnet in self.standing.items():
                if not self.is_lit(square):
                    self.poses[magnet] = self.place(square, 0.03)
            for square in SQUARES:
                if square not in self.standing and self.is_lit(square):
                    for near in self.near(square):
                        if near in self.standing:
                            self.poses[self.standing[near]] = self.place(near, 0.03)
        self.starts = dict(self.poses)

    def place(self, square: Square, off_centre: float) -> HandPose:
        """Return where on a square somebody puts a piece down who aims at its middle."""
        x, y = self.geometry.centres[square]
        width = self.geometry.reach(square, 1.0)
        dx, dy = self._rng.gauss(0, off_centre), self._rng.gauss(0, off_centre)
        shrunk = min(1.0, MOST_OFF_CENTRE / max(hypot(dx, dy), 1e-9))
        return HandPose(x + shrunk * dx * width, y + shrunk * dy * width)

    def edge_of(self, square: Square) -> HandPose:
        """Return a careless place near the edge of a square."""
        x, y = self.geometry.centres[square]
        off = self.geometry.reach(square, self._rng.uniform(0.36, 0.52))
        way = self._rng.uniform(0, 2 * pi)
        return HandPose(x + off * cos(way), y + off * sin(way))

    def beside(self, square: Square, toward: Vector | None = None) -> HandPose:
        """Return an empty place beside a square, if possible in a direction."""
        x, y = self.geometry.centres[square]
        own, off = self.standing.get(square), self.geometry.aside(square)
        turned = self._rng.uniform(-0.2, 0.2)
        found = []
        for side in range(SIDES):
            way = turned + side * 2 * pi / SIDES + pi / SIDES
            spot = (x + off * cos(way), y + off * sin(way))
            likes = 0.0
            if toward is not None:
                likes = 20 * (cos(way) * toward[0] + sin(way) * toward[1])
            found.append((min(40.0, self._room(spot, own)) + likes, spot))
        _, spot = max(found)
        return HandPose(*spot)

    def _room(self, spot: Spot, own: Magnet | None) -> float:
        """Return how far the nearest other piece is."""
        others = (pose.spot for magnet, pose in self.poses.items() if magnet != own)
        return min((dist(spot, other) for other in others), default=1e3)

    def is_way_free(self, spots: Sequence[Spot], moved: Iterable[Magnet]) -> bool:
        """Return whether a piece can be slid along these spots past all others."""
        left_out, foot = set(moved), self.geometry.foot
        others = [
            pose.spot
            for magnet, pose in self.poses.items()
            if magnet not in left_out and pose.z < foot
        ]
        for begins, ends in pairwise(spots):
            for share in range(13):
                x = begins[0] + share / 12 * (ends[0] - begins[0])
                y = begins[1] + share / 12 * (ends[1] - begins[1])
                if any(hypot(x - ox, y - oy) < 0.8 * foot for ox, oy in others):
                    return False
        return True

    def go(self, path: MagnetPath) -> float:
        """Let a magnet go a way; return when it has arrived. A magnet goes one way at a time."""
        assert path.begun >= self.free_at.get(path.magnet, 0.0), "the piece is being moved"
        self._paths.append(path)
        self.poses[path.magnet] = path.end
        self.free_at[path.magnet] = path.ended
        return path.ended

    def lift(self, at: float, square: Square) -> Magnet:
        """Take what stands on a square straight up; KeyError if nothing does."""
        magnet = self.standing.pop(square)
        pose = self.poses[magnet]
        begun = max(at, self.free_at.get(magnet, 0.0))
        self.go(Stroke(magnet, begun, TOUCH_S, pose, pose._replace(z=HELD_MM)))
        return magnet

    def put(self, at: float, square: Square, magnet: Magnet) -> None:
        """Put a piece straight down in the middle of a square; ValueError if another is there."""
        if square in self.standing:
            raise ValueError(f"square {square} is taken")
        self.standing[square] = magnet
        x, y = self.geometry.centres[square]
        begun = max(at, self.free_at.get(magnet, 0.0))
        self.go(Stroke(magnet, begun, TOUCH_S, HandPose(x, y, HELD_MM), HandPose(x, y)))

    @property
    def due(self) -> float | None:
        """When the first way begins that nobody has taken over yet."""
        return min((path.begun for path in self._paths), default=None)

    def take_paths(self) -> list[MagnetPath]:
        """Hand over the ways made since the last call, by time."""
        paths, self._paths = self._paths, []
        return sorted(paths, key=lambda path: path.begun)

    def is_lit(self, square: Square) -> bool:
        """Return whether a piece that comes to rest there lights the square's lamp."""
        x, y = self.geometry.centres[square]
        return any(
            abs(self._felt(one.reed, x, y)) > 1.02 * one.operate for one in self.switches[square]
        )

    def _felt(self, reed: Reed, x: float, y: float) -> float:
        """Return what a reed will feel under a square whose middle is there, in amperes."""
        total = 0.0
        for magnet, pose in self.poses.items():
            moment, off_x, off_y = self.discs[magnet]
            place = pose.x + off_x - x, pose.y + off_y - y, pose.z
            if hypot(place[0], place[1]) < FELT_MM:
                total += drive(reed, place, moment, pose.axis)
        return total

    def is_lit_beside(self, square: Square) -> bool:
        """Return whether the piece on a square lights an empty neighbour's lamp too."""
        near = self.near(square)
        return any(other not in self.standing and self.is_lit(other) for other in near)

    def near(self, square: Square) -> list[Square]:
        """Return the squares so near that a piece at this one's edge may light their lamps."""
        centres, far = self.geometry.centres, NEAR * self.geometry.side
        here = centres[square]
        return [other for other in SQUARES if other != square and dist(centres[other], here) < far]


FAR_WEAKER = 0.45
"""A weak magnet's share of a sound one's moment."""


OFF_CENTRE_AT_START = 0.08


def world_of(
    profile: Profile, start: Position, rng: Random, make: Make | None = None
) -> MagnetWorld:
    """Build a table of a make, or of the usual one, and set the pieces of `start` up.

    ValueError: the make is for a board of another shape.
    """
    geometry = geometry_of(start.rules.board)
    make = make or usual_make(geometry.is_round)
    if make.is_round is not geometry.is_round:
        raise ValueError(f"{make.name}: no make of such a board")
    uneven = replace(
        make, weak=make.weak + profile.odd_reeds, strong=make.strong + profile.odd_reeds
    )
    switches = [uneven.drawn(rng, turn) for turn in geometry.turns]
    if profile.weak_switch:
        hard = rng.randrange(len(switches))
        switches[hard] = hardly(switches[hard], rng)
    occupied = list(squares_of(start.occupied))
    share, spread = profile.magnets
    discs = {}
    for square in occupied:
        weaker = FAR_WEAKER if rng.random() < profile.weak_magnets else 1.0
        discs[Magnet(square)] = make.disc(rng, share * weaker, spread)
    world = MagnetWorld(geometry, switches, discs, rng)
    world.set_up(occupied, OFF_CENTRE_AT_START)
    return world
