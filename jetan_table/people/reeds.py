"""Reeds under squares: makes of boards, and the switches' edges while magnets move over them.

A `Make` defines the reeds under a square and the magnets in the pieces. A `ReedBank` computes only
moving magnets, and only for the reeds near them; the field of all resting ones is a sum kept for
each reed. No magnet moves farther than `STEP_MM` in a step, and within a step a reed closes or
opens in proportion. Not modelled: magnets that attract each other, temperature, and blades that
swing: they do so thousands of times a second, and a knock shifts pieces long before it opens one.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from heapq import heappop, heappush
from math import cos, pi, sin, sqrt
from random import Random
from typing import NamedTuple

from hardware.build import (
    A_PER_TURN,
    MOMENT,
    Reed,
    Spot,
    Turns,
    build_of,
    drive,
    is_inner,
    lying,
    upright,
)
from hardware.ports import FaultKind
from rules import Square

from .strokes import HandPose, Magnet, MagnetPath

OUTSIDE_CLASS = (0.75, 1.3)
"""A strong reed's ampere-turns as a multiple of its class's least, a weak one's of its most."""

HARDLY = (1.9, 2.3)
"""Least and most ampere-turns of a weak switch, as multiples of a sound one's."""


class PlacedReed(NamedTuple):
    """One reed under a square, and the drives that close and open it, in amperes."""

    reed: Reed
    operate: float
    release: float


Switch = tuple[PlacedReed, ...]
"""The reeds under one square, in parallel."""


class Disc(NamedTuple):
    """The magnet in a foot: its moment in A m^2, negative upside down, and its offset in mm."""

    moment: float
    x: float = 0.0
    y: float = 0.0


WEAKEST, STRONGEST = 0.3, 1.25
"""Bounds of a magnet's moment, as a share of the make's usual one."""


@dataclass(frozen=True, slots=True)
class Make:
    """A make of board. Pairs are (least, most), drawn evenly; sizes are millimetres.

    `reeds` are those under a square whose file runs along x, on a disk outwards. `turns` is their
    class, in ampere-turns, on a disk's two inner rings `inner_turns`, and `release` the share of
    the closing drive at which a reed opens; the shares `weak` and `strong` are outside their class.
    Magnets have the median `moment`, in A m^2,
    with `uneven` as the deviation of its logarithm; the share `flipped` is glued in upside down,
    and each is off its foot's middle by the deviation `off_centre`, each way. The share `worn` of
    the switches loses its piece for moments.
    """

    name: str
    meaning: str
    reeds: Sequence[Reed]
    turns: Turns = (10.0, 15.0)
    inner_turns: Turns | None = None
    release: tuple[float, float] = (0.45, 0.8)
    weak: float = 0.01
    strong: float = 0.01
    moment: float = MOMENT
    uneven: float = 0.06
    flipped: float = 0.0
    off_centre: float = 0.4
    worn: float = 0.01
    scans_hz: tuple[float, float] = (60.0, 500.0)
    is_round: bool = False

    def switches(self, rng: Random, turns: Iterable[float]) -> list[Switch]:
        """Draw the reeds under all squares, whose files run at angles of `turns` radians to x."""
        return [
            tuple(self._drawn(rng, reed, turn, self._class_at(Square(at))) for reed in self.reeds)
            for at, turn in enumerate(turns)
        ]

    def _class_at(self, square: Square) -> Turns:
        return self.inner_turns if self.inner_turns and is_inner(square) else self.turns

    def disc(self, rng: Random, share: float = 1.0, uneven: float | None = None) -> Disc:
        """Draw a piece's magnet with a `share` of the usual moment; `uneven` as in the make."""
        drawn = share * rng.lognormvariate(0, self.uneven if uneven is None else uneven)
        way = -1.0 if rng.random() < self.flipped else 1.0
        moment = way * self.moment * min(max(drawn, WEAKEST), STRONGEST)
        return Disc(moment, rng.gauss(0, self.off_centre), rng.gauss(0, self.off_centre))

    def _drawn(self, rng: Random, reed: Reed, turn: float, turns: Turns) -> PlacedReed:
        # Both numbers are always drawn, also for a reed that is not odd: so a profile with more odd
        # reeds leaves the other reeds of a seed as they were.
        least, most = turns
        needed, odd = rng.uniform(least, most), rng.random()
        if odd < self.weak:
            needed = OUTSIDE_CLASS[1] * most
        elif odd < self.weak + self.strong:
            needed = OUTSIDE_CLASS[0] * least
        operate = A_PER_TURN * needed
        return PlacedReed(_turned(reed, turn), operate, rng.uniform(*self.release) * operate)


