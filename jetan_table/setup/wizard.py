"""The wiring wizard as a pure machine: which square to ask for next, and what was found out."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum

from hardware.switches import Switch
from rules import SQUARES, Square

from ..lamps.lights import Lamp
from . import chain, lines


class SquareState(Enum):
    """What is known of a square's switch, by its mark on the map."""

    GOOD = "o"
    DEAD = "X"
    STUCK = "#"
    UNTRIED = "."


@dataclass(frozen=True, slots=True)
class WizardStep:
    """One piece is to be put on `square`; where it is None, on the square that `lamp` lights.

    `must_be_named`: no piece has told which square that is, so people must say it.
    """

    square: Square | None
    lamp: Lamp | None = None
    must_be_named: bool = False


class WiringAnswer(Enum):
    """What a piece that was put down has told."""

    TAKEN = "taken"
    DOUBTED = "doubted"
    """It fits nothing told before: the same is asked once more, and believed then."""
    UNKNOWN = "unknown"
    """A switch that is under no square known so far: asked once more."""


@dataclass(frozen=True, slots=True)
class Wiring:
    """How a board is wired: the square of each switch and of each lamp, first wired first."""

    switches: tuple[Square, ...]
    lamps: tuple[Square, ...]
    states: tuple[SquareState, ...]


class Wizard:
    """Asks for pieces on squares until the wiring is known, first the switches', then the lamps'.

    `walks`: every lamp is lit in turn, so that every switch is tried.
    """

    def __init__(self, stuck: Collection[Switch] = (), walks: bool = False) -> None:
        """`stuck` switches are closed on the empty board; they tell nothing."""
        self._stuck, self._walks = frozenset(stuck), walks
        self._switch_at: dict[Square, Switch] = {}
        self._square_of: dict[Lamp, Square] = {}
        self._vain_squares: set[Square] = set()
        self._vain_lamps: set[Lamp] = set()
        self._good: set[Square] = set()
        self._doubted: Square | Switch | None = None

    @property
    def step(self) -> WizardStep | None:
        """What is to be done now; None where all is known that can be found out."""
        square = lines.next_square(self._switch_at, self._vain_squares)
        if square is not None:
            return WizardStep(square)
        lamp = chain.next_lamp(self._square_of, self._vain_lamps, self._walks)
        if lamp is not None:
            return WizardStep(None, lamp)
        silent = self._vain_lamps - self._square_of.keys()
        if silent and chain.whole_order(self._square_of) is None:
            return WizardStep(None, min(silent), must_be_named=True)
        return None

    def walk_all(self) -> None:
        """Ask for every lamp from now on, so that every switch is tried."""
        self._walks = True

    @property
    def count(self) -> int:
        """How many answers there have been."""
        named = len(self._switch_at) + len(self._square_of)
        return named + len(self._vain_squares) + len(self._vain_lamps)

    def close(self, switch: Switch) -> WiringAnswer:
        """Take in that a switch has closed under the piece that was asked for."""
        step = self.step
        assert step is not None
        if step.square is not None:
            switch_at = self._switch_at | {step.square: switch}
            is_odd = bool(lines.fits(self._switch_at)) and not lines.fits(switch_at)
            if self._is_doubted(is_odd or switch in self._switch_at.values(), switch):
                return WiringAnswer.DOUBTED
            # A switch is under one square: the one told later is believed.
            self._switch_at = {
                at: s for at, s in switch_at.items() if s != switch or at == step.square
            }
            self._good.add(step.square)
            return WiringAnswer.TAKEN
        square = self._squares().get(switch)
        return WiringAnswer.UNKNOWN if square is None else self._lit(square, is_seen=True)

    def name(self, square: Square) -> WiringAnswer:
        """Take in which square is lit, as people say it; their word is taken at once."""
        self._doubted = square
        return self._lit(square, is_seen=False)

    def pass_over(self) -> None:
        """Take in that nothing happened: the switch there is dead, or its wire is off."""
        step = self.step
        assert step is not None
        self._doubted = None
        if step.square is not None:
            self._vain_squares.add(step.square)
        elif step.lamp is not None:
            self._vain_lamps.add(step.lamp)

    def wiring(self) -> Wiring | None:
        """Return what was found out; None where it is not the whole."""
        squares = self._squares()
        lamps = chain.whole_order(self._square_of)
        left = [square for square in SQUARES if square not in squares.values()]
        if len(squares) == len(SQUARES) - 1:
            (switch,) = set(range(len(SQUARES))) - squares.keys()
            squares |= {Switch(switch): left[0]}
        if lamps is None or len(squares) < len(SQUARES):
            return None
        switches = tuple(squares[Switch(n)] for n in range(len(SQUARES)))
        return Wiring(switches, lamps, tuple(map(self._state, SQUARES)))

    def _lit(self, square: Square, is_seen: bool) -> WiringAnswer:
        step = self.step
        assert step is not None
        assert step.lamp is not None
        square_of = self._square_of | {step.lamp: square}
        is_odd = bool(chain.fits(self._square_of)) and not chain.fits(square_of)
        if self._is_doubted(is_odd or square in self._square_of.values(), square):
            return WiringAnswer.DOUBTED
        self._square_of = {
            lamp: at for lamp, at in square_of.items() if at != square or lamp == step.lamp
        }
        if is_seen:
            self._good.add(square)
        return WiringAnswer.TAKEN

    def _is_doubted(self, is_odd: bool, answer: Square | Switch) -> bool:
        """Whether an answer is to be given once more: a piece is easily put on the wrong square."""
        self._doubted, before = answer, self._doubted
        return is_odd and answer != before

    def _squares(self) -> dict[Switch, Square]:
        """Return the squares of the switches, as far as they are known."""
        known = {switch: square for square, switch in self._switch_at.items()}
        grids = lines.fits(self._switch_at)
        if len(grids) == 1:
            inferred = ((grids[0].switch(square), square) for square in SQUARES)
            known |= {switch: square for switch, square in inferred if switch is not None}
        return known

    def _state(self, square: Square) -> SquareState:
        switch_at = {at: switch for switch, at in self._squares().items()}
        if switch_at.get(square) in self._stuck:
            return SquareState.STUCK
        if square in self._good:
            return SquareState.GOOD
        lamps = chain.whole_order(self._square_of) or ()
        in_vain = {lamps[lamp] for lamp in self._vain_lamps if lamps} | self._vain_squares
        return SquareState.DEAD if square in in_vain else SquareState.UNTRIED
