"""A game: a start, the plies since, what dice and fights made of them, and how it ended.

A Game is a value like a Position: each step returns another game. The journal keeps the truth
of a table; this is the same story in the rules' own words.

Nothing here rolls: what a die shows is told by the table's die, by hands, or by a record. The
Juggernaut, or Colossus of Yorn, moves by a roll of ten sides. In the arena of Manator a piece that
enters an enemy's square fights for it: each side throws ten and adds its piece's value, and equal
sums throw again; or the players fight, and tell who won. The Princess never fights; to enter her
square wins.
"""

from __future__ import annotations

from collections.abc import Iterable

from .board import (
    SQUARE_NAMES,
    SQUARES,
    Direction,
    Move,
    Occupant,
    Outcome,
    Side,
    Square,
    Termination,
    format_placement,
)
from .plain import NamedTuple
from .position import Position, format_move
from .sentences import BadValue, IllegalMove, Sentence, _

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
    """Return the square to which a roll takes the Juggernaut; None if it must be rolled again.

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
    there = position.rules.board.neighbours[here][roll.face - 1]
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
    around = position.rules.board.neighbours[here]
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


class Throw(NamedTuple):
    """The faces of both dice of a duel, 1..10 each; `by_hand`: people threw them themselves."""

    attack: int
    defence: int
    by_hand: bool = False

    def checked(self) -> Throw:
        """Return the throw; BadValue where no dice show it."""
        if self.attack not in range(1, 11) or self.defence not in range(1, 11):
            raise BadValue(
                _("duel {attack},{defence}: each throw must be 1..10"),
                attack=self.attack,
                defence=self.defence,
            )
        return self


class Duel(NamedTuple):
    """The result of a fight and its throws in order; none where the players told the result."""

    attacker_won: bool
    throws: tuple[Throw, ...] = ()


def fight(position: Position, move: Move, throws: Iterable[Throw]) -> Duel | None:
    """Return the fight that the throws decide; None while they are equal and go on.

    BadValue where a throw is not 1..10, follows the decision, or nobody fights.
    """
    if not position.is_fought(move):
        raise BadValue(_("nobody fights over this move"))
    attacker, defender = (position.piece_at(s) for s in (move.from_square, move.to_square))
    assert attacker is not None
    assert defender is not None
    edge = position.rules.worth(attacker.kind) - position.rules.worth(defender.kind)
    thrown = tuple(throw.checked() for throw in throws)
    for number, throw in enumerate(thrown, start=1):
        if edge + throw.attack != throw.defence:
            if number < len(thrown):
                raise BadValue(
                    _("duel {attack},{defence} decides: no throw may follow it"),
                    attack=throw.attack,
                    defence=throw.defence,
                )
            return Duel(edge + throw.attack > throw.defence, thrown)
    return None


class PlayedPly(NamedTuple):
    """One move with what followed it: the fight it began, and the Juggernaut's rolls."""

    move: Move
    duel: Duel | None = None
    rolls: tuple[Roll, ...] = ()


