"""A board that somebody has wired as it came, and who puts one piece after another on it.

Modelled: rows and columns of the matrix in any order, the board mirrored or turned under them, a
chain of lamps from any corner or in any order, dead and stuck switches, bounce. Not modelled:
wires that touch, missing diodes, and lamps that fail.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from hardware.debounce import Bouncing
from hardware.matrix import Matrix
from hardware.ports import RGB, Observation
from hardware.reed_sensor import ReedSensor
from hardware.simulated_contacts import ContactFault, Contacts
from hardware.simulated_matrix import SimulatedMatrix
from hardware.switches import Switch
from rules import SQUARES, Square, format_square, parse_square

from ..lamps.lights import OFF, Lamp
from ..simulation.board import COLUMNS, ROWS
from .chain import USUAL

REACH_S, REST_S = 1.2, 0.8
"""How long the piece takes to a square, and how long it stands there."""

VAIN_S = 4.0
"""After so long without a word from the table, nothing has happened."""

ANSWERS = ("row ", "Zeile ")
ASKING = re.compile(r"\d+\. ")
SQUARE = re.compile(r"\b[a-j](10|[1-9])\b")


@dataclass(frozen=True, slots=True)
class TrueWiring:
    """How a simulated board is wired, by square; `faults` are switches that fail.

    `weak` ones lose a piece for moments.
    """

    switch_of: Sequence[Switch]
    lamp_of: Sequence[Lamp]
    faults: Mapping[Square, ContactFault] = field(default_factory=dict)
    weak: Collection[Square] = ()

    @classmethod
    def drawn(
        cls, rng: Random, dead: int = 1, stuck: int = 0, is_any_chain: bool = False
    ) -> TrueWiring:
        """Draw one: wires in any order, a usual chain of lamps, or `is_any_chain`."""
        rows, columns = rng.sample(range(10), 10), rng.sample(range(10), 10)
        is_turned = rng.random() < 0.5
        places = (divmod(square, 10)[:: -1 if is_turned else 1] for square in SQUARES)
        switch_of = tuple(Switch(rows[along] * 10 + columns[across]) for along, across in places)
        chain = tuple(rng.sample(SQUARES, 100)) if is_any_chain else rng.choice(USUAL)
        lamp_at = {square: Lamp(n) for n, square in enumerate(chain)}
        failing = rng.sample(SQUARES, dead + stuck)
        faults = dict.fromkeys(failing[:dead], ContactFault.DEAD)
        faults |= dict.fromkeys(failing[dead:], ContactFault.STUCK_CLOSED)
        return cls(switch_of, tuple(lamp_at[square] for square in SQUARES), faults)


def lit_square(lights: Sequence[RGB], wiring: TrueWiring) -> Square | None:
    """Return the square that is lit, None where all are dark."""
    lit = [Lamp(n) for n, colour in enumerate(lights) if colour != OFF]
    return Square(wiring.lamp_of.index(lit[0])) if lit else None


class Bench(Protocol):
    """A board under somebody's hands and eyes."""

    @property
    def now(self) -> float:
        """The time, in seconds."""
        ...

    def lit(self) -> Square | None:
        """Return the square that is lit."""
        ...

    def put(self, at: float, square: Square, rest_s: float) -> None:
        """Put a piece on a square at `at` seconds, and take it off again after `rest_s`."""
        ...


class WiredBoard:
    """The board as its driver has it: square n stands for switch n, and lamps as they are wired."""

    def __init__(self, wiring: TrueWiring, rng: Random, standing: Iterable[Square] = ()) -> None:
        """Wire it; pieces stand on the squares of `standing`."""
        self.wiring = wiring
        self.lights: Sequence[RGB] = ()
        self.now = 0.0
        self._began: float | None = None
        self._contacts = Contacts(len(SQUARES), rng)
        for square in standing:
            self._contacts.stand(wiring.switch_of[square])
        for square in wiring.weak:
            self._contacts.weaken(wiring.switch_of[square])
        for square, fault in wiring.faults.items():
            self._contacts.fail(0.0, wiring.switch_of[square], fault)
        self._contacts.until(0.0)
        pins = SimulatedMatrix(self._contacts, ROWS, COLUMNS, rng)
        self._sensor = ReedSensor(
            Matrix(pins, ROWS, COLUMNS, pins.wait), tuple(map(Switch, SQUARES))
        )

    def poll(self, now: float) -> Iterable[Observation]:
        self._began = now if self._began is None else self._began
        self.now = now
        self._contacts.until(now - self._began)
        return self._sensor.poll(now)

    def show(self, lights: Sequence[RGB]) -> None:
        self.lights = tuple(lights)

    def close(self) -> None:
        """There is nothing to let go of."""

    def put(self, at: float, square: Square, rest_s: float) -> None:
        """Put a piece on a square at `at` seconds, and take it off again after `rest_s`."""
        self.touch(at, square, near=True)
        self.touch(at + rest_s, square, near=False)

    def touch(self, at: float, square: Square, near: bool) -> None:
        """Let a piece come to a square, or leave it, at `at` seconds."""
        at -= self._began or 0.0
        self._contacts.move(at, self.wiring.switch_of[square], near)

    @property
    def bouncing(self) -> Mapping[Square, Bouncing]:
        """How the switches have bounced, by the square that each is taken for."""
        return self._sensor.bouncing

    def lit(self) -> Square | None:
        """Return the square that is lit."""
        return lit_square(self.lights, self.wiring)


class Builder:
    """Somebody who does what the wizard says: reads its lines, sees the lamps, moves one piece.

    `errs_at` are the placings, counted from 1, that go to a wrong square.
    """

    def __init__(self, board: Bench, rng: Random, errs_at: Collection[int] = ()) -> None:
        self._board, self._rng, self._errs_at = board, rng, errs_at
        self._lines = [""]  # the board is empty
        self._asked: Square | None = None
        self._speaks_at: float | None = None
        self._has_spoken = False
        self.placings = 0

    def hear(self, line: str) -> None:
        """Take in a line of the wizard's: one with a number asks for a piece on a square."""
        if ASKING.match(line) is None:
            if line.startswith(ANSWERS):
                self._speaks_at = None
            return
        named = SQUARE.search(line.partition("(")[0])
        wanted = self._board.lit() if named is None else parse_square(named[0])
        assert wanted is not None
        self._asked, self._has_spoken = wanted, False
        self.placings += 1
        if self.placings in self._errs_at:
            wanted = self._rng.choice([other for other in SQUARES if other != wanted])
        self._board.put(self._board.now + REACH_S, wanted, REST_S)
        self._speaks_at = self._board.now + VAIN_S

    def read(self) -> list[str]:
        """Return what is typed: an empty line where nothing happens, then the square's name."""
        if self._speaks_at is not None and self._board.now >= self._speaks_at:
            is_first = not self._has_spoken
            self._lines.append(
                "" if is_first or self._asked is None else format_square(self._asked)
            )
            self._speaks_at = self._board.now + VAIN_S if is_first else None
            self._has_spoken = True
        typed, self._lines = self._lines, []
        return typed
