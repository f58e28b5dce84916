"""`jetan study` in plain lines: lines kept, a kept game walked, a tournament game respected."""

from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from jetan_table.game.events import ConductAgreed, Header
from jetan_table.journal.journal import Journal
from jetan_table.journal.opening import begin_game
from rules import Position, parse_rules
from tests.jetan_table.cli.in_process import Jetan


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