def hardly(switch: Switch, rng: Random) -> Switch:
    """Return a weak switch, whose reeds hardly close and open again soon."""
    times = rng.uniform(*HARDLY)
    return tuple(
        one._replace(operate=times * one.operate, release=0.85 * times * one.operate)
        for one in switch
    )


def _turned(reed: Reed, turn: float) -> Reed:
    if not turn:
        return reed
    along, across = cos(turn), sin(turn)
    return tuple(
        probe._replace(x=along * probe.x - across * probe.y, y=across * probe.x + along * probe.y)
        for probe in reed
    )


_X = (1.0, 0.0)
_SLANTED = (cos(pi / 6), sin(pi / 6))

_FLAT, _ROUND = build_of("grid"), build_of("ninth-ray")

CROSSED = Make(
    "crossed",
    "two reeds in parallel, crossed near the middle",
    _FLAT.sensed,
    turns=_FLAT.turns,
    moment=_FLAT.magnet.moment,
)
DISK = Make(
    "disk",
    "a disk's: one reed that stands under the middle, and small magnets",
    _ROUND.sensed,
    turns=_ROUND.turns,
    inner_turns=_ROUND.inner_turns,
    moment=_ROUND.magnet.moment,
    is_round=True,
)

_ALL = (
    CROSSED,
    DISK,
    Make(
        "upright",
        "one reed that stands under the middle",
        (upright(4.0),),
        scans_hz=(100.0, 250.0),
        flipped=0.1,
    ),
    Make(
        "lying",
        "one reed that lies with one end under the middle",
        (lying((8.0, 0.0), _X, 8.0),),
        turns=(15.0, 20.0),
        release=(0.4, 0.75),
    ),
    Make(
        "careless",
        "one reed, slanted, its gap near the middle; uneven magnets either way up, worn switches",
        (lying((4.0 * _SLANTED[0], 4.0 * _SLANTED[1]), _SLANTED, 9.0),),
        turns=(10.0, 20.0),
        uneven=0.12,
        flipped=0.3,
        off_centre=0.8,
        worn=0.04,
    ),
)

MAKES: Mapping[str, Make] = {make.name: make for make in _ALL}


def usual_make(is_round: bool) -> Make:
    """Return the default make of a disk, or of a flat board."""
    return DISK if is_round else CROSSED


def steady_make(is_round: bool) -> Make:
    """Return a make without tolerances, for boards touched by typed hands."""
    make = DISK if is_round else MAKES["lying"]
    usual = sum(make.turns) / 2 if is_round else 12.0
    inner = make.inner_turns and (sum(make.inner_turns) / 2,) * 2
    return replace(
        make,
        name="steady",
        turns=(usual, usual),
        inner_turns=inner,
        release=(0.6, 0.6),
        weak=0.0,
        strong=0.0,
        uneven=0.0,
        off_centre=0.0,
        worn=0.0,
    )


STEP_MM = 0.8
STEPS_S = (0.0005, 0.005)
"""The shortest and the longest step."""

NEAR_MM = 80.0
"""Reach of a moving magnet: beyond it, it has less than 3 % of a reed's closing drive."""

FELT_MM = 140.0
"""Reach of a resting magnet, by which lamps are lit or kept dark."""

TILE_MM = 20.0

BOUNCE_S = (0.0001, 0.0006)
"""Shortest and longest bounce after a reed has closed."""

BOUNCES = (1, 4)

WORN_PER_S = 0.2
"""Rate of a worn switch's losses of its piece."""

DROPS_S = (0.005, 0.05)

Edge = tuple[float, bool]
"""A switch's change: its time, and True for one that closes."""

_Near = tuple[tuple[int, tuple[tuple[float, float, float, float], ...]], ...]


