"""What matters of a sensor that looks again and again: squares that look the same are left out."""

from __future__ import annotations

from collections.abc import Iterable

from rules import Square

from .ports import Evidence, Observation, Sensor

MATTERS = 4.0
"""Evidence that changed by less, in nats, is not told anew: noise would fill every journal."""

ENOUGH = 12.0
"""An occupant that explains a square so much worse, in nats, is out of the question."""


class ThinnedSensor:
    """Tells a square only where its evidence says something else, or is much surer or less sure."""

    def __init__(self, sensor: Sensor) -> None:
        self._sensor = sensor
        self._told: dict[Square, Evidence | None] = {}

    def poll(self, now: float) -> list[Observation]:
        """Return what is new since the last call, oldest first."""
        return self.thin(self._sensor.poll(now))

    def thin(self, observations: Iterable[Observation]) -> list[Observation]:
        """Return what is new of observations of the same board."""
        told = []
        for observation in observations:
            news = {
                square: seen
                for square, seen in observation.squares.items()
                if square not in self._told or _differs(seen, self._told[square])
            }
            self._told |= news
            if news:
                told.append(Observation(observation.at, news))
        return told


def _differs(seen: Evidence | None, told: Evidence | None) -> bool:
    if seen is None or told is None:
        return seen is not told
    if seen.index(max(seen)) != told.index(max(told)):
        return True
    return any(
        abs(max(one, -ENOUGH) - max(other, -ENOUGH)) > MATTERS
        for one, other in zip(seen, told, strict=True)
    )
