"""What a page shows of fights, of the die, and of a game that is watched."""

from collections.abc import Iterable

import msgspec

from rules import Move, Position, format_square
from rules.game import Game, Throw
from rules.text import format_roll, format_throw

from ..game.dice import Fight
from ..game.record import Record
from ..session.view import View

MOST_ROLLS = 12
"""So many of the latest rolls are shown."""


class DieState(msgspec.Struct, frozen=True):
    """The table's die: whether it is to be rolled for the Juggernaut, and what it has shown since.

    `history` are the latest rolls, each with the number of its ply, the newest last.
    `commit` is what the table's own seed was sealed by, `added` the players' numbers, `seed` itself
    once the game is over; None and empty where the table has no die.
    """

    is_due: bool
    rolls: list[str]
    history: list[tuple[int, str]]
    commit: str | None
    added: list[int]
    seed: str | None


class FightState(msgspec.Struct, frozen=True):
    """A fight that is open: for which square, who fights by their letters, what was thrown so far.

    `values` are what their pieces add to their throws; who entered comes first.
    """

    square: str
    attacker: str
    defender: str
    values: tuple[int, int]
    throws: list[str]


class FoughtState(msgspec.Struct, frozen=True):
    """A fight that is decided: the number of its ply, who fought, what was thrown, and who won.

    `values` are what the fighters' pieces added to their throws; nothing was thrown where players
    told who won.
    """

    number: int
    attacker: str
    defender: str
    values: tuple[int, int]
    throws: list[str]
    attacker_won: bool


class WatchState(msgspec.Struct, frozen=True):
    """A table that plays both sides on a screen: how often, and whether it stands still."""

    every_s: float
    is_paused: bool


def die_state(view: View, record: Record) -> DieState | None:
    """Return what is shown of the die; None where nothing is rolled for."""
    if view.position.juggernaut is None and view.record.die is None:
        return None
    own = view.record.die
    faces = () if record.game.plies else view.record.opening.faces
    rolls = view.record.rolls
    if not rolls and not record.game.plies and view.record.start_roll is not None:
        rolls = (view.record.start_roll,)
    numbered = enumerate(record.game.plies, record.game.start.ply_number)
    rolled = [(number, format_roll(roll)) for number, ply in numbered for roll in ply.rolls]
    return DieState(
        view.is_roll_due,
        [format_roll(roll) for roll in rolls] or list(map(str, faces)),
        rolled[-MOST_ROLLS:],
        own.commit if own else None,
        list(own.added) if own else [],
        own.seed if own else None,
    )


def fight_state(fight: Fight | None) -> FightState | None:
    """Return what is shown of an open fight; None without one."""
    if fight is None:
        return None
    fighters = _fighters(fight.before, fight.move, fight.throws)
    return FightState(format_square(fight.square), *fighters)


def duel_states(game: Game) -> list[FoughtState]:
    """Return what is shown of the fights that are decided in a game."""
    if game.start.rules["duel"] == "off":
        return []
    numbered = enumerate(zip(game.positions, game.plies, strict=False), game.start.ply_number)
    return [
        FoughtState(number, *_fighters(before, ply.move, duel.throws), duel.attacker_won)
        for number, (before, ply) in numbered
        if (duel := ply.duel) is not None
    ]


def _fighters(
    before: Position, move: Move, throws: Iterable[Throw]
) -> tuple[str, str, tuple[int, int], list[str]]:
    """Return who fights by a move, who entered first, what they add, and what was thrown."""
    pieces = before.pieces()
    attacker, defender = pieces[move.from_square], pieces[move.to_square]
    values = before.rules.worth(attacker.kind), before.rules.worth(defender.kind)
    return attacker.letter, defender.letter, values, [format_throw(throw) for throw in throws]
