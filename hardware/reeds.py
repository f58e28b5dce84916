"""Debounced contacts: reed switches as a sensor, and buttons.

A change counts at once, its bounce does not. A reed tells a magnet from none, not the pieces apart:
its evidence is the same for all occupied cases. A button is pressed for a moment, or for long.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Literal, TypeAlias

from rules import Square, _

from .matrix import Matrix, Pin, Pins
from .ports import BadWiring, Change, Evidence, Observation, Switch

DEBOUNCE_MS = 6.0
"""Default hold-off in milliseconds: a reed's worst burst is 5 ms."""

LONGEST_MS = 200.0
"""A hold-off above this would hide a piece slid across a square."""


@dataclass(frozen=True, slots=True)
class Bouncing:
    """The bouncing of a switch so far: changes that did not count, and the longest burst."""

    changes: int = 0
    longest_s: float | None = None
    """From the change that counted to the last that did not; None if it was not measured."""


class Debounce:
    """Eager debounce of many switches, each by itself.

    The first change of a settled switch counts at once and starts a hold-off in which that switch's
    further changes are ignored; if its raw level at the end of it is another one, that is a change
    too, then, and is held again. So a lift shows without delay, and a gap of a few milliseconds
    shows as a blip instead of vanishing. Time only runs forward.
    """

    def __init__(self, closed: Iterable[bool], debounce_ms: float = DEBOUNCE_MS) -> None:
        """Start with the levels `closed`, switch by switch, taken as settled.

        Raises BadWiring when `debounce_ms` is not in 0..200.
        """
        if not 0 <= debounce_ms <= LONGEST_MS:
            raise BadWiring(
                _("debounce_ms = {debounce_ms:g}: must be 0..{longest_ms:g}"),
                debounce_ms=debounce_ms,
                longest_ms=LONGEST_MS,
            )
        self._hold_off = debounce_ms / 1000
        self._raw = list(closed)
        self._steady = list(self._raw)
        self._held: dict[Switch, float] = {}
        self.bouncing: dict[Switch, Bouncing] = {}

    @property
    def levels(self) -> tuple[bool, ...]:
        """The steady levels, switch by switch."""
        return tuple(self._steady)

    @property
    def due(self) -> float | None:
        """The time for the next `advance`, in seconds; None while every switch is settled."""
        return min(self._held.values(), default=None)

    def feed(self, change: Change) -> list[Change]:
        """Take in a raw change, and return the steady ones by then, of ended hold-offs too."""
        # Hold-offs that ended before this change come first: their levels are older.
        changes = self.advance(change.at)
        self._raw[change.switch] = change.closed
        if change.switch in self._held:
            before = self.bouncing.get(change.switch, Bouncing())
            lasts = change.at - (self._held[change.switch] - self._hold_off)
            self.bouncing[change.switch] = Bouncing(
                before.changes + 1, max(before.longest_s or 0.0, lasts)
            )
        if change.switch not in self._held and self._steady[change.switch] != change.closed:
            changes.append(self._settle(change.at, change.switch))
        return changes

    def advance(self, now: float) -> list[Change]:
        """Return the changes that count because a hold-off has ended by `now`, oldest first."""
        changes = []
        while self._held:
            ended, switch = min((end, switch) for switch, end in self._held.items())
            if ended > now:
                break
            del self._held[switch]
            if self._raw[switch] != self._steady[switch]:
                changes.append(self._settle(ended, switch))
        return changes

    def _settle(self, at: float, switch: Switch) -> Change:
        self._steady[switch] = self._raw[switch]
        if self._hold_off:
            self._held[switch] = at + self._hold_off
        return Change(at, switch, self._steady[switch])


FALSE_CLOSED = 0.002
"""Share of the steady levels over an empty square that are closed.

So a closed switch says 6 nats, 500 to 1, for a piece.
"""

FALSE_OPEN = 0.01
"""Share of the steady levels under a piece that are open: the commoner error, by weak magnets and
pieces off the middle of their square.

So an open switch says 5 nats, 100 to 1, for an empty square.
"""


def reed_evidence(closed: bool) -> Evidence:
    """Return the log-likelihoods of a level for EMPTY and the three occupied cases."""
    if closed:
        return log(FALSE_CLOSED), *(log(1 - FALSE_OPEN),) * 3
    return log(1 - FALSE_CLOSED), *(log(FALSE_OPEN),) * 3


