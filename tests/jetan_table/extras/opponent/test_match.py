"""Matches: pairs, what they prove, and the games they leave; and when an opponent ends a game."""

import shlex
import time
from pathlib import Path
from random import Random

import pytest

from jetan_table.extras.opponent.match import (
    MatchFile,
    Tally,
    elo_of,
    play_match,
    random_opening,
)
from jetan_table.extras.opponent.seat import (
    CONTENT_PLIES,
    HOPELESS_MOVES,
    LEVEL_MOVES,
    LEVEL_PLIES,
    EndingPolicy,
)
from jetan_table.game.commands import OfferDraw, Resign
from jetan_table.table.games import BadGameFile
from rules import Game, Rules, Side, format_move, parse_rules
from tests.jetan_table.cli.in_process import run
from tests.jetan_table.engine.other_engine import OTHER_ENGINE


def test_it_resigns_what_stays_hopeless_and_not_what_was_so_for_a_moment() -> None:
    policy = EndingPolicy()
    scores = [-800, -900, -100, -800, -800, -800]
    intents = [policy.consider(score, None, 40) for score in scores]
    assert intents == [*[None] * 5, Resign]
    assert HOPELESS_MOVES == 3


def test_a_proven_loss_is_hopeless_whatever_the_number_says() -> None:
    policy = EndingPolicy()
    assert [policy.consider(0, -4, 10) for _ in range(3)][-1] is Resign


def test_it_offers_a_draw_late_in_a_level_game_and_then_waits() -> None:
    policy = EndingPolicy()
    early = [policy.consider(10, None, 30) for _ in range(LEVEL_MOVES - 1)]
    late = [policy.consider(-10, None, LEVEL_PLIES) for _ in range(LEVEL_MOVES + 1)]
    assert set(early) == {None}
    assert late[0] is OfferDraw
    assert late.count(OfferDraw) == 2
    assert late[-1] is OfferDraw


def test_it_agrees_where_it_is_no_better_and_has_thought_at_all() -> None:
    policy = EndingPolicy()
    assert not policy.agrees(99)
    policy.consider(-20, None, 40)
    assert policy.agrees(CONTENT_PLIES)
    assert not policy.agrees(CONTENT_PLIES - 1)
    policy.consider(60, None, 42)
    assert not policy.agrees(99)
    policy.consider(0, -3, 44)
    assert not policy.agrees(99)


class Chancer:
    """Plays any move, from a seed."""

    def __init__(self, name: str) -> None:
        self.name = name

    def play(self, game: Game) -> str:
        moves = game.position.moves()
        return format_move(Random(f"{self.name} {len(game.plies)}").choice(moves))


