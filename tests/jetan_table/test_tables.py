"""What people do and say at a whole table, its disk too: every case of `tests/data/tables`."""

from pathlib import Path

import pytest

from hardware.ports import FaultKind
from jetan_table.light.lamps import Cue
from rules import MoveKind, format_move, format_square, parse_rules, parse_square
from tests.cases import Case, case_of, every_case
from tests.jetan_table.hands import header
from tests.jetan_table.sitting import sitting
from tests.jetan_table.tables import AtTable, assert_holds


@pytest.mark.parametrize("case", every_case("tables"))
def test_what_people_do_and_say_is_read_kept_and_shown(case: Case, tmp_path: Path) -> None:
    assert_holds(AtTable(tmp_path), case)


@pytest.mark.parametrize(("rules", "square"), [("appendix", "d2"), ("ninth-ray-clockwise", "c5")])
def test_a_game_is_played_on_with_a_dead_square_that_lamps_and_words_tell_of(
    tmp_path: Path, rules: str, square: str
) -> None:
    with sitting(tmp_path, header(parse_rules(rules))) as evening:
        evening.type(f"dead {square}")
        leading = evening.view.leading
        if leading.repair or leading.placing or evening.view.lifted:
            evening.type("right")
        for number in range(12):
            position, before = evening.view.position, evening.record.moves
            moves = [
                move
                for move in position.moves()
                if move.kind is MoveKind.MOVE and position.play(move).outcome is None
            ]
            move = moves[(7 * number) % len(moves)]
            evening.play(move)
            evening.wait(3.0)
            if question := evening.view.question:
                true = move.from_square if question.from_square is None else move.to_square
                evening.type(f"answer {format_square(true)}")
            assert evening.record.moves == (*before, format_move(move, position))
        faults = evening.record.faults
        assert (faults == {parse_square(square): FaultKind.DEAD}) >= (square == "d2")
        assert all(evening.lit[format_square(failed)] is Cue.FAULT for failed in faults)


def test_a_case_that_expects_something_else_fails(tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        assert_holds(AtTable(tmp_path), case_of(["hands  d2-d3", "moves  Pd2-d4"]))
