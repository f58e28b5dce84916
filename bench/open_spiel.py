"""Jetan as a game of OpenSpiel, for machine players; and how many random plies it plays a second.

Importing this makes any reading without dice known to OpenSpiel, which the extra `bench` brings:
`pyspiel.load_game("python_jetan(rules=zillions)")`. An action is 100 times the square a piece comes
from, plus the one it goes to. An escape is no action of its own: no two moves have the same
squares.
"""

import time
from random import Random
from typing import Any, Final

import pyspiel

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
LONGEST: Final = 1000
"""Plies after which a game is drawn, because OpenSpiel wants a bound."""

GAMES: Final = 20

KIND: Final = pyspiel.GameType(
    short_name=NAME,
    long_name="Python Jetan",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=False,
    parameter_specification={"rules": DEFAULT_PRESET},
)
BOUNDS: Final = pyspiel.GameInfo(
    num_distinct_actions=10_000,
    max_chance_outcomes=0,
    num_players=2,
    min_utility=-1.0,
    max_utility=1.0,
    utility_sum=0.0,
    max_game_length=LONGEST,
)


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A reading of the rules; ValueError for one with dice."""

    def __init__(self, given: Any = None) -> None:
        super().__init__(KIND, BOUNDS, given or {})
        self.rules = parse_rules((given or {}).get("rules", DEFAULT_PRESET))
        if self.rules["juggernaut"] != "off" or self.rules["duel"] != "off":
            raise ValueError("readings with dice are not games of this kind")

    def new_initial_state(self) -> "SpielState":
        return SpielState(self)

    def make_py_observer(self, wanted: Any = None, params: Any = None) -> "Observer":
        return Observer()


class Observer:
    """What both players see, as OpenSpiel asks for it: texts only."""

    tensor: Final = None

    def __init__(self) -> None:
        self.dict: dict[str, Any] = {}

    def set_from(self, state: Any, player: int) -> None:
        """Do nothing: this is for tensors."""

    def string_from(self, state: Any, player: int) -> str:
        return str(state)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A game so far."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self._played = Shared(Game.begin(Position.start(game.rules)))

    @property
    def played(self) -> Game:
        return self._played.game

    def current_player(self) -> int:
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return int(self.played.position.side)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(map(action_of, self.played.position.moves()))

    def _apply_action(self, action: int) -> None:
        self._played = Shared(self.played.play(move_of(self.played.position, action)))

    def _action_to_string(self, player: int, action: int) -> str:
        position = self.played.position
        return format_move(move_of(position, action), position)

    def is_terminal(self) -> bool:
        return self.played.outcome is not None or len(self.played.plies) >= LONGEST

    def returns(self) -> list[float]:
        outcome = self.played.outcome
        if outcome is None or outcome.winner is None:
            return [0.0, 0.0]
        return [1.0, -1.0] if outcome.winner is Side.BLACK else [-1.0, 1.0]

    def __str__(self) -> str:
        return format_position(self.played.position)

    def observation_string(self, player: int) -> str:
        return str(self)


class Shared:
    """A game that no copy of a state copies: OpenSpiel copies all that a state holds, deeply."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def __deepcopy__(self, memo: Any) -> "Shared":
        return self


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
    game, random = pyspiel.load_game(NAME), Random(1)
    plies, begun = 0, time.perf_counter()
    for _game in range(GAMES):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
            plies += 1
    seconds = time.perf_counter() - begun
    print_figures({"games": GAMES, "plies": plies, "plies a second": plies / seconds}, json)


pyspiel.register_game(KIND, SpielGame)
