"""A tutor at a simulated table: real scan and reading, typed hands."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from jetan_table.game.commands import Resign
from jetan_table.journal.journal import Journal
from jetan_table.journal.opening import open_game
from jetan_table.lamps.cues import Cue, cues
from jetan_table.lessons.course import DISK, GRID, course
from jetan_table.lessons.progress import KEPT_IN, Progress, keep_progress, read_progress
from jetan_table.lessons.teaching import Teaching
from jetan_table.lessons.tutor import NoSuchLesson, Tutor
from jetan_table.session.view import Phase
from jetan_table.settings import Settings
from jetan_table.simulation.typed import typed_hands
from jetan_table.table.loop import EagerClock
from jetan_table.wiring import join
from jetan_table.words.words import Speaker
from rules import parse_square
from rules.explain import Reason
from tests.jetan_table.hands import header

STEP_S = 0.02


class School:
    """A table at which somebody teaches; `tutor` has still to open the course."""

    def __init__(self, folder: Path) -> None:
        self.clock = EagerClock()
        self._journal = Journal(folder)
        opened = open_game(self._journal, None, header())
        self.hands = typed_hands(self._journal, opened, seed=1, between_s=0.2)
        self.tutor = Tutor(folder, GRID, True, self.hands.set_up)
        self.table, _ = join(
            self.hands.board, self._journal, opened, Settings(), guests=[self.tutor]
        )

    def close(self) -> None:
        self._journal.close()

    @property
    def teaching(self) -> Teaching:
        assert self.tutor.teaching is not None
        return self.tutor.teaching

    def wait(self, seconds: float = 2.0) -> None:
        until = self.clock.now() + seconds
        while self.clock.now() < until:
            self.table.step(self.clock.now())
            self.clock.sleep(STEP_S)

    def move(self, *names: str, wait_s: float = 2.0) -> None:
        self.hands.move([parse_square(name) for name in names], self.clock.now())
        self.wait(wait_s)


@pytest.fixture
def school(tmp_path: Path) -> Iterator[School]:
    with closing(School(tmp_path)) as running:
        running.wait()
        running.tutor.open()
        running.wait()
        yield running


def test_the_lamps_show_the_piece_and_where_it_goes(school: School) -> None:
    assert school.table.view.phase is Phase.PLAYING
    lit = {square for square, cue in cues(school.table.view).items() if cue is Cue.ADVICE}
    assert lit == {parse_square("e3"), parse_square("d4")}
    sentences = Speaker("de").sentences(school.table.view)
    assert sentences[0] == "Lektion 1 von 14: Panthan."


def test_the_ply_that_is_asked_for_solves_the_lesson_and_the_next_one_begins(
    school: School, tmp_path: Path
) -> None:
    school.move("e3", "d4", wait_s=1.5)
    assert school.teaching.is_solved
    assert read_progress(tmp_path) == Progress(("panthan",), "panthan")
    school.wait()
    assert (school.teaching.lesson.name, school.teaching.is_solved) == ("warrior", False)
    assert school.hands.standing[parse_square("d3")] == "W"


def test_an_illegal_try_is_led_back_and_its_reason_stays(school: School) -> None:
    school.move("e3", "e2")
    assert school.teaching.tried is not None
    assert school.teaching.tried.reason is Reason.BACKWARD
    school.move("e2", "e3")
    assert school.teaching.tried.reason is Reason.BACKWARD
    assert any("never goes back" in text for text in school.table.view.help.taught["en"])


def test_a_legal_ply_that_is_not_asked_for_is_taken_back(school: School) -> None:
    school.move("e3", "f4")
    assert school.table.record.game.plies == ()
    assert school.teaching.tried is not None
    assert school.teaching.tried.is_legal
    assert school.hands.standing[parse_square("e3")] == "P"


def test_a_draw_where_a_win_is_asked_for_is_taken_back(school: School) -> None:
    school.tutor.open("chief-takes-chief")
    school.wait()
    school.move("f2", "g4", wait_s=4.0)
    assert school.table.record.ending is None
    assert school.table.record.game.plies == ()
    school.move("e3", "g4", wait_s=1.5)
    assert school.teaching.is_solved


def test_a_lesson_that_is_given_up_begins_again(school: School) -> None:
    school.table.obey(Resign(), school.clock.now())
    school.wait()
    assert school.table.record.ending is None
    assert school.teaching.lesson.name == "panthan"


def test_a_tutor_takes_up_the_lesson_the_table_was_in(school: School, tmp_path: Path) -> None:
    school.move("e3", "d4", wait_s=4.0)
    later = Tutor(tmp_path, GRID, True)
    assert later.take_up(school.table.record)
    assert later.teaching is not None
    assert later.teaching.lesson.name == "warrior"
    school.tutor.close()
    assert not Tutor(tmp_path, GRID, True).take_up(school.table.record)


def test_progress_that_cannot_be_read_is_the_beginning(tmp_path: Path) -> None:
    (tmp_path / KEPT_IN).write_text("no JSON")
    assert read_progress(tmp_path) == Progress()


def test_the_course_begins_anew_once_all_is_solved(tmp_path: Path) -> None:
    names = tuple(lesson.name for lesson in course(DISK, may_change=False))
    for solved, number in ((names[:3], 4), (names, 1)):
        keep_progress(tmp_path, Progress(solved))
        tutor = Tutor(tmp_path, DISK, may_change=False)
        tutor.open()
        assert tutor.teaching is not None
        assert tutor.teaching.number == number


def test_no_such_lesson(tmp_path: Path) -> None:
    with pytest.raises(NoSuchLesson, match="padwar"):
        Tutor(tmp_path, DISK, may_change=False).open("padwan")


def test_lessons_go_on_where_the_disk_takes_no_progress(tmp_path: Path) -> None:
    (tmp_path / KEPT_IN).mkdir()  # no file can be written there
    with closing(School(tmp_path)) as school:
        school.tutor.open()
        school.wait()
        school.move("e3", "d4")
        assert school.teaching.is_solved or school.teaching.number == 2
        assert school.teaching.progress.solved == ("panthan",)
