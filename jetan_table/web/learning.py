"""The course on the page: opened and left at the table, and its lessons and cards as documents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rules import parse_rules
from rules.words import Language

from ..game.commands import CommandRefused, New, NewGame
from ..game.refusals import No
from ..journal.archive import Archive
from ..journal.game_files import game_text
from ..journal.saved_games import read_saved, start_from
from ..lessons.cards import cards
from ..lessons.course import GRID, course
from ..lessons.german import in_language
from ..lessons.tutor import Tutor
from ..opponent.seat import Seat
from ..simulation.table import TypedHands
from ..table.loop import Table
from .documents import kept_record


def lessons_document(language: Language) -> list[dict[str, Any]]:
    """Return the names and titles of all lessons, in their order."""
    return [
        {"name": lesson.name, "title": in_language(language, lesson.title)}
        for lesson in course(GRID, may_change=True)
    ]


def cards_document(rules: str, language: Language) -> list[dict[str, Any]]:
    """Return the move cards of all pieces by these rules."""
    return [
        {"letter": card.letter, "name": card.name, "sentences": card.sentences}
        for card in cards(parse_rules(rules), language)
    ]


def learn(
    table: Table, seat: Seat | None, hands: TypedHands | None, folder: Path, name: str | None
) -> None:
    """Open the course at a table, at the lesson of that name or the first that is not solved."""
    if seat is None:
        raise CommandRefused(No.SIMULATED_PEOPLE)
    tutor = _tutor(table, hands, folder)
    tutor.open(name, None if seat.teaching else table.game)
    seat.teach(tutor)


def go_on_learning(table: Table, seat: Seat | None, hands: TypedHands | None, folder: Path) -> None:
    """Go on with the lesson that the table was in the middle of when it was switched off."""
    if seat is not None and seat.guest is None:
        tutor = _tutor(table, hands, folder)
        if tutor.take_up(table.record):
            seat.teach(tutor)


def game_after_lessons(
    table: Table, seat: Seat | None, archive: Archive, now: float
) -> New | NewGame:
    """Close the course, and return the game that goes on after it.

    The one that was left for it, where it had begun and was not over; else a new one by its rules.
    """
    if seat is None:
        raise CommandRefused(No.SIMULATED_PEOPLE)
    left = seat.leave_lessons()
    if left is None:
        return New(rules=table.record.header.rules)
    record = kept_record(archive, left)
    if not record.game.plies or record.game.outcome is not None:
        return New(rules=record.header.rules)
    begun = start_from(read_saved(game_text(record)), None, now)
    return NewGame(begun.header, begun.events)


def _tutor(table: Table, hands: TypedHands | None, folder: Path) -> Tutor:
    board = table.record.position.rules["board"]
    return Tutor(folder, board, hands is not None, None if hands is None else hands.set_up)
