"""`jetan learn`, `jetan puzzle` and `jetan study` in plain lines, in both languages."""

from contextlib import closing
from pathlib import Path

import pytest

from jetan_table.extras.lessons.course import GRID, course
from jetan_table.extras.lessons.exercise import (
    PUZZLES_KEPT_IN,
    Progress,
    keep_progress,
    read_progress,
)
from jetan_table.extras.lessons.puzzles import Task, read_daily, solutions
from jetan_table.game.events import Header
from jetan_table.journal.journal import Journal
from jetan_table.table.games import begin_game
from rules import format_move, format_square
from tests.jetan_table.cli.in_process import Jetan

SAVE = next(puzzle for puzzle in read_daily() if puzzle.task is Task.SAVE)
KEY = solutions(SAVE.position, SAVE.task)[0]


def test_a_day_has_one_puzzle_and_the_next_day_another(jetan: Jetan) -> None:
    printed = []
    for day in ("2026-12-24", "2026-12-24", "2026-12-25"):
        printed.append(jetan("puzzle --day", day))
    assert printed[0] == printed[1] != printed[2]


def test_who_saves_has_solved_it_and_who_errs_hears_why(jetan: Jetan) -> None:
    number = ["puzzle", "--number", str(SAVE.number), "--lang", "de"]
    wrong = next(move for move in SAVE.position.moves() if move != KEY)
    assert "Nein: " in jetan(*number, format_move(wrong, SAVE.position), code=1)
    assert "rettet: gelöst." in jetan(
        *number, format_move(wrong, SAVE.position), format_move(KEY, SAVE.position)
    )


@pytest.mark.parametrize("words", [("--level", "1"), ("--theme", "win-3")])
def test_a_list_has_what_was_asked_for(jetan: Jetan, words: tuple[str, str]) -> None:
    lines = jetan("puzzle --list", *words).splitlines()
    assert lines
    assert all(line.split()[1:3] == ["win-3", "1"] for line in lines)


def test_a_puzzle_is_set_at_a_board_and_its_game_left(jetan: Jetan, tmp_path: Path) -> None:
    typed = f"{format_square(KEY.from_square)} {format_square(KEY.to_square)}\nquit\n"
    set_up = f"puzzle --number {SAVE.number} --board simulated --plain --data"
    assert " saves: solved." in jetan(set_up, tmp_path, typed=typed)
    assert str(SAVE.number) in read_progress(tmp_path, PUZZLES_KEPT_IN).solved


WHOLE = course(GRID, may_change=True)


def test_the_end_of_the_course_in_lines(jetan: Jetan, tmp_path: Path) -> None:
    keep_progress(tmp_path, Progress(tuple(lesson.name for lesson in WHOLE[:-2])))
    wanted = [lesson.accepted(GRID)[0] for lesson in WHOLE[-2:]]
    lines = [
        f"{format_square(move.from_square)} {format_square(move.to_square)}" for move in wanted
    ]
    text = jetan("learn --plain --data", tmp_path, typed="\n".join([*lines, "quit"]))
    for number in (len(WHOLE) - 1, len(WHOLE)):
        assert f"Lesson {number} of {len(WHOLE)}: " in text
    assert "You know Jetan now." in text
    listed = jetan("learn --list --data", tmp_path)
    assert listed.count("(solved)") == len(WHOLE)


def test_a_lesson_that_was_cut_short_goes_on_at_the_next_start(
    jetan: Jetan, tmp_path: Path
) -> None:
    with closing(Journal(tmp_path)) as journal:
        begin_game(journal, Header.of(WHOLE[2].start(GRID), 1.0))
    keep_progress(tmp_path, Progress(("panthan",), WHOLE[2].name))
    played = jetan("learn --plain --data", tmp_path, typed="f3 f5\nquit\n")
    assert "Lesson 4 of 14" in played
    assert read_progress(tmp_path) == Progress(("panthan", "padwar"))
