"""`jetan die`: what it says of honest, bent and unfinished games, and of many throws."""

import io
import json
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from jetan_table.cli import main
from jetan_table.cli.options import EXIT_AMISS
from jetan_table.game.record import Record
from jetan_table.journal.archive import Archive

TYPED = "number 17\nd2 d3\nroll\ntidy\ne9 e8\nroll\ntidy\ne2 e3\nroll 9\nresign\n"


@pytest.fixture
def game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Path:
    """A data folder with one game that was rolled by the table and by hand."""
    monkeypatch.setattr("sys.stdin", io.StringIO(TYPED))
    monkeypatch.setattr("os.urandom", bytes)  # rolls that touch none of the pieces typed
    assert (
        main(["play", "--plain", "--data", str(tmp_path), "--rules", "appendix,juggernaut=e5"]) == 0
    )
    out = capsys.readouterr().out
    assert out.index("Its SHA-256:") < out.index("die after 1:")
    return tmp_path


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    main(["die", "verify", *arguments, "--json"])
    answer: dict[str, object] = json.loads(capsys.readouterr().out)
    return answer


def test_a_game_rolled_by_the_table_is_fair(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(game / "games" / "00001.jgn")
    for arguments in (["1", "--data", str(game)], [file]):
        answer = told(capsys, *arguments)
        assert (answer["fair"], answer["by_table"], answer["by_hand"]) == (True, 2, 1)
        assert main(["die", "verify", *arguments]) == 0
        assert "2 of 2 rolls by the table are as the seed tells." in capsys.readouterr().out


def test_a_bent_roll_in_a_game_text_is_found(
    game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = game / "games" / "00001.jgn"
    text = file.read_text()
    first = text.index("[%die ")
    end = text.index("]", first)
    bent = game / "bent.jgn"
    wrong = "1" if text[first:end] != "[%die 1" else "2"
    bent.write_text(f"{text[:first]}[%die {wrong}{text[end:]}")
    assert main(["die", "verify", str(bent)]) == EXIT_AMISS
    assert f"after move 1 Pd2-d3: the record tells {wrong}, the seed" in capsys.readouterr().out


def test_a_game_that_goes_on_keeps_its_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("d2 d3\nroll\n"))
    monkeypatch.setattr("os.urandom", Random(1).randbytes)  # a roll may end a game
    main(["play", "--plain", "--data", str(tmp_path), "--rules", "appendix,juggernaut=e5"])
    capsys.readouterr()
    assert main(["die", "verify", "1", "--data", str(tmp_path)]) == 2
    assert "not shown before the game is over" in capsys.readouterr().err


def test_no_such_game_or_file_is_refused(tmp_path: Path) -> None:
    assert main(["die", "verify", "7", "--data", str(tmp_path)]) == 2
    assert main(["die", "verify", str(tmp_path / "none.jgn")]) == 2


def test_many_throws_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["die", "test", "--rolls", "20000", "--seed", "00ff", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert sum(answer["counts"]) == 20000
    assert min(answer["counts"]) > 1800
    assert 0.001 < answer["share"] < 0.999


def test_a_loaded_die_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("jetan_table.cli.die.throw", lambda seed, message: 1 + len(message) % 10)
    assert main(["die", "test", "--rolls", "5000"]) == EXIT_AMISS
    assert "0.00% of such tests" in capsys.readouterr().out


def test_a_juggernaut_begins_where_the_die_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts = set()
    for _ in range(6):
        monkeypatch.setattr("sys.stdin", io.StringIO("roll\n"))
        main(["play", "--plain", "--data", str(tmp_path), "--rules", "appendix+juggernaut"])
    with closing(Archive.open(tmp_path)) as archive:
        for summary in archive.games():
            record = Record.read(archive.header(summary.game), archive.entries(summary.game))
            starts.add(record.position.juggernaut)
    assert None not in starts
    assert len(starts) > 1


@pytest.mark.soak("kill")
def test_a_million_throws_are_fair(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["die", "test", "--json"]) == 0
    assert sum(json.loads(capsys.readouterr().out)["counts"]) == 1_000_000
