"""A simulated table: its squares, its magnets, and every stroke that moves one.

`world_of` draws a table's switches and magnets by chance, and sets its pieces up.
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
"""Distance of a piece set aside from its square's middle, as a share of the square's width."""


@dataclass(frozen=True, slots=True)
class TableGeometry:
    """A board's measures in millimetres, its middle at (0, 0).

    `centres` are the squares' middles, `pitches` the distances to their nearest neighbours', and
    `turns` the squares' angles in radians. `half` is half the board's width, `side` the width of a
    usual square, and `foot` that of a piece's foot, the least distance of two that stand.
    """

    centres: tuple[Spot, ...]
    pitches: tuple[float, ...]
    turns: tuple[float, ...]
    half: float
    is_round: bool
    side: float
    foot: float

    def reach(self, square: Square, share: float) -> float:
        """Return a share of a square's width, or of a usual one's if that is less."""
        return share * min(self.pitches[square], self.side)

    def aside(self, square: Square) -> float:
        """Return the distance of a piece set aside from a square's middle."""
        return max(self.reach(square, BESIDE), 1.1 * self.foot)

    def ways_out(self, spot: Spot, beyond: float) -> list[Spot]:
        """Return spots off the board for a piece from `spot`, nearest first, `beyond` its edge."""
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
        """Return whether a spot is on the board."""
        x, y = spot
        return hypot(x, y) <= self.half if self.is_round else max(abs(x), abs(y)) <= self.half


@cache
def geometry_of(topology: Topology) -> TableGeometry:
    """Return a board's measures in its usual size."""
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
"""Largest deviation of a careful landing from the middle, as a share of the square's width."""

NEAR = 70.0 / 45.0
"""Distance within which a piece at a square's edge may light other lamps, in usual squares."""

TOUCH_S = 0.01
"""Time of a lift straight up from a square, or straight down."""

HELD_MM = 100.0
"""Height of a piece that is lifted and not carried, out of all reeds' reach."""

SIDES = 8

TRIES = 5
"""Rounds of corrections when the pieces are set up."""


