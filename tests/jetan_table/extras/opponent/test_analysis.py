"""Games looked at afterwards: marks, better replies, and the picture."""

import json
from collections import Counter
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest

from jetan_table.engine.evaluation import fitted_weights, win_probability
from jetan_table.engine.search import Limits
from jetan_table.engine.why import Merit
from jetan_table.extras.opponent.analysis import analyse, described, explained, plot
from rules import Game, Position, Side, parse_move, parse_position, parse_rules
from rules.text import GameText, format_game
from tests.jetan_table.cli.in_process import run
from tests.jetan_table.engine.test_why import holds

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
    assert first.mark == "??"
    assert (first.played, first.best, first.win_in) == ("Qj1-i4", "Da7xa10", 1)
    assert first.numbered == "1. Qj1-i4"
    assert first.chance_before == 1
    assert second.numbered == "1... Qa10-c9"
    assert second.mark is None
    assert 0 < second.chance < 1


def forced_within_three(position: Position, side: Side) -> bool:
    """Whether the side to move wins by force, by the rules' moves alone."""

    def wins_now(position: Position) -> bool:
        return position.outcome is None and any(won(position.play(m)) for m in position.moves())

    def won(after: Position) -> bool:
        return after.outcome is not None and after.outcome.winner is side

    return wins_now(position) or any(
        won(after) or all(wins_now(after.play(reply)) for reply in after.moves())
        for after in map(position.play, position.moves())
    )


def test_every_sentence_of_random_games_holds_by_the_rules() -> None:
    chance, claims = Random(4), Counter[str]()
    for rules in ("appendix", "cazaux", "zillions"):
        game = Game.begin(Position.start(parse_rules(rules)))
        while game.outcome is None and len(game.plies) < 20:
            moves = game.position.moves()
            takes = [move for move in moves if game.position.piece_at(move.to_square)]
            game = game.play(chance.choice(takes or moves))
        for at, verdict in enumerate(analyse(game, fitted_weights(), lambda: 0.0, Limits(depth=2))):
            before, after = game.positions[at], game.positions[at + 1]
            best = parse_move(verdict.best, before)
            plain = [p for p in verdict.points if p.merit is not Merit.WINS_SOON]
            assert all(holds(point, before, best) for point in plain)
            replies = [p for p in verdict.allowed if p.merit is not Merit.WINS_SOON]
            assert not replies or all(
                holds(point, after, parse_move(verdict.reply[0], after)) for point in replies
            )
            claims.update(explained(verdict, before.rules, "en") and [str(verdict.mark)])
            claims["allowed"] += bool(replies)
            if verdict.win_in is not None and 0 < verdict.win_in <= 3:
                claims["win"] += 1
                assert forced_within_three(before, before.side)
            if verdict.lost_in is not None and verdict.lost_in <= 4 and after.outcome is None:
                claims["loss"] += 1
                assert forced_within_three(after, after.side)
    assert min(claims[name] for name in ("allowed", "win", "loss")) > 0, claims


def test_a_blunder_is_explained(blundered: Game) -> None:
    first, second = analyse(blundered, fitted_weights(), lambda: 0.0, Limits(nodes=500))
    rules = blundered.start.rules
    assert explained(first, rules, "en")[:2] == [
        "Here Black could have won at once.",
        "Better was Da7xa10: it takes the Princess and wins.",
    ]
    assert explained(second, rules, "en") == []


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
    assert "No move was played" in plot([], "nothing")
    assert described([]) == "No move was played."


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
    assert f"{file}: line 3, move 1" in done.stderr
    file.write_bytes(b"\xff\xfe\x00")
    done = run(tmp_path, "games", "analyse", file)
    assert done.returncode == 2
    assert done.stderr.startswith(f"jetan: {file}: ")