class ReedBank:
    """Reeds under squares, the magnets over them, and every edge of every switch.

    A switch is closed while any of its reeds is. `edges` are its changes, bounce and faults
    included; the last of them may be ahead of time.
    """

    def __init__(
        self, centres: Sequence[Spot], switches: Sequence[Switch], rng: Random, now: float = 0.0
    ) -> None:
        """Start at `now` with open reeds and no magnet."""
        self.edges: list[list[Edge]] = [[] for _ in switches]
        self.stirred: set[Square] = set()
        """Switches with new edges; readers clear it."""
        self._rng, self._now = rng, now
        self._square_of = [Square(at) for at, switch in enumerate(switches) for _ in switch]
        self._limits = [(one.operate, one.release) for switch in switches for one in switch]
        self._spots = [centres[square] for square in self._square_of]
        self._probes = [
            tuple((x + dx, y + dy, z, weight) for dx, dy, z, weight in one.reed)
            for (x, y), switch in zip(centres, switches, strict=True)
            for one in switch
        ]
        reeds = range(len(self._probes))
        self._sums = [0.0 for _ in reeds]
        self._drives = [0.0 for _ in reeds]
        self._is_shut = [False for _ in reeds]
        self._closed = [0 for _ in switches]
        self._faults: dict[Square, FaultKind] = {}
        self._worn: set[Square] = set()
        self._visits = [0 for _ in switches]
        self._resting: dict[Magnet, HandPose] = {}
        self._discs: dict[Magnet, Disc] = {}
        self._moving: dict[Magnet, MagnetPath] = {}
        self._touched: set[int] = set()
        self._waiting: list[tuple[float, int, Callable[[], None]]] = []
        self._order = 0
        self._tiles: dict[tuple[int, int, float], _Near] = {}

    def is_closed(self, square: Square) -> bool:
        """Return whether a switch is closed, apart from bounce and losses of its piece."""
        fault = self._faults.get(square)
        return self._closed[square] > 0 if fault is None else fault is FaultKind.STUCK

    def stand(self, magnet: Magnet, pose: HandPose, disc: Disc) -> None:
        """Put a magnet in its place before time runs."""
        self.know(magnet, disc)
        self._rest(magnet, pose)
        for reed in range(len(self._probes)):
            self._drives[reed] = self._sums[reed]
            is_shut = abs(self._sums[reed]) >= self._limits[reed][0]
            self._closed[self._square_of[reed]] += is_shut - self._is_shut[reed]
            self._is_shut[reed] = is_shut

    def know(self, magnet: Magnet, disc: Disc) -> None:
        """Add a magnet that is still far away."""
        self._discs[magnet] = disc

    def await_path(self, path: MagnetPath) -> None:
        """Let a magnet move along a path that begins in the future."""
        self._await(path.begun, partial(self._begin, path))

    def fail(self, at: float, square: Square, fault: FaultKind | None) -> None:
        """Let a switch fail at a future time; None repairs it."""
        self._await(at, partial(self._fail, square, fault))

    def wear(self, at: float, square: Square) -> None:
        """Wear a switch from a future time on: it loses its piece for moments."""
        self._await(at, partial(self._wear, square))

    @property
    def due(self) -> float | None:
        """Time of the next event in seconds; None if none is due."""
        if self._moving:
            return self._now
        return self._waiting[0][0] if self._waiting else None

    def run(self, until: float) -> None:
        """Let time run up to `until` seconds."""
        # What is awaited comes before the step to its time: a path that begins now is part of it.
        while True:
            while self._waiting and self._waiting[0][0] <= self._now:
                heappop(self._waiting)[2]()
            if self._now >= until:
                return
            if self._moving:
                self._step(until)
            else:
                self._now = min(until, self._waiting[0][0] if self._waiting else until)

    def _await(self, at: float, happen: Callable[[], None]) -> None:
        # The number keeps the order of what is due at one time, and functions cannot be compared.
        self._order += 1
        heappush(self._waiting, (at, self._order, happen))

    # Magnets

    def _begin(self, path: MagnetPath) -> None:
        if path.magnet in self._moving:
            raise ValueError(f"magnet {path.magnet} is moving already")
        if path.magnet in self._resting:
            self._rest(path.magnet, self._resting.pop(path.magnet), -1.0)
        self._moving[path.magnet] = path

    def _rest(self, magnet: Magnet, pose: HandPose, sign: float = 1.0) -> None:
        """Add a resting magnet to all reeds' sums, or subtract it again with `sign` -1."""
        if sign > 0:
            self._resting[magnet] = pose
        moment, off_x, off_y = self._discs[magnet]
        place, axis = (pose.x + off_x, pose.y + off_y, pose.z), pose.axis
        for reed, probes in self._near(place[0], place[1], FELT_MM):
            self._sums[reed] += drive(probes, place, sign * moment, axis)

    def _step(self, until: float) -> None:
        """Advance by one step, and let the reeds follow."""
        least, most = STEPS_S
        fastest = max(path.fastest for path in self._moving.values())
        now = min(until, self._now + min(max(STEP_MM / fastest, least), most))
        if self._waiting:
            now = min(now, self._waiting[0][0])
        for path in self._moving.values():
            now = min(now, path.ended)
        now = max(now, self._now + 1e-7)  # rounding must not stop the clock
        felt = self._felt(now)
        ended = [path for path in self._moving.values() if path.ended <= now]
        # A magnet that comes to rest is felt beyond NEAR_MM again, so then all reeds are looked at;
        # else those near a moving magnet, and those that were in the step before.
        reeds = range(len(self._probes)) if ended else sorted(self._touched.union(felt))
        for reed in reeds:
            self._follow(reed, felt.get(reed, self._sums[reed]), now)
        self._touched = set(felt)
        self._now = now
        for path in ended:
            del self._moving[path.magnet]
            self._rest(path.magnet, path.end)

    def _felt(self, now: float) -> dict[int, float]:
        """Return the drive by all magnets together of the reeds near moving ones."""
        felt: dict[int, float] = {}
        for magnet, path in self._moving.items():
            pose = path.at(now)
            if pose.z > NEAR_MM:
                continue
            # The same sum as `drive`, written out because it runs for each reed near each magnet.
            moment, off_x, off_y = self._discs[magnet]
            px, py, pz = pose.x + off_x, pose.y + off_y, pose.z
            ax, ay, az = pose.axis
            for reed, probes in self._near(px, py, NEAR_MM):
                total = 0.0
                for x, y, z, weight in probes:
                    dx, dy, dz = x - px, y - py, z - pz
                    distance2 = dx * dx + dy * dy + dz * dz
                    total += weight * (ax * dx + ay * dy + az * dz) / (distance2 * sqrt(distance2))
                before = felt.get(reed)
                felt[reed] = (self._sums[reed] if before is None else before) + moment * total
        return felt

    def _near(self, x: float, y: float, reach: float) -> _Near:
        """Return the reeds near a spot, with their probes."""
        # Reeds are looked up by tiles of the board, with the tile's own half diagonal to spare, so
        # that most steps find the list that the step before has made.
        tile = int(x // TILE_MM), int(y // TILE_MM), reach
        near = self._tiles.get(tile)
        if near is None:
            middle_x, middle_y = (tile[0] + 0.5) * TILE_MM, (tile[1] + 0.5) * TILE_MM
            reach2 = (reach + 0.71 * TILE_MM) ** 2
            near = self._tiles[tile] = tuple(
                (reed, self._probes[reed])
                for reed, (rx, ry) in enumerate(self._spots)
                if (rx - middle_x) ** 2 + (ry - middle_y) ** 2 < reach2
            )
        return near

    # Switches

    def _follow(self, reed: int, felt: float, now: float) -> None:
        """Close or open one reed if its new drive crosses its limit."""
        operate, release = self._limits[reed]
        before, self._drives[reed] = abs(self._drives[reed]), felt
        pull, is_shut = abs(felt), self._is_shut[reed]
        if pull >= release if is_shut else pull < operate:
            return
        limit = release if is_shut else operate
        share = (limit - before) / (pull - before) if before != pull else 1.0
        at = self._now + min(max(share, 0.0), 1.0) * (now - self._now)
        self._is_shut[reed] = not is_shut
        square = self._square_of[reed]
        was_closed = self.is_closed(square)
        self._closed[square] += -1 if is_shut else 1
        if self.is_closed(square) != was_closed:
            self._switch(square, at)

    def _switch(self, square: Square, at: float) -> None:
        """Add the edges of a switch that has closed, with its bounce, or opened."""
        closes = self.is_closed(square)
        self._visits[square] += 1
        self._show(square, at, closes)
        if closes and square not in self._faults:
            lasts = self._rng.uniform(*BOUNCE_S)
            blips = self._rng.randint(*BOUNCES)
            times = sorted(self._rng.uniform(0.0, lasts) for _ in range(2 * blips))
            self.edges[square].extend(
                (at + after, index % 2 == 1) for index, after in enumerate(times)
            )
            if square in self._worn:
                self._await_drop(square)

    def _show(self, square: Square, at: float, closes: bool) -> None:
        """Add an edge, and drop all later ones."""
        # A bounce is laid ahead of time; a switch that opens meanwhile ends it.
        edges = self.edges[square]
        self.stirred.add(square)
        while edges and edges[-1][0] >= at:
            edges.pop()
        if not edges or edges[-1][1] != closes:
            edges.append((at, closes))

    def _fail(self, square: Square, fault: FaultKind | None) -> None:
        was_closed = self.is_closed(square)
        self._faults.pop(square, None)
        if fault is None:
            self._worn.discard(square)
        else:
            self._faults[square] = fault
        if self.is_closed(square) != was_closed:
            self._switch(square, self._now)
        self._visits[square] += 1

    def _wear(self, square: Square) -> None:
        self._worn.add(square)
        if self.is_closed(square):
            self._await_drop(square)

    def _await_drop(self, square: Square) -> None:
        at = self._now + self._rng.expovariate(WORN_PER_S)
        self._await(at, partial(self._drop, square, self._visits[square]))

    def _drop(self, square: Square, visit: int) -> None:
        """Open a worn switch for a moment, unless its piece has moved meanwhile."""
        if self._visits[square] == visit:
            self._show(square, self._now, False)
            self.edges[square].append((self._now + self._rng.uniform(*DROPS_S), True))
            self._await_drop(square)
