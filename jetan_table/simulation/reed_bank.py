"""A hundred reeds over time: what each does while magnets move over them and the table is bumped.

Only what moves is reckoned again, and only for the reeds near it; of all that rests, each reed
keeps the sum. The steps are so short that no magnet goes farther than `STEP_MM` in one; between
two of them a reed closes or opens in proportion.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from math import exp, sin, sqrt, tau
from random import Random

from .geometry import Spot
from .magnetism import DEPTH_MM, MOMENT, MU0_OVER_4PI, ReedSpec, dipole
from .strokes import HandPose, MagnetPath
from .world import Magnet

STEP_MM = 0.8
STEPS_S = (0.0005, 0.005)
"""The shortest and the longest step."""

NEAR_MM = 80.0
"""Beyond this a moving magnet is not felt: there it does less than 2 % of what closes a reed."""

TILE_MM = 20.0

BOUNCE_S = (0.0005, 0.003)
"""How long a reed bounces after it has closed."""

BOUNCES = (1, 4)

FULL_PULL = 2.5
"""A magnet pulls the blades no harder than this many times what closes them: they are full."""

OPEN_BLADES = 0.35
"""Blades apart swing so much less together than closed ones apart, at the same bump."""

BLADE_HZ = (60.0, 220.0)
SHOCK_ENDS = 0.05
"""A bump is over when it pulls less than this share of what closes a reed."""

Edge = tuple[float, bool]
"""A contact's change: when, and whether it has closed."""


@dataclass(frozen=True, slots=True)
class Shock:
    """A bump of the table at `at` seconds: how hard, in pulls that close a reed, and how long.

    It has fallen to a third after `fades_s`.
    """

    at: float
    pull: float
    fades_s: float


