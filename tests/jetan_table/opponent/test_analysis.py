"""Games looked at afterwards: marks, better replies, and the picture."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from jetan_table.engine.evaluation import win_probability
from jetan_table.engine.search import Limits
from jetan_table.engine.weights import fitted_weights
from jetan_table.opponent.analysis import PlyMark, analyse
from jetan_table.opponent.plot import described, plot
from rules import parse_move, parse_position, parse_rules
from rules.game import Game
from rules.game_text import GameText, format_game
from tests.e2e.command import run

BLUNDERED = "q9/10/10/D9/10/10/10/10/10/9Q b - - 0 1"
"""Black can take the Princess at once."""


def game_of(text: str, *moves: str, rules: str = "appendix") -> Game:
    game = Game.begin(parse_position(text, parse_rules(rules)))
    for move in moves:
        game = game.play(parse_move(move, game.position))
    return game


@pytest.fixture
def blundered() -> Game:
    return game_of(BLUNDERED, "j1i4", "a10c9")


def test_a_win_that_was_missed_is_a_blunder_with_the_better_move(blundered: Game) -> None:
    first, second = analyse(blundered, fitted_weights(), lambda: 0.0, Limits(nodes=500))
    assert first.mark is PlyMark.BLUNDER
    assert (first.played, first.best, first.win_in) == ("Qj1-i4", "Da7xa10", 1)
    assert first.numbered == "1. Qj1-i4"
    assert first.chance_before == 1
    assert second.numbered == "1... Qa10-c9"
    assert second.mark is None
    assert 0 < second.chance < 1


def test_what_is_best_is_never_marked() -> None:
    game = game_of(BLUNDERED, "a7a10")
    (only,) = analyse(game, fitted_weights(), lambda: 0.0, Limits(nodes=500))
    assert (only.mark, only.loss, only.chance) == (None, 0, 1)


def test_chances_are_those_of_both_sides_together() -> None:
    assert win_probability(0, None) == 0.5
    assert win_probability(300, None) + win_probability(-300, None) == pytest.approx(1)
    assert (win_probability(0, 3), win_probability(0, -2)) == (1, 0)


def test_the_picture_is_svg_and_says_what_it_shows(blundered: Game) -> None:
    verdicts = list(analyse(blundered, fitted_weights(), lambda: 0.0, Limits(nodes=500)))
    picture = ElementTree.fromstring(plot(verdicts, "A & B"))
    space = "{http://www.w3.org/2000/svg}"
    assert picture.findtext(f"{space}title") == "A & B"
    assert "1. Qj1-i4 (blunder; better Da7xa10)" in (picture.findtext(f"{space}desc") or "")
    course = picture.find(f"{space}polyline")
    assert course is not None
    assert len(course.attrib["points"].split()) == 3
    assert len(picture.findall(f"{space}g")) == 1


def test_a_game_without_plies_has_a_picture() -> None:
    assert "No ply was played" in plot([], "nothing")
    assert described([]) == "No ply was played."


def test_the_command_tells_plots_and_counts(blundered: Game, tmp_path: Path) -> None:
    file, picture = tmp_path / "one.jgn", tmp_path / "one.svg"
    file.write_text(format_game(GameText(blundered, {"Black": "Ann", "Orange": "Bo"})))
    words = ("games", "analyse", file, "--nodes", "300")
    done = run(tmp_path, *words, "--plot", picture)
    assert done.returncode == 0, done.stderr
    assert "better  Da7xa10" in done.stdout
    assert "takes the Princess and wins." in done.stdout
    assert "Ann - Bo" in picture.read_text()
    rows = [json.loads(line) for line in run(tmp_path, *words, "--json").stdout.splitlines()]
    assert [row["mark"] for row in rows] == ["??", None]
    assert rows[0]["why"] == "The move takes the Princess and wins."
    missing = run(tmp_path, *words, "--number", "2")
    assert missing.returncode == 2
    assert "has 1 games, there is no number 2" in missing.stderr


def test_a_kept_game_is_analysed_by_its_number(tmp_path: Path) -> None:
    typed = "d2 d3\ne9 e8\nquit\n"
    played = run(tmp_path, "play", "--plain", "--data", tmp_path / "here", typed=typed)
    assert played.returncode == 0, played.stderr
    words = ("games", "analyse", "1", "--nodes", "300", "--json", "--data", tmp_path / "here")
    done = run(tmp_path, *words)
    assert [json.loads(line)["number"] for line in done.stdout.splitlines()] == [1, 2]
    missing = run(tmp_path, "games", "analyse", "7", "--data", tmp_path / "here")
    assert missing.returncode == 2
    assert "7: no such game" in missing.stderr


def test_a_file_that_is_no_game_is_refused_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "bad.jgn"
    file.write_text('[Rules "appendix"]\n\n1. Pb2-b9 *\n')
    done = run(tmp_path, "games", "analyse", file)
    assert done.returncode == 2
    assert f"{file}: line 3, ply 1" in done.stderr
    file.write_bytes(b"\xff\xfe\x00")
    done = run(tmp_path, "games", "analyse", file)
    assert done.returncode == 2
    assert done.stderr.startswith(f"jetan: {file}: ")
