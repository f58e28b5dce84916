"""Before the first ply: who begins, and which way the disk's centre is crossed.

Either is agreed, rolled by the die, or the choice of a player: of who begins the last winner's,
of the bias his whose prize it was. The first of the two names has the die's odd faces.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from rules import Kind, Position, Rules, Side, Square
from rules.game import Game
from rules.pieces import Piece
from rules.sentences import _

from .commands import CommandRefused
from .events import SIDE_NAMES, Bias, FirstMove, OpeningAgreed, Preamble, SettledBy, Settler, Way

Matter: TypeAlias = Literal["first", "bias"]
"""What is to be settled: who moves first, or the bias."""

BOARD_OF: dict[Way, str] = {
    "clockwise": "ninth-ray-clockwise",
    "counterclockwise": "ninth-ray-counterclockwise",
}
"""The disk by its bias, as the rules name it."""

WAY_OF: dict[str, Way] = {
    "ninth-ray-clockwise": "clockwise",
    "ninth-ray-counterclockwise": "counterclockwise",
}


@dataclass(frozen=True, slots=True)
class Opening:
    """How it is settled who moves first, and which way the disk's centre is crossed (the bias)."""

    first: Settler | None = None
    """Who is still to settle who moves first; None once nobody is."""
    bias: Settler | None = None
    """Who is still to settle the bias; None once nobody is."""
    first_told: FirstMove | None = None
    """How it was settled who moves first, if it was."""
    bias_told: Bias | None = None
    """How the bias was settled, if it was."""

    @property
    def due(self) -> Matter | None:
        """What is to be settled now; the game begins when nothing is."""
        return "first" if self.first else "bias" if self.bias else None

    @property
    def settler(self) -> Settler | None:
        """Who is to settle it."""
        return self.first or self.bias

    @property
    def is_roll_due(self) -> bool:
        """Whether the die is to be rolled for it."""
        return self.settler == "roll"

    @property
    def faces(self) -> tuple[int, ...]:
        """What the table's die has shown so far."""
        settled = (self.first_told, self.bias_told)
        return tuple(each.face for each in settled if each and each.face and each.by == "table")

    def after(self, event: Preamble) -> Opening:
        """Return the opening with one event more."""
        match event:
            case OpeningAgreed(first=first, bias=bias):
                return replace(self, first=first, bias=bias)
            case FirstMove():
                return replace(self, first=None, first_told=event)
            case Bias():
                return replace(self, bias=None, bias_told=event)
        return self

    def rolled(self, face: int, by: SettledBy) -> FirstMove | Bias:
        """Return what a die's `face`, 1..10, settles; CommandRefused where none is due."""
        if not self.is_roll_due:
            raise CommandRefused(_("no die is to be rolled for who begins"))
        if not 1 <= face <= 10:
            raise CommandRefused(_("die {face}: must be 1..10"), face=face)
        if self.due == "first":
            return FirstMove("black" if face % 2 else "orange", by, face)
        return Bias("clockwise" if face % 2 else "counterclockwise", by, face)

    def begun_by(self, side: Side) -> FirstMove:
        """Return what settles, in words, that a side begins."""
        return FirstMove(SIDE_NAMES[side], _by_words(self.first))

    def crossed(self, way: Way) -> Bias:
        """Return what settles, in words, which way the centre is crossed."""
        return Bias(way, _by_words(self.bias))

    def as_it_stands(self, matter: Matter, position: Position) -> FirstMove | Bias:
        """Return what settles something, by agreement, as the position already has it."""
        if matter == "first":
            return FirstMove(SIDE_NAMES[position.side], "agreed")
        return Bias(WAY_OF[position.rules["board"]], "agreed")

    def candidates(self, position: Position) -> dict[Square, FirstMove | Bias]:
        """Return the squares whose touch settles what is due by choice, and how.

        Of who begins, each side's Chief; of the bias, the Chief of who has the choice for
        clockwise, and his Princess for counterclockwise.
        """
        settler = self.settler
        if settler is None or settler == "roll":
            return {}
        at = {piece: square for square, piece in position.pieces().items()}
        by_piece: dict[Piece, FirstMove | Bias]
        if self.due == "first":
            by_piece = {Piece(side, Kind.CHIEF): self.begun_by(side) for side in Side}
        else:
            side = Side[settler.upper()]
            by_piece = {
                Piece(side, Kind.CHIEF): self.crossed("clockwise"),
                Piece(side, Kind.PRINCESS): self.crossed("counterclockwise"),
            }
        return {at[piece]: event for piece, event in by_piece.items() if piece in at}


SETTLED = Opening()
"""Nothing is to be settled: the game's start says it all."""


def begun_anew(start: Position, event: Preamble) -> Position:
    """Return the position before the first ply after what an event settles of it."""
    match event:
        case FirstMove(side=name):
            return _changed(start, start.rules, Side[name.upper()])
        case Bias(way=way):
            rules = start.rules.changed({"board": BOARD_OF[way]})
            return _changed(start, rules, start.side)
    return start


def _changed(start: Position, rules: Rules, side: Side) -> Position:
    return Position.of(
        rules,
        start.pieces(),
        side,
        escapes=start.escapes,
        juggernaut=start.juggernaut,
        few_counter=start.few_counter,
        quiet_plies=start.quiet_plies,
        move_number=start.move_number,
    )


def _by_words(settler: Settler | None) -> SettledBy:
    return "agreed" if settler is None or settler == "roll" else "chosen"


def occasion_of(matter: Matter) -> str:
    """Return what tells the roll that settles something from all others of its game."""
    return f"0 {matter} 1"


def check_settling(game: Game, event: Preamble) -> None:
    """Raise CommandRefused where it is too late for an event, or the board has no bias."""
    if game.plies or game.start.move_number > 1:
        raise CommandRefused(_("the game has begun: that is settled before the first move"))
    if isinstance(event, Bias) and game.start.rules["board"] not in WAY_OF:
        raise CommandRefused(_("the flat board has no centre to cross: a bias belongs to the disk"))
