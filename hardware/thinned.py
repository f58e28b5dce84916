"""What matters of a sensor that looks again and again: squares that look the same are left out."""

from collections.abc import Iterable, Iterator, Sequence
from math import inf

from rules import Square

from .ports import Evidence, Observation, Sensor

MATTERS = 4.0
"""Evidence that changed by less, in nats, is left out: noise would fill every journal."""

ENOUGH = 12.0
"""An occupant that explains a square so much worse than the best, in nats (160,000 to 1), is out of
the question: how much worse is no news."""


class ThinnedSensor:
    """Passes a square on only where its evidence prefers another occupant, or has much changed."""

    def __init__(self, sensor: Sensor, again_s: Sequence[float] = ()) -> None:
        """So many seconds after the last change it is told, without squares, that nothing has."""
        self._sensor = sensor
        self._again_s = again_s
        self._again: Iterator[float] = iter(())
        self._again_at = inf
        self._last: dict[Square, Evidence | None] = {}

    def poll(self, now: float) -> list[Observation]:
        """Return what is new since the last call, oldest first."""
        return self.thin(self._sensor.poll(now))

    def thin(self, observations: Iterable[Observation]) -> list[Observation]:
        """Return what is new of observations of the same board."""
        thinned = []
        for observation in observations:
            news = {
                square: evidence
                for square, evidence in observation.squares.items()
                if square not in self._last or _differs(evidence, self._last[square])
            }
            self._last |= news
            if news:
                self._again = (observation.at + each for each in self._again_s)
            if news or observation.at >= self._again_at:
                thinned.append(Observation(observation.at, news))
                self._again_at = next(self._again, inf)
        return thinned


def _differs(evidence: Evidence | None, before: Evidence | None) -> bool:
    if evidence is None or before is None:
        return evidence is not before
    if evidence.index(max(evidence)) != before.index(max(before)):
        return True
    return any(
        abs(max(one, -ENOUGH) - max(other, -ENOUGH)) > MATTERS
        for one, other in zip(evidence, before, strict=True)
    )
