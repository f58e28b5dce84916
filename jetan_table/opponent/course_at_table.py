"""The course at a table: opened where a game is, and left for the game that was there before."""

from __future__ import annotations

from pathlib import Path

from rules.sentences import _

from ..game.commands import CommandRefused, New, NewGame
from ..game.record import Record
from ..journal.archive import Archive
from ..journal.game_files import game_text
from ..journal.saved_games import read_saved, start_from
from ..lessons.tutor import Tutor
from ..session.umpire import check_command
from ..simulation.table import TypedHands
from ..table.loop import Table
from .seat import Seat


def learn(
    table: Table, seat: Seat | None, hands: TypedHands | None, folder: Path, name: str | None
) -> None:
    """Open the course at a table, at the lesson of that name or the first that is not solved.

    CommandRefused where the game that is played may not be left.
    """
    if seat is None:
        raise CommandRefused(_("simulated people play both sides here"))
    check_command(table.record, New())
    tutor = _tutor(table, hands, folder)
    tutor.open(name, None if seat.teaching else table.game)
    seat.teach(tutor)


def go_on_learning(table: Table, seat: Seat | None, hands: TypedHands | None, folder: Path) -> bool:
    """Go on with the lesson that the table was in when it was switched off; False if in none."""
    if seat is None or seat.guest is not None:
        return False
    tutor = _tutor(table, hands, folder)
    if not tutor.take_up(table.record):
        return False
    seat.teach(tutor)
    return True


def game_after_lessons(
    table: Table, seat: Seat | None, archive: Archive, now: float
) -> New | NewGame:
    """Close the course, and return the game that goes on after it.

    The one that was left for it, where it had begun and was not over; else a new one by its rules.
    """
    if seat is None:
        raise CommandRefused(_("simulated people play both sides here"))
    left = seat.leave_lessons()
    if left is None:
        return New(rules=table.record.header.rules)
    record = Record.read(archive.header(left), archive.entries(left))
    if not record.game.plies or record.game.outcome is not None:
        return New(rules=record.header.rules)
    begun = start_from(read_saved(game_text(record)), None, now)
    return NewGame(begun.header, begun.events)


def _tutor(table: Table, hands: TypedHands | None, folder: Path) -> Tutor:
    board = table.record.position.rules["board"]
    return Tutor(folder, board, hands is not None, None if hands is None else hands.set_up)
