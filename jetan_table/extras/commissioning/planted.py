"""How a simulated board is wired: by chance, or with faults by their words: `dead:e4`, `files:d-e`.

Modelled: rows and columns of the matrix in any order, the board mirrored or turned under them, a
chain of lamps from any corner or in any order, dead, stuck and worn switches. Not modelled: wires
that touch, missing diodes, and lamps that fail.
"""

from collections.abc import Iterable
from random import Random

from hardware.matrix import ORDERS
from hardware.ports import FaultKind, Switch
from rules import SQUARES, RulesError, Square, parse_square
from rules.board import FILES
from rules.sentences import _

from ...errors import TableError
from ...light.lamps import LAMP_OF, Lamp
from ...people.board import TrueWiring
from .walk import USUAL

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
