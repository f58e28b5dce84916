"""`jetan series`, and `jetan play` in one: started, played, shown and exported."""

import csv
import io
import json
from pathlib import Path

import pytest

from tests.jetan_table.cli.in_process import Jetan

SHORT = "9c/3q6/10/10/4p5/3F1F4/10/10/10/C3Q5 b - - 0 1"


@pytest.fixture
def played(jetan: Jetan, tmp_path: Path) -> str:
    """A folder with one game of a series, won by Gahan, and the next one begun."""
    data, typed = str(tmp_path), "d5 e6\nresign black\naccount\nnew\n"
    asked = "play --plain --series sunday --players Tara,Gahan --stake 10 --data"
    printed = jetan(asked, data, "--position", SHORT, typed=typed)
    assert "played for: stake 10, heads P=1,T=3,W=2" in printed
    assert "Heads lost: Black 0, Orange 1. The stake: 10." in printed
    assert "Gahan: 1 won, +9 tokens" in printed
    assert "Black says who begins" in printed
    return data


def test_a_series_is_listed_shown_and_exported(jetan: Jetan, played: str) -> None:
    (line,) = jetan("series list --data", played, "--json").splitlines()
    assert json.loads(line) == {
        "series": "sunday",
        "games": [1, 2],
        "players": ["Tara", "Gahan"],
        "wins": [0, 1],
        "balance": [-9, 9],
        "damaged": [],
    }
    assert "Tara - Gahan" in jetan("series list --data", played)
    lines = jetan("series show sunday --json --data", played).splitlines()
    first, second = map(json.loads, lines)
    assert (first["heads_lost_by_orange"], first["gain_of_orange"]) == (1, 9)
    assert (second["black"], second["result"]) == ("Gahan", "*")
    assert "orange" in jetan("series show sunday --data", played)
    rows = list(csv.DictReader(io.StringIO(jetan("series export sunday --data", played))))
    assert [row["balance_2"] for row in rows] == ["9", "9"]


def test_a_series_goes_on_where_it_was_left(jetan: Jetan, played: str) -> None:
    typed = "begins orange\ntidy\ne9 e8\n"
    printed = jetan("play --plain --series sunday --data", played, typed=typed)
    assert "Game 2 goes on after 0 moves." in printed
    assert "Orange begins (chosen)" in printed
    assert "confirmed 2 Pe9-e8" in printed
    assert "its game goes on" in jetan("series start sunday --data", played)


def test_a_series_is_started_by_the_rules_and_wager_that_are_told(
    jetan: Jetan, tmp_path: Path
) -> None:
    data = str(tmp_path)
    agreed = ["--players", "Tara,Gahan", "--price", "2,C=30", "--first", "orange", "--for-bias"]
    disk = ["--rules", "ninth-ray-clockwise", "--bias", "roll"]
    assert "rays, game 1: Tara has Black, Gahan Orange" in jetan(
        "series start rays --data", data, *agreed, *disk
    )
    events = {
        event["kind"]: event
        for event in map(json.loads, jetan("games show 1 --data", data, "--json").splitlines())
    }
    assert events["wager"]["prices"]["C"] == 30
    assert events["wager"]["for_bias"] is True
    assert events["opening"]["bias"] == "roll"
    assert events["firstmove"]["side"] == "orange"


def test_the_usual_stake_comes_from_the_settings(jetan: Jetan, tmp_path: Path) -> None:
    settings = tmp_path / "table.toml"
    settings.write_text('[series]\nstake = 5\nprice = "3"\n')
    options = ["--data", str(tmp_path), "--config", str(settings), "--players", "Tara,Gahan"]
    jetan("series start sunday", *options)
    game = jetan("games export 1 --data", tmp_path)
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
    jetan: Jetan, tmp_path: Path, arguments: list[str], why: str
) -> None:
    (line,) = jetan(*arguments, "--data", tmp_path, code=2).splitlines()
    assert why in line
    assert jetan("games list --data", tmp_path, "--json") == "", "nothing was begun"
