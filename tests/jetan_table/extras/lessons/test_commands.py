"""`jetan learn`, `jetan puzzle` and `jetan study` in plain lines, in both languages."""

from contextlib import closing
from functools import partial
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
from jetan_table.game.events import ConductAgreed, Header
from jetan_table.journal.journal import Journal
from jetan_table.journal.opening import begin_game
from rules import Position, format_move, format_square, parse_rules
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


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (["--number", "9999"], "there are puzzles 1 to "),
        (["--level", "1", "--theme", "save"], "no puzzle has that theme"),
    ],
)
def test_what_is_not_there_is_refused(jetan: Jetan, words: list[str], refusal: str) -> None:
    assert refusal in jetan("puzzle", *words, code=2)


def test_a_puzzle_is_set_at_a_board_and_its_game_left(jetan: Jetan, tmp_path: Path) -> None:
    typed = f"{format_square(KEY.from_square)} {format_square(KEY.to_square)}\nquit\n"
    set_up = f"puzzle --number {SAVE.number} --board simulated --plain --data"
    assert " saves: solved." in jetan(set_up, tmp_path, typed=typed)
    assert str(SAVE.number) in read_progress(tmp_path, PUZZLES_KEPT_IN).solved


@pytest.fixture
def studied(jetan: Jetan, tmp_path: Path) -> Jetan:
    """A study with the games of the test's own folder."""
    return partial(jetan, "study --plain --data", tmp_path)


@pytest.fixture
def kept(jetan: Jetan, tmp_path: Path) -> Jetan:
    """What lines have been kept there."""
    return partial(jetan, "study --lines --data", tmp_path)


def test_lines_are_kept_and_the_best_moves_told(studied: Jetan, kept: Jetan) -> None:
    assert "nothing was studied yet" in kept()
    shown = studied(typed="d2 d3\nd9 d8\nback\nback\ne2 e3\nquit")
    assert "\n1. " in shown
    assert "\n3. " in shown
    assert "1. Pd2-d3 (1. Pe2-e3) 1... Pd9-d8 *" in kept()
    assert "Tried here: Pd2-d3, Pe2-e3." in studied(typed="back\nf2 f3\nquit")
    assert "1. Pd2-d3 (1. Pe2-e3) (1. Pf2-f3) 1... Pd9-d8 *" in kept()


def test_a_game_is_walked_from_a_move_on(studied: Jetan, kept: Jetan, tmp_path: Path) -> None:
    file = tmp_path / "mine.jgn"
    file.write_text("1. Pd2-d3 Pd9-d8 2. Pe2-e3 *\n")
    assert "Tried here: Pd9-d8." in studied(file, "--ply", "1", typed="e9 e8\nquit")
    assert "1. Pd2-d3 Pd9-d8 (1... Pe9-e8) 2. Pe2-e3 *" in kept()
    assert "brings its own rules" in studied(file, "--rules", "cazaux", code=2)


def test_no_study_beside_a_tournament_game(studied: Jetan, tmp_path: Path) -> None:
    header = Header.of(Position.start(parse_rules("appendix")), 1.0)
    with closing(Journal(tmp_path)) as journal:
        begin_game(journal, header, (ConductAgreed("tournament"),))
    assert "no help in a tournament game" in studied(typed="d2 d3\nquit", code=2)


def test_the_moves_of_a_game_are_guessed_and_the_table_plays_the_replies(
    studied: Jetan, tmp_path: Path
) -> None:
    file = tmp_path / "mine.jgn"
    file.write_text('[Black "Tara"]\n\n1. Pd2-d3 Pd9-d8 2. Pe2-e3 Pe9-e8 *\n')
    shown = studied(file, "--guess", "black", typed="d2 d3\nf2 f3\ne2 e3\nquit")
    assert "Guess the moves: Tara - ?" in shown
    assert "Yes: Pd2-d3 was played; the reply was Pd9-d8." in shown
    assert "Pf2-f3 was not played here." in shown
    assert "1 of 2 moves were found at the first try." in shown
    assert "are about a game" in studied("--guess", "black", code=2)


WHOLE = course(GRID, may_change=True)


def test_how_a_piece_moves(jetan: Jetan) -> None:
    assert "jumps over pieces" in jetan("learn thoat --rules cazaux")
    assert jetan("learn Q --lang de").startswith("Prinzessin (Q)\nEin Diadem")
    assert "did you mean thoat?" in jetan("learn thout", code=2)


def test_the_whole_course_in_lines(jetan: Jetan, tmp_path: Path) -> None:
    wanted = [lesson.accepted(GRID)[0] for lesson in WHOLE]
    lines = [
        f"{format_square(move.from_square)} {format_square(move.to_square)}" for move in wanted
    ]
    text = jetan("learn --plain --data", tmp_path, typed="\n".join([*lines, "quit"]))
    for number in range(1, len(WHOLE) + 1):
        assert f"Lesson {number} of {len(WHOLE)}: " in text
    assert "You know Jetan now." in text
    listed = jetan("learn --list --data", tmp_path)
    assert listed.count("(solved)") == len(WHOLE)


def test_an_unfinished_game_goes_on_after_the_lessons(jetan: Jetan, tmp_path: Path) -> None:
    jetan("play --plain --data", tmp_path, typed="d2 d3\n")
    jetan("learn --plain --data", tmp_path, typed="e3 d4\nquit\n")
    assert " 3  .   .   .   P" in jetan("play --plain --data", tmp_path, typed="quit\n")


def test_a_lesson_that_was_cut_short_goes_on_at_the_next_start(
    jetan: Jetan, tmp_path: Path
) -> None:
    with closing(Journal(tmp_path)) as journal:
        begin_game(journal, Header.of(WHOLE[2].start(GRID), 1.0))
    keep_progress(tmp_path, Progress(("panthan",), WHOLE[2].name))
    played = jetan("learn --plain --data", tmp_path, typed="f3 f5\nquit\n")
    assert "Lesson 4 of 14" in played
    assert read_progress(tmp_path) == Progress(("panthan", "padwar"))
