"""A journal that has lost the end of a game, or all of one, says so, and the game's text stays."""

import os
import re
import sqlite3
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace as changed

from jetan_table.cli import main
from jetan_table.game.commands import Resign
from jetan_table.game.events import BadRecord, Ending, Entry, GameId, Ply, TakeBack
from jetan_table.game.record import Record
from jetan_table.journal.archive import MOST_GAMES, Archive
from jetan_table.journal.backup import back_up, check_journal, restore, salvage
from jetan_table.journal.file_format import JOURNAL_NAME, read_witness, seal_header
from jetan_table.journal.journal import Journal, game_path, write_game
from jetan_table.languages import translation, without_folders
from jetan_table.table.games import open_game
from jetan_table.table.loop import REST_S
from rules import in_words
from rules.text import parse_game
from tests.faults.rot import GOING_PLIES, PLIES, KeptEvening, keep_evening, lay_down
from tests.jetan_table.hands import header
from tests.jetan_table.sitting import sitting


@pytest.fixture(scope="module")
def unfolded(tmp_path_factory: pytest.TempPathFactory) -> KeptEvening:
    """An evening of which nothing was brought into the one file."""
    return keep_evening(tmp_path_factory.mktemp("unfolded"), "unfolded")


@pytest.fixture(scope="module")
def rested(tmp_path_factory: pytest.TempPathFactory) -> KeptEvening:
    """An evening of which all was."""
    return keep_evening(tmp_path_factory.mktemp("rested"), "rested")


def flipped(evening: KeptEvening, file: str, at: int) -> dict[str, bytes]:
    content = evening.files[file]
    return {**evening.files, file: content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]}


def texts_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / "games").iterdir())}


