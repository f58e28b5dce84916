"""A camera over a simulated board: what it would see of the same hands, and when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from hardware.ports import Evidence, Observation
from rules import SQUARES, Occupant, Position, Square

from ..reading.jetan_game import occupants_of
from .world import Magnet, MagnetTouch


@dataclass(frozen=True, slots=True)
class CameraHabits:
    """How a camera sees; times in seconds, evidence in nats. Pairs are drawn from evenly."""

    frame: float = 0.2
    """From one frame to the next."""
    before: float = 0.25
    """A hand is in the picture from so long before a touch..."""
    after: float = 0.45
    """... until so long after it,"""
    carried: float = 3.0
    """and as long as it carries a piece, if not for longer than this."""
    delay: float = 0.12
    """From a frame to the observation made of it."""
    misread: float = 0.005
    """The share of pieces put down, and of squares left, that is taken for something else as long
    as nothing changes there."""
    sure: tuple[float, float] = (15.0, 25.0)
    """By how much what is seen is ahead of everything else."""
    unsure: tuple[float, float] = (1.0, 12.0)
    """The same where it is misread."""


class SimulatedCamera:
    """Tells whole looks at a board from `start`, which `touches` change, up to `until` seconds.

    It is `gone` from and until the times of that pair, if it is given.
    """

    def __init__(
        self,
        start: Position,
        touches: Sequence[MagnetTouch],
        until: float,
        rng: Random,
        habits: CameraHabits | None = None,
        gone: tuple[float, float] | None = None,
    ) -> None:
        self._habits = habits or CameraHabits()
        self._owners = dict(enumerate(occupants_of(start)))
        self._touches = sorted(touches, key=lambda touch: touch.at)
        self._covered = self._covers()
        self._gone, self._until, self._rng = gone, until, rng
        self._frame_at = 0.0
        self._next_touch = self._next_cover = 0
        self._standing = {s: Magnet(s) for s, owner in self._owners.items() if owner}
        self._evidence: dict[Square, Evidence] = {
            square: self._look_at(square) for square in SQUARES
        }
        self._is_dark = False

    @property
    def due(self) -> float | None:
        """When the next frame arrives, in seconds; None after the last."""
        at = self._frame_at + self._habits.delay
        return at if at <= self._until else None

    def poll(self, now: float) -> list[Observation]:
        """Return the frames that have arrived since the last call, and showed the board."""
        observations = []
        while self.due is not None and self.due <= now:
            observations += self._frame(self._frame_at)
            self._frame_at += self._habits.frame
        return observations

    def _frame(self, at: float) -> list[Observation]:
        self._move_on(at)
        if self._gone is not None and self._gone[0] <= at < self._gone[1]:
            if self._is_dark:
                return []
            self._is_dark = True
            return [Observation(at, dict.fromkeys(SQUARES))]
        self._is_dark = False
        return [] if self._is_covered(at) else [Observation(at, dict(self._evidence))]

    def _move_on(self, at: float) -> None:
        while self._next_touch < len(self._touches) and self._touches[self._next_touch].at <= at:
            touch = self._touches[self._next_touch]
            self._next_touch += 1
            assert touch.magnet is not None
            if touch.near:
                self._standing[touch.square] = touch.magnet
            elif self._standing.get(touch.square) == touch.magnet:
                del self._standing[touch.square]
            self._evidence[touch.square] = self._look_at(touch.square)

    def _look_at(self, square: Square) -> Evidence:
        magnet = self._standing.get(square)
        shown = Occupant.EMPTY if magnet is None else Occupant(self._owners[magnet])
        doubt = self._habits.sure
        if self._next_touch and self._rng.random() < self._habits.misread:
            others = [Occupant.EMPTY, Occupant.BLACK, Occupant.ORANGE]
            shown = self._rng.choice([other for other in others if other is not shown])
            doubt = self._habits.unsure
        empty, black, orange, neutral = (
            0.0 if other is shown else -self._rng.uniform(*doubt) for other in Occupant
        )
        return empty, black, orange, neutral

    def _covers(self) -> list[tuple[float, float]]:
        """Return from and until when a hand is in the picture, in order."""
        habits = self._habits
        spans = []
        lifted: dict[Magnet, float] = {}
        for touch in self._touches:
            assert touch.magnet is not None
            begun = lifted.pop(touch.magnet, touch.at) if touch.near else touch.at
            if touch.at > begun + habits.carried:
                begun = touch.at
            if not touch.near:
                lifted[touch.magnet] = touch.at
            spans.append((begun - habits.before, touch.at + habits.after))
        return sorted(spans, key=lambda span: span[1])

    def _is_covered(self, at: float) -> bool:
        while (
            self._next_cover < len(self._covered) and self._covered[self._next_cover][1] <= at - 10
        ):
            self._next_cover += 1
        near = self._covered[self._next_cover : self._next_cover + NEARBY]
        return any(begun <= at < ended for begun, ended in near)


NEARBY = 60
"""Touches that may bear on one frame: more are not made within its seconds."""
