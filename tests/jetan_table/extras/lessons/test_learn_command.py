"""`jetan learn`: the course in plain lines, its list, and how a piece moves."""

from contextlib import closing
from pathlib import Path

from jetan_table.extras.lessons.course import GRID, course
from jetan_table.extras.lessons.exercise import Progress, keep_progress, read_progress
from jetan_table.game.events import Header
from jetan_table.journal.journal import Journal
from jetan_table.journal.opening import begin_game
from rules import format_square
from tests.jetan_table.cli.in_process import Jetan

WHOLE = course(GRID, may_change=True)


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


def test_a_lesson_that_was_cut_short_goes_on_at_the_next_start(
    jetan: Jetan, tmp_path: Path
) -> None:
    with closing(Journal(tmp_path)) as journal:
        begin_game(journal, Header.of(WHOLE[2].start(GRID), 1.0))
    keep_progress(tmp_path, Progress(("panthan",), WHOLE[2].name))
    played = jetan("learn --plain --data", tmp_path, typed="f3 f5\nquit\n")
    assert "Lesson 4 of 14" in played
    assert read_progress(tmp_path) == Progress(("panthan", "padwar"))
