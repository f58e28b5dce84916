"""A damaged journal: what is hurt is named, nothing else is lost, and nobody meets a traceback."""

import sqlite3
import tempfile
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import pytest

from hardware.ports import Observation
from jetan_table.cli import main
from jetan_table.errors import TableError
from jetan_table.game.events import BadRecord, Ending, Entry, GameId, Ply
from jetan_table.journal.archive import Archive, is_sound
from jetan_table.journal.backup import back_up, check_journal, restore, salvage
from jetan_table.journal.file_format import JOURNAL_NAME, seal_event
from jetan_table.journal.journal import Journal
from jetan_table.table.games import open_game
from rules import parse_square
from tests.jetan_table.hands import header

SEEN = Observation(1.25, {parse_square("d2"): (-0.25, -1.0, -1.0, -1.0), parse_square("e4"): None})
PLIES = (Entry(1.0, Ply(1, "Pd2-d3")), Entry(2.0, Ply(2, "Pe9-e8")))
OVER = Entry(3.0, Ending("draw", "agreed"))
GAMES = (GameId(1), GameId(2), GameId(3))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal of three games, the newest of which is not over."""
    with closing(Journal(tmp_path / "table")) as journal:
        for entries in ((*PLIES, OVER), (*PLIES, OVER), PLIES):
            game = journal.begin(header())
            journal.observe(game, [SEEN])
            journal.append(game, entries)
    return tmp_path / "table" / JOURNAL_NAME


def edit(path: Path, statement: str) -> None:
    """Change a file as somebody does who knows SQLite, the triggers out of the way."""
    with closing(sqlite3.connect(path)) as database:
        made = list(database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"))
        for name, _sql in made:
            database.execute(f"DROP TRIGGER {name}")
        database.execute(statement)
        for _name, sql in made:
            database.execute(sql)
        database.commit()


LEGAL_BUT_OTHER = (
    'UPDATE events SET payload = \'{"number":2,"move":"Pd9-d8"}\' WHERE game = {game} AND seq = 2'
)
UNREADABLE = "UPDATE events SET payload = '[' WHERE game = {game} AND seq = 1"
RENAMED = "UPDATE games SET black = 'Ghek' WHERE game = {game}"
DROPPED = "DELETE FROM events WHERE game = {game} AND seq = 1"
UNSEEN = "UPDATE observations SET batch = x'00' WHERE game = {game}"


def statement(damage: str, game: int) -> str:
    return damage.replace("{game}", str(game))


@pytest.mark.parametrize("damage", [LEGAL_BUT_OTHER, UNREADABLE, RENAMED, DROPPED, UNSEEN])
def test_what_was_changed_by_hand_is_named_and_the_rest_stands(path: Path, damage: str) -> None:
    edit(path, statement(damage, 2))
    with closing(Archive.open(path.parent)) as archive:
        assert check_journal(archive).keys() == {GameId(2)}
        assert archive.entries(GameId(3)) == list(PLIES)
        if damage != UNSEEN:
            with pytest.raises(BadRecord, match="game 2"):
                archive.entries(GameId(2))


def test_an_event_that_was_changed_and_sealed_anew_breaks_the_chain(path: Path) -> None:
    edit(path, statement(LEGAL_BUT_OTHER, 2))
    wanted = "SELECT seq, at, kind, payload, plies, ending, seal FROM events WHERE game = 2"
    with closing(sqlite3.connect(path)) as database:
        first, changed, _over = database.execute(f"{wanted} ORDER BY seq")
    seal = seal_event(first[-1], changed)
    edit(path, f"UPDATE events SET seal = x'{seal.hex()}' WHERE game = 2 AND seq = 2")
    with closing(Archive.open(path.parent)) as archive:
        assert check_journal(archive).keys() == {GameId(2)}


@pytest.mark.parametrize("damage", [LEGAL_BUT_OTHER, UNREADABLE, RENAMED, DROPPED])
def test_a_table_sets_a_damaged_newest_game_aside_and_begins_anew(
    path: Path, damage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(path, statement(damage, 3))
    with closing(Journal(path.parent)) as journal:
        opened = open_game(journal, header())
        assert (opened.game, opened.is_resumed) == (4, False)
        assert "game 3" in (opened.damage or "")
        assert open_game(journal, header()).game == 4
    with closing(Archive.open(path.parent)) as archive:
        assert [summary.termination for summary in archive.games()][2] == "damaged"
        assert check_journal(archive).keys() == {GameId(3)}
    assert main(["games", "check", "--data", str(path.parent)]) == 1
    assert "3 of 4 games are as they were written" in capsys.readouterr().out


def test_whole_games_are_salvaged_once(path: Path, tmp_path: Path) -> None:
    edit(path, statement(LEGAL_BUT_OTHER, 2))
    there = tmp_path / "there"
    for expected in (2, 0):
        added, lost, _retold = salvage(path, there)
        assert (added, set(lost)) == (expected, {2})
    with closing(Archive.open(there)) as archive:
        assert [archive.entries(game.game) for game in archive.games()] == [
            [*PLIES, OVER],
            list(PLIES),
        ]
        assert list(archive.observations(GameId(2))) == [SEEN]


@pytest.mark.parametrize(
    "damage",
    [
        statement(LEGAL_BUT_OTHER, 2),
        statement(UNREADABLE, 2),
        statement(UNSEEN, 1),
        "CREATE VIEW endless AS SELECT 1",
        "CREATE TRIGGER strange AFTER INSERT ON games BEGIN SELECT 1; END",
        "CREATE TABLE more (text)",
    ],
)
def test_a_copy_that_is_refused_changes_nothing(path: Path, tmp_path: Path, damage: str) -> None:
    copy, folder = tmp_path / "copy.sqlite", tmp_path / "other"
    back_up(path.parent, copy)
    with closing(Journal(folder)) as journal:
        journal.append(journal.begin(header()), PLIES)
    before = (folder / JOURNAL_NAME).read_bytes()
    edit(copy, damage)
    with pytest.raises(BadRecord):
        restore(copy, folder)
    assert (folder / JOURNAL_NAME).read_bytes() == before
    assert not list(folder.glob("*.part"))
    assert not list(folder.glob("journal.replaced*"))


def flipped(content: bytes, random: Random) -> bytes:
    """The content with one bit the other way."""
    at = random.randrange(len(content))
    return content[:at] + bytes([content[at] ^ 1 << random.randrange(8)]) + content[at + 1 :]


def cut(content: bytes, pages: int) -> bytes:
    """The content as far as some page."""
    return content[: 4096 * pages]


WRITTEN = {GAMES[0]: [*PLIES, OVER], GAMES[1]: [*PLIES, OVER], GAMES[2]: list(PLIES)}


def assert_named_or_whole(content: bytes) -> None:
    """Assert that a hurt journal gives what was written or says why not, and can be played on.

    What SQLite gives of a file that it finds unsound itself may lack rows: `games check` says so.
    """
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        folder, hurt = Path(name, "table"), Path(name, "hurt.sqlite")
        folder.mkdir()
        for path in (folder / JOURNAL_NAME, hurt):
            path.write_bytes(content)
        with suppress(TableError), closing(Archive.open(folder)) as archive:
            for game, entries in WRITTEN.items():
                with suppress(TableError):
                    assert archive.entries(game) == entries or not is_sound(hurt)
            check_journal(archive)
        with closing(Journal(folder)) as journal:
            opened = open_game(journal, header())
            journal.append(opened.game, [Entry(9.0, Ending("*", "abandoned"))])
            assert journal.archive.entries(opened.game)[-1].event == Ending("*", "abandoned")
        with suppress(TableError):
            salvage(hurt, Path(name, "salvaged"))
            with closing(Archive.open(Path(name, "salvaged"))) as archive:
                for summary in archive.games():
                    assert archive.entries(summary.game) in WRITTEN.values() or not is_sound(hurt)


@pytest.mark.parametrize("seed", range(6))
def test_a_bit_that_flips_is_named_or_changes_nothing(path: Path, seed: int) -> None:
    content = path.read_bytes()
    for number in range(10):
        assert_named_or_whole(flipped(content, Random(f"{seed} {number}")))


def test_a_file_cut_short_is_named(path: Path) -> None:
    content = path.read_bytes()
    for pages in range(len(content) // 4096):
        assert_named_or_whole(cut(content, pages))


def _root_of(path: Path, table: str) -> int:
    """The number of a table's first page."""
    with closing(sqlite3.connect(path)) as database:
        find = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        (page,) = database.execute(find, (table,)).fetchone()
    return int(page)


