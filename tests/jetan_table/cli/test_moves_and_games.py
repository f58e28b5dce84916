"""`jetan perft` and `games`: forms that other programs read, and files that hold no game."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from jetan_table.game.events import Ending, Entry, Ply
from jetan_table.game.record import Record
from jetan_table.game.texts import game_text
from jetan_table.journal.journal import Journal
from tests.jetan_table.cli.in_process import Jetan, run
from tests.jetan_table.hands import header


def test_divide_adds_up(jetan: Jetan) -> None:
    *divided, total = jetan("perft 2 --divide").splitlines()
    assert sum(int(line.split()[1]) for line in divided) == int(total) == 6066


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A data folder with two games."""
    journal = Journal(tmp_path)
    first, second = journal.begin(header()), journal.begin(header())
    journal.append(first, [Entry(61.0, Ply(1, "Pd2-d3")), Entry(62.0, Ending("draw", "agreed"))])
    journal.append(second, [Entry(61.0, Ply(1, "Pe2-e3"))])
    journal.close()
    return tmp_path


def test_games_are_listed(jetan: Jetan, kept: Path) -> None:
    first, second = map(json.loads, jetan("games list --json --data", kept).splitlines())
    assert (first["plies"], first["result"], first["termination"]) == (1, "draw", "agreed")
    assert (second["game"], second["result"]) == (2, "*")
    assert "agreed" in jetan("games list --data", kept)


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine whose own time is not that of Greenwich."""
    with monkeypatch.context() as patched:
        patched.setenv("TZ", "<+0545>-5:45")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("elsewhere")
def test_when_a_game_began_is_told_in_utc_wherever_the_table_stands(
    jetan: Jetan, tmp_path: Path
) -> None:
    journal = Journal(tmp_path)
    journal.begin(replace(header(), started=1_000_000_000.0))
    journal.close()
    heading, row = jetan("games list --data", tmp_path).splitlines()
    column = heading.index("Begun (UTC)")
    assert row[column:].startswith("2001-09-09 01:46 ")
    assert json.loads(jetan("games list --json --data", tmp_path))["begun"] == "2001-09-09 01:46"
    assert "2001-09-09 01:46" in jetan("games show --data", tmp_path)


def test_the_newest_game_is_shown_and_exported(jetan: Jetan, kept: Path) -> None:
    assert "  1. Pe2-e3" in jetan("games show --data", kept)
    events = [json.loads(line) for line in jetan("games show 1 --json --data", kept).splitlines()]
    assert events[0] == {"at": 61.0, "kind": "ply", "number": 1, "move": "Pd2-d3"}
    record = Record.begin(header()).after(Entry(61.0, Ply(1, "Pe2-e3")))
    assert jetan("games export --data", kept) == game_text(record)
    assert "9: no such game, see jetan games list" in jetan("games show 9 --data", kept, code=2)


@pytest.mark.parametrize("command", ["games check", "games analyse", "die verify"])
@pytest.mark.parametrize(
    ("held", "wrong"),
    [(b"\xff\xfe", "not UTF-8 text at byte 0"), (b"", "holds no game"), (b"so", "no move text")],
)
def test_a_file_that_holds_no_game_is_named(
    jetan: Jetan, command: str, held: bytes, wrong: str, tmp_path: Path
) -> None:
    file = tmp_path / "mine.jgn"
    file.write_bytes(held)
    refusal = jetan(command, file, code=2)
    assert refusal.startswith(f"jetan: {file}: ")
    assert wrong in refusal


def test_game_files_are_checked_to_the_first_bad_ply(tmp_path: Path) -> None:
    record = Record.begin(header()).after(Entry(61.0, Ply(1, "Pe2-e3")))
    good, bad = tmp_path / "good.jgn", tmp_path / "bad.jgn"
    good.write_text(game_text(record))
    bad.write_text(game_text(record).replace("Pe2-e3", "Pe2-e5"))
    checked = run(tmp_path, "games", "check", good, bad)
    assert (checked.returncode, checked.stdout) == (2, f"{good}: all moves are legal\n")
    assert "move 1 (Pe2-e5)" in checked.stderr
