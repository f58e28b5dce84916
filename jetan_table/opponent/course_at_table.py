"""Lessons and exercises at a table: begun where a game is, and left for the one before them."""

from __future__ import annotations

from pathlib import Path

from rules.sentences import _

from ..game.commands import CommandRefused, New, NewGame
from ..game.record import Record
from ..journal.archive import Archive, GameId
from ..journal.game_files import game_text
from ..journal.saved_games import read_saved, start_from
from ..lessons.exercise import Exercise, PuzzleExercise
from ..lessons.puzzles import puzzle_numbered
from ..lessons.trainer import Trainer
from ..lessons.tutor import Tutor
from ..session.umpire import check_command
from ..simulation.typed import TypedHands
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
    tutor.open(name, _left_for_it(table, seat))
    seat.teach(tutor)


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
    trainer = _trainer(seat, hands, folder, carries)
    trainer.open(exercise, _left_for_it(table, seat))
    seat.teach(trainer)


def go_on_learning(table: Table, seat: Seat | None, hands: TypedHands | None, folder: Path) -> bool:
    """Go on with what the table taught when it was switched off; False where that was nothing."""
    if seat is None or seat.guest is not None:
        return False
    tutor = _tutor(table, hands, folder)
    if tutor.take_up(table.record):
        seat.teach(tutor)
        return True
    trainer = _trainer(seat, hands, folder, carries=False)
    puzzle = puzzle_numbered(trainer.opened or "")
    if puzzle is None or not trainer.take_up(table.record, PuzzleExercise(puzzle)):
        return False
    seat.teach(trainer)
    return True


def game_after_lessons(
    table: Table, seat: Seat | None, archive: Archive, now: float
) -> New | NewGame:
    """Close the lessons, and return the game that goes on after them.

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


def _left_for_it(table: Table, seat: Seat) -> GameId | None:
    """Return the game that people go back to after what is taught next."""
    return seat.left if seat.teaching or seat.training else table.game


def _trainer(seat: Seat, hands: TypedHands | None, folder: Path, carries: bool) -> Trainer:
    if hands is None:
        return Trainer(folder, wait_s=seat.wait_s)
    return Trainer(folder, hands.set_up, hands.move if carries else None, seat.wait_s)


def _tutor(table: Table, hands: TypedHands | None, folder: Path) -> Tutor:
    board = table.record.position.rules["board"]
    return Tutor(folder, board, hands is not None, None if hands is None else hands.set_up)
