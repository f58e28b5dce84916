"""A simulated builder: a board that is wired by chance or with faults, and hands at it.

Modelled are rows and columns of the matrix in any order, the board mirrored or turned under them, a
chain of lamps from any corner or in any order, dead, stuck and worn switches. Not modelled: wires
that touch, missing diodes, and lamps that fail. The hands do what they are asked, and see the
lamps; where these are dark, and where more than one square is named, they go by the words.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from random import Random

from hardware.matrix import ORDERS
from hardware.ports import FaultKind, Switch
from rules import FILES, SQUARES, RulesError, Square, _, format_square, parse_square

from ...light.lamps import LAMP_OF, Lamp
from ...people.board import TrueWiring
from ...table.board import BoardHands
from .course import SLIDE
from .walk import USUAL_ORDERS, CommissioningRefused, Instruction

FAILING = {"dead": FaultKind.DEAD, "stuck": FaultKind.STUCK}
RANKS = tuple(map(str, range(1, 11)))


def planted(words: Iterable[str]) -> TrueWiring:
    """Return a board that is wired in rows, but for the faults that are named.

    CommissioningRefused for words that plant none.
    """
    faults: dict[Square, FaultKind] = {}
    worn: list[Square] = []
    switches, lamps = tuple(map(Switch, SQUARES)), LAMP_OF
    for word in words:
        kind, _colon, where = word.partition(":")
        first, _dash, second = where.partition("-")
        try:
            if kind in FAILING:
                faults[parse_square(where)] = FAILING[kind]
            elif kind == "weak":
                worn.append(parse_square(where))
            elif kind == "files":
                switches = _exchanged(switches, FILES.index(first), FILES.index(second), 1)
            elif kind == "ranks":
                switches = _exchanged(switches, RANKS.index(first), RANKS.index(second), 10)
            elif kind == "lamps":
                lamps = tuple(Lamp(ORDERS[where].index(square)) for square in SQUARES)
            else:
                raise KeyError(kind)
        except (RulesError, ValueError, KeyError):
            raise CommissioningRefused(
                _(
                    "{word}: no such fault; there are dead:e4, stuck:e4, weak:e4, files:d-e, "
                    "ranks:4-5, lamps:snake"
                ),
                word=word,
            ) from None
    return TrueWiring(switches, lamps, faults, tuple(worn))


def _exchanged(
    switches: tuple[Switch, ...], first: int, second: int, step: int
) -> tuple[Switch, ...]:
    """Return switches by square with two wires exchanged; from line to line it is `step`."""
    lines = {first: second, second: first}

    def other(square: Square) -> Square:
        line = square // step % 10
        return Square(square + (lines.get(line, line) - line) * step)

    return tuple(switches[other(square)] for square in SQUARES)


def drawn_wiring(
    rng: Random, dead: int = 1, stuck: int = 0, is_any_chain: bool = False
) -> TrueWiring:
    """Draw a wiring: wires in any order, a usual chain of lamps, or `is_any_chain`."""
    rows, columns = rng.sample(range(10), 10), rng.sample(range(10), 10)
    is_turned = rng.random() < 0.5
    places = (divmod(square, 10)[:: -1 if is_turned else 1] for square in SQUARES)
    switch_of = tuple(Switch(rows[along] * 10 + columns[across]) for along, across in places)
    chain = tuple(rng.sample(SQUARES, 100)) if is_any_chain else rng.choice(USUAL_ORDERS)
    lamp_at = {square: Lamp(n) for n, square in enumerate(chain)}
    failing = rng.sample(SQUARES, dead + stuck)
    faults = dict.fromkeys(failing[:dead], FaultKind.DEAD)
    faults |= dict.fromkeys(failing[dead:], FaultKind.STUCK)
    return TrueWiring(switch_of, tuple(lamp_at[square] for square in SQUARES), faults)


REACH_S = (0.5, 1.2)
"""Seconds from an instruction to the first touch."""

HELD_S = (0.25, 0.7)
"""From one touch to the next."""

PASSED_S = (0.03, 0.15)
"""Seconds that a sliding piece is over a square, and that a square between two is empty."""

VAIN_S = 4.0
"""Seconds to wait after the last touch before a line is typed, and then another."""


class LedHands:
    """Hands at a board, whose quickness is drawn from `rng`; `now` tells the table's time.

    `errs_at` are the instructions, counted from 1, that are done at a wrong square.
    """

    def __init__(
        self,
        board: BoardHands,
        rng: Random,
        now: Callable[[], float],
        errs_at: Collection[int] = (),
    ) -> None:
        self._board, self._rng, self._now, self._errs_at = board, rng, now, errs_at
        self._asked: Instruction | None = None
        self._gives_up_at: float | None = None
        self._free_at = 0.0
        self.instructions = 0
        """The number of instructions so far that name or light a square."""

    def hear(self, instruction: Instruction, now: float) -> None:
        is_for_hands = bool(instruction.squares)
        self._asked = instruction if is_for_hands else None
        self._gives_up_at = None if is_for_hands else now + VAIN_S
        self._free_at = now + self._between(REACH_S)
        self.instructions += is_for_hands

    def read(self) -> list[str]:
        """Touch the board if it is time to; return a line where nothing comes of it."""
        now, instruction = self._now(), self._asked
        where = None if instruction is None or now < self._free_at else self._where(instruction)
        if instruction is not None and where is not None:
            self._asked = None
            if instruction.is_named:
                return [format_square(where[0])]
            if self.instructions in self._errs_at:
                where = (self._rng.choice([other for other in SQUARES if other != where[0]]),)
            at = now
            for at, square, near in self._touches(instruction, where, now):
                (self._board.put if near else self._board.lift)(at, square)
            self._gives_up_at = at + VAIN_S + instruction.lasts_s
        if self._gives_up_at is not None and now >= self._gives_up_at:
            self._gives_up_at = now + VAIN_S
            return [""]
        return []

    def _where(self, instruction: Instruction) -> tuple[Square, ...] | None:
        """Return the squares that are meant; None while the lamp that says so is dark."""
        if instruction.by_words or len(instruction.squares) != 1:
            return instruction.squares
        lit = self._board.lit()
        return None if lit is None else (lit,)

    def _touches(
        self, instruction: Instruction, where: tuple[Square, ...], at: float
    ) -> Iterator[tuple[float, Square, bool]]:
        """Yield when which square is touched, and whether a piece comes to it."""
        if instruction.words == SLIDE:
            yield at, where[0], False
            way = straight(where[0], where[-1])
            for square in way[:-1]:
                at += self._between(PASSED_S)
                yield at, square, True
                at += self._between(PASSED_S)
                yield at, square, False
            yield at + self._between(PASSED_S), way[-1], True
        elif instruction.may_hide:
            yield at, where[0], False
            at += self._between(HELD_S)
            yield at, where[-1], False
            yield at + self._between(PASSED_S), where[-1], True
        else:
            for square, near in instruction.wants:
                yield at, where[0] if len(where) == 1 else square, near
                at += self._between(HELD_S)

    def _between(self, span: tuple[float, float]) -> float:
        return self._rng.uniform(*span)


def straight(start: Square, end: Square) -> list[Square]:
    """Return the squares on the straight way from `start`, itself left out, to `end`."""
    (rank, file), (to_rank, to_file) = divmod(start, 10), divmod(end, 10)
    count = max(abs(to_rank - rank), abs(to_file - file))
    up, across = (to_rank - rank) // count, (to_file - file) // count
    return [Square((rank + up * n) * 10 + file + across * n) for n in range(1, count + 1)]
