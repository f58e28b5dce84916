"""How quickly and how deep the opponent thinks, beside python-chess, and what it solves.

Thirty positions out of games it plays against itself from random openings, none of them decided.
Nodes a second are compared with the positions python-chess expands, in the same run, on one core.
The puzzles are those of `puzzles.txt`; each must be solved within 5 s. With `--strength` it plays
matches instead (`strength.py`).
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Final, TypedDict

import chess
import click

from bench._figures import print_figures
from bench.rules import CHESS_POSITIONS, best, expand_chess, mean_rate
from jetan_table.engine.process import EngineProcess
from jetan_table.engine.search import Limits, Search, Thought
from jetan_table.engine.weights import fitted_weights
from jetan_table.opponent.match import random_opening
from rules import Position, parse_rules
from rules.game import Game

if TYPE_CHECKING:
    from bench.opponent.puzzles import Puzzle

POSITIONS: Final = 30
DEPTHS: Final = (4, 5)
SECONDS: Final = 5.0
OVERRUNS: Final = 11
MOVETIMES_S: Final = (0.1, 0.5)
UNDECIDED: Final = 1500
"""A position is undecided where a short search tells less than this for either side."""


class Figures(TypedDict):
    """What is printed; the keys are kept stable. Times are CPU seconds, medians and worst.

    `movetime_overrun` is by the clock, as a share of the time allowed.
    """

    nodes_vs_python_chess_expanded: float
    nodes_per_s: float
    depth_4_s: float
    depth_4_worst_s: float
    depth_5_s: float
    depth_5_worst_s: float
    depth_in_1_s: float
    puzzles: int
    puzzles_solved: int
    puzzle_worst_s: float
    movetime_overrun: float


def main(json: bool, arguments: Sequence[str] = ()) -> None:
    """Measure, and print a table, or one JSON object; or play the matches that are asked for."""
    if not arguments:
        print_figures(measure(), json)
        return
    from bench.opponent.strength import strength  # a script of its own, too

    flag, *asked = arguments
    if flag != "--strength":
        raise click.UsageError(f"{flag}: jetan bench opponent takes --strength [PAIRING...]")
    strength.main([*asked, *(["--json"] if json else [])], standalone_mode=False)


def measure() -> Figures:
    """Return every figure of one run."""
    from bench.opponent.puzzles import read_puzzles  # a script of its own, too

    positions = middle_games(POSITIONS)
    boards = [chess.Board(fen) for fen in CHESS_POSITIONS]
    rate = best(
        {
            "nodes": lambda: node_rate(positions[:5]),
            "chess": lambda: mean_rate(expand_chess, boards),
        }
    )
    spent = {depth: [think(p, Limits(depth=depth)).seconds for p in positions] for depth in DEPTHS}
    solved = [(solves(puzzle), puzzle) for puzzle in read_puzzles()]
    return Figures(
        nodes_vs_python_chess_expanded=rate["nodes"] / rate["chess"],
        nodes_per_s=rate["nodes"],
        depth_4_s=statistics.median(spent[4]),
        depth_4_worst_s=max(spent[4]),
        depth_5_s=statistics.median(spent[5]),
        depth_5_worst_s=max(spent[5]),
        depth_in_1_s=statistics.median(
            think(position, Limits(seconds=1.0)).depth - 1 for position in positions
        ),
        puzzles=len(solved),
        puzzles_solved=sum(seconds is not None for seconds, _ in solved),
        puzzle_worst_s=max(seconds or SECONDS for seconds, _ in solved),
        movetime_overrun=overrun(positions[:OVERRUNS]),
    )


def overrun(positions: list[Position]) -> float:
    """Return by how much of its time an engine's answer is late at worst, another core busy."""
    worst, command = 0.0, [sys.executable, "-c", "while True: pass"]
    with subprocess.Popen(command) as busy, closing(EngineProcess({})) as engine:
        lateness(engine, positions[0], 0.1)  # which only warms it up
        for allowed_s, position in product(MOVETIMES_S, positions):
            worst = max(worst, lateness(engine, position, allowed_s))
        busy.kill()
    return worst


def lateness(engine: EngineProcess, position: Position, allowed_s: float) -> float:
    """Return by how much of its time an answer is late."""
    begun = time.perf_counter()
    engine.think(Game.begin(position), Limits(seconds=allowed_s))
    while engine.poll(allowed_s) is None:
        pass
    return (time.perf_counter() - begun) / allowed_s - 1


def think(position: Position, limits: Limits) -> Thought:
    """Return the last thought of a search, timed in CPU seconds."""
    *_, last = Search(position, fitted_weights(), time.process_time, limits).deepen()
    return last


def node_rate(positions: list[Position]) -> float:
    """Return the nodes a second of searches to depth 4, all together."""
    thoughts = [think(position, Limits(depth=4)) for position in positions]
    return sum(t.nodes for t in thoughts) / sum(t.seconds for t in thoughts)


def middle_games(count: int) -> list[Position]:
    """Return undecided positions under the default rules, 10 to 40 plies into games."""
    found: list[Position] = []
    for seed in range(10 * count):
        chance = Random(seed)
        game = random_opening(parse_rules("appendix"), chance)
        position = play_on(game, chance.randint(6, 36))
        if position is not None and abs(think(position, Limits(depth=3)).score) < UNDECIDED:
            found.append(position)
        if len(found) == count:
            break
    return found


def play_on(game: Game, plies: int) -> Position | None:
    """Return the position so many plies of quick play on; None where the game ends before."""
    for _ in range(plies):
        game = game.play(think(game.position, Limits(nodes=300)).move)
        if game.outcome is not None:
            return None
    return game.position


def solves(puzzle: Puzzle) -> float | None:
    """Return the seconds to the solution of a puzzle; None where it is not found in time.

    It must play a move that is proved to force as much, and know what that brings.
    """
    from bench.opponent.puzzles import wins_by

    sort, plies = puzzle.forced.split()
    search = Search(puzzle.position, fitted_weights(), time.process_time, Limits(seconds=SECONDS))
    for thought in search.deepen():
        after = puzzle.position.play(thought.move)
        drawn = sort == "draw" and thought.score == 0 and after.outcome is not None
        claimed = sort == "win" and thought.win_in is not None and 0 < thought.win_in <= int(plies)
        if drawn or (claimed and wins_by(puzzle.position, thought.move, int(plies))):
            return thought.seconds
    return None
