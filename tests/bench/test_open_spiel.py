"""Jetan as OpenSpiel plays it: what is legal, who moves and who has won is what the rules say."""

from random import Random

import pyspiel
import pytest

from bench.open_spiel import LONGEST, NAME, action_of, move_of
from rules import PRESETS, Game, Position, Side, format_move, parse_rules

READINGS = [name for name in PRESETS if parse_rules(name)["duel"] == "off"]


@pytest.mark.parametrize("name", READINGS)
def test_a_game_at_random_is_the_same_in_both(name: str) -> None:
    random, state = Random(name), pyspiel.load_game(f"{NAME}(rules={name})").new_initial_state()
    game = Game.begin(Position.start(parse_rules(name)))
    while not state.is_terminal():
        legal = game.position.moves()
        assert state.legal_actions() == sorted(map(action_of, legal))
        assert state.current_player() == int(game.position.side)
        action = random.choice(state.legal_actions())
        move = move_of(game.position, action)
        assert state.action_to_string(action) == format_move(move, game.position)
        before = state.clone()
        state.apply_action(action)
        assert str(before) != str(state) == str(before.child(action))
        game = game.play(move)
    outcome = game.outcome
    if outcome is None:
        assert len(game.plies) == LONGEST
    winner = None if outcome is None else outcome.winner
    black = {None: 0, Side.BLACK: 1, Side.ORANGE: -1}[winner]
    assert state.returns() == [black, -black]


def test_it_passes_the_check_that_games_of_open_spiel_pass() -> None:
    """Copies, texts that are read back, sums of what was won, and bounds, in games at random."""
    game = pyspiel.load_game(NAME)
    assert pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False) is None


def test_readings_with_dice_are_refused() -> None:
    for name in ("manator-arena", "zillions+juggernaut"):
        with pytest.raises(Exception, match="dice"):
            pyspiel.load_game(NAME, {"rules": name})
