"""The clocks of two players, as the events of a game move them: a value, pure in every step.

The first ply, or a press, starts the clock. From then on one player's runs, until a ply is made
(or, where buttons are pressed, until the press after it). A time counts to when the hand was done,
so an event may be told a moment after it happened; what lies before the last one counts as then.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil
from typing import Literal, NamedTuple, TypeAlias

from rules import Side

from .agreements import TimeControl, TimeExtra

Stop: TypeAlias = Literal["people", "table", "over"]
"""Why a clock stands that would run: people pause, the table is not ready, the game is over."""

LOW_S = 20.0
"""So little time is low, or a tenth of what there was at first, if that is less."""


class Times(NamedTuple):
    """The seconds of each side."""

    black: float
    orange: float

    def of(self, side: Side) -> float:
        return self.black if side is Side.BLACK else self.orange

    def plus(self, more: Times) -> Times:
        return Times(self.black + more.black, self.orange + more.orange)

    def with_more(self, side: Side, seconds: float) -> Times:
        """Return the times with so many seconds more for a side."""
        if side is Side.BLACK:
            return Times(self.black + seconds, self.orange)
        return Times(self.black, self.orange + seconds)


@dataclass(frozen=True, slots=True)
class Turn:
    """A ply as the clocks saw it."""

    number: int
    began: Times
    """What both clocks showed when its player's time began to run."""
    ended: Times
    """What they showed when it was made, before anything was added."""
    thought_s: float
    """How long the clock ran, the free part of a delay included."""
    shown: float
    """What its player had left in the end."""
    was_running: bool
    """Whether the clock had been started before it."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """Both clocks at one moment."""

    control: TimeControl
    left: Times
    """What each side has left at `at`."""
    at: float
    """That moment, in seconds on the table clock."""
    began: Times
    """What each side had left when the time of who runs began to run."""
    thought_s: float = 0.0
    """How long it has run, the free part of a delay included."""
    running: Side | None = None
    """Whose clock runs, unless something of `stops` makes it stand; None before the start."""
    stops: frozenset[Stop] = frozenset()
    is_made: bool = False
    """Whether the ply of who runs was made, and the button is still to be pressed."""
    is_pressed: bool = False
    """Whether the button was pressed, and the ply is still to be told."""
    turns: tuple[Turn, ...] = ()
    """The plies so far, as far as they stand."""

    @classmethod
    def agreed(cls, control: TimeControl, at: float) -> Clocks:
        """Return the clocks before the start."""
        left = Times(control.main_s, control.main_s)
        return cls(control, left, at, left)

    @property
    def is_running(self) -> bool:
        """Whether time passes for somebody."""
        return self.running is not None and not self.stops

    @property
    def takes_press(self) -> bool:
        """Whether a press means anything: it starts the clock, or buttons end the turns."""
        return self.running is None or self.control.by_buttons

    @property
    def flag_at(self) -> float | None:
        """When the time of who runs will have run out, if nothing happens; None while none runs."""
        if self.running is None or self.stops:
            return None
        return self.at + self.left.of(self.running) + self.free_left_s

    @property
    def free_left_s(self) -> float:
        """How long who runs may still think without using any time."""
        return max(0.0, self._free_s - self.thought_s)

    @property
    def low_s(self) -> float:
        """Less than this is little time."""
        return min(LOW_S, self.control.main_s / 10)

    def is_low(self, side: Side) -> bool:
        return self.left.of(side) < self.low_s

    # What changes them

    def until(self, now: float) -> Clocks:
        """Return the clocks as they stand at `now`; an earlier time changes nothing."""
        if now <= self.at:
            return self
        if self.running is None or self.stops:
            return replace(self, at=now)
        passed, thought = now - self.at, self.thought_s + now - self.at
        cost = max(0.0, thought - self._free_s) - max(0.0, self.thought_s - self._free_s)
        left = self.left.with_more(self.running, -cost)
        if self.control.extra is TimeExtra.HOURGLASS:
            left = left.with_more(self.running.other, passed)
        return replace(self, at=now, left=left, thought_s=thought)

    def stopped(self, stop: Stop, at: float) -> Clocks:
        """Return the clocks standing for one reason more."""
        return replace(self.until(at), stops=self.stops | {stop})

    def released(self, stop: Stop, at: float) -> Clocks:
        """Return the clocks standing for one reason less."""
        return replace(self.until(at), stops=self.stops - {stop})

    def skipped(self, to: float) -> Clocks:
        """Return the clocks at a time before which none has run since they were last looked at."""
        return replace(self, at=to)

    def made(self, number: int, at: float) -> Clocks:
        """Return the clocks after ply `number` was made; of an answer that was counted before."""
        if self.turns and number <= self.turns[-1].number:
            return self.until(at)
        clocks, mover = self.until(at), side_of(number)
        if clocks.running is mover.other:  # who replies takes the ply before for made
            clocks = clocks._handed_over()
        was_running = clocks.running is not None
        turn = Turn(
            number,
            clocks.began,
            clocks.left,
            clocks.thought_s,
            clocks.left.of(mover),
            was_running,
        )
        clocks = replace(clocks, turns=(*clocks.turns, turn))
        if self.control.by_buttons and not (was_running and self.is_pressed):
            return replace(clocks, is_made=was_running)
        return clocks._handed_over() if was_running else clocks._begun(mover.other)

    def pressed(self, at: float, to_move: Side) -> Clocks:
        """Return the clocks after a press; one before the ply is told waits for it."""
        clocks = self.until(at)
        if clocks.running is None:
            return clocks._begun(to_move)
        return clocks._handed_over() if clocks.is_made else replace(clocks, is_pressed=True)

    def taken_back(self, number: int, at: float, gives_all: bool) -> Clocks:
        """Return the clocks without ply `number`, taken back at `at`.

        What ran since it was made is given back, and what it added is gone; with `gives_all` what
        its player had thought about it is given back, too.
        """
        turn = next((turn for turn in self.turns if turn.number == number), None)
        clocks = replace(self.until(at), stops=self.stops - {"over"})
        if turn is None:
            return clocks if clocks.running is None else clocks._begun(side_of(number))
        return replace(
            clocks,
            is_made=False,
            is_pressed=False,
            left=turn.began if gives_all else turn.ended,
            began=turn.began,
            thought_s=0.0 if gives_all else turn.thought_s,
            running=side_of(number) if turn.was_running else None,
            turns=self.turns[: self.turns.index(turn)],
        )

    def corrected(self, to_move: Side, at: float) -> Clocks:
        """Return the clocks where play goes on from another position."""
        clocks = replace(self.until(at), turns=(), stops=self.stops - {"over"})
        return clocks if clocks.running is None else clocks._begun(to_move)

    def shown(self, left: Times, at: float) -> Clocks:
        """Return the clocks set to what they show; a take-back later does not undo that."""
        clocks = self.until(at)
        more = Times(left.black - clocks.left.black, left.orange - clocks.left.orange)
        if not any(more):
            return clocks
        turns = tuple(
            replace(turn, began=turn.began.plus(more), ended=turn.ended.plus(more))
            for turn in clocks.turns
        )
        return replace(clocks, left=left, began=clocks.began.plus(more), turns=turns)

    @property
    def _free_s(self) -> float:
        """How much of each ply's thought costs nothing."""
        return self.control.extra_s if self.control.extra is TimeExtra.DELAY else 0.0

    def _begun(self, side: Side) -> Clocks:
        return replace(
            self,
            running=side,
            began=self.left,
            thought_s=0.0,
            is_made=False,
            is_pressed=False,
        )

    def _handed_over(self) -> Clocks:
        """Return the clocks after the turn of who runs, with what that adds."""
        side = self.running
        assert side is not None
        added = 0.0
        if self.control.extra is TimeExtra.INCREMENT:
            added = self.control.extra_s
        elif self.control.extra is TimeExtra.BRONSTEIN:
            added = min(self.control.extra_s, self.thought_s)
        left = self.left.with_more(side, added)
        turns = self.turns
        if turns and side_of(turns[-1].number) is side:
            last = replace(
                turns[-1], ended=self.left, thought_s=self.thought_s, shown=left.of(side)
            )
            turns = (*turns[:-1], last)
        return replace(self, left=left, turns=turns)._begun(side.other)


def side_of(number: int) -> Side:
    """Return whose ply has a number: Black's are odd."""
    return Side.BLACK if number % 2 else Side.ORANGE


def format_seconds(seconds: float) -> str:
    """Write a time as a clock shows it: `1:02:03`, `9:58`, and below ten seconds `0:09.8`.

    A time that has not run out is never shown as nothing.
    """
    tenths = max(ceil(seconds * 10 - 1e-6), 0)
    if 0 < tenths < 100:
        return f"0:0{tenths / 10:.1f}"
    minutes, rest = divmod(max(ceil(seconds - 1e-6), 0), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
