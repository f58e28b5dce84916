"""A game: a start, the plies since, what chance and fights made of them, and how it ended.

A Game is a value like a Position: each step returns another game. The journal keeps the truth
of a table; this is the same story in the rules' own words.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from .board import Move, Outcome, Side, Square, Termination, format_placement
from .duel import Duel
from .juggernaut import Roll, destination, roll_of
from .notation import format_move
from .plain import NamedTuple
from .position import Position
from .sentences import IllegalMove, Sentence, _


class PlayedPly(NamedTuple):
    """One move with what followed it: the fight it began, and the Juggernaut's rolls."""

    move: Move
    duel: Duel | None = None
    rolls: tuple[Roll, ...] = ()


@dataclass(frozen=True, slots=True)
class Game:
    """A game from a position on."""

    positions: tuple[Position, ...]
    """`positions[n]` is what stood after n plies, rolls included; the first is the start."""
    plies: tuple[PlayedPly, ...] = ()
    ended: Outcome | None = None
    """How people or their clock ended it (resigned, agreed, time); None where they did not."""
    awaits_roll: bool = False
    """Whether the last ply waits for the Juggernaut's die."""

    @classmethod
    def begin(cls, start: Position) -> Game:
        return cls((start,))

    @property
    def start(self) -> Position:
        return self.positions[0]

    @property
    def position(self) -> Position:
        """What stands now."""
        return self.positions[-1]

    @property
    def outcome(self) -> Outcome | None:
        """How the game is over, repetition included; None while it goes on."""
        return self.ended or self.position.outcome or self._repetition()

    def _repetition(self) -> Outcome | None:
        """Three times the same placement, side to move and escapes, as a player found them."""
        position = self.position
        if position.rules["repetition"] == "off" or self.awaits_roll:
            return None
        since = self.positions[-position.quiet_plies - 1 :]
        alike = [earlier for earlier in since if earlier.occupied == position.occupied]
        now = _repeated(position)
        if sum(_repeated(earlier) == now for earlier in alike) < 3:
            return None
        return Outcome(None, Termination.REPETITION)

    def play(self, move: Move, duel: Duel | None = None) -> Game:
        """Return the game one ply on.

        IllegalMove where the game is over, the die is still to be thrown, the move is not legal,
        or a fight is told that nobody fights, or not told that somebody does.
        """
        self._must_go_on()
        if self.awaits_roll:
            raise IllegalMove(_("the Juggernaut's die is still to be thrown"))
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
        last = self.plies[-1]
        to = destination(self.position, roll)
        after = self.position if to is None else self.position.move_juggernaut(to)
        return replace(
            self,
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
        return replace(self, ended=Outcome(side.other, Termination.RESIGNED))

    def lose_on_time(self, side: Side) -> Game:
        """Return the game lost by a side whose time has run out, whatever the other has left."""
        self._must_go_on()
        return replace(self, ended=Outcome(side.other, Termination.TIME))

    def agree(self) -> Game:
        """Return the game drawn by agreement."""
        self._must_go_on()
        return replace(self, ended=Outcome(None, Termination.AGREED))

    def _must_go_on(self) -> None:
        if (outcome := self.outcome) is not None:
            raise IllegalMove(_("the game is over: {why}"), why=Sentence(outcome.termination.value))


def _repeated(position: Position) -> tuple[object, ...]:
    """What must be the same for a position to have come again."""
    return format_placement(position.pieces(), position.juggernaut), position.side, position.escapes
