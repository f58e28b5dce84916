"""What may be done with the Juggernaut's die just now, and what a roll is called in its game."""

from __future__ import annotations

from rules import Position, format_move
from rules.game import Game, Ply
from rules.game_text import format_roll
from rules.juggernaut import Roll

from .commands import CommandRefused
from .events import DieNumber, DieRoll
from .record import Record
from .refusals import No

MOST_ADDED = 999_999_999
"""A number that a player adds is at most so large: what people think of is shorter."""


def occasion(position: Position, ply: Ply, earlier: int) -> str:
    """Return what tells a roll from all others of its game: `12 Tj9-i8 1`.

    The number and the text of the ply, which was played from `position`, and which of its rolls
    this is, after `earlier` ones. So the same ply, played again, meets the same roll.
    """
    return f"{position.ply_number} {format_move(ply.move, position)} {earlier + 1}"


def next_occasion(game: Game) -> str:
    """Return the occasion of the roll that the last ply waits for."""
    last = game.plies[-1]
    return occasion(game.positions[-2], last, len(last.rolls))


def wants_seed(record: Record) -> bool:
    """Whether the game needs a die of the table's, and has none yet."""
    is_on = record.position.juggernaut is not None and record.ending is None
    return is_on and record.die is None


def owes_seed(record: Record) -> bool:
    """Whether the game is over, and its seed still a secret."""
    return record.ending is not None and record.die is not None and record.die.seed is None


def is_roll_due(record: Record) -> bool:
    """Whether the last ply, which is certain, waits for the Juggernaut's die."""
    is_open = record.ending is not None or record.question is not None
    return record.game.awaits_roll and not is_open


def check_roll_due(record: Record) -> None:
    """Raise CommandRefused where nothing is to be rolled for just now."""
    if record.position.juggernaut is None:
        raise CommandRefused(No.NO_JUGGERNAUT)
    if record.ending is not None:
        raise CommandRefused(No.GAME_IS_OVER)
    if record.question is not None:
        raise CommandRefused(No.ANSWER_FIRST)
    if not record.game.awaits_roll:
        raise CommandRefused(No.NOT_DUE)


def roll_event(record: Record, roll: Roll) -> DieRoll:
    """Return the event of a roll; CommandRefused or BadValue where it makes no sense now."""
    check_roll_due(record)
    return DieRoll(record.last_number, format_roll(roll.checked()))


def number_event(record: Record, number: int) -> DieNumber:
    """Return the event of a player's number; CommandRefused where it comes too late."""
    if not 0 <= number <= MOST_ADDED:
        raise CommandRefused(No.NUMBER_TOO_LARGE, number=number, most=MOST_ADDED)
    if record.die is None:
        raise CommandRefused(No.NO_DIE)
    if record.die.is_thrown or record.die.seed is not None:
        raise CommandRefused(No.DIE_ROLLED)
    return DieNumber(number)
