"""The course at a simulated real board, by clumsy hands that see its lamps alone."""

from collections import Counter
from pathlib import Path

import pytest

from jetan_table.lessons.course import DISK, GRID, course
from jetan_table.lessons.progress import read_progress
from rules import Position, Side, parse_rules
from tests.simulation.clumsy_learner import ClumsyLearner

BOARDS = (GRID, DISK)
SEEDS = [
    seed if seed < 2 else pytest.param(seed, marks=pytest.mark.soak("lessons"))
    for seed in range(50)
]


def bare(board: str) -> Position:
    """An empty board."""
    return Position.of(parse_rules(f"appendix,board={board}"), {}, Side.BLACK)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("board", BOARDS)
def test_clumsy_hands_solve_every_lesson_by_the_lamps(
    tmp_path: Path, board: str, seed: int
) -> None:
    learner = ClumsyLearner(tmp_path, bare(board), seed)
    learner.learn()
    learner.close()
    assert learner.slips
    names = tuple(lesson.name for lesson in course(board, may_change=False))
    assert read_progress(tmp_path).solved == names


def test_lamps_lead_a_whole_set_off_the_board_first(tmp_path: Path) -> None:
    begun = Position.start(parse_rules("appendix"))
    learner = ClumsyLearner(tmp_path, begun, seed=1, is_clumsy=False)
    learner.learn()
    learner.close()
    assert learner.slips == Counter()