class Game(NamedTuple):
    """A game from a position on, with its plies, rolls and end.

    A value: each step returns another game.

        >>> from rules import Game, Position, parse_rules
        >>> game = Game.begin(Position.start(parse_rules("appendix"))).play("d2-d3").play("e9-e8")
        >>> len(game.plies), game.take_back().position.side.word, game.outcome
        (2, 'orange', None)
    """

    positions: tuple[Position, ...]
    """`positions[n]` is the position after n plies, rolls included; the first is the start."""
    plies: tuple[PlayedPly, ...] = ()
    ended: Outcome | None = None
    """The end made by people or their clock (resigned, agreed, time); None without one."""
    awaits_roll: bool = False
    """True while the Juggernaut's die has to be thrown for the last ply."""

    @classmethod
    def begin(cls, start: Position) -> Game:
        return cls((start,))

    @property
    def start(self) -> Position:
        return self.positions[0]

    @property
    def position(self) -> Position:
        """The current position."""
        return self.positions[-1]

    @property
    def outcome(self) -> Outcome | None:
        """The result, repetition included; None while the game goes on."""
        return self.ended or self.position.outcome or self._repetition()

    def _repetition(self) -> Outcome | None:
        """Return the draw by the third time of the same placement, side to move and escapes."""
        position = self.position
        if position.rules["repetition"] == "off" or self.awaits_roll:
            return None
        # What was taken does not come back, so nothing before the last capture can be repeated. The
        # masks are compared first: most positions differ there, and texts need not be written.
        since = self.positions[-position.quiet_plies - 1 :]
        alike = [earlier for earlier in since if earlier.occupied == position.occupied]
        now = _repeated(position)
        if sum(_repeated(earlier) == now for earlier in alike) < 3:
            return None
        return Outcome(None, Termination.REPETITION)

    def play(self, move: Move | str, duel: Duel | None = None) -> Game:
        """Return the game after one more ply, a move or its text.

        BadText where a text is no move's. IllegalMove where the game is over, the die is still to
        be thrown, the move is not legal, a duel is given for a move that starts none, or it is
        missing for one that does.
        """
        self._must_go_on()
        if self.awaits_roll:
            raise IllegalMove(_("the Juggernaut's die is still to be thrown"))
        if isinstance(move, str):
            move = Position.parse_move(move, self.position)
        fought = self.position.is_fought(move)
        if fought != (duel is not None):
            why = _("{told} is fought for: tell who won") if fought else _("{told} is no fight")
            raise IllegalMove(why, told=format_move(move, self.position))
        lost = duel is not None and not duel.attacker_won
        after = self.position.play(move, duel_lost=lost)
        return Game(
            (*self.positions, after),
            (*self.plies, PlayedPly(move, duel)),
            awaits_roll=after.juggernaut is not None and after.outcome is None,
        )

    def roll(self, roll: Roll) -> Game:
        """Return the game after a throw of the Juggernaut's die; IllegalMove where none is due."""
        self._must_go_on()
        if not self.awaits_roll:
            raise IllegalMove(_("the Juggernaut's die is thrown once after every move"))
        # A roll belongs to the ply before it: it changes the last position and adds none, so that
        # taking a ply back takes its rolls back, too.
        last = self.plies[-1]
        to = destination(self.position, roll)
        after = self.position if to is None else self.position.move_juggernaut(to)
        return self._replace(
            positions=(*self.positions[:-1], after),
            plies=(*self.plies[:-1], last._replace(rolls=(*last.rolls, roll))),
            awaits_roll=to is None,
        )

    def move_juggernaut(self, to: Square) -> Game:
        """Return the game after hands moved the Juggernaut: the roll that would have done it."""
        return self.roll(roll_of(self.position, to))

    def take_back(self) -> Game:
        """Return the game without its last ply and whatever ended it; IllegalMove at the start."""
        if not self.plies:
            raise IllegalMove(_("no move to take back"))
        return Game(self.positions[:-1], self.plies[:-1])

    def resign(self, side: Side) -> Game:
        """Return the game lost by a side that gives up."""
        self._must_go_on()
        return self._replace(ended=Outcome(side.other, Termination.RESIGNED))

    def lose_on_time(self, side: Side) -> Game:
        """Return the game lost by a side whose time has run out, whatever the other has left."""
        self._must_go_on()
        return self._replace(ended=Outcome(side.other, Termination.TIME))

    def agree(self) -> Game:
        """Return the game drawn by agreement."""
        self._must_go_on()
        return self._replace(ended=Outcome(None, Termination.AGREED))

    def _must_go_on(self) -> None:
        if (outcome := self.outcome) is not None:
            raise IllegalMove(_("the game is over: {why}"), why=Sentence(outcome.termination.value))


def _repeated(position: Position) -> tuple[object, ...]:
    """Return all that must be equal for a position to count as repeated."""
    return format_placement(position.pieces(), position.juggernaut), position.side, position.escapes
