"""The course opened and left where a game is played."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from jetan_table.extras.lessons.course_at_table import game_after_lessons, learn
from jetan_table.extras.opponent.seat import Seat
from jetan_table.game.commands import CommandRefused, NewGame, SetConduct
from jetan_table.journal.schema import JOURNAL_NAME
from jetan_table.table.dice import Dice
from jetan_table.table.seeds import Seeds
from rules import format_position
from tests.jetan_table.sitting import Evening


@pytest.fixture
def seat(evening: Evening, tmp_path: Path) -> Iterator[Seat]:
    dice = Dice(Seeds(tmp_path / "seeds", bytes))
    with closing(Seat(evening.record, dice)) as taken:
        evening.table.welcome(taken)
        yield taken


def test_a_game_that_was_begun_goes_on_after_the_lessons(
    evening: Evening, seat: Seat, tmp_path: Path
) -> None:
    evening.move("d2", "d3")
    before = evening.record
    learn(evening.table, seat, evening.hands, tmp_path, None)
    evening.wait(2.0)
    assert evening.record.position != before.position
    archive = evening.journal.archive
    after = game_after_lessons(evening.table, seat, archive, evening.clock.now())
    assert isinstance(after, NewGame)
    evening.tell(after)
    assert format_position(evening.record.position) == format_position(before.position)
    with pytest.raises(CommandRefused):
        game_after_lessons(evening.table, seat, archive, evening.clock.now())


def test_lessons_can_be_left_where_the_game_before_is_damaged(
    evening: Evening, seat: Seat, tmp_path: Path
) -> None:
    evening.move("d2", "d3")
    left = evening.table.game
    learn(evening.table, seat, evening.hands, tmp_path, None)
    with closing(sqlite3.connect(tmp_path / JOURNAL_NAME)) as journal, journal:
        journal.execute("DROP TRIGGER events_delete")
        journal.execute("DELETE FROM events WHERE game = ? AND seq = 1", (left,))
    archive = evening.journal.archive
    after = game_after_lessons(evening.table, seat, archive, evening.clock.now())
    evening.tell(after)
    assert (seat.teaching, evening.record.moves) == (None, ())


def test_a_tournament_game_is_not_left_for_the_lessons(
    evening: Evening, seat: Seat, tmp_path: Path
) -> None:
    evening.tell(SetConduct("tournament"))
    evening.move("d2", "d3")
    with pytest.raises(CommandRefused):
        learn(evening.table, seat, evening.hands, tmp_path, None)
    evening.wait(1.0)
    assert seat.teaching is None
    assert evening.record.moves == ("Pd2-d3",)
