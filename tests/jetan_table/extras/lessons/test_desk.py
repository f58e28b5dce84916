"""The course opened and left where a game is played."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from jetan_table.extras.lessons.desk import Desk
from jetan_table.game.commands import CommandRefused, NewGame, SetConduct
from jetan_table.journal.file_format import JOURNAL_NAME
from rules import format_position
from tests.jetan_table.sitting import Evening


@pytest.fixture
def desk(evening: Evening, tmp_path: Path) -> Desk:
    desk = Desk(tmp_path, evening.hands)
    evening.table.welcome(desk)
    return desk


def test_a_game_that_was_begun_goes_on_after_the_lessons(
    evening: Evening, desk: Desk, tmp_path: Path
) -> None:
    evening.move("d2", "d3")
    before = evening.table.record
    desk.learn(evening.table, None)
    evening.wait(2.0)
    assert evening.table.record.position != before.position
    after = desk.leave(evening.table, evening.clock.now())
    assert isinstance(after, NewGame)
    evening.tell(after)
    assert format_position(evening.table.record.position) == format_position(before.position)
    with pytest.raises(CommandRefused):
        desk.leave(evening.table, evening.clock.now())


def test_lessons_can_be_left_where_the_game_before_is_damaged(
    evening: Evening, desk: Desk, tmp_path: Path
) -> None:
    evening.move("d2", "d3")
    left = evening.table.game
    desk.learn(evening.table, None)
    with closing(sqlite3.connect(tmp_path / JOURNAL_NAME)) as journal, journal:
        journal.execute("DROP TRIGGER events_delete")
        journal.execute("DELETE FROM events WHERE game = ? AND seq = 1", (left,))
    after = desk.leave(evening.table, evening.clock.now())
    evening.tell(after)
    assert (desk.teaching, evening.table.record.moves) == (None, ())


def test_a_tournament_game_is_not_left_for_the_lessons(
    evening: Evening, desk: Desk, tmp_path: Path
) -> None:
    evening.tell(SetConduct("tournament"))
    evening.move("d2", "d3")
    with pytest.raises(CommandRefused):
        desk.learn(evening.table, None)
    evening.wait(1.0)
    assert desk.teaching is None
    assert evening.table.record.moves == ("Pd2-d3",)
