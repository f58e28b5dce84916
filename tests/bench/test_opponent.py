"""What the measurements of the opponent stand on: proofs, plain players, and the fit."""

from __future__ import annotations

import math
from random import Random

import pytest

from bench.opponent.fit import Witness, fit, solve, surprise
from bench.opponent.puzzles import Puzzle, draws_at_once, read_puzzles, wins_in
from bench.opponent.strength import Plain, Taker
from rules import Position, parse_move, parse_position, parse_rules
from rules.game import Game

SHORT = [puzzle for puzzle in read_puzzles() if puzzle.forced != "win 5"]
OPEN = parse_position("q9/10/10/D9/10/10/10/10/10/9Q b - - 0 1", parse_rules("appendix"))


@pytest.mark.parametrize("puzzle", SHORT, ids=lambda puzzle: f"{puzzle.rules} {puzzle.forced}")
def test_a_puzzle_is_proved_and_nothing_shorter_is(puzzle: Puzzle) -> None:
    position = puzzle.position
    assert not wins_in(position, 1)
    if puzzle.forced == "draw 1":
        assert draws_at_once(position)
    else:
        assert wins_in(position, 3)


@pytest.mark.parametrize("player", [Taker(), Plain()], ids=lambda player: player.name)
def test_plain_players_take_a_princess_and_play_legal_moves(player: Taker | Plain) -> None:
    assert player.play(Game.begin(OPEN)) == "Da7xa10"
    game = Game.begin(Position.start(parse_rules("appendix,escape=none")))
    for _ in range(3):
        game = game.play(parse_move(player.play(game), game.position))
    assert len(game.plies) == 3


def test_equations_are_solved() -> None:
    assert solve([[2.0, 1.0], [1.0, 3.0]], [5.0, 10.0]) == pytest.approx([1.0, 3.0])


def test_the_fit_finds_the_weights_that_made_the_results() -> None:
    chance, true = Random(1), [300.0, -150.0]
    witnesses = []
    for _ in range(20_000):
        told = [chance.gauss(0, 1), chance.gauss(0, 1)]
        share = 1 / (1 + math.exp(-sum(f * w for f, w in zip(told, true, strict=True)) / 250))
        witnesses.append(Witness(told, float(chance.random() < share)))
    found = fit(witnesses, [100.0, 0.0])
    assert surprise(witnesses, found) < surprise(witnesses, [100.0, 0.0])
    assert found[0] == pytest.approx(300, abs=120)
    assert found[1] == pytest.approx(-150, abs=80)
