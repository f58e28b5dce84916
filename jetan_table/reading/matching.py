"""Accounting for the changes of a trace, step by step, and weighing what is left over."""

from __future__ import annotations

import math

from rules import squares_of

from . import costs as w
from .scene import Scene


class TraceMatcher:
    """The changes still to be accounted for, square by square; taken from the latest backwards."""

    def __init__(self, scene: Scene, undone: int) -> None:
        self._scene = scene
        self._changes = {
            square: list(times)
            for square, times in scene.trace.changes.items()
            if not scene.ignored >> square & 1
        }
        self._undone = undone
        self.leftover = 0.0

    def take_standing(self, differs: int) -> dict[int, float] | None:
        """Take the changes by which the squares of the mask `differs` came to stand as they do.

        None where one has none: then no steps lead to a position from which the board so differs.
        """
        since: dict[int, float] = {}
        for square in squares_of(differs):
            times = self._changes.get(square)
            if not times:
                return None
            since[square] = times.pop()
        return since

    def take_move(
        self, source: int, target: int, until: float
    ) -> tuple[float | None, float | None]:
        """Take when a piece left `source` and when it came down on the empty `target`."""
        down_at = self.take(target, until, occupied=False)
        by = until if down_at is None else down_at + self._scene.pace * w.OVERLAP_SLIDE_S
        left_at = self.take(source, by, occupied=True)
        return (None if left_at is not None and left_at > by else left_at), down_at

    def take(self, square: int, until: float, *, occupied: bool) -> float | None:
        """Take the last change away from the level `occupied`, not after `until` if there is one.

        None where there is no such change. What came after it on this square is left over.
        """
        times = self._changes.get(square, [])
        found: int | None = None
        for at in range(len(times) - 1, -1, -1):
            if self._was_occupied(square, at) is occupied:
                found = at if found is None or times[found] > until else found
                if times[at] <= until:
                    break
        if found is None:
            return None
        limit = w.FLICKER_S * self._scene.pace
        weak = self._scene.flickering >> square & 1
        while not occupied and found > 1 and times[found] - times[found - 1] < limit:
            self.leftover += w.FLICKER if weak else w.WOBBLE  # it had come down before
            del times[found - 1 : found + 1]
            found -= 2
        moment = times[found]
        self._leave_over(square, found + 1)
        del times[found:]
        return moment

    def take_capture(
        self, source: int, target: int, until: float
    ) -> tuple[float | None, tuple[float, float] | None]:
        """Take what a capture showed: when the attacker left, and the gap on the victim's square.

        The gap is the first after the attacker left that is longer than a flicker, else the
        longest; None where the square was never seen empty then. Where nobody saw the attacker
        leave it is the last one: those before may have been of other captures.
        """
        if self._scene.ignored >> source & 1:
            return None, self._take_gap(target, -math.inf, until, is_last=True)
        times = self._changes.get(source, [])
        departures = [
            at
            for at in range(len(times) - 1, -1, -1)
            if self._was_occupied(source, at) and times[at] <= until
        ]
        if not departures:
            return None, None
        slack = self._scene.pace * w.OVERLAP_SLIDE_S
        gap, chosen = None, departures[0]
        for at in departures:
            # What ends as the attacker is lifted was another's capture, if there is a later gap.
            gap = self._take_gap(target, times[at] + slack, until)
            gap = gap or self._take_gap(target, times[at] - slack, until)
            if gap:
                chosen = at
                break
        left_at = times[chosen]
        self._leave_over(source, chosen + 1)
        del times[chosen:]
        return left_at, gap

    def _take_gap(
        self, square: int, since: float, until: float, *, is_last: bool = False
    ) -> tuple[float, float] | None:
        times = self._changes.get(square, [])
        best: int | None = None
        for at in range(len(times) - 1)[:: -1 if is_last else 1]:
            if not self._was_occupied(square, at) or not since <= times[at + 1] <= until:
                continue
            length = times[at + 1] - times[at]
            if best is None or length > times[best + 1] - times[best]:
                best = at
            if length >= w.FLICKER_S * self._scene.pace:
                break
        if best is None:
            return None
        gap = times[best], times[best + 1]
        self._leave_over(square, best + 2)
        del times[best:]
        return gap

    def close(self) -> None:
        """Leave over all that has not been taken."""
        for square in self._changes:
            self._leave_over(square, 0)

    def by_square(self) -> dict[int, float]:
        """Return what each square's changes cost where no step accounts for them."""
        return {square: self._cost(square, 0) for square in self._changes}

    def _was_occupied(self, square: int, at: int) -> bool:
        return bool(self._scene.trace.base >> square & 1) is not bool(at & 1)

    def _leave_over(self, square: int, first: int) -> None:
        self.leftover += self._cost(square, first)

    def _cost(self, square: int, first: int) -> float:
        """Weigh the changes of a square from the `first` on: they come in pairs."""
        times = self._changes[square]
        pace = self._scene.pace
        cost = 0.0
        for at in range(first, len(times) - 1, 2):
            length = times[at + 1] - times[at]
            was_occupied = self._was_occupied(square, at)
            if self._undone >> square & 1 or (not was_occupied and length < w.PASSING_S * pace):
                cost += w.TRANSIT
            elif was_occupied and length < w.FLICKER_S * pace:
                weak = self._scene.flickering >> square & 1
                cost += w.FLICKER if weak else w.BLIP
            else:
                cost += w.TOUCH + (w.LONG_AIR if length > self._scene.rise_s else 0.0)
        return cost
