"""Scenes of the lamps in each kind of moment, made by a real session from real touches.

The pictures of `docs/lamps.md` and the figures of `jetan bench lamps` use these scenes, and a
test requires one for every meaning.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from random import Random
from types import MappingProxyType
from typing import Final, TypeAlias

from jetan_table.game.commands import BoardIsRight, DecideFight, Help, RollDie, TakeBackLast
from jetan_table.game.record import Record
from jetan_table.session.session import Session
from jetan_table.session.view import Advice, HelpView, View
from rules import (
    SQUARES,
    Move,
    MoveKind,
    Position,
    Rules,
    Square,
    format_position,
    format_square,
    parse_rules,
)
from tests.jetan_table.hands import Hands, header

Look: TypeAlias = Callable[[Rules], View]

BOARDS: Final[Mapping[str, Rules]] = MappingProxyType(
    {"grid": parse_rules("appendix"), "disk": parse_rules("ninth-ray-clockwise")}
)
PLIES_BEFORE: Final = 40
"""Random plies before a scene in the middle of a game."""

SEEN_AFTER_S: Final = 0.2
"""A piece has come down for that long: it is shown, and not told yet."""

LONG_S: Final = 20.0
"""Longer than any table waits before it asks."""


def hands_at(position: Position) -> Hands:
    """Return hands at a table where a game goes on from a position."""
    begun = header(position.rules, format_position(position))
    return Hands(Session(Record.begin(begun)))


def middle(rules: Rules) -> Position:
    """Return a position of the middle game, always the same, in which some piece may take two."""
    rng = Random(1)
    position = Position.start(rules)
    while position.ply_number < PLIES_BEFORE or not any(choosers(position)):
        position = position.play(rng.choice(quiet(position)))
    return position


def quiet(position: Position) -> list[Move]:
    """Return the moves that do not end the game."""
    return [move for move in position.moves() if position.play(move).outcome is None]


def choosers(position: Position) -> Iterator[Square]:
    """Yield the squares of pieces that may take one of several."""
    taking = [move.from_square for move in quiet(position) if move.kind is MoveKind.CAPTURE]
    yield from (square for square in dict.fromkeys(taking) if taking.count(square) > 1)


def chooser(position: Position) -> str:
    """Return the square of a piece that may take one of several."""
    return format_square(next(choosers(position)))


def first(position: Position, kind: MoveKind) -> Move:
    """Return a move of a kind; a capture by a piece that has the choice."""
    moves = quiet(position)
    if kind is MoveKind.CAPTURE:
        moves = [move for move in moves if move.from_square == next(choosers(position))]
    return next(move for move in moves if move.kind is kind)


def ends(move: Move) -> tuple[str, str]:
    """Return the names of the squares a move goes from and to."""
    return format_square(move.from_square), format_square(move.to_square)


def unreachable(position: Position) -> str:
    """Return an empty square to which no piece can go."""
    goes = {move.to_square for move in position.moves()}
    free = (s for s in reversed(SQUARES) if s not in goes and not position.occupied >> s & 1)
    return format_square(next(free))


def lift(rules: Rules) -> View:
    """A piece is lifted: where it may go, and what it may take."""
    position = middle(rules)
    hands = hands_at(position)
    hands.lift(chooser(position))
    return hands.session.view


def victim(rules: Rules) -> View:
    """A piece of the other side is lifted: which pieces may take it."""
    position = middle(rules)
    hands = hands_at(position)
    hands.lift(ends(first(position, MoveKind.CAPTURE))[1])
    return hands.session.view


def put_down(rules: Rules) -> View:
    """A piece has come down: it is a ply once it has rested."""
    position = middle(rules)
    hands = hands_at(position)
    start, end = ends(first(position, MoveKind.MOVE))
    hands.lift(start)
    hands.put(end)
    hands.wait(SEEN_AFTER_S)
    return hands.session.view


def last_ply(rules: Rules) -> View:
    """Nothing is in the air: the last ply."""
    position = middle(rules)
    hands = hands_at(position)
    hands.move(*ends(first(position, MoveKind.MOVE)))
    return hands.session.view


def question(rules: Rules) -> View:
    """A capture does not show what was taken: the table asks."""
    position = middle(rules)
    hands = hands_at(position)
    hands.lift(chooser(position))
    hands.wait(LONG_S)
    return hands.session.view


def wrong_place(rules: Rules) -> View:
    """A piece stands where it cannot go: from there, back to here."""
    position = middle(rules)
    hands = hands_at(position)
    start, _ = ends(first(position, MoveKind.MOVE))
    hands.move(start, unreachable(position))
    return hands.session.view


def taken_back(rules: Rules) -> View:
    """A capture was taken back in words: the first hand move back."""
    position = middle(rules)
    hands = hands_at(position)
    hands.take(*ends(first(position, MoveKind.CAPTURE)))
    hands.session.obey(TakeBackLast(), hands.at)
    return hands.session.view


def setting_up(rules: Rules) -> View:
    """Pieces are set up: one kind after another."""
    start = Position.start(rules)
    empty = Position.of(rules, {}, start.side)
    return Hands(Session(Record.begin(header(rules))), empty).session.view


def rolled(rules: Rules) -> View:
    """The die has been rolled for the Juggernaut: from here to there."""
    position = Position.start(rules.changed({"juggernaut": "e5"}))
    hands = hands_at(position)
    hands.move(*ends(first(position, MoveKind.MOVE)))
    hands.session.obey(RollDie("3"), hands.at)
    return hands.session.view


def roll_due(rules: Rules) -> View:
    """A roll for the Juggernaut is due after a ply."""
    hands = hands_at(Position.start(rules.changed({"juggernaut": "e5"})))
    hands.move(*ends(first(hands.session.record.position, MoveKind.MOVE)))
    return hands.session.view


def fight(rules: Rules) -> View:
    """In the arena a piece has entered an enemy's square: a throw is due."""
    position = middle(rules.changed({"duel": "arena"}))
    hands = hands_at(position)
    hands.take(*ends(first(position, MoveKind.CAPTURE)))
    return hands.session.view


