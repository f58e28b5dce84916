"""Lessons and exercises at a simulated table: taught, led and kept, and left for a game."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from jetan_table.engine.positions import has_won
from jetan_table.extras.lessons.course import DISK, GRID, course
from jetan_table.extras.lessons.desk import Desk, Teacher, Teaching
from jetan_table.extras.lessons.exercise import (
    LESSONS_KEPT_IN,
    PUZZLES_KEPT_IN,
    SOUGHT_S,
    LessonExercise,
    NothingToGuess,
    Progress,
    PuzzleExercise,
    cut_short,
    lesson_to_learn,
    lessons,
    read_progress,
    to_guess,
)
from jetan_table.extras.lessons.puzzles import NoSuchExercise, Task, read_daily, solutions
from jetan_table.game.commands import AskAdvice, CommandRefused, NewGame, Resign, SetConduct
from jetan_table.journal.file_format import JOURNAL_NAME
from jetan_table.journal.journal import Journal
from jetan_table.languages import worded_in
from jetan_table.light.lamps import Cue, cues
from jetan_table.light.words import Speaker
from jetan_table.session.view import Phase
from rules import (
    Game,
    Move,
    MoveKind,
    Position,
    Side,
    format_position,
    format_square,
    parse_move,
    parse_rules,
    parse_square,
)
from tests.jetan_table.sitting import Evening, sitting

PUZZLES = read_daily()
WIN_3 = next(puzzle for puzzle in PUZZLES if puzzle.task is Task.WIN_3)
SAVE = next(puzzle for puzzle in PUZZLES if puzzle.task is Task.SAVE)
(KEY,) = solutions(WIN_3.position, WIN_3.task)
PATIENT_S = 60.0


@contextmanager
def training_at(folder: Path) -> Iterator[tuple[Evening, Teacher]]:
    with sitting(folder) as evening:
        teacher = Teacher(folder, evening.hands.set_up, wait_s=PATIENT_S)
        evening.table.welcome(teacher)
        yield evening, teacher


def now(teacher: Teacher) -> Teaching:
    assert teacher.teaching is not None
    return teacher.teaching


def play(evening: Evening, move: Move) -> None:
    evening.move(format_square(move.from_square), format_square(move.to_square))


def test_a_puzzle_is_set_up_led_through_and_kept_as_solved(tmp_path: Path) -> None:
    with training_at(tmp_path) as (evening, teacher):
        teacher.open(PuzzleExercise(WIN_3), left=evening.table.game)
        evening.wait(2.0)
        assert evening.record.position == WIN_3.position
        heading = worded_in("de", evening.view.help.taught[0])
        assert heading == f"Rätsel {WIN_3.number}, Schwere 1"
        play(evening, KEY)
        reply = now(teacher).reply
        assert reply is not None
        assert evening.view.help.wish == reply
        assert cues(evening.view)[reply.from_square] is Cue.WANTED
        play(evening, reply)
        position = evening.record.position
        assert evening.record.game.plies[1].move == reply
        play(evening, next(move for move in position.moves() if has_won(position.play(move), 0)))
        assert now(teacher).is_over
        assert "solved" in evening.view.help.taught[-1]
        assert read_progress(tmp_path, PUZZLES_KEPT_IN).solved == (str(WIN_3.number),)
        assert teacher.close() == 1


def test_what_is_wrong_is_refuted_and_taken_back(tmp_path: Path) -> None:
    with training_at(tmp_path) as (evening, teacher):
        teacher.open(PuzzleExercise(SAVE))
        evening.wait(2.0)
        (key,) = solutions(SAVE.position, SAVE.task)
        quiet = [m for m in SAVE.position.moves() if m != key and m.to_square != key.to_square]
        play(evening, quiet[0])
        assert evening.record.position == SAVE.position
        assert evening.view.help.taught[-1].startswith("No: ")
        assert not now(teacher).is_over
        play(evening, key)
        assert now(teacher).is_over


def test_a_wrong_reply_is_taken_back_and_a_way_back_is_gone_along(tmp_path: Path) -> None:
    with training_at(tmp_path) as (evening, teacher):
        teacher.open(PuzzleExercise(WIN_3))
        evening.wait(2.0)
        play(evening, KEY)
        reply = now(teacher).reply
        position = evening.record.position
        ends = {KEY.to_square, *(() if reply is None else (reply.from_square, reply.to_square))}
        other = next(move for move in position.moves() if ends.isdisjoint(move[:2]))
        play(evening, other)
        assert evening.record.game.plies[1:] == ()
        assert now(teacher).reply == reply


def test_a_puzzle_goes_on_where_the_table_was_switched_off(tmp_path: Path) -> None:
    with training_at(tmp_path) as (evening, teacher):
        teacher.open(PuzzleExercise(WIN_3))
        evening.wait(2.0)
    with training_at(tmp_path) as (evening, teacher):
        (cut,) = cut_short(tmp_path, GRID, may_change=True)
        assert cut == PuzzleExercise(WIN_3)
        assert not teacher.take_up(evening.record, PuzzleExercise(SAVE))
        assert teacher.take_up(evening.record, PuzzleExercise(WIN_3))
        play(evening, KEY)
        assert now(teacher).reply is not None


def played(text: str, rules: str = "appendix") -> Game:
    game = Game.begin(Position.start(parse_rules(rules)))
    for word in text.split():
        game = game.play(parse_move(word, game.position))
    return game


KEPT = played("d2d3 d9d8 e2e3 e9e8 f2f3")


def test_the_moves_of_a_game_are_guessed_one_after_the_other(tmp_path: Path) -> None:
    with training_at(tmp_path) as (evening, teacher):
        teacher.open(to_guess(KEPT, Side.BLACK, 1, "Tara - Gahan"))
        evening.wait(2.0)
        assert evening.record.position == KEPT.positions[2]
        evening.move("g2", "g3")
        assert evening.record.position == KEPT.positions[2]
        assert Cue.ADVICE not in cues(evening.view).values()
        evening.move("h2", "h3")
        lit = {square for square, cue in cues(evening.view).items() if cue is Cue.ADVICE}
        assert lit == set(KEPT.plies[2].move[:2])
        evening.move("e2", "e3")
        assert now(teacher).reply == KEPT.plies[3].move
        evening.move("e9", "e8")
        evening.move("f2", "f3")
        assert now(teacher).is_over
        said_last = evening.view.help.taught[-1]
        assert said_last == "1 of 2 moves were found at the first try."


def test_what_cannot_be_guessed_is_refused() -> None:
    with pytest.raises(NothingToGuess, match="Orange makes no move there"):
        to_guess(KEPT, Side.ORANGE, 4, "")
    wandering = Game.begin(
        Position.start(parse_rules("appendix+juggernaut"), juggernaut=parse_square("e5"))
    )
    with pytest.raises(NothingToGuess, match="dice"):
        to_guess(wandering.play(parse_move("d2d3", wandering.start)), Side.BLACK, 0, "")


def test_at_a_real_board_lamps_lead_a_wrong_move_back_and_show_the_reply(
    tmp_path: Path, evening: Evening
) -> None:
    teacher = Teacher(tmp_path, wait_s=PATIENT_S)
    evening.table.welcome(teacher)
    teacher.open(PuzzleExercise(WIN_3))
    evening.wait(1.0)
    assert evening.view.phase is Phase.SETTING_UP
    evening.hands.set_up(WIN_3.position, evening.clock.now())
    evening.wait(3.0)
    quiet = next(m for m in WIN_3.position.moves() if m.kind is MoveKind.MOVE and m != KEY)
    play(evening, quiet)
    evening.wait(10.0)
    lit = cues(evening.view)
    assert lit[quiet.to_square] is Cue.WRONG
    assert lit[quiet.from_square] is Cue.BELONGS
    play(evening, Move(quiet.to_square, quiet.from_square, MoveKind.MOVE))
    assert evening.record.position == WIN_3.position
    play(evening, KEY)
    reply = now(teacher).reply
    assert reply is not None
    assert cues(evening.view)[reply.from_square] is Cue.WANTED


@pytest.fixture
def desk(evening: Evening, tmp_path: Path) -> Desk:
    desk = Desk(tmp_path, evening.hands)
    evening.table.welcome(desk)
    return desk


def test_a_game_that_was_begun_goes_on_after_the_lessons(
    evening: Evening, desk: Desk, tmp_path: Path
) -> None:
    evening.move("d2", "d3")
    before = evening.record
    desk.learn(evening.table, None)
    evening.wait(2.0)
    assert evening.record.position != before.position
    after = desk.leave(evening.table, evening.clock.now())
    assert isinstance(after, NewGame)
    evening.tell(after)
    assert format_position(evening.record.position) == format_position(before.position)
    with pytest.raises(CommandRefused):
        desk.leave(evening.table, evening.clock.now())


def test_lessons_can_be_left_where_the_game_before_is_damaged(
    evening: Evening, desk: Desk, tmp_path: Path
) -> None:
    evening.move("d2", "d3")
    left = evening.table.game
    desk.learn(evening.table, None)
    with closing(sqlite3.connect(tmp_path / JOURNAL_NAME)) as journal, journal:
        journal.execute("DROP TRIGGER events_delete")
        journal.execute("DELETE FROM events WHERE game = ? AND seq = 1", (left,))
    after = desk.leave(evening.table, evening.clock.now())
    evening.tell(after)
    assert (desk.teaching, evening.record.moves) == (None, ())


def test_a_tournament_game_is_not_left_for_the_lessons(
    evening: Evening, desk: Desk, tmp_path: Path
) -> None:
    evening.tell(SetConduct("tournament"))
    evening.move("d2", "d3")
    with pytest.raises(CommandRefused):
        desk.learn(evening.table, None)
    evening.wait(1.0)
    assert desk.teaching is None
    assert evening.record.moves == ("Pd2-d3",)


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
    assert words[1].endswith(" d4.")
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
    assert school.view.help.taught[:2] == ("Well done!", "Lesson 2 of 14: Warrior.")
    assert school.hands.standing[parse_square("d3")] == "W"


def test_an_illegal_try_is_led_back_and_its_reason_stays(school: School) -> None:
    school.move("e3", "e2", 2.0)
    assert "never goes back" in school.answer
    school.move("e2", "e3", 2.0)
    assert "never goes back" in school.answer
    assert any("never goes back" in text for text in school.view.help.taught)


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
    (tmp_path / LESSONS_KEPT_IN).write_text("no JSON")
    assert read_progress(tmp_path) == Progress()


def test_the_course_begins_with_what_is_not_solved_and_anew_once_all_is() -> None:
    given = lessons(DISK, may_change=False)
    names = [lesson.name for lesson in given]
    assert lesson_to_learn(given, None, names[:3]).number == 4
    assert lesson_to_learn(given, None, names).number == 1
    assert lesson_to_learn(given, "padwar", names).name == "padwar"
    with pytest.raises(NoSuchExercise, match="padwar"):
        lesson_to_learn(given, "padwan", ())


def test_a_lesson_names_the_square_to_reach_or_says_what_to_take() -> None:
    by_name = {exercise.name: exercise.asked for exercise in COURSE}
    assert by_name["dwar"].endswith("Collect the star on g4.")
    assert "Go to" not in by_name["escape"]


def test_lessons_go_on_where_the_disk_takes_no_progress(tmp_path: Path) -> None:
    (tmp_path / LESSONS_KEPT_IN).mkdir()  # no file can be written there
    with closing(School(tmp_path)) as school:
        school.open()
        school.wait()
        school.move("e3", "d4", 2.0)
        assert school.teaching.is_over or school.teaching.exercise.name == "warrior"
        assert school.teaching.solved == ("panthan",)
