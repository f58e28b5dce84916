"""`jetan puzzle`: the day's position, answers judged, in both languages."""

import io
from pathlib import Path

import pytest

from jetan_table.cli import main
from jetan_table.lessons.exercise import PUZZLES_KEPT_IN, read_progress
from jetan_table.lessons.puzzles import Task, read_daily, solutions
from rules import format_move, format_square

SAVE = next(puzzle for puzzle in read_daily() if puzzle.task is Task.SAVE)
KEY = solutions(SAVE.position, SAVE.task)[0]


def test_a_day_has_one_puzzle_and_the_next_day_another(capsys: pytest.CaptureFixture[str]) -> None:
    printed = []
    for day in ("2026-12-24", "2026-12-24", "2026-12-25"):
        main(["puzzle", "--day", day])
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1] != printed[2]


def test_who_saves_has_solved_it_and_who_errs_hears_why(capsys: pytest.CaptureFixture[str]) -> None:
    number = ["puzzle", "--number", str(SAVE.number), "--lang", "de"]
    wrong = next(move for move in SAVE.position.moves() if move != KEY)
    assert main([*number, format_move(wrong, SAVE.position)]) == 1
    assert "Nein: " in capsys.readouterr().out
    assert main([*number, format_move(wrong, SAVE.position), format_move(KEY, SAVE.position)]) == 0
    assert "rettet: gelöst." in capsys.readouterr().out


@pytest.mark.parametrize("words", [("--level", "1"), ("--theme", "win-3")])
def test_a_list_has_what_was_asked_for(
    words: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["puzzle", "--list", *words]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines
    assert all(line.split()[1:3] == ["win-3", "1"] for line in lines)


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (["--number", "9999"], "there are puzzles 1 to "),
        (["--level", "1", "--theme", "save"], "no puzzle has that theme"),
    ],
)
def test_what_is_not_there_is_refused(
    words: list[str], refusal: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["puzzle", *words]) == 2
    assert refusal in capsys.readouterr().err


def test_a_puzzle_is_set_at_a_board_and_its_game_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    squares = f"{format_square(KEY.from_square)} {format_square(KEY.to_square)}"
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{squares}\nquit\n"))
    number = ["--number", str(SAVE.number), "--board", "simulated", "--data", str(tmp_path)]
    assert main(["puzzle", *number, "--plain"]) == 0
    assert " saves: solved." in capsys.readouterr().out
    assert str(SAVE.number) in read_progress(tmp_path, PUZZLES_KEPT_IN).solved