class ReedBank:
    """Reeds at fixed spots, the magnets over them, and every edge of every contact."""

    def __init__(
        self, spots: Sequence[Spot], specs: Sequence[ReedSpec], rng: Random, now: float = 0.0
    ) -> None:
        """Start at `now` with open reeds and no magnet."""
        self.specs = specs
        self.edges: list[list[Edge]] = [[] for _ in spots]
        self.closed = [False] * len(spots)
        self._spots, self._rng, self._now = spots, rng, now
        self._sums = [[0.0, 0.0, 0.0] for _ in spots]
        self._pulls = [0.0] * len(spots)
        self._resting: dict[Magnet, HandPose] = {}
        self._strengths: dict[Magnet, float] = {}
        self._waiting: list[tuple[float, int, MagnetPath | Shock]] = []
        self._moving: dict[Magnet, MagnetPath] = {}
        self._touched: set[int] = set()
        self._shock: Shock | None = None
        self._blades = [(1.0, 100.0)] * len(spots)
        self._order = 0
        self._tiles: dict[tuple[int, int], list[tuple[int, float, float]]] = {}

    def stand(self, magnet: Magnet, pose: HandPose, strength: float = 1.0) -> None:
        """Put a magnet there before time runs; `strength` is its share of a sound one's."""
        self._strengths[magnet] = strength
        self._rest(magnet, pose, 1.0)
        for reed in range(len(self._spots)):
            self._pulls[reed] = self.induction(reed)
            self.closed[reed] = self._pulls[reed] >= self.specs[reed].operate

    def await_path(self, path: MagnetPath) -> None:
        """Let a magnet go a way, which must not have begun."""
        self._await(path.begun, path)

    def await_shock(self, shock: Shock) -> None:
        """Let the table be bumped, at a time that must not have passed."""
        self._await(shock.at, shock)

    @property
    def due(self) -> float | None:
        """When something moves next, in seconds; None where nothing is to."""
        if self._moving or self._shock is not None:
            return self._now
        return self._waiting[0][0] if self._waiting else None

    def induction(self, reed: int) -> float:
        """Return how strong a reed feels the magnets that rest, in mT."""
        x, y, z = self._sums[reed]
        return sqrt(x * x + y * y + z * z)

    def run(self, until: float) -> None:
        """Let time run."""
        while self._now < until:
            if not self._moving and self._shock is None:
                self._now = min(until, self._waiting[0][0] if self._waiting else until)
            while self._waiting and self._waiting[0][0] <= self._now:
                self._begin(heappop(self._waiting)[2])
            if self._moving or self._shock is not None:
                self._step(until)

    def _await(self, at: float, event: MagnetPath | Shock) -> None:
        self._order += 1
        heappush(self._waiting, (at, self._order, event))

    def _begin(self, event: MagnetPath | Shock) -> None:
        if isinstance(event, Shock):
            self._shock = event
            for reed in range(len(self._spots)):
                swings = self._rng.lognormvariate(0, 0.5)
                self._blades[reed] = swings, self._rng.uniform(*BLADE_HZ)
        else:
            if event.magnet in self._moving:
                raise ValueError(f"magnet {event.magnet} is moving already")
            self._rest(event.magnet, self._resting.pop(event.magnet), -1.0)
            self._moving[event.magnet] = event

    def _rest(self, magnet: Magnet, pose: HandPose, sign: float) -> None:
        """Add a resting magnet to what all reeds feel, or take it away again."""
        if sign > 0:
            self._resting[magnet] = pose
        strength = sign * MOMENT * self._strengths[magnet]
        ax, ay, az = pose.axis
        moment = (strength * ax, strength * ay, strength * az)
        for total, (x, y) in zip(self._sums, self._spots, strict=True):
            bx, by, bz = dipole(moment, (x - pose.x, y - pose.y, -DEPTH_MM - pose.z))
            total[0] += bx
            total[1] += by
            total[2] += bz

    def _step(self, until: float) -> None:
        """Go on by one step, and let the reeds follow."""
        least, most = STEPS_S
        fastest = max((path.fastest for path in self._moving.values()), default=0.0)
        step = most if not fastest else min(max(STEP_MM / fastest, least), most)
        if self._shock is not None:
            step = least
        now = min(until, self._now + step)
        if self._waiting:
            now = min(now, self._waiting[0][0])
        for path in self._moving.values():
            now = min(now, path.ended)
        now = max(now, self._now + 1e-7)
        felt = self._felt(now)
        if self._shock is not None or any(path.ended <= now for path in self._moving.values()):
            reeds: Iterable[int] = range(len(self._spots))
        else:
            reeds = sorted(self._touched.union(felt))
        for reed in reeds:
            x, y, z = felt.get(reed) or self._sums[reed]
            self._follow(reed, sqrt(x * x + y * y + z * z), now)
        self._touched = set(felt)
        self._now = now
        for path in [path for path in self._moving.values() if path.ended <= now]:
            del self._moving[path.magnet]
            self._rest(path.magnet, path.end, 1.0)
        shock = self._shock
        if shock and shock.pull * exp((shock.at - now) / shock.fades_s) < SHOCK_ENDS:
            self._shock = None

    def _felt(self, now: float) -> dict[int, list[float]]:
        """Return what the reeds near moving magnets feel of all magnets together."""
        felt: dict[int, list[float]] = {}
        for magnet, path in self._moving.items():
            pose = path.at(now)
            height = DEPTH_MM + pose.z
            if height > NEAR_MM:
                continue
            px, py = pose.spot
            ax, ay, az = pose.axis
            strength = MOMENT * MU0_OVER_4PI * self._strengths[magnet]
            for reed, reed_x, reed_y in self._near(px, py):
                x, y = reed_x - px, reed_y - py
                distance2 = x * x + y * y + height * height
                scale = strength / (distance2 * sqrt(distance2))
                along = 3 * (ax * x + ay * y - az * height) / distance2
                total = felt.get(reed)
                if total is None:
                    total = felt[reed] = self._sums[reed].copy()
                total[0] += scale * (along * x - ax)
                total[1] += scale * (along * y - ay)
                total[2] += scale * (-along * height - az)
        return felt

    def _near(self, x: float, y: float) -> list[tuple[int, float, float]]:
        """Return the reeds near a spot, with their spots."""
        tile = int(x // TILE_MM), int(y // TILE_MM)
        near = self._tiles.get(tile)
        if near is None:
            middle_x, middle_y = (tile[0] + 0.5) * TILE_MM, (tile[1] + 0.5) * TILE_MM
            reach2 = (NEAR_MM + 0.71 * TILE_MM) ** 2
            near = self._tiles[tile] = [
                (reed, rx, ry)
                for reed, (rx, ry) in enumerate(self._spots)
                if (rx - middle_x) ** 2 + (ry - middle_y) ** 2 < reach2
            ]
        return near

    def _follow(self, reed: int, pull: float, now: float) -> None:
        """Let one reed close or open by what it feels, if that is enough."""
        operate, release = self.specs[reed]
        before, self._pulls[reed] = self._pulls[reed], pull
        is_closed = self.closed[reed]
        if self._shock is not None:
            shaken = self._shaken(reed, now) * operate
            pull = min(pull, FULL_PULL * operate) - shaken if is_closed else pull + shaken
            before = pull
        if is_closed:
            if pull >= release:
                return
            limit = release
        else:
            if pull < operate:
                return
            limit = operate
        share = (limit - before) / (pull - before) if before != pull else 1.0
        self._switch(reed, self._now + min(max(share, 0.0), 1.0) * (now - self._now))

    def _shaken(self, reed: int, now: float) -> float:
        """Return what the bump adds to one reed just now, as a share of what closes it."""
        shock = self._shock
        assert shock is not None
        swings, hertz = self._blades[reed]
        fades = exp((shock.at - now) / shock.fades_s)
        swing = shock.pull * swings * fades * abs(sin(tau * hertz * (now - shock.at)))
        return swing if self.closed[reed] else swing * OPEN_BLADES

    def _switch(self, reed: int, at: float) -> None:
        """Close an open reed, with its bounce; open a closed one."""
        edges = self.edges[reed]
        while edges and edges[-1][0] >= at:
            edges.pop()
        closes = not self.closed[reed]
        self.closed[reed] = closes
        if not edges or edges[-1][1] != closes:
            edges.append((at, closes))
        if closes:
            lasts = self._rng.uniform(*BOUNCE_S)
            blips = self._rng.randint(*BOUNCES)
            times = sorted(self._rng.uniform(0.0, lasts) for _ in range(2 * blips))
            edges.extend((at + after, index % 2 == 1) for index, after in enumerate(times))
