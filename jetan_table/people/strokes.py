"""Smooth paths in space by which a hand takes a magnet from one pose to the next."""

from dataclasses import dataclass
from math import cos, hypot, pi, sin, sqrt
from typing import NamedTuple, NewType, TypeAlias

from hardware.build import Vector

Magnet = NewType("Magnet", int)
"""A piece by its magnet; the number is that of its first square."""


class HandPose(NamedTuple):
    """A magnet's position in millimetres, and its lean and the lean's heading in radians.

    `z` is the height above that of a standing piece.
    """

    x: float
    y: float
    z: float = 0.0
    lean: float = 0.0
    heading: float = 0.0

    @property
    def spot(self) -> tuple[float, float]:
        """The point of the board below it, in millimetres."""
        return self.x, self.y

    @property
    def axis(self) -> Vector:
        """The direction of its magnet, as a unit vector."""
        if not self.lean:
            return (0.0, 0.0, 1.0)
        flat = sin(self.lean)
        return (flat * cos(self.heading), flat * sin(self.heading), cos(self.lean))


def smooth(share: float) -> float:
    """Return the part of a minimum-jerk movement done after a share of its time."""
    if share <= 0:
        return 0.0
    if share >= 1:
        return 1.0
    return share * share * share * (10 + share * (6 * share - 15))


@dataclass(frozen=True, slots=True)
class Stroke:
    """One movement of a hand with a magnet, from rest to rest.

    It climbs to `lift` (mm) in the share `rise` of its time, comes down in the share `fall`, and
    goes across from halfway through the one to halfway through the other. `arc` is the sideways
    bend of the path in mm, `sway` the lean on the way in radians, `tremor` the shake in mm; `phase`
    makes one shake unlike another.
    """

    magnet: Magnet
    begun: float
    lasts: float
    start: HandPose
    end: HandPose
    lift: float = 0.0
    rise: float = 0.0
    fall: float = 0.0
    arc: float = 0.0
    sway: float = 0.0
    tremor: float = 0.0
    phase: float = 0.0

    @property
    def ended(self) -> float:
        return self.begun + self.lasts

    @property
    def fastest(self) -> float:
        """An upper bound of the speed, in millimetres a second."""
        across = hypot(self.end.x - self.start.x, self.end.y - self.start.y) + 3 * abs(self.arc)
        across /= max(1 - (self.rise + self.fall) / 2, 0.1)
        peak = max(self.lift, self.start.z, self.end.z)
        up = (peak - self.start.z) / max(self.rise, 0.05)
        down = (peak - self.end.z) / max(self.fall, 0.05)
        return 1.9 * max(across, up, down, 1.0) / self.lasts + 60 * self.tremor

    def at(self, time: float) -> HandPose:
        """Return the pose at a time from `begun` to `ended`."""
        start, end = self.start, self.end
        share = min(max((time - self.begun) / self.lasts, 0.0), 1.0)
        across = smooth((share - self.rise / 2) / max(1 - (self.rise + self.fall) / 2, 0.01))
        way_x, way_y = end.x - start.x, end.y - start.y
        x, y = start.x + across * way_x, start.y + across * way_y
        bulge = sin(pi * across)
        if self.arc and (length := hypot(way_x, way_y)) > 1:
            x -= self.arc * bulge * way_y / length
            y += self.arc * bulge * way_x / length
        z = self._height(share)
        middle = sin(pi * share)
        if self.tremor:
            shake = self.tremor * min(1.0, 3 * middle)
            x += shake * sin(50 * time + self.phase)
            y += shake * sin(61 * time + 2 * self.phase)
            if z > 0:
                z = max(0.0, z + shake * sin(44 * time + 3 * self.phase))
        lean = start.lean + (end.lean - start.lean) * smooth(share) + self.sway * middle
        heading = end.heading if end.lean else start.heading if start.lean else self.phase
        return HandPose(x, y, z, lean, heading)

    def _height(self, share: float) -> float:
        peak = max(self.lift, self.start.z, self.end.z)
        if share < self.rise:
            return self.start.z + (peak - self.start.z) * smooth(share / self.rise)
        if share > 1 - self.fall:
            return peak + (self.end.z - peak) * smooth((share - 1 + self.fall) / self.fall)
        if self.rise or self.fall:
            return peak
        return self.start.z + (self.end.z - self.start.z) * smooth(share)


@dataclass(frozen=True, slots=True)
class Push:
    """A standing piece that is shoved along by another, foot against foot.

    It rests until `by` touches it, and is then always `foot` millimetres, the width of a foot,
    ahead of it, in the direction `toward`, a unit vector.
    """

    magnet: Magnet
    by: Stroke
    start: HandPose
    toward: tuple[float, float]
    begun: float
    foot: float

    @property
    def ended(self) -> float:
        return self.by.ended

    @property
    def end(self) -> HandPose:
        return self._before(self.by.end)

    @property
    def fastest(self) -> float:
        """An upper bound of the speed, in millimetres a second."""
        return 2 * self.by.fastest

    def at(self, time: float) -> HandPose:
        """Return the pose at a time from `begun` to `ended`."""
        return self._before(self.by.at(time))

    def _before(self, pusher: HandPose) -> HandPose:
        """Return the pushed piece's pose while the other is at `pusher`."""
        ux, uy = self.toward
        dx, dy = self.start.x - pusher.x, self.start.y - pusher.y
        # Squares of distances: this runs for each step, and ends here until the feet touch.
        apart2, foot2 = dx * dx + dy * dy, self.foot * self.foot
        if apart2 >= foot2:
            return self.start
        along = dx * ux + dy * uy
        shoved = sqrt(along * along - apart2 + foot2) - along
        return HandPose(self.start.x + shoved * ux, self.start.y + shoved * uy)


MagnetPath: TypeAlias = Stroke | Push
"""A magnet's path for some time; afterwards it stays at `end`."""
