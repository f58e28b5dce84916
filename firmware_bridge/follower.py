"""Follows the board's events by their numbers, and mends what was lost on the way."""

from collections.abc import Sequence
from dataclasses import dataclass

from .messages import SwitchEvent
from .mirror import SwitchLevel

TURN = 1 << 16
"""Events are numbered in 16 bits."""

PATIENCE_S = 0.05
"""A repetition that was asked for has come by then, or is asked for again."""

MOST_ASKED = 3
"""Times a repetition is asked for before the next snapshot is taken as it stands."""


@dataclass(frozen=True, slots=True)
class LevelChange:
    """A switch's new level, by its index, and when that was on the board's clock."""

    switch_index: int
    level: SwitchLevel
    at_us: int


class LevelFollower:
    """The board's levels as its events make them. None counts twice, out of order, or is left out.

    A gap is mended by a repetition; where the board keeps the events no more, by a snapshot, whose
    differences count as changes.
    """

    def __init__(self) -> None:
        self.levels: tuple[SwitchLevel, ...] | None = None
        """By switch; None before the first snapshot."""
        self.healed = 0
        """How many changes only a snapshot told."""
        self.repeats = 0
        """How often events were asked for again."""
        self._next = 0
        self._is_behind = False
        self._asked = 0
        self._asked_at = 0.0
        self._awaits_snapshot = False

    @property
    def is_whole(self) -> bool:
        """Whether nothing is known to be missing."""
        return not (self._is_behind or self._awaits_snapshot)

    def restart(self) -> None:
        """The board has started anew: its numbers begin at 0, the next snapshot is the truth."""
        self._next = 0
        self._awaits_snapshot = True

    def event(self, event: SwitchEvent) -> list[LevelChange]:
        """Take in an event, and return the change; none for one whose turn has not come, or has."""
        if self.levels is None or self._awaits_snapshot:
            return []
        ahead = (event.number - self._next) % TURN
        if ahead >= TURN // 2:
            return []  # taken in already
        if ahead:
            self._is_behind = True
            return []
        self._next = (self._next + 1) % TURN
        self._asked = 0
        self._is_behind = False
        return self._changes({event.switch_index: SwitchLevel(event.level)}, event.at_us)

    def snapshot(
        self, levels: Sequence[SwitchLevel], next_number: int, at_us: int
    ) -> list[LevelChange]:
        """Take in a snapshot: it proves that nothing is missing, or mends what is."""
        if self.levels is None:
            self.levels = tuple(levels)
            self._caught_up(next_number)
            return []
        if next_number != self._next and not self._awaits_snapshot:
            self._is_behind = True
            return []
        changes = self._changes(dict(enumerate(levels)), at_us)
        self.healed += len(changes)
        self._caught_up(next_number)
        return changes

    def gone(self) -> None:
        """The board keeps the events asked for no more: the next snapshot is taken as it stands."""
        self._awaits_snapshot = True

    def wants_repeat(self, now: float) -> int | None:
        """Return the number from which events are to be repeated, if that is to be asked now."""
        if not self._is_behind or self._awaits_snapshot:
            return None
        if self._asked and now < self._asked_at + PATIENCE_S:
            return None
        if self._asked == MOST_ASKED:
            self._awaits_snapshot = True
            return None
        self._asked += 1
        self.repeats += 1
        self._asked_at = now
        return self._next

    def _caught_up(self, next_number: int) -> None:
        self._next = next_number
        self._asked = 0
        self._is_behind = self._awaits_snapshot = False

    def _changes(self, new_levels: dict[int, SwitchLevel], at_us: int) -> list[LevelChange]:
        assert self.levels is not None
        levels = list(self.levels)
        changes = []
        for index, level in new_levels.items():
            if levels[index] is not level:
                levels[index] = level
                changes.append(LevelChange(index, level, at_us))
        self.levels = tuple(levels)
        return changes
