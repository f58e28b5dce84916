"""The table's own die in a game, and a fight that dice decide.

A die is known by a commitment to its secret seed; players may add numbers before its first throw,
and the seed is told once the game is over. A fight in the arena lasts from the ply that entered a
square until somebody has won it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from rules import BadValue, Duel, Move, Piece, Position, Square, Throw, _, fight, format_move
from rules.text import LOST, WON, parse_throw

from .events import BadRecord, DiceEvent, DieCommit, DieNumber, DieSeed

SEVERAL: Final = "+"
"""Stands between the seeds, and their commitments, of a die that has several: Black's first."""


@dataclass(frozen=True, slots=True)
class TableDie:
    """What is known of the table's own die in a game."""

    commit: str
    """The SHA-256 of its secret seed, in hex."""
    added: tuple[int, ...] = ()
    """The numbers that players have added to the seed."""
    is_thrown: bool = False
    """Whether it has been thrown, be it for a ply that was taken back."""
    seed: str | None = None
    """The seed, in hex, once the game is over."""


def thrown(die: TableDie | None) -> TableDie:
    """Return the table's die after a throw; BadRecord where it has no secret seed."""
    if die is None or die.seed is not None:
        raise BadRecord(_("the table's die was rolled without a secret seed"))
    return replace(die, is_thrown=True)


def die_after(die: TableDie | None, event: DiceEvent) -> TableDie:
    """Return the die after an event of its own; BadRecord where they are out of order."""
    match event:
        case DieCommit(commit=commit) if die is None:
            return TableDie(commit)
        case DieNumber(number=number) if die is not None and not die.is_thrown:
            return replace(die, added=(*die.added, number))
        case DieSeed(seed=seed) if die is not None and die.seed is None:
            return replace(die, seed=seed)
    raise BadRecord(_("{event!r} comes at the wrong time"), event=event)


def duel_occasion(position: Position, move: Move, earlier: int) -> str:
    """Return what tells a throw from all others of its game: `12 Wd4xd5 duel 1`.

    The number and the text of the ply, which was played from `position`, and which of its throws
    this is, after `earlier` ones; ` attack` or ` defence` after it tells the two dice apart.
    """
    return f"{position.ply_number} {format_move(move, position)} duel {earlier + 1}"


@dataclass(frozen=True, slots=True)
class Fight:
    """The fight that a ply began, while nobody has won it."""

    before: Position
    """Where the ply was played from."""
    move: Move
    """The ply."""
    at: float
    """When it was played, in seconds on the table clock."""
    entered: Position
    """What stands on the board meanwhile: the piece that entered, alone on its square."""
    throws: tuple[Throw, ...] = ()
    """The throws so far, all of them equal: another decides."""

    @classmethod
    def begin(cls, before: Position, move: Move, at: float) -> Fight:
        """Return the fight that a ply begins; IllegalMove where it is not legal."""
        return cls(before, move, at, before.play(move))

    @property
    def number(self) -> int:
        return self.before.ply_number

    @property
    def square(self) -> Square:
        """What is fought for."""
        return self.move.to_square

    @property
    def attacker(self) -> Piece:
        """Who entered."""
        return self._fighter(self.move.from_square)

    @property
    def defender(self) -> Piece:
        """Who stood there."""
        return self._fighter(self.square)

    def _fighter(self, square: Square) -> Piece:
        piece = self.before.piece_at(square)
        assert piece is not None  # the move takes
        return piece

    @property
    def occasion(self) -> str:
        """What the table's die throws the next time on."""
        return duel_occasion(self.before, self.move, len(self.throws))

    def after(self, text: str) -> Fight | Duel:
        """Return the fight after a throw (`7,4`), or how it ended, also as players tell it.

        BadText or BadValue where that makes no sense: what dice have begun, dice decide.
        """
        if text in (WON, LOST):
            if self.throws:
                raise BadValue(
                    _("duel {told}: the dice have begun to decide, throw them again"), told=text
                )
            return Duel(text == WON)
        throws = (*self.throws, parse_throw(text))
        return fight(self.before, self.move, throws) or replace(self, throws=throws)
