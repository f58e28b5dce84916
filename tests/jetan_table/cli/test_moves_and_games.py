"""`jetan moves`, `perft` and `games`: forms that other programs read, and refusals in one line."""

import io
import json
from pathlib import Path

import pytest

from jetan_table.cli import main
from jetan_table.game.events import Ending, Entry, Ply
from jetan_table.game.record import Record
from jetan_table.journal.game_files import game_text
from jetan_table.journal.journal import Journal
from tests.jetan_table.hands import header

CHIEFS = "5c4/10/10/10/10/10/10/10/10/5QC3 b - - 0 1"


def test_moves_are_one_line_a_position(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["moves", "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    moves = json.loads(line)
    assert len(moves) == 78
    assert {"from": "b2", "to": "b3", "kind": "move"} in moves
    assert sum(move["kind"] == "escape" for move in moves) == 26


def test_positions_are_read_from_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    over = "10/10/10/10/10/10/10/10/10/5QC3 o - - 0 1"
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{CHIEFS}\n\n{over}\n"))
    assert main(["moves", "--json", "-"]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert {move["from"] for move in first} == {"f1", "g1"}
    assert second == []


def test_moves_are_grouped_by_piece_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    main(["moves"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Fd1   -a4 -c4 -e4 -g4"
    assert lines[-1] == "78 moves, Black to move"


@pytest.mark.parametrize(
    ("arguments", "nodes"),
    [
        (["perft", "2", "--json"], 6066),
        (["perft", "1", "--rules", "after-ekman-walking", "--json"], 74),
        (["perft", "0", CHIEFS, "--json"], 1),
    ],
)
def test_perft_prints_one_object(
    arguments: list[str], nodes: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 0
    assert json.loads(capsys.readouterr().out) == {"depth": int(arguments[1]), "nodes": nodes}


def test_divide_adds_up(capsys: pytest.CaptureFixture[str]) -> None:
    main(["perft", "2", "--divide"])
    *divided, total = capsys.readouterr().out.splitlines()
    assert sum(int(line.split()[1]) for line in divided) == int(total) == 6066


def test_rules_may_come_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('base = "appendix"\nescape = "none"\n')
    main(["perft", "1", "--rules", str(path)])
    assert capsys.readouterr().out == "52\n"
    path.write_text('escape = "nome"\n')
    assert main(["perft", "1", "--rules", str(path)]) == 2
    assert "mine.toml: escape = nome: must be" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        (["moves", "--rules", "apendix"], "apendix: no such preset, did you mean appendix?"),
        (["moves", "5c4 b"], "has 2 words, must have 6"),
        (["perft", "x"], "'x' is not a valid integer"),
        (["play", "--rules", "cazaux,toat=walks"], "toat: no such option, did you mean thoat?"),
        (["play", "--config", "nowhere.toml"], "nowhere.toml: No such file or directory"),
        (["play", "--corners", "1,2"], "belong to a camera: name it, as in --camera usb:0"),
        (["games", "check", "nowhere.jgn"], "nowhere.jgn: No such file or directory"),
    ],
)
def test_what_is_wrong_gets_one_line(
    arguments: list[str], refusal: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert refusal in printed.err
    assert printed.err.count("\n") == 1


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A data folder with two games."""
    journal = Journal(tmp_path)
    first, second = journal.begin(header()), journal.begin(header())
    journal.append(first, [Entry(61.0, Ply(1, "Pd2-d3")), Entry(62.0, Ending("draw", "agreed"))])
    journal.append(second, [Entry(61.0, Ply(1, "Pe2-e3"))])
    journal.close()
    return tmp_path


def test_games_are_listed(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "list", "--json", "--data", str(kept)]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["plies"], first["result"], first["termination"]) == (1, "draw", "agreed")
    assert (second["game"], second["result"]) == (2, "*")
    main(["games", "list", "--data", str(kept)])
    assert "agreed" in capsys.readouterr().out


def test_the_newest_game_is_shown_and_exported(
    kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["games", "show", "--data", str(kept)])
    assert "  1. Pe2-e3" in capsys.readouterr().out
    main(["games", "show", "1", "--json", "--data", str(kept)])
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert events[0] == {"at": 61.0, "kind": "ply", "number": 1, "move": "Pd2-d3"}
    main(["games", "export", "--data", str(kept)])
    record = Record.begin(header()).after(Entry(61.0, Ply(1, "Pe2-e3")))
    assert capsys.readouterr().out == game_text(record)
    assert main(["games", "show", "9", "--data", str(kept)]) == 2
    assert "9: no such game, see jetan games list" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["games", "check"], ["games", "analyse"], ["die", "verify"]])
@pytest.mark.parametrize(
    ("held", "wrong"),
    [(b"\xff\xfe", "not UTF-8 text at byte 0"), (b"", "holds no game"), (b"so", "no move text")],
)
def test_a_file_that_holds_no_game_is_named(
    command: list[str],
    held: bytes,
    wrong: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "mine.jgn"
    file.write_bytes(held)
    assert main([*command, str(file)]) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 1)
    assert printed.err.startswith(f"jetan: {file}: ")
    assert wrong in printed.err


def test_game_files_are_checked_to_the_first_bad_ply(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = Record.begin(header()).after(Entry(61.0, Ply(1, "Pe2-e3")))
    good, bad = tmp_path / "good.jgn", tmp_path / "bad.jgn"
    good.write_text(game_text(record))
    bad.write_text(game_text(record).replace("Pe2-e3", "Pe2-e5"))
    assert main(["games", "check", str(good)]) == 0
    assert main(["games", "check", str(good), str(bad)]) == 2
    assert "move 1 (Pe2-e5)" in capsys.readouterr().err
