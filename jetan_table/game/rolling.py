"""Rolls for the Juggernaut and for fights: when they are due, and the name each has in its game."""

from collections.abc import Callable, Collection
from itertools import count
from typing import Final, TypeAlias

from rules import (
    CENTRE,
    TELEPORT,
    BadText,
    Game,
    PlayedPly,
    Position,
    Roll,
    Square,
    Throw,
    _,
    format_move,
    juggernaut_starts,
    teleport_square,
    whole_number,
)
from rules.text import LOST, WON, format_roll, format_throw, parse_roll, parse_throw

from .commands import MOST_ADDED, CommandRefused
from .events import DieNumber, DieRoll, DuelReport
from .record import Fight, Record

Dice: TypeAlias = Callable[[str], tuple[int, ...]]
"""The faces of the table's die on an occasion: one, and for a teleport file and rank."""

START_MOVE: Final = "start"
"""Stand-in for a move in the name of the roll for the Juggernaut's first square."""


def occasion(position: Position, ply: PlayedPly, earlier: int) -> str:
    """Return the name of a roll, which no other of its game has: `12 Tj9-i8 1`.

    It is the number and the text of the ply, played from `position`, and the number of the roll
    after `earlier` ones. The die is a function of it: the same ply, played again, meets the same
    roll, so that nobody gains by taking a ply back.
    """
    return f"{position.ply_number} {format_move(ply.move, position)} {earlier + 1}"


def start_squares(record: Record) -> tuple[Square, ...]:
    """Return the squares on which chance may put the Juggernaut now: only before the first ply."""
    position = record.position
    if (
        record.game.plies
        or position.juggernaut is not None
        or position.rules["juggernaut"] == "off"
    ):
        return ()
    is_open = record.ending is None and record.unsettled is None and record.question is None
    return juggernaut_starts(position) if is_open else ()


def rolled_start(starts: Collection[Square], face: Callable[[str], int]) -> Roll:
    """Return the roll that puts the Juggernaut on one of its `starts`, written as a teleport.

    `face` returns one die's face on an occasion: `0 start 1 file`, `0 start 1 rank`. Both dice are
    thrown again, as `0 start 2`, if they name a square that is none of `starts`.
    """
    # A roll is a function of seed and occasion, so each attempt needs a name of its own.
    for attempt in count(1):
        dice = face(f"0 {START_MOVE} {attempt} file"), face(f"0 {START_MOVE} {attempt} rank")
        if teleport_square(Roll(TELEPORT, *dice)) in starts:
            return Roll(TELEPORT, *dice)
    raise AssertionError("counting never ends")


def roll_on(occasion: str, dice: Dice) -> Roll:
    """Return the Juggernaut's roll on an occasion."""
    face, *teleport = dice(occasion)
    file, rank = teleport or (None, None)
    return Roll(face, file, rank)


def throw_on(occasion: str, dice: Dice) -> Throw:
    """Return the throw of both sides of a fight on an occasion."""
    return Throw(dice(f"{occasion} attack")[0], dice(f"{occasion} defence")[0])


def next_occasion(game: Game) -> str:
    """Return the occasion of the roll that the last ply waits for."""
    last = game.plies[-1]
    return occasion(game.positions[-2], last, len(last.rolls))


def wants_seed(record: Record) -> bool:
    """Return True if the game needs a die of the table's, and has none yet."""
    position = record.position
    has_juggernaut = position.juggernaut is not None or bool(start_squares(record))
    has_use = has_juggernaut or position.rules["duel"] != "off"
    is_used = has_use or record.opening.is_roll_due
    return is_used and record.ending is None and record.die is None


def owes_seed(record: Record) -> bool:
    """Return True if the game is over, and the seed still a secret."""
    return record.ending is not None and record.die is not None and record.die.seed is None


def is_roll_due(record: Record) -> bool:
    """Return True if a roll is due: for how the game begins, or for the last ply."""
    if record.unsettled is not None:
        return record.opening.is_roll_due
    is_open = record.ending is not None or record.question is not None
    return not is_open and (record.game.awaits_roll or bool(start_squares(record)))


