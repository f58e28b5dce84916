"""Somebody who has wired a board as it came, and puts one piece after another on it.

Modelled: rows and columns of the matrix in any order, the board mirrored or turned under them, a
chain of lamps from any corner or in any order, dead and stuck switches. Not modelled: wires that
touch, missing diodes, and lamps that fail.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from random import Random

from hardware.switches import FaultKind, Switch
from rules import SQUARES, Square, format_square, parse_square

from ..lamps.lights import Lamp
from ..simulation.board import TrueWiring
from ..table.board import BoardHands
from .chain import USUAL

REACH_S, REST_S = 1.2, 0.8
"""How long the piece takes to a square, and how long it stands there."""

VAIN_S = 4.0
"""After so long without a word from the table, nothing has happened."""

ANSWERS = ("row ", "Zeile ")
ASKING = re.compile(r"\d+\. ")
SQUARE = re.compile(r"\b[a-j](10|[1-9])\b")


def drawn_wiring(
    rng: Random, dead: int = 1, stuck: int = 0, is_any_chain: bool = False
) -> TrueWiring:
    """Draw a wiring: wires in any order, a usual chain of lamps, or `is_any_chain`."""
    rows, columns = rng.sample(range(10), 10), rng.sample(range(10), 10)
    is_turned = rng.random() < 0.5
    places = (divmod(square, 10)[:: -1 if is_turned else 1] for square in SQUARES)
    switch_of = tuple(Switch(rows[along] * 10 + columns[across]) for along, across in places)
    chain = tuple(rng.sample(SQUARES, 100)) if is_any_chain else rng.choice(USUAL)
    lamp_at = {square: Lamp(n) for n, square in enumerate(chain)}
    failing = rng.sample(SQUARES, dead + stuck)
    faults = dict.fromkeys(failing[:dead], FaultKind.DEAD)
    faults |= dict.fromkeys(failing[dead:], FaultKind.STUCK)
    return TrueWiring(switch_of, tuple(lamp_at[square] for square in SQUARES), faults)


def touch(hands: BoardHands, at: float, square: Square) -> None:
    """Put a piece on a square at `at` seconds, and take it off again after a while."""
    hands.put(at, square)
    hands.lift(at + REST_S, square)


class Builder:
    """Somebody who does what the wizard says: reads its lines, sees the lamps, moves one piece.

    `errs_at` are the placings, counted from 1, that go to a wrong square.
    """

    def __init__(
        self,
        hands: BoardHands,
        rng: Random,
        now: Callable[[], float],
        errs_at: Collection[int] = (),
    ) -> None:
        self._hands, self._rng, self._now, self._errs_at = hands, rng, now, errs_at
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
        wanted = self._hands.lit() if named is None else parse_square(named[0])
        assert wanted is not None
        self._asked, self._has_spoken = wanted, False
        self.placings += 1
        if self.placings in self._errs_at:
            wanted = self._rng.choice([other for other in SQUARES if other != wanted])
        touch(self._hands, self._now() + REACH_S, wanted)
        self._speaks_at = self._now() + VAIN_S

    def read(self) -> list[str]:
        """Return what is typed: an empty line where nothing happens, then the square's name."""
        if self._speaks_at is not None and self._now() >= self._speaks_at:
            is_first = not self._has_spoken
            self._lines.append(
                "" if is_first or self._asked is None else format_square(self._asked)
            )
            self._speaks_at = self._now() + VAIN_S if is_first else None
            self._has_spoken = True
        typed, self._lines = self._lines, []
        return typed