def tally_of(points: str) -> Tally:
    """A tally of games won (+), drawn (=) and lost (-), two a pair."""
    tally = Tally()
    for number, sign in enumerate(points):
        value = {"+": 1.0, "=": 0.5, "-": 0.0}[sign]
        pairs = list(tally.pairs)
        pairs[number // 2 :] = [value + (pairs[number // 2] if number % 2 else 0.0)]
        won, drawn, lost = (points[: number + 1].count(one) for one in "+=-")
        tally = Tally(won, drawn, lost, tuple(pairs))
    return tally


@pytest.mark.parametrize(
    "rules",
    ["appendix", "manator-arena+juggernaut", "ninth-ray-counterclockwise,juggernaut=centre"],
)
def test_pairs_share_their_opening_and_exchange_colours(rules: str) -> None:
    chosen: Rules = parse_rules(rules)
    played = list(play_match((Chancer("one"), Chancer("two")), chosen, range(4), seed=2))
    assert [game.black for game in played] == [0, 1, 0, 1]
    for first, second in (played[:2], played[2:]):
        assert first.game.positions[:5] == second.game.positions[:5]
    assert played[0].game.positions[:5] != played[2].game.positions[:5]
    tally = Tally()
    for game in played:
        tally = tally.after(game)
    assert tally.games == 4
    assert sum(tally.pairs) == tally.wins + tally.draws / 2


def test_points_are_the_first_players_whatever_the_colour() -> None:
    won = list(play_match((Chancer("a"), Chancer("b")), parse_rules("zillions"), range(8), 1))
    for game in won:
        outcome = game.game.outcome
        if outcome is not None and outcome.winner is not None:
            first = Side.BLACK if game.black == 0 else Side.ORANGE
            assert game.points == (outcome.winner is first)
    assert {game.points for game in won} & {0.0, 1.0}


def test_even_matches_prove_nothing_and_clear_ones_do() -> None:
    low, mid, high = tally_of("+-" * 20).elo
    assert low < 0 < high
    assert mid == pytest.approx(0)
    assert tally_of("++" * 20).elo[0] > 0
    assert tally_of("++" * 4).error > tally_of("++" * 40).error
    assert tally_of("--+=").share == 0.375


def test_elo_is_what_it_is_elsewhere() -> None:
    assert elo_of(0.5) == 0
    assert elo_of(0.75) == pytest.approx(190.8, abs=0.1)


def test_openings_follow_the_seed_and_are_undecided() -> None:
    rules = parse_rules("appendix+juggernaut")
    assert random_opening(rules, Random(1)) == random_opening(rules, Random(1))
    assert random_opening(rules, Random(1)) != random_opening(rules, Random(2))
    assert random_opening(rules, Random(1)).outcome is None


def test_the_command_plays_and_goes_on_from_the_games_it_left(tmp_path: Path) -> None:
    out = tmp_path / "games.jgn"
    words = ("dwar", "panthan", "--nodes", "60", "--out", out, "--games")
    first = run(tmp_path, "match", *words, "2")
    assert first.returncode == 0, first.stderr
    assert first.stdout.startswith("dwar against panthan: 2 games, +")
    assert "Elo" in first.stdout
    assert run(tmp_path, "games", "check", out).returncode == 0
    two = out.read_text()
    more = run(tmp_path, "match", *words, "3")
    assert "3 games" in more.stdout
    assert out.read_text().startswith(two)
    three = out.read_text()
    out.unlink()
    assert run(tmp_path, "match", *words, "3").stdout == more.stdout
    assert out.read_text() == three


def test_a_file_of_another_match_is_left_alone(tmp_path: Path) -> None:
    path, names = tmp_path / "games.jgn", ("one", "two")
    (game,) = play_match((Chancer("one"), Chancer("two")), parse_rules("zillions"), range(1), 1)
    MatchFile(path, "this match", names).add(game)
    assert MatchFile(path, "this match", names).played == [game]
    with pytest.raises(BadGameFile, match="holds this match, not that match; name another"):
        MatchFile(path, "that match", names)
    with path.open("a") as torn:
        torn.write("1. Pb2-")
    with pytest.raises(BadGameFile, match=r"line \d+"):
        MatchFile(path, "this match", names)


def test_another_program_plays_by_the_protocol(tmp_path: Path) -> None:
    heard = tmp_path / "heard.txt"
    other = shlex.join([*OTHER_ENGINE, str(heard)])
    words = ("panthan", f"command:{other}", "--games", "2", "--rules", "zillions")
    done = run(tmp_path, "match", *words)
    assert done.returncode == 0, done.stderr
    assert f"panthan against {OTHER_ENGINE[0]}: 2 games, +2 =0 -0" in done.stdout
    deadline = time.monotonic() + 60.0
    # It is told to leave and left alone: on a busy machine it hears that after the match has ended.
    while (lines := heard.read_text().splitlines())[-1] != "quit" and time.monotonic() < deadline:
        time.sleep(0.02)
    assert lines[0] == "setoption name Rules value zillions"
    assert lines.count("newgame") == 2
    assert lines[-1] == "quit"


@pytest.mark.parametrize("player", ["jedak", "command:", "command:no-such-engine"])
def test_a_player_that_is_none_is_refused(player: str, tmp_path: Path) -> None:
    done = run(tmp_path, "match", "dwar", player)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
