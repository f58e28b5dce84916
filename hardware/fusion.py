"""Two sensors of one board as one: evidence is added, and contradiction is named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from math import inf
from types import MappingProxyType

from rules import Square

from .ports import Evidence, Observation, Sensor, occupancy, presence

MOMENT_S = 0.8
"""Two sensors may disagree for so long: one is slower than the other."""

QUIET_S = 0.4
"""What the slow one saw less than this after a switch changed may be what was there before."""

TRUST = 0.6
"""How much of the slow one's evidence counts: one that errs mostly errs again in its next look."""

MANY = 4
"""A quick sensor that was outvoted on so many squares may have failed as a whole."""


class SensorRole(Enum):
    """One of the two sensors."""

    QUICK = "quick"
    SLOW = "slow"


@dataclass(slots=True)
class FusedSquare:
    """One square: each sensor's latest word, when the slow one's was had and the quick one changed.

    `at_odds_since` is since when they contradict each other, `outvoted` who was not believed then.
    """

    quick: Evidence | None = None
    slow: Evidence | None = None
    quick_at: float = -inf
    slow_at: float = -inf
    at_odds_since: float | None = None
    outvoted: SensorRole | None = None
    outvoted_at: float = -inf

    def hear_quick(self, seen: Evidence | None, at: float) -> None:
        """Take in a word of the quick sensor."""
        before, self.quick = self.quick, seen
        if before is None or seen is None or (presence(before) > 0) is not (presence(seen) > 0):
            self.quick_at = at

    def hear_slow(self, seen: Evidence | None, at: float) -> None:
        """Take in a word of the slow sensor."""
        self.slow, self.slow_at = None if seen is None else _shared(seen, TRUST), at

    def word(self, at: float, is_quick_doubted: bool) -> Evidence | None:
        """Return what both together say; a quick sensor that is doubted is not waited for."""
        quick = self.quick
        slow = self.slow if self.slow_at >= self.quick_at + QUIET_S else None
        if quick is None:
            return None if self.outvoted is SensorRole.SLOW else slow
        if slow is None:
            return None if self.outvoted is SensorRole.QUICK else quick
        together = _added(quick, slow)
        if presence(quick) * presence(slow) > 0 or occupancy(slow) is None:
            self._agree()
            return together
        if self.outvoted is None:
            self.at_odds_since = at if self.at_odds_since is None else self.at_odds_since
            if at < self.at_odds_since + MOMENT_S and not is_quick_doubted:
                return quick
            is_slow_right = is_quick_doubted or presence(together) * presence(slow) > 0
            self.outvoted = SensorRole.QUICK if is_slow_right else SensorRole.SLOW
            self.outvoted_at = at
        return slow if self.outvoted is SensorRole.QUICK else quick

    def _agree(self) -> None:
        """Both say the same; a quick sensor that was outvoted must have followed for that."""
        self.at_odds_since = None
        if self.outvoted is SensorRole.SLOW or self.quick_at > self.outvoted_at:
            self.outvoted = None


class FusedSensor:
    """A quick sensor that tells occupied from empty, and a slow one that sees more, and at rest.

    While both say the same, their evidence is added. Where one says occupied and the other empty,
    the quick one is believed for a moment; if they still disagree then, the evidence decides, and
    the square is named in `contradictions`. Whoever was outvoted is not heard on that square until
    both agree again, the quick one not before it has changed: a switch that sticks is right now and
    then. Where one sees nothing, the other is all there is.
    """

    def __init__(self, quick: Sensor, slow: Sensor) -> None:
        self._quick, self._slow = quick, slow
        self._spots: dict[Square, FusedSquare] = {}
        self._contradictions: dict[Square, SensorRole] = {}
        self._told_at = -inf

    @property
    def contradictions(self) -> Mapping[Square, SensorRole]:
        """The squares about which a sensor was outvoted, and which one."""
        return MappingProxyType(self._contradictions)

    def poll(self, now: float) -> list[Observation]:
        """Return what has been seen since the last call, oldest first."""
        quick = [(each.at, SensorRole.QUICK, each) for each in self._quick.poll(now)]
        slow = [(each.at, SensorRole.SLOW, each) for each in self._slow.poll(now)]
        heard = sorted(quick + slow, key=lambda each: each[0])
        return [self._heard(side, observation) for _, side, observation in heard]

    def doubt_quick(self, now: float) -> list[Observation]:
        """The quick sensor has failed as a whole: what it said last counts no more."""
        return [self._heard(SensorRole.QUICK, Observation(now, dict.fromkeys(self._spots)))]

    def _heard(self, side: SensorRole, observation: Observation) -> Observation:
        at = observation.at
        outvoted = list(self._contradictions.values()).count(SensorRole.QUICK)
        told: dict[Square, Evidence | None] = {}
        for square, seen in observation.squares.items():
            spot = self._spots.setdefault(square, FusedSquare())
            if side is SensorRole.QUICK:
                spot.hear_quick(seen, at)
            else:
                spot.hear_slow(seen, at)
            told[square] = spot.word(at, outvoted >= MANY)
            if spot.outvoted is None:
                self._contradictions.pop(square, None)
            else:
                self._contradictions[square] = spot.outvoted
        # What the slow one has seen may arrive after what the quick one saw later.
        self._told_at = max(at, self._told_at)
        return Observation(self._told_at, told)


def _shared(seen: Evidence, share: float) -> Evidence:
    """Return a share of evidence."""
    empty, black, orange, neutral = (share * each for each in seen)
    return empty, black, orange, neutral


def _added(one: Evidence, other: Evidence) -> Evidence:
    """Return what independent evidence says together, the best explanation at 0."""
    empty, black, orange, neutral = map(sum, zip(one, other, strict=True))
    best = max(empty, black, orange, neutral)
    return empty - best, black - best, orange - best, neutral - best
