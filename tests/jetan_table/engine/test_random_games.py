"""Games by rules mixed at random: every option, both boards, the Juggernaut, all levels."""

import ctypes
import os
import resource
from functools import partial
from random import Random

import pytest

from jetan_table.engine.evaluation import fitted_weights
from jetan_table.engine.levels import LEVELS
from jetan_table.engine.library import quick_library
from jetan_table.engine.search import Limits, Search
from jetan_table.extras.opponent.match import play_game, random_opening
from rules import OPTIONS, PRESETS, Game, Rules, RulesError, format_move, parse_rules

NODES = 120
MORE_MB = 40


def mixed_rules(chance: Random) -> Rules:
    """A preset with a few options at random; contradictions are drawn again."""
    while True:
        preset = parse_rules(chance.choice(sorted(PRESETS)))
        names = chance.sample(sorted(OPTIONS), 6)
        differs = {name: chance.choice(OPTIONS[name].values) for name in names}
        if chance.random() < 0.5:
            differs["juggernaut"] = chance.choice(OPTIONS["juggernaut"].values)
        try:
            return preset.changed(differs)
        except RulesError:
            continue


class Anybody:
    """A level at random for each ply; what it plays must be legal, as `play_game` sees to.

    Where there is a library it searches every other ply in C.
    """

    name = "anybody"

    def __init__(self, chance: Random, library: ctypes.CDLL | None) -> None:
        self._chance, self._library = chance, library

    def play(self, game: Game) -> str:
        level = self._chance.choice(list(LEVELS.values()))
        thought = Search(
            game.position,
            fitted_weights(),
            lambda: 0.0,
            level.bounded(Limits(nodes=NODES)),
            earlier=game.positions[:-1],
            glimpse=partial(level.glimpse, seed=1),
            taste=1,
            library=self._chance.choice((None, self._library)),
        ).think()
        return format_move(thought.move, game.position)


def play(seed: int) -> Game:
    chance = Random(seed)
    anybody = Anybody(chance, quick_library(os.environ))
    return play_game(random_opening(mixed_rules(chance), chance), (anybody, anybody), chance)


@pytest.mark.parametrize("seed", range(6))
def test_games_by_any_rules_are_played_to_their_end(seed: int) -> None:
    game = play(seed)
    assert game.outcome is not None or len(game.plies) == 300


@pytest.mark.soak("opponent")
def test_a_thousand_games_meet_every_option_and_leave_no_memory_behind() -> None:
    every = {(name, value) for name, option in OPTIONS.items() for value in option.values}
    sizes_mb, met = [], set()
    for seed in range(1000):
        rules = play(seed).start.rules
        met |= {(name, rules[name]) for name in OPTIONS}
        sizes_mb.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000)
    assert every <= met
    assert sizes_mb[-1] - sizes_mb[500] < MORE_MB
