"""Sensors over other sensors: one that joins two, one that leaves out noise, one that remembers.

Switches and a camera over one board are fused: evidence is added, contradiction is named. A sensor
that looks again and again is thinned: squares that look the same are left out. And what a sensor
has told of each square is kept: how often it changed, when last, and how it blinks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from types import MappingProxyType
from typing import Literal, TypeAlias

from rules import SQUARES, Square

from .ports import Evidence, Observation, Sensor, occupancy, presence

MOMENT_S = 0.8
"""Seconds for which the two may disagree: the camera is slower than the switches."""

QUIET_S = 0.4
"""Seconds after a switch's change in which the camera may still see what was there before."""

TRUST = 0.6
"""The share of the camera's evidence that counts. Its pictures are no independent witnesses: an
error in one is mostly in the next one, too.

A closed reed says 6 nats for a piece, an open one 5 against it (`reed_evidence`): so a camera
outvotes the first from 15 nats of its own on, the second from 13. It says 25 at most.
"""

OUTWEIGHS = 3.0
"""The lead that the camera needs over a switch, in nats (20 to 1)."""

MANY = 4
"""Squares on which switches are outvoted when they may have failed as a whole."""


SensorRole: TypeAlias = Literal["switches", "camera"]


@dataclass(slots=True)
class FusedSquare:
    """The evidence of both sensors about one square. Times are seconds on the table clock."""

    switch: Evidence | None = None
    """The switch's latest evidence, None where it cannot be believed."""
    camera: Evidence | None = None
    """The camera's latest, already multiplied by TRUST; None where it sees nothing."""
    switch_changed_at: float = -inf
    """The last time when the switch opened, closed or fell silent."""
    camera_at: float = -inf
    agreed_at: float = -inf
    """The last time when both agreed; minus infinity before the first."""
    at_odds_since: float | None = None
    """The beginning of their contradiction; None while they agree."""
    outvoted: SensorRole | None = None
    """The one that was not believed then; None once they agree again."""
    outvoted_at: float = -inf

    def hear_switch(self, evidence: Evidence | None, at: float) -> None:
        """Take in the switch's evidence."""
        before, self.switch = self.switch, evidence
        if (
            before is None
            or evidence is None
            or (presence(before) > 0) is not (presence(evidence) > 0)
        ):
            self.switch_changed_at = at

    def hear_camera(self, evidence: Evidence | None, at: float) -> None:
        """Take in the camera's evidence."""
        self.camera, self.camera_at = None if evidence is None else _shared(evidence, TRUST), at

    def weigh(
        self, at: float, are_switches_doubted: bool, is_seen_beside: Callable[[], bool]
    ) -> Evidence | None:
        """Return the evidence of both; switches that are doubted are not given their moment.

        `is_seen_beside` returns True if the camera sees a piece on a square next to it.
        """
        # Pictures are older than they seem: one from just after a switch's change may show the
        # square as it was before, and would outvote a switch that is right.
        switch = self.switch
        camera = self.camera if self.camera_at >= self.switch_changed_at + QUIET_S else None
        if switch is None:
            return None if self.outvoted == "camera" else camera
        if camera is None:
            return None if self.outvoted == "switches" else switch
        together = _added(switch, camera)
        if presence(switch) * presence(camera) > 0 or occupancy(camera) is None:
            self._agree(at)
            return together
        # Once decided it stays so until both agree: a switch that sticks is right now and then, and
        # to change sides each time would show pieces that come and go.
        if self.outvoted is None:
            self.at_odds_since = at if self.at_odds_since is None else self.at_odds_since
            if at < self.at_odds_since + MOMENT_S and not are_switches_doubted:
                return switch
            if self._has_closed(switch) and is_seen_beside() and not are_switches_doubted:
                return None  # that piece may stand on the edge between them
            ahead = presence(together) if presence(camera) > 0 else -presence(together)
            is_camera_right = are_switches_doubted or ahead > OUTWEIGHS
            self.outvoted = "switches" if is_camera_right else "camera"
            self.outvoted_at = at
        return camera if self.outvoted == "switches" else switch

    def _has_closed(self, switch: Evidence) -> bool:
        """Return True if the reed has closed since both agreed: a magnet came near."""
        return presence(switch) > 0 and -inf < self.agreed_at < self.switch_changed_at

    def _agree(self, at: float) -> None:
        """Note that both agree; a switch that was outvoted must have changed for that."""
        self.agreed_at = at
        self.at_odds_since = None
        if self.outvoted == "camera" or self.switch_changed_at > self.outvoted_at:
            self.outvoted = None


