"""A table without hardware: simulated switches under the real scan, and hands that touch them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Protocol

from hardware.ports import RGB, Observation, Sensor
from hardware.simulated_contacts import Fault
from rules import SQUARES, Position, Square, format_square, parse_square

from .errors import TableError
from .events import Question
from .repair import letters
from .simulation.board import SimulatedBoard, play_on
from .simulation.game import SimulatedGame
from .simulation.presets import Preset
from .simulation.world import Magnet

BETWEEN_S = 0.4
"""From one touch of a typed hand to its next."""

PASS_S = 0.12
"""How long a piece that is slid rests on a square of its way."""

LIES_S = 3.0
"""How long a piece that is knocked over lies beside its square."""

FAULTS_AT_S = (30.0, 180.0)
"""When a simulated switch fails, from the beginning of a game."""


class HandRefused(TableError, ValueError):
    """Something no hand can do, as to lift from an empty square."""


class LightsSeen:
    """Lamps that are looked at: the last lights shown."""

    def __init__(self) -> None:
        self.lights: Sequence[RGB] = ()

    def show(self, lights: Sequence[RGB]) -> None:
        self.lights = lights


class Hands(Protocol):
    """Whoever touches the board as time goes on."""

    def play(self, now: float) -> None:
        """Touch the board up to `now`."""
        ...


class TouchedSensor:
    """The sensor of a simulated board, whose hands move while it is looked at."""

    def __init__(self, hands: Hands, sensor: Sensor) -> None:
        self._hands, self._sensor = hands, sensor

    def poll(self, now: float) -> Iterable[Observation]:
        self._hands.play(now)
        return self._sensor.poll(now)


class TypedHands:
    """Hands that do what is typed; they know the pieces, which the table's switches do not.

    `standing` is what stands where, `in_hand` what is held, longest first, `box` what has been
    taken, all by the letters of position texts.
    """

    def __init__(self, board: SimulatedBoard, standing: Mapping[Square, str]) -> None:
        self.standing = dict(standing)
        self.in_hand: list[str] = []
        self.box: list[str] = []
        self._board = board
        self._free_at = 0.0

    def play(self, now: float) -> None:
        self._board.advance(now)

    def lift(self, square: Square, now: float) -> None:
        """Take up what stands on a square; HandRefused if nothing does."""
        if square not in self.standing:
            raise HandRefused(f"nothing stands on {format_square(square)}")
        self.in_hand.append(self.standing.pop(square))
        self._board.lift(self._next(now), square)

    def put(self, square: Square, now: float, letter: str | None = None) -> None:
        """Put down what was lifted last, or the piece of that letter, from the hand or the box."""
        if square in self.standing:
            raise HandRefused(f"{format_square(square)} is taken: lift what stands there first")
        source = self.in_hand
        if letter is not None and letter not in source:
            source = self.box
        letter = letter or (source[-1] if source else None)
        if letter is None:
            raise HandRefused(f"{format_square(square)} is empty, and so are hand and box")
        if letter not in source:
            raise HandRefused(f"no {letter} is in the hand or the box")
        source.remove(letter)
        self.standing[square] = letter
        self._board.put(self._next(now), square)

    def move(self, way: Sequence[Square], now: float) -> None:
        """Take a piece from the first square of its way to the last, over those between.

        What stands on the last square goes to the box; over others that are taken it is lifted.
        """
        victim = way[-1]
        self.lift(way[0], now)
        for square in way[1:-1]:
            if square not in self.standing:
                self._board.put(self._next(now), square)
                self._free_at += PASS_S - BETWEEN_S
                self._board.lift(self._next(now), square)
        if victim in self.standing:
            self.lift(victim, now)
            self.box.append(self.in_hand.pop())
        self.put(victim, now)

    def drop(self) -> None:
        """Put what is in the hand into the box."""
        if not self.in_hand:
            raise HandRefused("the hand is empty")
        self.box += self.in_hand
        self.in_hand.clear()

    def tilt(self, square: Square, now: float) -> None:
        """Knock a piece over; it is set up again after a while."""
        if square not in self.standing:
            raise HandRefused(f"nothing stands on {format_square(square)}")
        at = self._next(now)
        self._board.lift(at, square)
        self._board.put(at + LIES_S, square)

    def fail(self, square: Square, fault: Fault | None, now: float) -> None:
        """Let a square's switch fail, or mend it."""
        self._board.fail(self._next(now), square, fault)

    def set_up(self, position: Position, now: float) -> None:
        """Put all pieces as a position has them."""
        wanted = letters(position)
        for square in SQUARES:
            if self.standing.get(square) == wanted.get(square):
                continue
            if square in self.standing:
                self._board.lift(self._next(now), square)
            if square in wanted:
                self._board.put(self._next(now), square)
        self.standing = wanted
        self.in_hand.clear()
        self.box.clear()

    def _next(self, now: float) -> float:
        """Return when the next touch is made: a hand does one thing after another."""
        self._free_at = max(self._free_at, now) + BETWEEN_S
        return self._free_at


class AutoHands:
    """Two simulated people at the table, from a seed."""

    def __init__(self, start: Position, preset: Preset, seed: int, now: float) -> None:
        """Sit down at `start`, when the clock shows `now`, to play as `preset` says."""
        rng = Random(f"table {seed}")
        self.game = SimulatedGame(start, preset.habits, seed, now)
        standing = sorted(self.game.world.standing)
        weak = rng.choice(standing)
        weak_magnet = weak if preset.weak == "magnet" else None
        self.board = SimulatedBoard(standing, rng, begins=now, weak_magnet=weak_magnet)
        if weak_magnet is not None:
            self.game.world.weak = Magnet(weak_magnet)
        if preset.weak == "switch":
            self.board.weaken(weak)
        if preset.fault:
            at = now + rng.uniform(*FAULTS_AT_S) * preset.habits.pace
            self.board.fail(at, rng.choice(SQUARES), preset.fault)

    def play(self, now: float) -> None:
        play_on(self.game, self.board, now)
        if self.game.awaits_roll:
            self.game.go_on()

    def asked(self, question: Question) -> Square:
        """Return what the players say when they are asked: where something went, or came from."""
        number = question.number
        if not question.is_ply:
            rolls = reversed(self.game.juggernaut_rows)
            return parse_square(next(row.to for row in rolls if row.after_ply == number))
        ply = next(row for row in reversed(self.game.rows) if row.ply == number)
        return parse_square(ply.from_ if question.from_square is None else ply.to)