class MagnetWorld:
    """The magnets' poses after all strokes so far.

    `standing` is the piece that stands, or is meant to stand, on each square. People look at the
    lamps: `is_lit` tells those that will be on.
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
        """Set up the pieces, each so that its lamp is lit, and no other."""
        for square in occupied:
            magnet = Magnet(square)
            self.standing[square] = magnet
            self.poses[magnet] = self.place(square, off_centre)
        # A piece may keep its own lamp dark, or light a neighbour's together with the piece beyond
        # that. Both are moved nearer to their middles, which may wake another square, hence rounds.
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
        """Return a landing on a square aimed at its middle, by chance."""
        x, y = self.geometry.centres[square]
        width = self.geometry.reach(square, 1.0)
        dx, dy = self._rng.gauss(0, off_centre), self._rng.gauss(0, off_centre)
        shrunk = min(1.0, MOST_OFF_CENTRE / max(hypot(dx, dy), 1e-9))
        return HandPose(x + shrunk * dx * width, y + shrunk * dy * width)

    def edge_of(self, square: Square) -> HandPose:
        """Return a careless landing near the edge of a square."""
        x, y = self.geometry.centres[square]
        off = self.geometry.reach(square, self._rng.uniform(0.36, 0.52))
        way = self._rng.uniform(0, 2 * pi)
        return HandPose(x + off * cos(way), y + off * sin(way))

    def beside(self, square: Square, toward: Vector | None = None) -> HandPose:
        """Return an empty place beside a square, in a direction if possible."""
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
            # Beyond 40 mm more room is worth nothing, and the direction alone decides.
            found.append((min(40.0, self._room(spot, own)) + likes, spot))
        _, spot = max(found)
        return HandPose(*spot)

    def _room(self, spot: Spot, own: Magnet | None) -> float:
        """Return the distance of the nearest other piece."""
        others = (pose.spot for magnet, pose in self.poses.items() if magnet != own)
        return min((dist(spot, other) for other in others), default=1e3)

    def is_way_free(self, spots: Sequence[Spot], moved: Iterable[Magnet]) -> bool:
        """Return whether a piece can slide along these spots past all others."""
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
        """Add a path of a magnet that rests; return the time of its end."""
        assert path.begun >= self.free_at.get(path.magnet, 0.0), "the piece is being moved"
        self._paths.append(path)
        self.poses[path.magnet] = path.end
        self.free_at[path.magnet] = path.ended
        return path.ended

    def lift(self, at: float, square: Square) -> Magnet:
        """Lift a square's piece straight up; KeyError for an empty square."""
        magnet = self.standing.pop(square)
        pose = self.poses[magnet]
        begun = max(at, self.free_at.get(magnet, 0.0))
        self.go(Stroke(magnet, begun, TOUCH_S, pose, pose._replace(z=HELD_MM)))
        return magnet

    def put(self, at: float, square: Square, magnet: Magnet) -> None:
        """Put a piece straight down in the middle of a square; ValueError for an occupied one."""
        if square in self.standing:
            raise ValueError(f"square {square} is taken")
        self.standing[square] = magnet
        x, y = self.geometry.centres[square]
        begun = max(at, self.free_at.get(magnet, 0.0))
        self.go(Stroke(magnet, begun, TOUCH_S, HandPose(x, y, HELD_MM), HandPose(x, y)))

    @property
    def due(self) -> float | None:
        """Beginning of the first path that was not taken yet; None for none."""
        return min((path.begun for path in self._paths), default=None)

    def take_paths(self) -> list[MagnetPath]:
        """Return the paths added since the last call, by time."""
        paths, self._paths = self._paths, []
        return sorted(paths, key=lambda path: path.begun)

    def is_lit(self, square: Square) -> bool:
        """Return whether the pieces, once at rest, light a square's lamp."""
        x, y = self.geometry.centres[square]
        return any(
            abs(self._felt(one.reed, x, y)) > 1.02 * one.operate for one in self.switches[square]
        )

    def _felt(self, reed: Reed, x: float, y: float) -> float:
        """Return the drive of a reed under a square with that middle, in amperes."""
        total = 0.0
        for magnet, pose in self.poses.items():
            moment, off_x, off_y = self.discs[magnet]
            place = pose.x + off_x - x, pose.y + off_y - y, pose.z
            if hypot(place[0], place[1]) < FELT_MM:
                total += drive(reed, place, moment, pose.axis)
        return total

    def is_lit_beside(self, square: Square) -> bool:
        """Return whether a square's piece lights an empty neighbour's lamp too."""
        near = self.near(square)
        return any(other not in self.standing and self.is_lit(other) for other in near)

    def near(self, square: Square) -> list[Square]:
        """Return the squares whose lamps a piece at this one's edge may light."""
        centres, far = self.geometry.centres, NEAR * self.geometry.side
        here = centres[square]
        return [other for other in SQUARES if other != square and dist(centres[other], here) < far]


FAR_WEAKER = 0.45
"""A weak magnet's share of a sound one's moment."""

OFF_CENTRE_AT_START = 0.08


def world_of(
    profile: Profile, start: Position, rng: Random, make: Make | None = None
) -> MagnetWorld:
    """Return a table of a make, by default the usual one, with the pieces of `start` set up.

    ValueError: the make is for a board of another shape.
    """
    geometry = geometry_of(start.rules.board)
    make = make or usual_make(geometry.is_round)
    if make.is_round is not geometry.is_round:
        raise ValueError(f"{make.name}: no make of such a board")
    uneven = replace(
        make, weak=make.weak + profile.odd_reeds, strong=make.strong + profile.odd_reeds
    )
    switches = uneven.switches(rng, geometry.turns)
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