class FusedSensor:
    """Switches, which tell occupied from empty at once, and a camera, which sees more, at rest.

    While both say the same, their evidence is added. Where one says occupied and the other empty,
    the switch is believed for a moment; if they still disagree then, the evidence decides, and
    the square is named in `contradictions`. Whoever was outvoted is not heard on that square until
    both agree again, a switch not before it has changed: one that sticks is right now and then.
    Where a reed has closed and the camera sees nothing there, but a piece on a square next to it,
    that may stand on the edge, and neither is believed. Where one sees nothing, the other is all
    there is. `beside` gives the squares next to one, None beyond the rim.
    """

    def __init__(
        self, switches: Sensor, camera: Sensor, beside: Callable[[Square], Iterable[Square | None]]
    ) -> None:
        self._switches, self._camera, self._beside = switches, camera, beside
        self._squares: dict[Square, FusedSquare] = {}
        self._contradictions: dict[Square, SensorRole] = {}
        self._told_at = -inf

    @property
    def contradictions(self) -> Mapping[Square, SensorRole]:
        """The squares about which a sensor was outvoted, and which one."""
        return MappingProxyType(self._contradictions)

    def poll(self, now: float) -> list[Observation]:
        """Return what has been seen since the last call, oldest first."""
        # Sorted by time, for the camera tells of moments at which the switches told more since.
        polled: list[tuple[SensorRole, Observation]] = []
        polled += (("switches", each) for each in self._switches.poll(now))
        polled += (("camera", each) for each in self._camera.poll(now))
        by_time = sorted(polled, key=lambda each: each[1].at)
        return [self._joined(role, observation) for role, observation in by_time]

    def doubt_switches(self, now: float) -> list[Observation]:
        """Forget the switches' evidence: they have failed as a whole."""
        silence = Observation(now, dict.fromkeys(self._squares))
        return [self._joined("switches", silence)]

    def _joined(self, role: SensorRole, observation: Observation) -> Observation:
        at = observation.at
        outvoted = list(self._contradictions.values()).count("switches")
        together: dict[Square, Evidence | None] = {}
        for square, evidence in observation.squares.items():
            fused = self._squares.setdefault(square, FusedSquare())
            if role == "switches":
                fused.hear_switch(evidence, at)
            else:
                fused.hear_camera(evidence, at)
            is_seen_beside = partial(self._is_seen_beside, square)
            together[square] = fused.weigh(at, outvoted >= MANY, is_seen_beside)
            if fused.outvoted is None:
                self._contradictions.pop(square, None)
            else:
                self._contradictions[square] = fused.outvoted
        # What the camera has seen may arrive after what a switch told later.
        self._told_at = max(at, self._told_at)
        return Observation(self._told_at, together)

    def _is_seen_beside(self, square: Square) -> bool:
        """Return True if the camera sees a piece on a square next to one."""
        near = (self._squares[each] for each in self._beside(square) if each in self._squares)
        return any(each.camera is not None and occupancy(each.camera) is True for each in near)


def _shared(evidence: Evidence, share: float) -> Evidence:
    """Return a share of evidence."""
    empty, black, orange, neutral = (share * each for each in evidence)
    return empty, black, orange, neutral


def _added(one: Evidence, other: Evidence) -> Evidence:
    """Return the sum of independent evidence, its best explanation at 0."""
    empty, black, orange, neutral = map(sum, zip(one, other, strict=True))
    best = max(empty, black, orange, neutral)
    return empty - best, black - best, orange - best, neutral - best


MATTERS = 4.0
"""The least change of evidence that is reported, in nats: noise would fill every journal."""

ENOUGH = 12.0
"""An occupant this much worse than the best, in nats (160,000 to 1), is out of the question: that
it becomes worse still is no news."""


class ThinnedSensor:
    """Passes a square on only where its evidence prefers another occupant, or has much changed."""

    def __init__(self, sensor: Sensor, again_s: Sequence[float] = ()) -> None:
        """Thin a sensor; an observation without squares tells that nothing has changed.

        `again_s` are the seconds after the last change at which it does; and before the next one,
        by when nothing had.
        """
        self._sensor = sensor
        self._again_s = again_s
        self._again: Iterator[float] = iter(())
        self._again_at = inf
        self._same_at: float | None = None
        """Time of the last look that showed the same, while that has not been told."""
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
            if news and self._same_at is not None and self._again_s:
                thinned.append(Observation(self._same_at, {}))
            if news or observation.at >= self._again_at:
                thinned.append(Observation(observation.at, news))
                self._again_at, self._same_at = next(self._again, inf), None
            else:
                self._same_at = observation.at
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


BLINK_S = 0.1
"""No hand lifts a piece and puts it back within this time."""


@dataclass(frozen=True, slots=True)
class SquareHistory:
    """The history of one square.

    A switch that opens for a moment under a piece that stands there is weak, or its magnet is.
    Times are seconds on the table clock.
    """

    occupied: bool | None = None
    """None before anything was told, and while it cannot be seen."""
    changes: int = 0
    changed_at: float | None = None
    blinks: int = 0
    """Times it was empty for less than `BLINK_S`."""
    longest_blink_s: float = 0.0

    def after(self, occupied: bool | None, at: float) -> SquareHistory:
        """Return the history with the square's level at a time."""
        if occupied is None or self.occupied is None or occupied is self.occupied:
            return replace(self, occupied=occupied)
        lasted = at - (self.changed_at if self.changed_at is not None else -BLINK_S)
        # Only a gap counts: a piece that is put down for a moment may well be meant.
        is_blink = occupied and lasted < BLINK_S
        return SquareHistory(
            occupied,
            self.changes + 1,
            at,
            self.blinks + is_blink,
            max(self.longest_blink_s, lasted) if is_blink else self.longest_blink_s,
        )


class SquareHistories:
    """The histories of all squares; they want every observation of a sensor."""

    def __init__(self) -> None:
        self.of: list[SquareHistory] = [SquareHistory() for _ in SQUARES]

    def observe(self, observation: Observation) -> None:
        """Take in what a sensor saw."""
        for square, evidence in observation.squares.items():
            level = None if evidence is None else occupancy(evidence)
            self.of[square] = self.of[square].after(level, observation.at)

    @property
    def weak(self) -> list[Square]:
        """The squares that blink, those that blink most first."""
        blinking = [square for square in SQUARES if self.of[square].blinks]
        return sorted(blinking, key=lambda square: -self.of[square].blinks)
