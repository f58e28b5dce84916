"""`jetan study` in plain lines: lines kept, a kept game walked, a tournament game respected."""

import io
from contextlib import closing
from pathlib import Path

import pytest

from jetan_table.cli import main
from jetan_table.game.events import ConductAgreed, Header
from jetan_table.journal.journal import Journal
from jetan_table.journal.opening import begin_game
from rules import Position, parse_rules


def studied(monkeypatch: pytest.MonkeyPatch, folder: Path, lines: list[str], *words: str) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join([*lines, "quit"])))
    return main(["study", "--plain", "--data", str(folder), *words])


def kept(capsys: pytest.CaptureFixture[str], folder: Path) -> str:
    capsys.readouterr()
    assert main(["study", "--lines", "--data", str(folder)]) == 0
    return capsys.readouterr().out


def test_lines_are_kept_and_the_best_moves_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert "nothing was studied yet" in kept(capsys, tmp_path)
    assert studied(monkeypatch, tmp_path, ["d2 d3", "d9 d8", "back", "back", "e2 e3"]) == 0
    shown = capsys.readouterr().out
    assert "\n1. " in shown
    assert "\n3. " in shown
    assert "1. Pd2-d3 (1. Pe2-e3) 1... Pd9-d8 *" in kept(capsys, tmp_path)
    assert studied(monkeypatch, tmp_path, ["back", "f2 f3"]) == 0
    assert "Tried here: Pd2-d3, Pe2-e3." in capsys.readouterr().out
    assert "1. Pd2-d3 (1. Pe2-e3) (1. Pf2-f3) 1... Pd9-d8 *" in kept(capsys, tmp_path)


def test_a_game_is_walked_from_a_move_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "mine.jgn"
    file.write_text("1. Pd2-d3 Pd9-d8 2. Pe2-e3 *\n")
    assert studied(monkeypatch, tmp_path, ["e9 e8"], str(file), "--ply", "1") == 0
    assert "Tried here: Pd9-d8." in capsys.readouterr().out
    assert "1. Pd2-d3 Pd9-d8 (1... Pe9-e8) 2. Pe2-e3 *" in kept(capsys, tmp_path)
    assert studied(monkeypatch, tmp_path, [], str(file), "--rules", "cazaux") == 2


def test_no_study_beside_a_tournament_game(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    header = Header.of(Position.start(parse_rules("appendix")), 1.0)
    with closing(Journal(tmp_path)) as journal:
        begin_game(journal, header, (ConductAgreed("tournament"),))
    assert studied(monkeypatch, tmp_path, ["d2 d3"]) == 2
    assert "no help in a tournament game" in capsys.readouterr().err


def test_the_moves_of_a_game_are_guessed_and_the_table_plays_the_replies(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "mine.jgn"
    file.write_text('[Black "Tara"]\n\n1. Pd2-d3 Pd9-d8 2. Pe2-e3 Pe9-e8 *\n')
    guesses = ["d2 d3", "f2 f3", "e2 e3"]
    assert studied(monkeypatch, tmp_path, guesses, str(file), "--guess", "black") == 0
    shown = capsys.readouterr().out
    assert "Guess the moves: Tara - ?" in shown
    assert "Yes: Pd2-d3 was played; the reply was Pd9-d8." in shown
    assert "Pf2-f3 was not played here." in shown
    assert "1 of 2 moves were found at the first try." in shown
    assert studied(monkeypatch, tmp_path, [], "--guess", "black") == 2
