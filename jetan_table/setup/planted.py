"""Faults that are planted in a simulated board, by their words: `dead:e4`, `files:d-e`."""

from __future__ import annotations

from collections.abc import Iterable

from hardware.orders import ORDERS
from hardware.switches import FaultKind, Switch
from rules import SQUARES, RulesError, Square, parse_square
from rules.sentences import _
from rules.topology import FILES

from ..errors import TableError
from ..lamps.lights import LAMP_OF, Lamp
from ..simulation.board import TrueWiring

FAILING = {"dead": FaultKind.DEAD, "stuck": FaultKind.STUCK}
RANKS = tuple(map(str, range(1, 11)))


class NoSuchFault(TableError, ValueError):
    """Words that plant no fault."""


def planted(words: Iterable[str]) -> TrueWiring:
    """Return a board that is wired in rows, but for the faults that are named; NoSuchFault."""
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
            raise NoSuchFault(
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
