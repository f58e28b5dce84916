"""Jetan as OpenSpiel plays it: what is legal, who moves and who has won is what the rules say."""

from random import Random

import pytest

from bench.open_spiel import LONGEST, NAME, action_of, move_of, register
from rules import Game, Position, Side, format_move, parse_rules

READINGS = ("abstract-games", "ninth-ray-clockwise")


@pytest.mark.parametrize("name", READINGS)
def test_a_game_at_random_is_the_same_in_both(name: str) -> None:
    random, state = Random(name), register().load_game(f"{NAME}(rules={name})").new_initial_state()
    game = Game.begin(Position.start(parse_rules(name)))
    while not state.is_terminal():
        legal = game.position.moves()
        assert state.legal_actions() == sorted(map(action_of, legal))
        assert state.current_player() == int(game.position.side)
        action = random.choice(state.legal_actions())
        move = move_of(game.position, action)
        assert state.action_to_string(action) == format_move(move, game.position)
        state.apply_action(action)
        game = game.play(move)
        assert str(state.clone()) == str(state)
    outcome = game.outcome
    if outcome is None:
        assert len(game.plies) == LONGEST
    winner = None if outcome is None else outcome.winner
    black = {None: 0, Side.BLACK: 1, Side.ORANGE: -1}[winner]
    assert state.returns() == [black, -black]


def test_a_reading_with_dice_is_refused() -> None:
    with pytest.raises(Exception, match="dice"):
        register().load_game(f"{NAME}(rules=manator-arena)")