def open_fight(record: Record) -> Fight | None:
    """Return the fight to be decided now, if one is open."""
    return None if record.ending is not None else record.fight


def thrown_for(record: Record) -> tuple[Square, ...]:
    """Return the square of the piece for which dice are due: a fighter's, or the Juggernaut's.

    Before the Juggernaut stands anywhere these are the free squares in the middle of the board.
    """
    fight = open_fight(record)
    if fight is not None:
        return (fight.square,)
    if record.unsettled is not None or not is_roll_due(record):
        return ()
    here, occupied = record.position.juggernaut, record.position.occupied
    return tuple(s for s in CENTRE if not occupied >> s & 1) if here is None else (here,)


def check_roll_due(record: Record) -> None:
    """Raise CommandRefused unless a roll for the Juggernaut is due."""
    if open_fight(record) is not None:
        raise CommandRefused(_("a fight is open: say first who has won it"))
    if record.position.juggernaut is None and not start_squares(record):
        raise CommandRefused(_("no Juggernaut is in this game: there is nothing to roll for"))
    if record.ending is not None:
        raise CommandRefused(_("the game is over already"))
    if record.question is not None:
        raise CommandRefused(_("answer the question first"))
    if not is_roll_due(record):
        raise CommandRefused(_("the die is rolled once after each move: play the next one first"))


def entered_face(text: str) -> int:
    """Return the face that people enter for who begins, or for the bias; BadText."""
    face = whole_number(text)
    if face is None:
        raise BadText(_("die {text!r}: one number, such as 3"), text=text)
    return face or TELEPORT


def entered_roll(record: Record, text: str) -> DieRoll:
    """Return the event of a roll of people's own die, entered as `3` or `10 3 7`.

    CommandRefused where no roll is due, BadText or BadValue where no die shows it.
    """
    return roll_event(record, parse_roll(_spoken(text))._replace(by_hand=True))


def roll_event(record: Record, roll: Roll) -> DieRoll:
    """Return the event of a roll; CommandRefused or BadValue where it makes no sense now."""
    check_roll_due(record)
    starts, roll = start_squares(record), roll.checked()
    if starts and (roll.face != TELEPORT or teleport_square(roll) not in starts):
        raise CommandRefused(
            _("the Juggernaut cannot begin there: throw file and rank again, as in: roll 10 5 6")
        )
    return DieRoll(record.last_number, format_roll(roll))


def entered_duel(record: Record, text: str) -> DuelReport:
    """Return the event of a throw that people enter for the open fight (`7 4`), or `won` or `lost`.

    CommandRefused where nobody fights, or dice have begun to decide; BadText or BadValue where no
    dice show it.
    """
    fight = open_fight(record)
    if fight is None:
        raise CommandRefused(_("nobody fights for a square just now"))
    if text not in (WON, LOST):
        throw = parse_throw(_spoken(text)).checked()
        return DuelReport(fight.number, format_throw(throw._replace(by_hand=True)))
    if fight.throws:
        raise CommandRefused(_("the dice have begun to decide this fight: throw them again"))
    return DuelReport(fight.number, text)


def _spoken(text: str) -> str:
    """Return numbers separated by spaces as game texts have them, separated by commas."""
    return ",".join(word for word in text.replace(",", " ").split() if word != "hand")


def number_event(record: Record, number: int) -> DieNumber:
    """Return the event of a player's number; CommandRefused where it comes too late."""
    if not 0 <= number <= MOST_ADDED:
        raise CommandRefused(_("{number}: must be 0..{most}"), number=number, most=MOST_ADDED)
    if record.die is None:
        raise CommandRefused(
            _("the table has no die in this game: throw a real one, and enter it as in: roll 3")
        )
    if record.die.is_thrown or record.die.seed is not None:
        raise CommandRefused(_("the table's die has been rolled: add numbers before that"))
    return DieNumber(number)
