"""What a page shows of the lesson that is taught, or the exercise that is set."""

from __future__ import annotations

import msgspec

from rules import format_square

from ..languages import LANGUAGES, Language, say_in, translation
from ..lessons.teaching import Teaching
from ..lessons.trainer import Training
from ..lessons.words import answer_to_try, heading


class LessonState(msgspec.Struct, frozen=True):
    """The lesson that is taught: its name, which of how many, its heading and words by language.

    `answer` is what there is to say to the last try, `solved` the names of all that are solved.
    """

    name: str
    number: int
    count: int
    heading: dict[Language, str]
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
        heading={language: heading(teaching, language) for language in LANGUAGES},
        words={language: say_in(language, lesson.words) for language in LANGUAGES},
        wanted=(format_square(wanted.from_square), format_square(wanted.to_square)),
        answer={language: answer_to_try(teaching, language) for language in LANGUAGES},
        is_solved=teaching.is_solved,
        is_done=teaching.is_done,
        solved=teaching.progress.solved,
    )


class TrainingState(msgspec.Struct, frozen=True):
    """The exercise that is set: its heading, and all there is to say of it now, by language.

    `name` is a puzzle's number; empty where moves of a game are guessed.
    """

    name: str
    heading: dict[Language, str]
    words: dict[Language, list[str]]
    is_right: bool
    """Whether the last try was right."""
    is_over: bool
    solved: tuple[str, ...]
    """The numbers of the puzzles that are solved."""


def training_state(training: Training) -> TrainingState:
    """Return what a page shows of an exercise."""
    words = training.words()
    said_in = {
        language: [line.said(translation(language)) for line in words] for language in LANGUAGES
    }
    return TrainingState(
        name=training.exercise.name,
        heading={language: lines[0] for language, lines in said_in.items()},
        words={language: lines[1:] for language, lines in said_in.items()},
        is_right=training.count > 0 and not training.wrong,
        is_over=training.is_over,
        solved=training.solved,
    )
