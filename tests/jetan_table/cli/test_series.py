"""`jetan series`, and `jetan play` in one: started, played, shown and exported."""

import csv
import io
import json
from pathlib import Path

import pytest

from jetan_table.cli import main

SHORT = "9c/3q6/10/10/4p5/3F1F4/10/10/10/C3Q5 b - - 0 1"


@pytest.fixture
def played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> str:
    """A folder with one game of a series, won by Gahan, and the next one begun."""
    data = str(tmp_path)
    asked = ["--series", "sunday", "--players", "Tara,Gahan", "--stake", "10", "--position", SHORT]
    monkeypatch.setattr("sys.stdin", io.StringIO("d5 e6\nresign black\naccount\nnew\n"))
    assert main(["play", "--plain", "--data", data, *asked]) == 0
    printed = capsys.readouterr().out
    assert "played for: stake 10, heads P=1,T=3,W=2" in printed
    assert "Heads lost: Black 0, Orange 1. The stake: 10." in printed
    assert "Gahan: 1 won, +9 tokens" in printed
    assert "Black says who begins" in printed
    return data


def test_a_series_is_listed_shown_and_exported(
    played: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["series", "list", "--data", played, "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line) == {
        "series": "sunday",
        "games": [1, 2],
        "players": ["Tara", "Gahan"],
        "wins": [0, 1],
        "balance": [-9, 9],
        "damaged": [],
    }
    assert main(["series", "list", "--data", played]) == 0
    assert "Tara - Gahan" in capsys.readouterr().out
    assert main(["series", "show", "sunday", "--data", played, "--json"]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["heads_lost_by_orange"], first["gain_of_orange"]) == (1, 9)
    assert (second["black"], second["result"]) == ("Gahan", "*")
    assert main(["series", "show", "sunday", "--data", played]) == 0
    assert "orange" in capsys.readouterr().out
    assert main(["series", "export", "sunday", "--data", played]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["balance_2"] for row in rows] == ["9", "9"]


def test_a_series_goes_on_where_it_was_left(
    played: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("begins orange\ntidy\ne9 e8\n"))
    assert main(["play", "--plain", "--data", played, "--series", "sunday"]) == 0
    printed = capsys.readouterr().out
    assert "Game 2 goes on after 0 moves." in printed
    assert "Orange begins (chosen)" in printed
    assert "confirmed 2 Pe9-e8" in printed
    assert main(["series", "start", "sunday", "--data", played]) == 0
    assert "its game goes on" in capsys.readouterr().out


def test_a_series_is_started_by_the_rules_and_wager_that_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = str(tmp_path)
    agreed = ["--players", "Tara,Gahan", "--price", "2,C=30", "--first", "orange", "--for-bias"]
    disk = ["--rules", "ninth-ray-clockwise", "--bias", "roll"]
    assert main(["series", "start", "rays", "--data", data, *agreed, *disk]) == 0
    assert "rays, game 1: Tara has Black, Gahan Orange" in capsys.readouterr().out
    assert main(["games", "show", "1", "--data", data, "--json"]) == 0
    events = {
        event["kind"]: event for event in map(json.loads, capsys.readouterr().out.splitlines())
    }
    assert events["wager"]["prices"]["C"] == 30
    assert events["wager"]["for_bias"] is True
    assert events["opening"]["bias"] == "roll"
    assert events["firstmove"]["side"] == "orange"


def test_the_usual_stake_comes_from_the_settings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = tmp_path / "table.toml"
    settings.write_text('[series]\nstake = 5\nprice = "3"\n')
    options = ["--data", str(tmp_path), "--config", str(settings), "--players", "Tara,Gahan"]
    assert main(["series", "start", "sunday", *options]) == 0
    capsys.readouterr()
    assert main(["games", "export", "1", "--data", str(tmp_path)]) == 0
    game = capsys.readouterr().out
    assert '[Stake "5"]' in game
    assert '[Prices "P=3,T=9' in game


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["series", "start", "sunday"], "a new series needs its two players"),
        (["series", "start", "sunday", "--players", "Tara"], "must be two names"),
        (["series", "show", "sunday"], "no game of the journal belongs to such a series"),
        (["play", "--plain", "--bias", "roll"], "a bias belongs to the disk"),
        (["play", "--plain", "--price", "X=1"], "write a kind's letter"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], why: str
) -> None:
    assert main([*arguments, "--data", str(tmp_path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert why in line
    assert main(["games", "list", "--data", str(tmp_path), "--json"]) == 0
    assert capsys.readouterr().out == "", "nothing was begun"
