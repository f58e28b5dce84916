"""The course on the page: opened and left at the table, and its lessons and cards as documents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from rules import format_square, parse_rules
from rules.words import Language

from ..game.commands import CommandRefused, New, NewGame
from ..game.refusals import No
from ..journal.archive import Archive
from ..journal.game_files import game_text
from ..journal.saved_games import read_saved, start_from
from ..lessons.cards import cards
from ..lessons.course import GRID, course
from ..lessons.german import in_language
from ..lessons.tutor import Teaching, Tutor
from ..lessons.words import answer_to_try
from ..opponent.seat import Seat
from ..simulation.table import TypedHands
from ..table.loop import Table
from .documents import kept_record

LANGUAGES: tuple[Language, ...] = ("en", "de")


class LessonState(msgspec.Struct, frozen=True):
    """The lesson that is taught: its name, which of how many, its title and words by language.

    `answer` is what there is to say to the last try, `solved` the names of all that are solved.
    """

    name: str
    number: int
    count: int
    title: dict[Language, str]
    words: dict[Language, str]
    wanted: tuple[str, str]
    """Where the piece stands that is asked for, and where it is to go."""
    answer: dict[Language, str]
    is_solved: bool
    is_done: bool
    """Whether the course is through."""
    solved: tuple[str, ...]


def lesson_state(teaching: Teaching) -> LessonState:
    """Return what a page shows of a lesson."""
    lesson, wanted = teaching.lesson, teaching.wanted[0]
    return LessonState(
        name=lesson.name,
        number=teaching.number,
        count=teaching.count,
        title={language: in_language(language, lesson.title) for language in LANGUAGES},
        words={language: in_language(language, lesson.words) for language in LANGUAGES},
        wanted=(format_square(wanted.from_square), format_square(wanted.to_square)),
        answer={language: answer_to_try(teaching, language) for language in LANGUAGES},
        is_solved=teaching.is_solved,
        is_done=teaching.is_done,
        solved=teaching.progress.solved,
    )


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
    tutor = seat.tutor
    if tutor is not None:
        tutor.open(name)
        return
    tutor = _tutor(table, hands, folder)
    tutor.open(name)
    tutor.leave(table.game)
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
    if seat is None or seat.tutor is None:
        raise CommandRefused(No.NOTHING_LEARNED)
    left = seat.tutor.close()
    seat.invite(None)
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