def fight_lost(rules: Rules) -> View:
    """The piece that entered has lost: take it off."""
    position = middle(rules.changed({"duel": "arena"}))
    hands = hands_at(position)
    hands.take(*ends(first(position, MoveKind.CAPTURE)))
    hands.session.obey(DecideFight("lost"), hands.at)
    return hands.session.view


def wish(rules: Rules) -> View:
    """A player without hands asks for a move."""
    position = middle(rules)
    view = hands_at(position).session.view
    return replace(view, help=HelpView(wish=first(position, MoveKind.MOVE)))


def wish_to_take(rules: Rules) -> View:
    """A player without hands asks for a capture."""
    position = middle(rules)
    view = hands_at(position).session.view
    return replace(view, help=HelpView(wish=first(position, MoveKind.CAPTURE)))


def advice(rules: Rules) -> View:
    """The player to move has asked twice for a hint: this piece, to here."""
    position = middle(rules)
    view = hands_at(position).session.view
    advised = Advice(Help.MOVE, first(position, MoveKind.MOVE))
    return replace(view, help=HelpView(advice=advised))


def failed_switch(rules: Rules) -> View:
    """A switch has failed, and play goes on: a piece is lifted."""
    position = middle(rules)
    hands = hands_at(position)
    hands.fail(unreachable(position), True)
    hands.wait()
    hands.session.obey(BoardIsRight(), hands.at)
    hands.lift(chooser(position))
    return hands.session.view


def gesture(rules: Rules) -> View:
    """A side holds its Chief and its Princess: it resigns when the light has filled up."""
    hands = hands_at(Position.start(rules))
    for square in ("e1", "f1"):
        hands.lift(square)
        hands.wait(1.0)
    hands.wait(1.0)
    return hands.session.view


SCENES: Final[Mapping[str, Look]] = MappingProxyType(
    {
        look.__name__.replace("_", "-"): look
        for look in (
            lift,
            victim,
            put_down,
            last_ply,
            question,
            wrong_place,
            taken_back,
            setting_up,
            roll_due,
            rolled,
            fight,
            fight_lost,
            wish,
            wish_to_take,
            advice,
            failed_switch,
            gesture,
        )
    }
)
"""Every scene by its name; its docstring is what it shows."""
