"""Backups: whole while a table writes, and put back with what stood there kept."""

from contextlib import closing
from pathlib import Path

import pytest

from jetan_table.cli import main
from jetan_table.errors import TableError
from jetan_table.game.events import BadRecord, Entry, GameId, Ply
from jetan_table.journal.archive import Archive
from jetan_table.journal.backup import SQLITE, back_up, restore
from jetan_table.journal.file_format import JOURNAL_NAME
from jetan_table.journal.journal import Journal, JournalInUse, game_path
from tests.jetan_table.hands import header


def plies(folder: Path) -> list[int]:
    """How many plies each game of a journal has."""
    with closing(Archive.open(folder)) as archive:
        return [summary.plies for summary in archive.games()]


def begin(folder: Path) -> Journal:
    """A journal with one game of one ply, as a table writes it."""
    journal = Journal(folder)
    journal.append(journal.begin(header()), [Entry(1.0, Ply(1, "Pd2-d3"))])
    return journal


def test_a_backup_is_whole_while_the_table_writes(tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite"
    with closing(begin(tmp_path / "table")) as journal:
        assert back_up(tmp_path / "table", copy) == 1
        journal.append(GameId(1), [Entry(2.0, Ply(2, "Pd9-d8"))])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["copy.sqlite", "table"]
    assert restore(copy, tmp_path / "other") == (1, None)
    assert plies(tmp_path / "other") == [1]
    assert "Pd2-d3" in game_path(tmp_path / "other", GameId(1)).read_text()
    begin(tmp_path / "other").close()  # a restored journal is one to write on
    assert plies(tmp_path / "other") == [1, 1]


def test_what_stood_there_is_kept(tmp_path: Path) -> None:
    copy, folder = tmp_path / "copy.sqlite", tmp_path / "table"
    begin(folder).close()
    back_up(folder, copy)
    begin(folder).close()
    count, kept = restore(copy, folder)
    assert (count, kept) == (1, folder / "journal.replaced-1.sqlite")
    assert kept is not None
    kept.rename(tmp_path / JOURNAL_NAME)
    assert (plies(folder), plies(tmp_path)) == ([1], [1, 1])


def test_a_file_of_another_kind_is_not_written_over(tmp_path: Path) -> None:
    letter, empty = tmp_path / "letter.txt", tmp_path / "empty"
    letter.write_text("dear friend")
    empty.touch()
    begin(tmp_path / "table").close()
    with pytest.raises(TableError, match=r"letter\.txt: is there already, and no backup"):
        back_up(tmp_path / "table", letter)
    assert letter.read_text() == "dear friend"
    assert back_up(tmp_path / "table", empty) == 1
    assert back_up(tmp_path / "table", empty) == 1, "an older backup is replaced"


def test_nothing_is_put_under_a_table_that_plays(tmp_path: Path) -> None:
    copy, folder = tmp_path / "copy.sqlite", tmp_path / "table"
    with closing(begin(folder)):
        back_up(folder, copy)
        with pytest.raises(JournalInUse):
            restore(copy, folder)
    assert plies(folder) == [1]


@pytest.mark.parametrize("content", [b"", b"no database at all, but as long as one may be" * 99])
def test_what_is_no_journal_is_not_put_back(tmp_path: Path, content: bytes) -> None:
    wrong, folder = tmp_path / "wrong.sqlite", tmp_path / "table"
    wrong.write_bytes(content)
    begin(folder).close()
    with pytest.raises(BadRecord):
        restore(wrong, folder)
    assert plies(folder) == [1]


def test_a_backup_that_fails_leaves_the_older_one(tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite"
    copy.write_bytes(SQLITE)
    with pytest.raises(BadRecord, match="no journal to copy"):
        back_up(tmp_path / "nothing", copy)
    assert copy.read_bytes() == SQLITE


def test_the_commands_say_what_they_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy, folder = str(tmp_path / "copy.sqlite"), str(tmp_path / "table")
    begin(tmp_path / "table").close()
    assert main(["games", "backup", copy, "--data", folder]) == 0
    assert main(["games", "restore", copy, "--data", folder]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{copy}: 1 games\n{folder}: 1 games\nwhat was there before is kept as")
    assert main(["games", "restore", "none.sqlite", "--data", folder]) == 2
    assert "none.sqlite: No such file" in capsys.readouterr().err
