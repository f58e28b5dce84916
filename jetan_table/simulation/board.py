"""A simulated board for live play: magnets over contacts under the real scan."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from random import Random
from typing import Protocol

from hardware.debounce import DEBOUNCE_MS
from hardware.matrix import Matrix, Pin
from hardware.ports import Sensor
from hardware.reed_sensor import ReedSensor
from hardware.simulated_contacts import ContactFault, Contacts, Wear
from hardware.simulated_matrix import SimulatedMatrix
from hardware.switches import Change, Switch
from rules import SQUARES, Square

from .game import SimulatedGame
from .world import MagnetTouch

ROWS = tuple(Pin(number) for number in range(10))
COLUMNS = tuple(Pin(number) for number in range(10, 20))
SWITCH_OF = tuple(Switch(square) for square in SQUARES)

LOOK_AHEAD = 1.0
"""Seconds by which a hand's next touches are known before they are made."""


class Switched(Protocol):
    """What closes switches: a simulated board, or somebody's fingers."""

    listener: Callable[[Iterable[Change], float], None] | None
    """Gets what changes, and until when, on the table clock, that is all."""

    @property
    def closed(self) -> Sequence[bool]:
        """Return of each switch whether it is closed."""
        ...


class SwitchSource(Switched, Protocol):
    """One that a table's own sensor can look at."""

    def sensor(self, debounce_ms: float = DEBOUNCE_MS) -> Sensor:
        """Return what sees its switches."""
        ...


class SimulatedBoard:
    """One hundred squares that can be touched; `sensor` sees them through the real scan.

    `listener` gets every raw change of a contact as time runs, and until when that is all.
    """

    def __init__(
        self,
        occupied: Iterable[Square],
        rng: Random,
        wear: Wear | None = None,
        *,
        begins: float = 0.0,
        weak_magnet: Square | None = None,
    ) -> None:
        """Set pieces on the `occupied` squares, at `begins` seconds; one magnet may be weak."""
        self.listener: Callable[[Iterable[Change], float], None] | None = None
        self._begins = begins
        self._contacts = Contacts(len(SQUARES), rng, wear)
        for square in occupied:
            self._contacts.stand(SWITCH_OF[square], weak=square == weak_magnet)
        self._pins = SimulatedMatrix(self._contacts, ROWS, COLUMNS, rng)

    @property
    def closed(self) -> tuple[bool, ...]:
        """Which contacts are closed, as of the last `advance`."""
        return self._contacts.closed

    @property
    def due(self) -> float | None:
        """When a contact changes next, in seconds, as far as the touches made so far go."""
        due = self._contacts.due
        return None if due is None else due + self._begins

    def sensor(self, debounce_ms: float = DEBOUNCE_MS) -> ReedSensor:
        """Return the table's own reed sensor over this board's pins."""
        return ReedSensor(
            Matrix(self._pins, ROWS, COLUMNS, self._pins.wait), SWITCH_OF, debounce_ms
        )

    def touch(self, touch: MagnetTouch) -> None:
        """Let a magnet come or go at the touch's own time, which must not have passed."""
        switch = SWITCH_OF[touch.square]
        self._contacts.move(touch.at - self._begins, switch, touch.near, touch.weak)

    def lift(self, at: float, square: Square) -> None:
        """Lift what stands on a square."""
        self.touch(MagnetTouch(at, square, near=False, weak=False))

    def put(self, at: float, square: Square) -> None:
        """Put a piece down on a square."""
        self.touch(MagnetTouch(at, square, near=True, weak=False))

    def weaken(self, square: Square, at: float | None = None) -> None:
        """Make a square's switch a weak one; without a time, before time runs."""
        self._contacts.weaken(SWITCH_OF[square], 0.0 if at is None else at - self._begins)

    def fail(self, at: float, square: Square, fault: ContactFault | None) -> None:
        """Let a square's switch fail; None mends it."""
        self._contacts.fail(at - self._begins, SWITCH_OF[square], fault)

    def advance(self, now: float) -> None:
        """Let time run to `now`, in seconds."""
        changes = self._contacts.until(now - self._begins)
        if self.listener is not None:
            begins = self._begins
            self.listener((replace(change, at=change.at + begins) for change in changes), now)


def play_on(game: SimulatedGame, board: SimulatedBoard, now: float) -> None:
    """Let simulated players touch the board up to `now`, in seconds.

    With a Juggernaut they stop after each ply: the table rolls, and `game.move_juggernaut` follows.
    In the arena they stop where a fight begins, until `game.end_fight`.
    """
    while game.outcome is None and game.quiet_from <= now + LOOK_AHEAD and not game.is_waiting:
        game.play_ply()
        if not game.is_waiting:
            game.go_on()
    for touch in game.world.take_touches():
        board.touch(touch)
    board.advance(now)
