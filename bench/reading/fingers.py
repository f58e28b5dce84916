"""What the hands of two neighbours can do: strokes from place to place, past what stands there.

How quick, exact, tidy and patient they are depends on who sits there: `COMPANIES`.
"""

from collections.abc import Generator, Iterable, Mapping, Sequence
from math import cos, dist, hypot, inf, pi, sin
from random import Random
from typing import NamedTuple

from hardware.build import SQUARE_MM, Spot
from jetan_table.people.strokes import HandPose, Magnet, Push, Stroke
from jetan_table.people.world import MagnetWorld
from jetan_table.replay.recordings import microseconds
from rules import Side, Square, format_square

CARRIES = ("lifted", "low", "slide", "hop")
TAKES = ("victim-first", "mover-first", "two-hands", "take-by-other", "take-swap")
SHOVES = ("take-push", "take-under")

KINDS = ("study", "club", "family", "pub", "novice")

RATES: Mapping[str, tuple[float, ...]] = {
    "thought": (5.0, 3.0, 4.0, 1.8, 6.0),
    "arm": (1.15, 1.0, 1.3, 0.8, 1.4),
    "scatter": (1.8, 3.0, 4.2, 4.6, 3.4),
    "tremor": (0.1, 0.2, 0.35, 0.5, 0.25),
    "reacts": (0.9, 1.3, 2.0, 2.2, 1.6),
    "notices": (0.97, 0.85, 0.7, 0.6, 0.85),
    "tidies": (0.9, 0.5, 0.3, 0.15, 0.5),
    "hunger": (5, 6, 6, 9, 6),
    "lifted": (8, 6, 6, 3, 4),
    "low": (2, 3, 3, 4, 2),
    "slide": (0.5, 1.5, 1.5, 3, 1.5),
    "hop": (1, 0.7, 0.7, 0.4, 5),
    "victim-first": (5, 5, 5, 4, 8),
    "mover-first": (2.5, 2.5, 2.5, 2, 3),
    "two-hands": (2, 2, 2, 2, 2),
    "take-by-other": (0.3, 0.5, 1.2, 0.5, 1.5),
    "take-swap": (3, 3, 2.5, 4, 1),
    "take-push": (0.7, 1.5, 1.5, 2.5, 0.7),
    "take-under": (0.5, 1, 1, 1.5, 0.4),
    "at-once": (0.03, 0.08, 0.08, 0.2, 0.03),
    "pre-lift": (0.005, 0.03, 0.03, 0.08, 0.01),
    "restless": (0.02, 0.06, 0.16, 0.12, 0.06),
    "holds": (0.02, 0.03, 0.06, 0.04, 0.03),
    "adjust": (0.06, 0.05, 0.05, 0.04, 0.05),
    "rethink": (0.05, 0.05, 0.1, 0.05, 0.12),
    "two-lifted": (0.02, 0.03, 0.06, 0.03, 0.03),
    "long-hold": (0.1, 0.05, 0.06, 0.04, 0.12),
    "hover": (0.1, 0.05, 0.06, 0.04, 0.14),
    "slip": (0.01, 0.03, 0.06, 0.05, 0.04),
    "line": (0.005, 0.02, 0.04, 0.04, 0.03),
    "nudge": (0.1, 0.08, 0.08, 0.06, 0.08),
    "wrong-square": (0.01, 0.025, 0.05, 0.025, 0.06),
    "topple": (0.006, 0.02, 0.04, 0.04, 0.02),
    "sleeve": (0.004, 0.008, 0.02, 0.03, 0.008),
    "illegal": (0.008, 0.012, 0.03, 0.012, 0.05),
    "wrong-side": (0.003, 0.006, 0.015, 0.01, 0.02),
    "regrets": (0.05, 0.02, 0.05, 0.02, 0.04),
    "on-rim": (0.03, 0.05, 0.12, 0.1, 0.05),
    "in-fist": (0.05, 0.1, 0.1, 0.2, 0.1),
}
"""What is usual in each of `KINDS`.

First the median thought, factors of an arm's times, the scatter of places and the tremor, the time
until a lamp is looked at, and the shares of dark lamps that are noticed and of double ones that
are put right. `hunger` is how much likelier a capture is than another move, `lifted` to
`take-under` are weights of ways to carry and to take. All others are shares of plies or captures.
"""


COMPANIES: Mapping[str, Mapping[str, float]] = {
    name: {rate: row[column] for rate, row in RATES.items()} for column, name in enumerate(KINDS)
}
"""Two who sit down together, by the name of their kind."""