@pytest.mark.promises("a game in the journal is damaged, cut short, or missing", "list of games")
def test_one_bit_of_what_is_not_folded_in_hides_no_game_in_silence(
    unfolded: KeptEvening, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wal = f"{JOURNAL_NAME}-wal"
    lay_down(flipped(unfolded, wal, len(unfolded.files[wal]) // 2), tmp_path)
    before = texts_in(tmp_path)
    data = ("--data", str(tmp_path))
    assert main(["games", "check", *data]) == 1
    assert "game 6: the journal has lost it, its text is left" in capsys.readouterr().out
    assert main(["games", "list", *data]) == 0
    listed = capsys.readouterr().out
    assert re.search(r"^6 .* damaged$", listed, re.MULTILINE), listed
    with closing(Journal(tmp_path)) as journal:
        opened = open_game(journal, header())
        assert (opened.game, opened.is_resumed) == (7, False)
        assert "game 6: the journal has lost it" in (opened.damage or "")
        assert open_game(journal, header()).damage is None, "it is told once"
    assert before.items() <= texts_in(tmp_path).items()


def test_what_is_set_aside_is_shown_until_the_next_ply(
    unfolded: KeptEvening, tmp_path: Path
) -> None:
    wal = f"{JOURNAL_NAME}-wal"
    lay_down(flipped(unfolded, wal, len(unfolded.files[wal]) // 2), tmp_path)
    with sitting(tmp_path) as evening:
        notes = [each.found for each in evening.table.view.notices]
        assert any("set aside: " in note and "game 6" in note for note in notes)
        german = [in_words(translation("de"), "{note}", note=note) for note in notes]
        assert any("beiseitegelegt: Partie 3: " in note for note in german), german
        assert str(tmp_path) not in "".join(map(without_folders, notes)), "pages tell no folder"
        evening.move("d2", "d3")
        assert len(evening.table.record.moves) == 1
        assert not evening.table.view.notices


def test_a_journal_whose_end_is_lost_gives_its_games_by_their_texts(
    unfolded: KeptEvening, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = dict(unfolded.files)
    del files[f"{JOURNAL_NAME}-wal"]
    lay_down(files, tmp_path)
    data = ("--data", str(tmp_path))
    assert main(["games", "salvage", str(tmp_path / JOURNAL_NAME), *data]) == 0
    printed = capsys.readouterr().out
    assert f"its text has all {GOING_PLIES} moves" in printed
    assert "6 games added, 0 cannot be read" in printed
    assert main(["games", "check", *data]) == 0
    with closing(Archive.open(tmp_path)) as archive:
        assert [summary.plies for summary in archive.games()] == [PLIES] * 5 + [GOING_PLIES]
        assert archive.games()[0].termination == "", "what is not in a text is not told"


def hide_rows(path: Path, rows: int) -> None:
    """Let the last page of events hide its last rows."""
    with closing(sqlite3.connect(path)) as database:
        find = "SELECT rootpage FROM sqlite_master WHERE name = 'events'"
        (root,) = database.execute(find).fetchone()
    content = bytearray(path.read_bytes())
    right = int.from_bytes(content[4096 * (root - 1) + 8 :][:4], "big")
    leaf = 4096 * (right - 1)
    assert (content[leaf], content[leaf + 4] > rows) == (10, True)
    content[leaf + 4] -= rows
    path.write_bytes(content)


def test_the_going_game_without_its_end_is_set_aside_and_its_text_stands(
    rested: KeptEvening, tmp_path: Path
) -> None:
    lay_down(rested.files, tmp_path)
    before = texts_in(tmp_path)
    hide_rows(tmp_path / JOURNAL_NAME, 3)
    with closing(Journal(tmp_path)) as journal:
        opened = open_game(journal, header())
        assert (opened.game, opened.is_resumed) == (7, False)
        assert f"game 6: only {GOING_PLIES - 1} of its {GOING_PLIES + 2} events are left" in (
            opened.damage or ""
        )
        journal.append(opened.game, [Entry(9.0, Ply(1, "Pd2-d3"))])
    assert texts_in(tmp_path) == before


def cut_short(path: Path, game: int, events: int) -> None:
    """Take the last events of a game away, as a page of an earlier day does."""
    with closing(sqlite3.connect(path)) as database:
        database.execute("DROP TRIGGER events_delete")
        last = f"SELECT max(seq) FROM events WHERE game = {game}"
        database.execute(f"DELETE FROM events WHERE game = {game} AND seq > ({last}) - {events}")
        refused = "BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;\n"
        database.execute(f"CREATE TRIGGER events_delete BEFORE DELETE ON events {refused}")
        database.commit()


def test_a_lost_journal_is_said_and_brought_back_by_its_texts(
    rested: KeptEvening, tmp_path: Path
) -> None:
    folder = tmp_path / "table"
    lay_down({name: rested.files[name] for name in rested.files if "/" in name}, folder)
    before = texts_in(folder)
    with closing(Archive.open(folder)) as archive:
        assert [summary.termination for summary in archive.games()] == ["damaged"] * 6
    with closing(Journal(folder)) as journal:
        assert journal.lost == folder / "games.lost-1"
        assert open_game(journal, header()).game == 1
    assert {path.name: path.read_bytes() for path in journal.lost.iterdir()} == before
    added, lost, retold = salvage(journal.lost, folder)
    assert (added, lost, len(retold)) == (6, {}, 6)
    assert salvage(journal.lost, folder).added == 0


def play(journal: Journal, moves: Sequence[str], begun: float = 1.0) -> Record:
    record = Record.begin(changed(header(), started=begun))
    game = journal.begin(record.header)
    return add(journal, game, record, [Ply(n, move) for n, move in enumerate(moves, 1)])


def add(journal: Journal, game: GameId, record: Record, events: Sequence[Ply | TakeBack]) -> Record:
    for event in events:
        entry = Entry(2.0, event)
        journal.append(game, [entry])
        record = record.after(entry)
    write_game(journal.folder, journal.witness(game), record)
    return record


def moves_in(path: Path) -> int:
    return len(parse_game(path.read_text()).game.plies)


def test_a_text_is_replaced_by_what_came_after_it_alone(tmp_path: Path) -> None:
    path = game_path(tmp_path, GameId(1))
    with closing(Journal(tmp_path)) as journal:
        record = play(journal, ["Pd2-d3", "Pe9-e8"])
        add(journal, GameId(1), record, [TakeBack(2, "words")])
        assert moves_in(path) == 1, "a ply that was taken back is no loss"
        path.write_text(path.read_text().replace("Pd2-d3", "Pe2-e3"))
        assert read_witness(path.read_bytes()) is None
        kept = write_game(tmp_path, journal.witness(GameId(1)), record)
    assert kept == path.with_name("00001.kept-1.jgn")
    assert "Pe2-e3" in kept.read_text()
    assert "Pd2-d3" in path.read_text()


def test_a_text_of_an_older_version_that_is_longer_is_kept(tmp_path: Path) -> None:
    path = game_path(tmp_path, GameId(1))
    with closing(Journal(tmp_path)) as journal:
        play(journal, ["Pd2-d3", "Pe9-e8"])
        found = read_witness(path.read_bytes())
        assert found is not None
        path.write_text(found[0])
    cut_short(tmp_path / JOURNAL_NAME, 1, 1)
    with closing(Journal(tmp_path)) as journal:
        opened = open_game(journal, header())
        assert len(opened.record.game.plies) == 1
        assert opened.kept is not None
    assert (moves_in(opened.kept), moves_in(path)) == (2, 1)


def test_texts_go_with_the_journal_they_were_written_beside(tmp_path: Path) -> None:
    copy, folder = tmp_path / "copy.sqlite", tmp_path / "table"
    with closing(Journal(folder)) as journal:
        play(journal, ["Pd2-d3"])
        back_up(folder, copy)
        play(journal, ["Pd2-d3", "Pe9-e8"], 2.0)
    assert restore(copy, folder) == (1, folder / "journal.replaced-1.sqlite")
    assert sorted(texts_in(folder)) == ["00001.jgn"]
    assert moves_in(folder / "games.replaced-1" / "00002.jgn") == 2
    with closing(Archive.open(folder)) as archive:
        assert check_journal(archive) == {}
    assert salvage(folder / "journal.replaced-1.sqlite", folder).added == 1


def number_anew(path: Path, number: int) -> None:
    """Give the last game another number, and seal its header by it."""
    with closing(sqlite3.connect(path)) as database:
        find = "SELECT name, sql FROM sqlite_master WHERE name IN ('games_update', 'events_update')"
        made = list(database.execute(find))
        for name, _sql in made:
            database.execute(f"DROP TRIGGER {name}")
        wanted = "started, rules, start, black, orange, version"
        row = database.execute(f"SELECT {wanted} FROM games ORDER BY game DESC").fetchone()
        database.execute("UPDATE events SET game = ? WHERE game = 2", (number,))
        seal = seal_header(number, row)
        database.execute("UPDATE games SET game = ?, seal = ? WHERE game = 2", (number, seal))
        for _name, sql in made:
            database.execute(sql)
        database.commit()


@pytest.mark.parametrize("number", [2**63 - 1, MOST_GAMES + 1, 0, -3, -(2**63)])
def test_a_number_that_no_game_has_is_named_and_makes_no_endless_list(
    tmp_path: Path, number: int, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, copy = tmp_path / "table", tmp_path / "copy.sqlite"
    with closing(Journal(folder)) as journal:
        for begun in (1.0, 2.0):
            journal.begin(changed(header(), started=begun), [Entry(1.0, Ending("*", "abandoned"))])
    number_anew(folder / JOURNAL_NAME, number)
    data = ("--data", str(folder))
    assert main(["games", "list", *data]) == 0
    assert len(capsys.readouterr().out.splitlines()) <= 6
    assert main(["games", "check", *data]) == 1
    assert f"game {number}: no game has such a number" in capsys.readouterr().out
    back_up(folder, copy)
    with pytest.raises(BadRecord, match=f"game {number}"):
        restore(copy, tmp_path / "other")
    with closing(Journal(folder)) as journal:
        assert journal.damaged is None
        assert open_game(journal, header()).game == 2
    assert salvage(copy, tmp_path / "other").added == 1


@contextmanager
def taking_nothing(folder: Path) -> Iterator[None]:
    """Let a folder be one that nothing can be written to: as root, by mounting it so."""
    if os.geteuid():
        folder.chmod(0o555)
        try:
            yield
        finally:
            folder.chmod(0o755)
        return
    for how in (["--bind", str(folder)], ["-o", "remount,bind,ro"]):
        if subprocess.run(["mount", *how, str(folder)], check=False).returncode:
            pytest.skip("nothing may be mounted here, and root may write anywhere")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.mark.parametrize("name", ["rested", "unfolded"])
def test_a_card_that_takes_nothing_any_more_is_read_and_backed_up(
    request: pytest.FixtureRequest,
    name: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    evening: KeptEvening = request.getfixturevalue(name)
    card, stick = tmp_path / "card", tmp_path / "stick"
    lay_down(evening.files, card)
    stick.mkdir()
    data, copy = ("--data", str(card)), stick / "copy.sqlite"
    with taking_nothing(card):
        for words in (["list"], ["check"], ["show"], ["export", "3"], ["backup", str(copy)]):
            code = main(["games", *words, *data])
            shown = capsys.readouterr()
            assert code == (1 if words == ["check"] else 0), (words, shown)
            assert str(PLIES) in shown.out or words[0] in ("check", "export", "show", "backup")
        assert main(["games", "salvage", str(card / JOURNAL_NAME), "--data", str(stick)]) == 0
        assert "6 games added" in capsys.readouterr().out
        target = card / "copy.sqlite"
        assert main(["games", "backup", str(target), *data]) == 2
        assert str(target) in capsys.readouterr().err
    with closing(Archive.open_file(copy)) as archive:
        assert [summary.plies for summary in archive.games()] == [PLIES] * 5 + [GOING_PLIES]


def test_a_card_that_takes_nothing_any_more_is_read_while_a_table_plays(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "card")) as journal:
        play(journal, ["Pd2-d3"])
        with taking_nothing(tmp_path / "card"), closing(Archive.open(tmp_path / "card")) as archive:
            assert [summary.plies for summary in archive.games()] == [1]
            assert check_journal(archive) == {}


def test_a_backup_says_what_is_damaged_and_what_cannot_be_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(Journal(tmp_path)) as journal:
        play(journal, ["Pd2-d3"])
    path = tmp_path / JOURNAL_NAME
    content = bytearray(path.read_bytes())
    content[content.index(b"CREATE TABLE events") + 3] |= 0x80
    path.write_bytes(content)
    data = ("--data", str(tmp_path))
    for words in (["backup", str(tmp_path / "copy.sqlite")], ["restore", str(path)]):
        assert main(["games", *words, *data]) == 2
        printed = capsys.readouterr().err
        assert str(path) in printed
        assert "Traceback" not in printed


def test_at_rest_nothing_is_left_beside_the_journal(tmp_path: Path) -> None:
    wal = tmp_path / f"{JOURNAL_NAME}-wal"
    with closing(Journal(tmp_path)) as journal:
        play(journal, ["Pd2-d3", "Pe9-e8"])
        assert wal.stat().st_size > 0
        with closing(sqlite3.connect(tmp_path / JOURNAL_NAME)) as reader:
            rows = reader.execute("SELECT * FROM events")
            rows.fetchone()
            journal.fold_in()  # nobody waits for a reader
            rows.close()
        journal.fold_in()
        assert wal.stat().st_size == 0
        journal.append(GameId(1), [Entry(3.0, Ply(3, "Pe2-e3"))])


def test_a_table_folds_its_journal_in_when_nobody_is_near_and_when_a_game_is_over(
    tmp_path: Path,
) -> None:
    wal = tmp_path / f"{JOURNAL_NAME}-wal"
    with sitting(tmp_path) as evening:
        evening.move("d2", "d3")
        assert wal.stat().st_size > 0, "a ply waits for no more than its own sync"
        evening.wait(REST_S + 2.0)
        assert wal.stat().st_size == 0
        evening.move("e9", "e8")
        assert wal.stat().st_size > 0
        evening.tell(Resign("black"))
        evening.wait(2.0)
        assert evening.table.record.ending is not None
        assert wal.stat().st_size == 0
