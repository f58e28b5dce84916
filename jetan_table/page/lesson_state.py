"""What a page shows of the lesson that is taught, or the exercise that is set."""

from collections.abc import Sequence

import msgspec

from rules import format_square
from rules.sentences import Worded

from ..extras.lessons.exercise import LessonExercise
from ..extras.lessons.teacher import Teaching
from ..languages import LANGUAGES, Language, translation


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


def lesson_state(teaching: Teaching) -> LessonState | None:
    """Return what a page shows of a lesson; None where an exercise of another kind is set."""
    exercise = teaching.exercise
    if not isinstance(exercise, LessonExercise):
        return None
    wanted = exercise.wanted(0)
    return LessonState(
        name=exercise.name,
        number=exercise.number,
        count=len(exercise.course),
        heading=_joined([exercise.heading]),
        words=_joined([exercise.asked]),
        wanted=(format_square(wanted.from_square), format_square(wanted.to_square)),
        answer=_joined(teaching.answers),
        is_solved=teaching.is_over,
        is_done=teaching.is_done,
        solved=teaching.solved,
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


def training_state(teaching: Teaching) -> TrainingState | None:
    """Return what a page shows of a puzzle, or of moves to be guessed; None for a lesson."""
    exercise, (_heading, *lines) = teaching.exercise, teaching.words()
    if isinstance(exercise, LessonExercise):
        return None
    return TrainingState(
        name=exercise.name,
        heading=_joined([exercise.heading]),
        words={language: _said(lines, language) for language in LANGUAGES},
        is_right=teaching.count > 0 and not teaching.wrong,
        is_over=teaching.is_over,
        solved=teaching.solved,
    )


def _said(lines: Sequence[Worded], language: Language) -> list[str]:
    return [line.said(translation(language)) for line in lines]


def _joined(lines: Sequence[Worded]) -> dict[Language, str]:
    return {language: " ".join(_said(lines, language)) for language in LANGUAGES}