class Reeds:
    """Debounces raw switch levels and makes them observations; the core of a reed sensor."""

    def __init__(
        self,
        closed: Sequence[bool],
        switch_of: Sequence[Switch],
        debounce_ms: float = DEBOUNCE_MS,
    ) -> None:
        """Start with the raw levels `closed` by switch; `switch_of` is indexed by square.

        Raises BadWiring when two squares share a switch or a switch is not there.
        """
        if len(set(switch_of)) < len(switch_of):
            shared = next(switch for switch in switch_of if switch_of.count(switch) > 1)
            raise BadWiring(
                _("switch {shared} stands under two squares: each needs its own"), shared=shared
            )
        missing = [switch for switch in switch_of if not 0 <= switch < len(closed)]
        if missing:
            raise BadWiring(
                _("switch {switch} is not there: they are 0..{last}"),
                switch=missing[0],
                last=len(closed) - 1,
            )
        self._squares = {switch: Square(square) for square, switch in enumerate(switch_of)}
        self._debounce = Debounce(closed, debounce_ms)
        self._evidence = reed_evidence(False), reed_evidence(True)

    @property
    def due(self) -> float | None:
        """The time for the next `advance`, in seconds; None while every switch is settled."""
        return self._debounce.due

    @property
    def bouncing(self) -> Mapping[Square, Bouncing]:
        """The bouncing of the switches under squares, of those that have bounced."""
        bounced = dict(self._debounce.bouncing).items()
        return {self._squares[switch]: how for switch, how in bounced if switch in self._squares}

    def whole(self, at: float) -> Observation:
        """Return the evidence of every square by the steady levels."""
        levels = self._debounce.levels
        squares = {
            square: self._evidence[levels[switch]] for switch, square in self._squares.items()
        }
        return Observation(at, squares)

    def feed(self, change: Change) -> list[Observation]:
        """Take in one raw change, and return the observations due by then, oldest first."""
        return self._observed(self._debounce.feed(change))

    def advance(self, now: float) -> list[Observation]:
        """Return the observations due by `now` without further changes, oldest first."""
        return self._observed(self._debounce.advance(now))

    def level(self, at: float, switch: Switch) -> Observation:
        """Return the evidence of one switch's square by its steady level."""
        closed = self._debounce.levels[switch]
        return self._observed([Change(at, switch, closed)])[0]

    def unseen(self, at: float, switches: Iterable[int]) -> Observation:
        """Return the observation that the squares of these switches cannot be seen."""
        return Observation(at, {self._squares[Switch(index)]: None for index in switches})

    def _observed(self, changes: Iterable[Change]) -> list[Observation]:
        return [
            Observation(change.at, {self._squares[change.switch]: self._evidence[change.closed]})
            for change in changes
            if change.switch in self._squares
        ]


class ReedSensor:
    """The reed matrix under the board, scanned once at every poll.

    Switches that the matrix doubts are not believed: their squares count as unseen meanwhile.
    """

    def __init__(
        self,
        matrix: Matrix,
        switch_of: Sequence[Switch],
        debounce_ms: float = DEBOUNCE_MS,
    ) -> None:
        """Take the board as it stands at once, so that wrong wiring is refused before play."""
        self._matrix = matrix
        self._levels = matrix.scan()
        self._reeds = Reeds(self._levels, switch_of, debounce_ms)
        self._started = False
        self.doubted: frozenset[int] = frozenset()

    @property
    def bouncing(self) -> Mapping[Square, Bouncing]:
        """The bouncing of the switches under squares, of those that have bounced."""
        return self._reeds.bouncing

    def poll(self, now: float) -> list[Observation]:
        """Scan once, and return what has been seen since the last call, oldest first."""
        observations = [] if self._started else [self._reeds.whole(now)]
        self._started = True
        # Every change of one scan gets the same time. Doubt comes last, since it overrules what the
        # same scan showed of these squares.
        levels = self._matrix.scan()
        for index, (closed, before) in enumerate(zip(levels, self._levels, strict=True)):
            if closed != before:
                observations += self._reeds.feed(Change(now, Switch(index), closed))
        self._levels = levels
        observations += self._reeds.advance(now)
        doubted = self._matrix.doubted(levels)
        if doubted or self.doubted:
            observations += self._believe(now, doubted)
        return observations

    def _believe(self, now: float, doubted: frozenset[int]) -> list[Observation]:
        """Return the squares that cannot be seen now, and those that can be seen again."""
        again = self.doubted - doubted
        self.doubted = doubted
        observations = [self._reeds.level(now, Switch(index)) for index in sorted(again)]
        return (
            [*observations, self._reeds.unseen(now, sorted(doubted))] if doubted else observations
        )


BUTTON_DEBOUNCE_MS = 20.0
LONG_PRESS_S = 3.0
"""A press that lasts this long is a long one."""


Button: TypeAlias = Literal["die", "menu"]


@dataclass(frozen=True, slots=True)
class ButtonPress:
    """A press of a button: a short one when it ends, a long one as soon as it is one."""

    at: float
    button: Button
    is_long: bool


class Buttons:
    """Buttons, each of which joins its pin to ground while it is pressed."""

    def __init__(self, pins: Pins, pin_of: Mapping[Button, Pin]) -> None:
        """Release the pins, and take the buttons as they are: one held from the start is none."""
        self._pins, self._pin_of = pins, dict(pin_of)
        for pin in self._pin_of.values():
            pins.release(pin)
        self._levels = self._read()
        self._debounce = Debounce(self._levels, BUTTON_DEBOUNCE_MS)
        self._since: dict[Button, float] = {}

    def poll(self, now: float) -> list[ButtonPress]:
        """Return the presses since the last call, oldest first."""
        steady: list[Change] = []
        levels = self._read()
        for index, (is_down, before) in enumerate(zip(levels, self._levels, strict=True)):
            if is_down != before:
                steady += self._debounce.feed(Change(now, Switch(index), is_down))
        self._levels = levels
        steady += self._debounce.advance(now)
        buttons, presses = tuple(self._pin_of), list[ButtonPress]()
        for change in steady:
            button = buttons[change.switch]
            if change.closed:
                self._since[button] = change.at
            elif self._since.pop(button, None) is not None:
                presses.append(ButtonPress(change.at, button, is_long=False))
        # A long press counts while the button is still held, so that people see at once that it was
        # taken; its end is no press any more.
        for button, since in list(self._since.items()):
            if now >= since + LONG_PRESS_S:
                del self._since[button]
                presses.append(ButtonPress(since + LONG_PRESS_S, button, is_long=True))
        return presses

    def _read(self) -> list[bool]:
        return [not is_high for is_high in self._pins.read(list(self._pin_of.values()))]
