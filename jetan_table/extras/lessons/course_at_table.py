"""Lessons and exercises at a table: begun where a game is, and left for the one before them."""

from pathlib import Path

from rules.sentences import _

from ...boards.typed import TypedHands
from ...game.commands import CommandRefused, New, NewGame
from ...game.events import BadRecord
from ...journal.archive import Archive
from ...journal.game_files import game_text, read_saved, start_from
from ...session.umpire import check_command
from ...table.loop import Table
from ..opponent.seat import Seat
from .exercise import Exercise, cut_short, lesson_to_learn, lessons, read_progress
from .teacher import Teacher


def learn(
    table: Table, seat: Seat | None, hands: TypedHands | None, folder: Path, name: str | None
) -> None:
    """Open the course at a table, at the lesson of that name or the first that is not solved.

    CommandRefused where the game that is played may not be left.
    """
    given = lessons(table.record.position.rules["board"], hands is not None)
    exercise = lesson_to_learn(given, name, read_progress(folder).solved)
    train(table, seat, hands, folder, exercise)


def train(
    table: Table,
    seat: Seat | None,
    hands: TypedHands | None,
    folder: Path,
    exercise: Exercise,
    carries: bool = False,
) -> None:
    """Set an exercise at a table; simulated hands play its replies where the table `carries` them.

    CommandRefused where the game that is played may not be left.
    """
    if seat is None:
        raise CommandRefused(_("simulated people play both sides here"))
    check_command(table.record, New())
    teacher = _teacher(seat, hands, folder, carries)
    teacher.open(exercise, seat.left if seat.teaching is not None else table.game)
    seat.teach(teacher)


def go_on_learning(table: Table, seat: Seat | None, hands: TypedHands | None, folder: Path) -> bool:
    """Go on with what the table taught when it was switched off; False where that was nothing."""
    if seat is None or seat.guest is not None:
        return False
    teacher = _teacher(seat, hands, folder, carries=False)
    board = table.record.position.rules["board"]
    for exercise in cut_short(folder, board, hands is not None):
        if teacher.take_up(table.record, exercise):
            seat.teach(teacher)
            return True
    return False


def game_after_lessons(
    table: Table, seat: Seat | None, archive: Archive, now: float
) -> New | NewGame:
    """Close the lessons, and return the game that goes on after them.

    The one that was left for it, where it had begun, was not over and is not damaged; else a new
    one.
    """
    if seat is None:
        raise CommandRefused(_("simulated people play both sides here"))
    left = seat.leave_lessons()
    if left is None:
        return New(rules=table.record.header.rules)
    try:
        record = archive.record(left)
    except BadRecord:  # the list of games names it; lessons can be left nevertheless
        return New(rules=table.record.header.rules)
    if not record.game.plies or record.game.outcome is not None:
        return New(rules=record.header.rules)
    begun = start_from(read_saved(game_text(record)), None, now)
    return NewGame(begun.header, begun.events)


def _teacher(seat: Seat, hands: TypedHands | None, folder: Path, carries: bool) -> Teacher:
    if hands is None:
        return Teacher(folder, wait_s=seat.wait_s)
    return Teacher(folder, hands.set_up, hands.move if carries else None, seat.wait_s)