Doing = Generator[float, None, None]
"""Something that somebody does: it yields the time, in seconds, at which it goes on."""

Span = tuple[float, float]

Aside = tuple[HandPose, HandPose, Spot]
"""From where to where a piece pushes another away, and the other's direction, a unit vector."""

SNUG_MM = 0.6
"""Fingers leave at least so much between the feet of two pieces."""

LOW_MM = 20.0
"""What is lower than this is in the way of feet."""

POLL_S = (0.06, 0.2)
"""How often somebody who waits looks up."""

REACH_MM = 38.0
"""What lies farther than this from the middle of a square does not close its reed."""


class Neighbour(NamedTuple):
    """One of the two: `pace` and `care` make their arm and their aim their own."""

    side: Side
    pace: float
    care: float


class Fingers:
    """Magnets in hands. A piece that somebody handles is claimed until they let go of it."""

    def __init__(
        self,
        rates: Mapping[str, float],
        sides: Mapping[Magnet, Side],
        world: MagnetWorld,
        rng: Random,
    ) -> None:
        self.incidents: list[dict[str, object]] = []
        self._rates, self._sides, self._world, self._rng = rates, sides, world, rng
        self._now = 0.0
        self._claimed: set[Magnet] = set()
        self._strays: dict[Square, Magnet] = {}
        """Captured pieces that lie on squares of the rim."""

    def _go(
        self, me: Neighbour, magnet: Magnet, end: HandPose, lift: float, least: float = 0.0
    ) -> float:
        """Begin a stroke that is not over before `least`; return when it is."""
        return self._world.go(self._stroke(me, magnet, end, lift, least))

    def _stroke(
        self, me: Neighbour, magnet: Magnet, end: HandPose, lift: float, least: float
    ) -> Stroke:
        rng, start = self._rng, self._world.poses[magnet]
        way = hypot(end.x - start.x, end.y - start.y, end.z - start.z)
        lasts = me.pace * self._rates["arm"] * (0.18 + 0.0016 * way + 0.004 * lift)
        lasts = max(lasts * rng.lognormvariate(0, 0.2), 0.1, least - self._now)
        return Stroke(
            magnet,
            self._now,
            lasts,
            start,
            end,
            lift,
            rise=rng.uniform(0.2, 0.4) if lift else 0.0,
            fall=rng.uniform(0.2, 0.45) if lift else 0.0,
            arc=rng.gauss(0, 9) if lift > LOW_MM else 0.0,
            sway=rng.gauss(0, 0.12) if lift > LOW_MM else 0.0,
            tremor=self._rates["tremor"] * rng.random() * (1.0 if lift else 0.3),
            phase=rng.uniform(0, 6),
        )

    def _raise(self, me: Neighbour, magnet: Magnet) -> float:
        """Begin to take a piece up, to hold it; return when it is up."""
        x, y = self._world.poses[magnet].spot
        aside = self._rng.gauss(x, 7), self._rng.gauss(y, 7)
        return self._go(me, magnet, HandPose(*aside, self._rng.uniform(28, 60)), 0.0)

    def _claim(self, *magnets: Magnet) -> Doing:
        """Wait until nobody else handles these pieces, and keep them."""
        while not all(self._is_free(magnet) for magnet in magnets):
            yield self._later(POLL_S)
        self._claimed.update(magnets)

    def _is_free(self, magnet: Magnet) -> bool:
        return magnet not in self._claimed and self._world.free_at.get(magnet, 0.0) <= self._now

    def _is_at_rest(self, magnet: Magnet, square: Square) -> bool:
        """Whether a piece stands on a square, and nobody handles it."""
        return self._world.standing.get(square) == magnet and self._is_free(magnet)

    # What is done to pieces that stand

    def _look(self, me: Neighbour, square: Square, tags: list[str] | None = None) -> Doing:
        """Look at the lamp of a square, and put its piece straight until it is lit."""
        world, magnet = self._world, self._world.standing.get(square)
        for _ in range(8):
            if magnet is None or world.standing.get(square) != magnet:
                return
            is_dark = not world.is_lit(square)
            if not is_dark and not world.is_lit_beside(square):
                return
            yield self._now + self._rates["reacts"] * self._rng.lognormvariate(0, 0.5)
            sees = self._happens("notices" if is_dark else "tidies")
            if sees and self._is_at_rest(magnet, square):
                if is_dark and tags is not None and "late" not in tags:
                    tags.append("late")
                yield from self._shift(me, magnet, square, 0.3)

    def _shift(self, me: Neighbour, magnet: Magnet, square: Square, share: float) -> Doing:
        """Push a standing piece to a better place on its square, or lift it there."""
        self._claimed.add(magnet)
        end = self._spot(me, square, magnet, share)
        is_clear = self._is_clear(self._world.poses[magnet].spot, end.spot, magnet)
        yield self._go(me, magnet, end, 0.0 if is_clear and self._rng.random() < 0.7 else 12.0)
        self._claimed.discard(magnet)

    def _put_back(self, me: Neighbour, magnet: Magnet, square: Square) -> Doing:
        yield self._go(me, magnet, self._spot(me, square, magnet), 0.0)
        self._claimed.discard(magnet)
        yield from self._look(me, square)

    def _fiddle(self, me: Neighbour, sort: str) -> Doing:
        """Put own pieces straight, or take one up, think, and put it back."""
        begun, squares = self._now, []
        for _ in range(self._rng.choice((1, 1, 2, 3)) if sort == "adjust" else 1):
            if (square := self._own(me)) is not None:
                squares.append(square)
                magnet = self._world.standing[square]
                if sort == "adjust":
                    yield from self._shift(me, magnet, square, 0.7)
                else:
                    self._claimed.add(magnet)
                    yield self._raise(me, magnet)
                    yield self._later((0.3, 3.0))
                    yield from self._put_back(me, magnet, square)
                yield self._later((0.1, 0.7))
        self._note(sort, begun, squares)

    def _sleeve(self, me: Neighbour) -> Doing:
        """A sleeve shifts pieces that stand side by side."""
        world, begun, way = self._world, self._now, self._rng.uniform(0, 2 * pi)
        first = self._own(me)
        rows = [] if first is None else [first, *self._resting_near(first)[:3]]
        for square in rows:
            magnet, off = world.standing[square], self._rng.uniform(1.5, 9.0)
            x, y = world.poses[magnet].spot
            end = HandPose(x + off * cos(way), y + off * sin(way))
            if self._is_at_rest(magnet, square) and self._room(end.spot, magnet) > self._snug:
                self._claimed.add(magnet)
                yield self._go(me, magnet, end, 0.0)
                self._claimed.discard(magnet)
        self._note("sleeve", begun, rows)
        for square in rows:
            yield from self._look(me, square)

    def _topple(self, me: Neighbour, near: Square, tags: list[str]) -> Doing:
        """A cuff knocks a piece over, which is set up again."""
        world, begun, way = self._world, self._now, self._rng.uniform(0, 2 * pi)
        if squares := self._resting_near(near):
            tags.append("topple")
            square = self._rng.choice(squares)
            magnet = world.standing[square]
            self._claimed.add(magnet)
            stands, lasts = world.poses[magnet], self._rng.uniform(0.12, 0.3)
            lies = HandPose(stands.x + 13 * cos(way), stands.y + 13 * sin(way), 8.0, 1.45, way)
            yield world.go(Stroke(magnet, begun, lasts, stands, lies))
            yield self._later((0.7, 4.0))
            yield from self._put_back(me, magnet, square)
            self._note("topple", begun, [square])

    def _resting_near(self, square: Square) -> list[Square]:
        standing = self._world.standing
        near = [one for one in self._world.near(square) if one in standing]
        return [one for one in near if self._is_at_rest(standing[one], one)]

    def _clear(self, me: Neighbour, square: Square) -> Doing:
        """Take what was captured off a square of the rim."""
        if (magnet := self._strays.pop(square, None)) is not None:
            begun = self._now
            yield from self._claim(magnet)
            yield self._go(me, magnet, self._off(me, magnet), 35.0)
            self._claimed.discard(magnet)
            self._note("stray", begun, [square])

    def _note(self, sort: str, begun: float, squares: Iterable[Square]) -> None:
        """Write down what happened besides plies."""
        begins, ends = microseconds(begun), microseconds(self._now)
        named = [format_square(square) for square in squares]
        self.incidents.append({"type": sort, "t_us": begins, "t_end_us": ends, "squares": named})

    # Places

    def _spot(
        self, me: Neighbour, square: Square, magnet: Magnet, share: float = 1.0, *but: Magnet
    ) -> HandPose:
        """Return where on a square somebody puts a piece who aims at its middle.

        Where others stand in the way, they try nearer to the middle, and then farther off.
        """
        geometry = self._world.geometry
        scatter = share * me.care * self._rates["scatter"] * geometry.side / SQUARE_MM
        centre, most = geometry.centres[square], geometry.reach(square, 0.35)
        spots = []
        for attempt in range(60):
            off = scatter * abs(1 - attempt / 20)
            spot = self._rng.gauss(centre[0], off), self._rng.gauss(centre[1], off)
            if dist(spot, centre) <= most:
                spots.append(spot)
                if self._room(spot, magnet, *but) >= self._snug:
                    return HandPose(*spot)
        return HandPose(*max(spots, key=lambda spot: self._room(spot, magnet, *but)))

    def _around(self, middle: Spot, off: float, magnet: Magnet) -> HandPose | None:
        """Return a free place about so far from another, from which the way there is clear."""
        turned, off = self._rng.uniform(0, 2 * pi), off * self._rng.uniform(0.8, 1.15)
        for part in range(12):
            way = turned + part * pi / 6
            spot = (middle[0] + off * cos(way), middle[1] + off * sin(way))
            if self._room(spot, magnet) >= self._snug and self._is_clear(spot, middle, magnet):
                return HandPose(*spot)
        return None

    def _off(self, me: Neighbour, magnet: Magnet) -> HandPose:
        """Return a free place on the table beside the board, on one's own side."""
        geometry, before = self._world.geometry, self._world.poses[magnet].x
        own = -geometry.half if me.side is Side.BLACK else geometry.half
        attempt = 0
        while True:
            attempt += 1
            x, y = self._rng.gauss(before / 1.5, 30 + attempt), own
            edge = hypot(x, y) / geometry.half if geometry.is_round else 1.0
            out = 1 + self._rng.uniform(16, 80 + attempt) / geometry.half
            spot = (x / edge * out if geometry.is_round else x, y / edge * out)
            is_off = all(dist(spot, centre) > REACH_MM for centre in geometry.centres)
            if is_off and self._room(spot) >= self._snug:
                return HandPose(*spot)

    @property
    def _snug(self) -> float:
        """How near the middles of two pieces come at the least."""
        return self._world.geometry.foot + SNUG_MM

    def _room(self, spot: Spot, *but: Magnet) -> float:
        """Return how far the nearest other piece is that stands or lies."""
        poses = self._world.poses.items()
        standing = (pose.spot for one, pose in poses if pose.z < LOW_MM and one not in but)
        return min((dist(spot, other) for other in standing), default=inf)

    def _is_clear(self, start: Spot, end: Spot, *but: Magnet) -> bool:
        """Whether a foot fits between the others all the way."""
        (x, y), steps = start, 1 + int(dist(start, end) / 6)
        dx, dy = (end[0] - x) / steps, (end[1] - y) / steps
        spots = [(x + step * dx, y + step * dy) for step in range(1, steps + 1)]
        return all(self._room(spot, *but) >= self._world.geometry.foot for spot in spots)

    def _aside(self, me: Neighbour, square: Square, mover: Magnet, victim: Magnet) -> Aside | None:
        """Return how a piece can come to push another away on its square, if there is room."""
        stands, end = self._world.poses[victim], self._spot(me, square, mover, 0.6, victim)
        for part in self._rng.sample(range(16), 16):
            ux, uy = cos(part * pi / 8), sin(part * pi / 8)
            comes = HandPose(stands.x - 32 * ux, stands.y - 32 * uy, 4.0)
            by = Stroke(mover, 0.0, 1.0, comes, end)
            goes = Push(victim, by, stands, (ux, uy), 0.0, self._world.geometry.foot).end
            ways = (comes.spot, end.spot), (stands.spot, goes.spot)
            if all(self._is_clear(*way, mover, victim) for way in ways):
                return comes, end, (ux, uy)
        return None

    def _is_empty(self, square: Square) -> bool:
        return square not in self._world.standing and square not in self._strays

    def _own(self, me: Neighbour) -> Square | None:
        """Return the square of an own piece that nobody handles."""
        standing = self._world.standing.items()
        own = [at for at, one in standing if self._sides.get(one) is me.side and self._is_free(one)]
        return self._rng.choice(own) if own else None

    # Chance

    def _happens(self, rate: str) -> bool:
        return self._rng.random() < self._rates[rate]

    def _weighed(self, ways: Sequence[str]) -> str:
        return self._rng.choices(ways, [self._rates[way] for way in ways])[0]

    def _later(self, span: Span) -> float:
        return self._now + self._rng.uniform(*span)

    def _part_of(self, ends: float) -> float:
        """Return a time in the later part of what goes on until `ends`."""
        return self._now + self._rng.uniform(0.25, 1.0) * (ends - self._now)
