"""Jetan as a game of OpenSpiel, for machine players; and how many random plies it plays a second.

OpenSpiel is no part of the table: the extra `bench` brings it. `register()` makes any reading
without dice known there, as `pyspiel.load_game("python_jetan(rules=zillions)")`. An action is 100
times the square a piece comes from, plus the one it goes to. An escape is no action of its own: no
two moves have the same squares.
"""

import importlib
import time
from random import Random
from typing import Any, Final

from bench._figures import print_figures
from rules import (
    DEFAULT_PRESET,
    SQUARES,
    Game,
    Move,
    Position,
    Side,
    format_move,
    format_position,
    parse_rules,
)

NAME: Final = "python_jetan"
ACTIONS: Final = 10_000
LONGEST: Final = 1000
"""Plies after which a game is drawn, for OpenSpiel wants a bound."""

GAMES: Final = 20


def register() -> Any:
    """Make Jetan known to OpenSpiel, once, and return its module; ImportError where it is not."""
    pyspiel = importlib.import_module("pyspiel")
    if NAME not in pyspiel.registered_names():
        kind = kind_of_game(pyspiel)
        pyspiel.register_game(kind, game_class(pyspiel, kind))
    return pyspiel


def kind_of_game(pyspiel: Any) -> Any:
    """Return what OpenSpiel wants to know of any reading."""
    return pyspiel.GameType(
        short_name=NAME,
        long_name="Python Jetan",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        parameter_specification={"rules": DEFAULT_PRESET},
    )


def game_class(pyspiel: Any, kind: Any) -> Any:
    """Return the class of games; their state's is made with it."""
    bounds = pyspiel.GameInfo(
        num_distinct_actions=ACTIONS,
        max_chance_outcomes=0,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=LONGEST,
    )

    state_of = state_class(pyspiel)

    class SpielGame(pyspiel.Game):  # type: ignore[misc]
        """A reading of the rules."""

        def __init__(self, given: Any = None) -> None:
            given = given or {}
            super().__init__(kind, bounds, given)
            self.rules = parse_rules(given.get("rules", DEFAULT_PRESET))
            if self.rules["juggernaut"] != "off" or self.rules["duel"] != "off":
                raise ValueError(f"{given['rules']}: readings with dice are no game of this kind")

        def new_initial_state(self) -> Any:
            return state_of(self)

    return SpielGame


def state_class(pyspiel: Any) -> Any:
    """Return the class of states."""

    class SpielState(pyspiel.State):  # type: ignore[misc]
        """A game so far."""

        def __init__(self, game: Any) -> None:
            super().__init__(game)
            self.played = Game.begin(Position.start(game.rules))

        def current_player(self) -> int:
            if self.is_terminal():
                return int(pyspiel.PlayerId.TERMINAL)
            return int(self.played.position.side)

        def _legal_actions(self, player: int) -> list[int]:
            return sorted(map(action_of, self.played.position.moves()))

        def _apply_action(self, action: int) -> None:
            self.played = self.played.play(move_of(self.played.position, action))

        def _action_to_string(self, player: int, action: int) -> str:
            position = self.played.position
            return format_move(move_of(position, action), position)

        def is_terminal(self) -> bool:
            return self.played.outcome is not None or len(self.played.plies) >= LONGEST

        def returns(self) -> list[float]:
            return returns_of(self.played)

        def __str__(self) -> str:
            return format_position(self.played.position)

        def observation_string(self, player: int) -> str:
            return str(self)

        def information_state_string(self, player: int) -> str:
            return str(self)

    return SpielState


def returns_of(played: Game) -> list[float]:
    """Return what Black and Orange have got by a game."""
    outcome = played.outcome
    if outcome is None or outcome.winner is None:
        return [0.0, 0.0]
    return [1.0, -1.0] if outcome.winner is Side.BLACK else [-1.0, 1.0]


def action_of(move: Move) -> int:
    """Return the number of a move."""
    return 100 * move.from_square + move.to_square


def move_of(position: Position, action: int) -> Move:
    """Return the legal move of a number."""
    start, end = divmod(action, 100)
    moves = position.moves_from(SQUARES[start])
    return next(move for move in moves if move.to_square == end)


def main(json: bool) -> None:
    """Play games at random through OpenSpiel, and print how many plies a second it plays."""
    game, random = register().load_game(NAME), Random(1)
    plies, begun = 0, time.perf_counter()
    for _game in range(GAMES):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
            plies += 1
    seconds = time.perf_counter() - begun
    print_figures({"games": GAMES, "plies": plies, "plies a second": plies / seconds}, json)