@pytest.mark.parametrize("table", ["games", "events", "observations"])
def test_a_page_that_hides_a_row_is_said_with_its_mend(
    path: Path, table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = ["--data", str(path.parent)]
    assert main(["games", "check", *folder]) == 0
    content = bytearray(path.read_bytes())
    content[4096 * (_root_of(path, table) - 1) + 4] -= 1  # the number of rows on the page
    path.write_bytes(content)
    capsys.readouterr()
    assert main(["games", "check", *folder]) == 1
    assert f"jetan games salvage {path}" in capsys.readouterr().out
    assert main(["games", "salvage", str(path), *folder]) == 0
    assert "may hide games, or the last moves of these" in capsys.readouterr().out
    assert main(["games", "check", *folder]) == 0


@pytest.mark.parametrize("kind", ["table", "trigger"])
def test_a_schema_that_is_no_text_is_damage_and_no_failing_disk(path: Path, kind: str) -> None:
    content = bytearray(path.read_bytes())
    content[content.index(f"CREATE {kind.upper()}".encode()) + 3] |= 0x80
    path.write_bytes(content)
    assert not is_sound(path)
    with closing(Journal(path.parent)) as journal:
        assert journal.damaged is not None


def test_a_page_that_does_not_give_back_what_is_written_is_not_written_to(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4096 * (_root_of(path, "events") - 1) + 17] ^= 0x40  # where the fifth row stands
    path.write_bytes(content)
    with closing(Journal(path.parent)) as journal:
        assert journal.damaged is not None


def test_what_cannot_be_read_just_now_is_no_damage(path: Path) -> None:
    with pytest.raises(OSError, match="unable to open"):
        is_sound(path.parent)


@pytest.mark.soak("faults")
@pytest.mark.parametrize("seed", range(10))
def test_two_thousand_bits_flip(path: Path, seed: int) -> None:
    content = path.read_bytes()
    for number in range(200):
        assert_named_or_whole(flipped(content, Random(f"soak {seed} {number}")))


def grown(folder: Path) -> Path:
    """A journal of the same games, the first of them over and over, in many pages."""
    with closing(Journal(folder)) as journal:
        for game in GAMES:
            journal.append(journal.begin(header()), WRITTEN[game])
        for _ in range(400):
            journal.begin(header(), WRITTEN[GAMES[0]])
    return folder / JOURNAL_NAME


def test_what_is_not_touched_is_read_in_a_large_file(tmp_path: Path) -> None:
    path = grown(tmp_path / "large")
    content, random = path.read_bytes(), Random(3)
    for _ in range(5):
        path.write_bytes(flipped(content, random))
        with closing(Archive.open(path.parent)) as archive:
            damaged = check_journal(archive)
            numbers = [summary.game for summary in archive.games()]
            assert len(numbers) == 403
            assert len(damaged) < 60, "a page holds no more games"
            for game in set(numbers) - damaged.keys():
                assert archive.entries(game) == WRITTEN.get(game, WRITTEN[GAMES[0]])


@pytest.mark.soak("faults")
def test_a_large_file_is_cut_at_every_page(tmp_path: Path) -> None:
    content = grown(tmp_path / "large").read_bytes()
    for pages in range(len(content) // 4096):
        assert_named_or_whole(cut(content, pages))


@pytest.mark.parametrize("index", ["turned", "of_series"])
def test_an_index_that_leads_to_another_event_is_not_believed(path: Path, index: str) -> None:
    with closing(sqlite3.connect(path)) as database:
        (made,) = database.execute(
            "SELECT sql FROM sqlite_master WHERE name = ?", (index,)
        ).fetchone()
        kind = made.split("'")[1]
        database.execute(f"DROP INDEX {index}")
        database.execute(made.replace(f"'{kind}'", "'ply'"))
        database.execute("PRAGMA writable_schema = ON")
        database.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (made, index))
        database.commit()
    with closing(Archive.open(path.parent)) as archive:
        assert archive.turns() == []
        assert archive.series() == {}
        assert check_journal(archive) == {}
