"""A study at a simulated real board, by clumsy hands that see its lamps alone."""

from contextlib import closing
from pathlib import Path

import pytest

from jetan_table.lessons.lines import KEPT_IN, read_lines
from rules import Position, parse_rules
from tests.simulation.clumsy_student import ClumsyStudent

DEEDS = 12
SEEDS = [
    seed if seed < 2 else pytest.param(seed, marks=pytest.mark.soak("lessons"))
    for seed in range(50)
]


@pytest.mark.parametrize("seed", SEEDS)
def test_clumsy_hands_study_by_the_lamps_and_no_position_is_wrong(
    tmp_path: Path, seed: int
) -> None:
    start = Position.start(parse_rules("cazaux" if seed % 2 else "appendix"))
    with closing(ClumsyStudent(tmp_path, start, seed)) as student:
        for _ in range(DEEDS):
            student.explore()
            assert student.table.record.position == student.game.position
        lines = read_lines((tmp_path / KEPT_IN).read_text(), start)
    kept = {line.plies[:count] for line in lines.games for count in range(len(line.plies) + 1)}
    assert kept == student.tried
    assert student.slips["taken back"]
