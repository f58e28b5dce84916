"""The Juggernaut, or Colossus of Yorn: what a roll of its ten-sided die does.

Nothing here rolls: a roll is told by the table's die, by hands, or by a record.
"""

from __future__ import annotations

from .board import SQUARE_NAMES, SQUARES, Direction, Occupant, Square
from .plain import NamedTuple
from .position import Position
from .sentences import BadValue, _

REST, TELEPORT = 9, 10
CENTRE = (Square(44), Square(45), Square(54), Square(55))


class Roll(NamedTuple):
    """A throw of the die: 1..8 a step, 9 rest, 10 (shown as 0) a teleport.

    A teleport has two more throws, `file` and `rank`, 1..10 each. `by_hand`: people threw it or
    moved the piece themselves.
    """

    face: int
    file: int | None = None
    rank: int | None = None
    by_hand: bool = False

    def checked(self) -> Roll:
        """Return the roll; BadValue where no die shows it."""
        if self.face not in range(1, 11):
            raise BadValue(_("die {face}: must be 1..10"), face=self.face)
        if self.face != TELEPORT:
            if self.file is not None or self.rank is not None:
                raise BadValue(
                    _("die {face}: only a teleport (10) has a file and a rank"), face=self.face
                )
            return self
        for word, number in ((_("file"), self.file), (_("rank"), self.rank)):
            if number not in range(1, 11):
                raise BadValue(
                    _("teleport {word} {number}: must be 1..10"), word=word, number=number
                )
        return self


def destination(position: Position, roll: Roll) -> Square | None:
    """Return where a roll takes the Juggernaut; None where it leads off and is rolled again.

    Raises BadValue for an impossible roll, or where there is no Juggernaut.
    """
    roll = roll.checked()
    here = position.juggernaut
    if here is None:
        raise BadValue(_("no Juggernaut stands on the board"))
    if roll.face == TELEPORT:
        return teleport_square(roll)
    if roll.face == REST:
        return here
    there = position.rules.topology.neighbours[here][roll.face - 1]
    if there is None and position.rules["juggernaut-edge"] == "stays":
        return here
    return there


def teleport_square(roll: Roll) -> Square:
    """Return the square of a teleport's file and rank; BadValue where a roll is none."""
    roll = roll.checked()
    if roll.file is None or roll.rank is None:
        raise BadValue(_("die {face}: only a teleport (10) has a file and a rank"), face=roll.face)
    return SQUARES[(roll.rank - 1) * 10 + roll.file - 1]


def roll_of(position: Position, to: Square) -> Roll:
    """Return the roll that takes the Juggernaut to a square: what hands that moved it have thrown.

    BadValue where there is no Juggernaut.
    """
    here = position.juggernaut
    if here is None:
        raise BadValue(_("no Juggernaut stands on the board"))
    if to == here:
        return Roll(REST, by_hand=True)
    around = position.rules.topology.neighbours[here]
    for way in Direction:
        if around[way] == to:
            return Roll(way + 1, by_hand=True)
    return Roll(TELEPORT, to % 10 + 1, to // 10 + 1, by_hand=True)


def entered_by(position: Position, roll: Roll) -> Position:
    """Return the position before the first ply once chance has put the Juggernaut on a square.

    `roll` names it as a teleport does. BadValue where it stands already, or may not begin there.
    """
    square = teleport_square(roll)
    if position.juggernaut is not None or square not in juggernaut_starts(position):
        raise BadValue(_("the Juggernaut may not begin on {square}"), square=SQUARE_NAMES[square])
    return position.move_juggernaut(square)


def juggernaut_starts(position: Position) -> tuple[Square, ...]:
    """Return the squares chance may put the Juggernaut on before the game; none without one."""
    named = position.rules["juggernaut"]
    if named == "random-empty":
        return tuple(sq for sq in SQUARES if position.occupant_at(sq) is Occupant.EMPTY)
    return {"off": (), "random-any": SQUARES, "centre": CENTRE}.get(named, ())
