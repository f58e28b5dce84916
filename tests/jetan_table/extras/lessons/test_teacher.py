"""Lessons at a simulated table: real scan and reading, typed hands."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from jetan_table.extras.lessons.course import DISK, GRID, course
from jetan_table.extras.lessons.exercise import (
    KEPT_IN,
    SOUGHT_S,
    LessonExercise,
    NoSuchLesson,
    Progress,
    cut_short,
    lesson_to_learn,
    lessons,
    read_progress,
)
from jetan_table.extras.lessons.teacher import Teacher, Teaching
from jetan_table.game.commands import AskAdvice, Resign
from jetan_table.journal.journal import Journal
from jetan_table.light.cues import Cue
from jetan_table.light.words import Speaker
from jetan_table.session.view import Phase
from rules import parse_square
from tests.jetan_table.sitting import Evening

COURSE = lessons(GRID, may_change=True)


class School(Evening):
    """A table at which somebody teaches; the course has still to be opened."""

    def __init__(self, folder: Path) -> None:
        super().__init__(Journal(folder), between_s=0.2)
        self.teacher = Teacher(folder, self.hands.set_up)
        self.table.welcome(self.teacher)

    def close(self) -> None:
        self.journal.close()

    @property
    def teaching(self) -> Teaching:
        assert self.teacher.teaching is not None
        return self.teacher.teaching

    def open(self, name: str | None = None) -> None:
        self.teacher.open(lesson_to_learn(COURSE, name, ()))

    @property
    def advised(self) -> set[str]:
        """The squares that are lit as help."""
        return {name for name, cue in self.lit.items() if cue is Cue.ADVICE}

    @property
    def answer(self) -> str:
        return self.teaching.answer or ""


@pytest.fixture
def school(tmp_path: Path) -> Iterator[School]:
    with closing(School(tmp_path)) as running:
        running.wait()
        running.open()
        running.wait()
        yield running


PIECE, END = "e3", "d4"


def test_the_move_is_to_be_found_first_and_is_shown_after_a_while(school: School) -> None:
    assert school.view.phase is Phase.PLAYING
    words = Speaker("de").sentences(school.view)
    assert words[0] == "Lektion 1 von 14: Panthan."
    assert words[1].endswith("nie zurück. Zieh nach d4.")
    assert school.advised == set()
    school.wait(SOUGHT_S)
    assert school.advised == {PIECE, END}


def test_who_asks_is_shown_the_piece_and_then_the_move(school: School) -> None:
    school.tell(AskAdvice(), 2.0)
    assert school.advised == {PIECE}
    school.tell(AskAdvice(), 2.0)
    assert school.advised == {PIECE, END}


def test_two_wrong_moves_show_the_right_one(school: School) -> None:
    for count in range(2):
        assert school.advised == set()
        school.move("e3", ("f4", "e4")[count], 2.0)
    assert school.advised == {PIECE, END}


def test_the_ply_that_is_asked_for_solves_the_lesson_and_the_next_one_begins(
    school: School, tmp_path: Path
) -> None:
    school.move("e3", "d4", wait_s=1.5)
    assert school.teaching.is_over
    assert read_progress(tmp_path) == Progress(("panthan",), "panthan")
    school.wait()
    assert (school.teaching.exercise.name, school.teaching.is_over) == ("warrior", False)
    assert school.view.help.taught["en"][:2] == ("Well done!", "Lesson 2 of 14: Warrior.")
    assert school.hands.standing[parse_square("d3")] == "W"


def test_an_illegal_try_is_led_back_and_its_reason_stays(school: School) -> None:
    school.move("e3", "e2", 2.0)
    assert "never goes back" in school.answer
    school.move("e2", "e3", 2.0)
    assert "never goes back" in school.answer
    assert any("never goes back" in text for text in school.view.help.taught["en"])


def test_a_legal_ply_that_is_not_asked_for_is_taken_back(school: School) -> None:
    school.move("e3", "f4", 2.0)
    assert school.record.game.plies == ()
    assert school.answer.endswith("But this lesson asks for another move.")
    assert school.hands.standing[parse_square("e3")] == "P"


def test_any_piece_that_takes_the_chief_wins_as_the_recommended_reading_has_it(
    school: School,
) -> None:
    school.open("chief-takes-chief")
    school.wait()
    school.move("f2", "g4", wait_s=1.5)
    assert school.teaching.is_over


def test_an_end_that_is_not_asked_for_is_taken_back(school: School) -> None:
    *_, lesson = (each for each in course(GRID, True) if each.name == "chief-takes-chief")
    by_the_chief = replace(lesson, asked=("e3g4",))
    school.teacher.open(LessonExercise((by_the_chief,), GRID, 1))
    school.wait()
    school.move("f2", "g4", wait_s=4.0)
    assert school.record.ending is None
    assert school.record.game.plies == ()
    school.move("e3", "g4", wait_s=1.5)
    assert school.teaching.is_over


def test_a_lesson_that_is_given_up_begins_again(school: School) -> None:
    school.tell(Resign(), 2.0)
    assert school.record.ending is None
    assert school.teaching.exercise.name == "panthan"


def test_a_lesson_the_table_was_in_is_taken_up(school: School, tmp_path: Path) -> None:
    school.move("e3", "d4", wait_s=4.0)
    open_one, before = cut_short(tmp_path, GRID, may_change=True)
    later = Teacher(tmp_path)
    assert not later.take_up(school.record, before)
    assert later.take_up(school.record, open_one)
    assert later.teaching is not None
    assert later.teaching.exercise.name == "warrior"
    assert not Teacher(tmp_path).take_up(school.record, COURSE[4])
    school.teacher.close()
    assert list(cut_short(tmp_path, GRID, may_change=True)) == []


def test_a_lesson_that_was_solved_when_the_table_went_off_is_followed_by_the_next(
    tmp_path: Path,
) -> None:
    with closing(School(tmp_path)) as school:
        school.wait()
        school.open()
        school.wait()
        school.move("e3", "d4", wait_s=1.5)
        assert school.teaching.is_over
    with closing(School(tmp_path)) as school:
        (first,) = cut_short(tmp_path, GRID, may_change=True)
        assert school.teacher.take_up(school.record, first)
        school.wait(3.0)
        assert school.teaching.exercise.name == "warrior"


def test_progress_that_cannot_be_read_is_the_beginning(tmp_path: Path) -> None:
    (tmp_path / KEPT_IN).write_text("no JSON")
    assert read_progress(tmp_path) == Progress()


def test_the_course_begins_anew_once_all_is_solved() -> None:
    given = lessons(DISK, may_change=False)
    names = [lesson.name for lesson in given]
    assert lesson_to_learn(given, None, names[:3]).number == 4
    assert lesson_to_learn(given, None, names).number == 1
    assert lesson_to_learn(given, "padwar", names).name == "padwar"


def test_no_such_lesson() -> None:
    with pytest.raises(NoSuchLesson, match="padwar"):
        lesson_to_learn(COURSE, "padwan", ())


def test_a_lesson_names_the_square_to_reach_or_says_what_to_take() -> None:
    by_name = {exercise.name: exercise.asked for exercise in COURSE}
    assert by_name["dwar"].endswith("Go to g4.")
    assert "Go to" not in by_name["escape"]


def test_lessons_go_on_where_the_disk_takes_no_progress(tmp_path: Path) -> None:
    (tmp_path / KEPT_IN).mkdir()  # no file can be written there
    with closing(School(tmp_path)) as school:
        school.open()
        school.wait()
        school.move("e3", "d4", 2.0)
        assert school.teaching.is_over or school.teaching.exercise.name == "warrior"
        assert school.teaching.solved == ("panthan",)
