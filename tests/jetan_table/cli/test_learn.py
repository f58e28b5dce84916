"""`jetan learn`: the course in plain lines, its list, and how a piece moves."""

import io
from contextlib import closing
from pathlib import Path

import pytest

from jetan_table.cli import main
from jetan_table.game.events import Header
from jetan_table.journal.journal import Journal
from jetan_table.journal.opening import begin_game
from jetan_table.lessons.course import GRID, course
from jetan_table.lessons.exercise import Progress, keep_progress, read_progress
from rules import format_square

WHOLE = course(GRID, may_change=True)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    assert main(["learn", *map(str, arguments)]) == 0
    return capsys.readouterr().out


def test_how_a_piece_moves(capsys: pytest.CaptureFixture[str]) -> None:
    assert "jumps over pieces" in printed(capsys, "thoat", "--rules", "cazaux")
    assert printed(capsys, "Q", "--lang", "de").startswith("Prinzessin (Q)\nEin Diadem")
    assert main(["learn", "thout"]) == 2
    assert "did you mean thoat?" in capsys.readouterr().err


def test_the_whole_course_in_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    wanted = [lesson.accepted(GRID)[0] for lesson in WHOLE]
    lines = [
        f"{format_square(move.from_square)} {format_square(move.to_square)}" for move in wanted
    ]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join([*lines, "quit"])))
    text = printed(capsys, "--plain", "--data", tmp_path)
    for number in range(1, len(WHOLE) + 1):
        assert f"Lesson {number} of {len(WHOLE)}: " in text
    assert "You know Jetan now." in text
    listed = printed(capsys, "--list", "--data", tmp_path)
    assert listed.count("(solved)") == len(WHOLE)


def test_an_unfinished_game_goes_on_after_the_lessons(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("d2 d3\n"))
    assert main(["play", "--plain", "--data", str(tmp_path)]) == 0
    monkeypatch.setattr("sys.stdin", io.StringIO("e3 d4\nquit\n"))
    printed(capsys, "--plain", "--data", tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert main(["play", "--plain", "--data", str(tmp_path)]) == 0
    assert " 3  .   .   .   P" in capsys.readouterr().out


def test_a_lesson_that_was_cut_short_goes_on_at_the_next_start(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with closing(Journal(tmp_path)) as journal:
        begin_game(journal, Header.of(WHOLE[2].start(GRID), 1.0))
    keep_progress(tmp_path, Progress(("panthan",), WHOLE[2].name))
    monkeypatch.setattr("sys.stdin", io.StringIO("f3 f5\nquit\n"))
    assert "Lesson 4 of 14" in printed(capsys, "--plain", "--data", tmp_path)
    assert read_progress(tmp_path) == Progress(("panthan", "padwar"))
