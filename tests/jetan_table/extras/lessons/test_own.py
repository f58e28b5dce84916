"""Mistakes of one's own games: found by the analysis, set as puzzles, judged by the search."""

from contextlib import closing
from pathlib import Path

import pytest

from jetan_table.extras.lessons.desk import Teacher
from jetan_table.extras.lessons.exercise import read_progress
from jetan_table.extras.lessons.own import (
    OWN_KEPT_IN,
    MendExercise,
    is_exercise,
    mistake_to_mend,
    read_mistakes,
)
from jetan_table.extras.lessons.puzzles import NoSuchExercise, Task, read_daily, solutions
from jetan_table.game.events import Ending, Entry, Header, Ply, Result
from jetan_table.journal.journal import Journal
from rules import Position, format_move, format_position, format_square, parse_position
from tests.jetan_table.cli.in_process import Jetan
from tests.jetan_table.sitting import sitting

PATIENT_S = 60.0
WIN_3 = next(puzzle for puzzle in read_daily() if puzzle.task is Task.WIN_3)
# From a puzzle's own position nobody plays a game; from the same some moves later somebody may.
BEGINS = format_position(WIN_3.position).split()[:-1]
START, LATER = (
    parse_position(" ".join([*BEGINS, number]), WIN_3.position.rules) for number in ("77", "78")
)
(KEY,) = solutions(WIN_3.position, WIN_3.task)
BEST = format_move(KEY, START)
PLAYED = next(
    format_move(move, START)
    for move in START.moves()
    if move != KEY and START.play(move).outcome is None
)


def keep(folder: Path, move: str, start: Position = START) -> None:
    """Keep a game of one ply from where there is a win by force, and then resigned."""
    ply = start.ply_number
    result: Result = "orange" if START.side.word == "black" else "black"
    with closing(Journal(folder)) as journal:
        game = journal.begin(Header.of(start, 1.0))
        journal.append(game, [Entry(2.0, Ply(ply, move)), Entry(3.0, Ending(result, "resigned"))])


def test_a_win_that_was_missed_becomes_a_puzzle(jetan: Jetan, tmp_path: Path) -> None:
    keep(tmp_path, PLAYED)
    asked = ("puzzle --mine --data", tmp_path)
    shown = jetan(*asked)
    assert shown.splitlines()[0] == f"From your game 1, move {START.move_number}"
    assert f"played {PLAYED}, and had a win by force in 2 moves. Find it." in shown
    assert jetan(*asked, "--list").split()[:2] == ["1.1", PLAYED]
    assert f"{PLAYED} is what was played; there is better." in jetan(*asked, PLAYED, code=1)
    assert read_progress(tmp_path, OWN_KEPT_IN).solved == ()
    assert f"Yes: {BEST} is better than {PLAYED}." in jetan(*asked, BEST)
    assert read_progress(tmp_path, OWN_KEPT_IN).solved == ("1.1",)


def test_what_was_played_best_is_no_puzzle(jetan: Jetan, tmp_path: Path) -> None:
    keep(tmp_path, BEST)
    assert "there are no mistakes in your games yet" in jetan(
        "puzzle --mine --data", tmp_path, code=2
    )
    assert read_mistakes(tmp_path).newest == 1
    with pytest.raises(NoSuchExercise):
        mistake_to_mend(tmp_path, ())


def test_new_games_alone_are_looked_through_and_the_newest_mistake_comes_first(
    jetan: Jetan, tmp_path: Path
) -> None:
    for start in (START, LATER):
        keep(tmp_path, PLAYED, start)
        jetan("puzzle --mine --list --data", tmp_path)
    found = read_mistakes(tmp_path).found
    assert [each.name for each in found] == ["1.1", "2.1"]
    assert mistake_to_mend(tmp_path, ()).name == "2.1"
    assert mistake_to_mend(tmp_path, ("2.1",)).name == "1.1"
    assert mistake_to_mend(tmp_path, (), after="2.1").name == "1.1"
    assert mistake_to_mend(tmp_path, ("1.1", "2.1"), after="1.1").name == "2.1"


def test_a_mistake_is_mended_at_a_board_and_its_game_is_no_game(
    jetan: Jetan, tmp_path: Path
) -> None:
    keep(tmp_path, PLAYED)
    jetan("puzzle --mine --list --data", tmp_path)
    exercise = MendExercise(mistake_to_mend(tmp_path, ()))
    with sitting(tmp_path) as evening:
        teacher = Teacher(tmp_path, evening.hands.set_up, wait_s=PATIENT_S)
        evening.table.welcome(teacher)
        teacher.open(exercise)
        evening.wait(2.0)
        assert is_exercise(evening.record.header.start)
        evening.move(format_square(KEY.from_square), format_square(KEY.to_square))
        assert teacher.teaching is not None
        assert teacher.teaching.is_over
    assert read_progress(tmp_path, OWN_KEPT_IN).solved == ("1.1",)
