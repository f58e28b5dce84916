"""A journal of another version: it is refused and kept, and its games are brought out."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from hardware.ports import Observation
from jetan_table.cli import main
from jetan_table.game.events import BadRecord, Entry, GameId, Ply
from jetan_table.journal.archive import Archive
from jetan_table.journal.backup import back_up, check_journal, restore, salvage
from jetan_table.journal.file_format import JOURNAL_NAME
from jetan_table.journal.journal import Journal
from rules import Square
from tests.jetan_table.hands import header

WITHOUT_SEALS = """
PRAGMA user_version = 1;
CREATE TABLE games (
    game INTEGER PRIMARY KEY, started REAL NOT NULL, rules TEXT NOT NULL, start TEXT NOT NULL,
    black TEXT NOT NULL, orange TEXT NOT NULL, version TEXT NOT NULL);
CREATE TABLE events (
    game INTEGER NOT NULL REFERENCES games, seq INTEGER NOT NULL, at REAL NOT NULL,
    kind TEXT NOT NULL, payload TEXT NOT NULL, PRIMARY KEY (game, seq)) WITHOUT ROWID;
CREATE TABLE observations (
    seq INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES games, at REAL NOT NULL,
    squares TEXT NOT NULL);
INSERT INTO events VALUES
    (1, 1, 1.0, 'ply', '{"number":1,"move":"Pd2-d3"}'),
    (1, 2, 2.0, 'ply', '{"number":2,"move":"Pe9-e8"}'),
    (2, 1, 3.0, 'ply', '{"number":1,"move":"Pd2-d9"}'),
    (3, 2, 4.0, 'ply', '{"number":1,"move":"Pd2-d3"}'),
    (4, 1, 5.0, 'greeting', '{}'),
    (5, 1, 6.0, 'ply', '{"number":1,"move":"Pd2-d3"}');
INSERT INTO observations VALUES (1, 1, 1.25, '{"d3":null}');
"""
"""An illegal ply in game 2, an event missing in 3, one nobody knows in 4, and no header of 5."""

PLIES = [Entry(1.0, Ply(1, "Pd2-d3")), Entry(2.0, Ply(2, "Pe9-e8"))]
SEEN = Observation(1.25, {Square(13): None})


def without_seals(path: Path) -> None:
    """Write a journal of four games whose tables have no seals."""
    begun = header()
    with closing(sqlite3.connect(path)) as database:
        database.executescript(WITHOUT_SEALS)
        for game in range(1, 5):
            values = (game, 1.0, begun.rules, begun.start, "?", "?", "test")
            database.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?)", values)
        database.commit()


def with_seals(path: Path) -> None:
    """Write a journal of two games with today's columns, and a number that is not today's."""
    with closing(Journal(path.parent)) as journal:
        for _ in range(2):
            game = journal.begin(header())
            journal.observe(game, [SEEN])
            journal.append(game, PLIES)
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 2")
        database.execute("DROP TRIGGER events_update")
        database.execute("UPDATE events SET at = 9.0 WHERE game = 2 AND seq = 1")
        database.commit()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "table").mkdir()
    return tmp_path / "table" / JOURNAL_NAME


@pytest.mark.promises("the journal is of another version, with other tables", "standard error")
@pytest.mark.parametrize("write", [without_seals, with_seals])
def test_it_is_refused_with_its_mend_and_stays_as_it_is(
    path: Path, write: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    write(path)
    folder, before = path.parent, path.read_bytes()
    copy, other = folder.parent / "copy.sqlite", folder.parent / "other"
    for refused in (
        lambda: Journal(folder),
        lambda: Archive.open(folder),
        lambda: restore(path, other),
        lambda: back_up(folder, copy),
    ):
        with pytest.raises(BadRecord, match=f"jetan games salvage {path} brings"):
            refused()
    assert main(["games", "list", "--data", str(folder)]) == 2
    assert f"jetan games salvage {path} brings" in capsys.readouterr().err
    assert path.read_bytes() == before
    assert [kept.name for kept in folder.glob("*.sqlite*")] == [JOURNAL_NAME]
    assert not copy.exists()
    assert not (other / JOURNAL_NAME).exists()


def test_games_without_seals_are_brought_out_as_far_as_they_can_be_played(
    path: Path, tmp_path: Path
) -> None:
    without_seals(path)
    before, there = path.read_bytes(), tmp_path / "there"
    for expected in (1, 0):
        added, lost, _retold = salvage(path, there)
        assert (added, set(lost)) == (expected, {2, 3, 4, 5})
    with closing(Archive.open(there)) as archive:
        assert (archive.header(GameId(1)), archive.entries(GameId(1))) == (header(), PLIES)
        assert list(archive.observations(GameId(1))) == []
        assert check_journal(archive) == {}
    assert path.read_bytes() == before


def test_games_with_seals_are_brought_out_where_these_hold(path: Path, tmp_path: Path) -> None:
    with_seals(path)
    added, lost, _retold = salvage(path, tmp_path / "there")
    assert (added, set(lost)) == (1, {2})
    with closing(Archive.open(tmp_path / "there")) as archive:
        assert archive.entries(GameId(1)) == PLIES
        assert list(archive.observations(GameId(1))) == [SEEN]


def test_the_journal_of_a_table_makes_room_for_its_own_games(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    without_seals(path)
    before = path.read_bytes()
    assert main(["games", "salvage", str(path), "--data", str(path.parent)]) == 0
    assert "1 games added, 4 cannot be read" in capsys.readouterr().out
    assert path.with_name("journal.salvaged-1.sqlite").read_bytes() == before
    with closing(Journal(path.parent)) as journal:
        assert journal.damaged is None
        assert journal.archive.entries(GameId(1)) == PLIES


ENDLESS = """
CREATE VIEW events AS WITH RECURSIVE more (game) AS
(SELECT 1 UNION ALL SELECT game + 1 FROM more) SELECT game FROM more
"""


@pytest.mark.parametrize("tables", ["", ENDLESS])
def test_what_has_no_tables_of_games_is_no_journal(path: Path, tmp_path: Path, tables: str) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.executescript(f"PRAGMA user_version = 9; CREATE TABLE games (game); {tables};")
    with pytest.raises(BadRecord, match="is no journal"):
        salvage(path, tmp_path / "there")
