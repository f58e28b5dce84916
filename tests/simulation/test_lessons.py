"""Courses and studies at a simulated real board, by clumsy hands that see its lamps alone."""

from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from jetan_table.extras.lessons.course import DISK, GRID, course
from jetan_table.extras.lessons.exercise import read_progress
from jetan_table.extras.lessons.study import STUDY_KEPT_IN, read_lines
from rules import Position, Side, parse_rules
from tests.simulation.clumsy import Learner, Student

BOARDS = (GRID, DISK)
DEEDS = 12
SOAKED = (pytest.param(seed, marks=pytest.mark.soak("lessons")) for seed in range(1, 50))
SEEDS = [0, *SOAKED]


def bare(board: str) -> Position:
    """An empty board."""
    return Position.of(parse_rules(f"appendix,board={board}"), {}, Side.BLACK)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("board", BOARDS)
def test_clumsy_hands_solve_every_lesson_by_the_lamps(
    tmp_path: Path, board: str, seed: int
) -> None:
    learner = Learner(tmp_path, bare(board), seed)
    learner.learn()
    learner.close()
    assert learner.slips
    names = tuple(lesson.name for lesson in course(board, may_change=False))
    assert read_progress(tmp_path).solved == names


def test_lamps_lead_a_whole_set_off_the_board_first(tmp_path: Path) -> None:
    begun = Position.start(parse_rules("appendix"))
    learner = Learner(tmp_path, begun, seed=1, is_clumsy=False)
    learner.learn()
    learner.close()
    assert learner.slips == Counter()


@pytest.mark.parametrize("seed", SEEDS)
def test_clumsy_hands_study_by_the_lamps_and_no_position_is_wrong(
    tmp_path: Path, seed: int
) -> None:
    start = Position.start(parse_rules("cazaux" if seed % 2 else "appendix"))
    with closing(Student(tmp_path, start, seed)) as student:
        for _ in range(DEEDS):
            student.explore()
            assert student.table.record.position == student.game.position
        lines = read_lines((tmp_path / STUDY_KEPT_IN).read_text(), start)
    kept = {line.plies[:count] for line in lines.games for count in range(len(line.plies) + 1)}
    assert kept == student.tried
    assert student.slips["taken back"]
