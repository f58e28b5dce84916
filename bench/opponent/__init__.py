"""How quickly and how deep the opponent thinks, beside python-chess, and what it solves.

Thirty positions out of games it plays against itself from random openings, none of them decided.
The search in C is what is measured, but for what says Python. Beside python-chess stands what is
alike in both: the rules in Python asked for moves as objects, and for sets of squares as bits; and,
as the nodes of the search in Python do neither, these beside the positions python-chess expands.
All in the same run, on one core. The puzzles are those of `puzzles.txt` and of `jetan puzzle`; each
must be solved within 2 s. With `--strength` it plays matches instead (`strength.py`).
"""

from __future__ import annotations

import ctypes
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Final

import chess
import click

from bench._figures import print_figures
from bench.opponent.in_c import PERFT, library_with, quick_perft
from bench.rules import CHESS_POSITIONS, best, expand_chess, game_positions, mean_rate
from jetan_table.engine.evaluation import fitted_weights
from jetan_table.engine.library import NotBuilt, QuickSearch
from jetan_table.engine.positions import has_won
from jetan_table.engine.process import EngineProcess
from jetan_table.engine.search import Limits, Search, Thought
from jetan_table.extras.opponent.match import random_opening
from rules import PRESETS, Game, Position, _, parse_rules

if TYPE_CHECKING:
    from bench.opponent.puzzles import Puzzle

POSITIONS: Final = 30
DEPTHS: Final = (4, 5, 8)
QUICK_NODES: Final = 1_000_000
SECONDS: Final = 2.0
OVERRUNS: Final = 11
MOVETIMES_S: Final = (0.1, 0.5)
UNDECIDED: Final = 1500
"""A position is undecided where a short search tells less than this for either side."""


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


def measure() -> dict[str, float | int | str]:
    """Return every figure of one run: times are CPU seconds, medians and worst.

    `perft_4_s` is the worst of all presets' starts, and `perft_4_start` says whose that is.
    `nodes_vs_python_chess_expanded` is of the search in Python. `movetime_overrun` is by the clock,
    as a share of the time allowed.
    """
    from bench.opponent.puzzles import read_puzzles, taught_puzzles  # a script of its own, too

    library()
    positions = middle_games(POSITIONS)
    games = game_positions()
    boards = [chess.Board(fen) for fen in CHESS_POSITIONS]
    rate = best(
        {
            "quick": lambda: node_rate(positions[:5], Limits(nodes=QUICK_NODES), library()),
            "python": lambda: node_rate(positions[:5], Limits(depth=4), None),
            "chess": lambda: mean_rate(expand_chess, boards),
            "objects": lambda: mean_rate(list_moves, games),
            "chess objects": lambda: mean_rate(list_moves_chess, boards),
            "masks": lambda: mean_rate(reach, games),
            "chess masks": lambda: mean_rate(reach_chess, boards),
        }
    )
    counted = {name: perft_time(name) for name in PRESETS}
    slowest = max(counted, key=counted.__getitem__)
    depths = {}
    for depth in DEPTHS:
        spent = [think(position, Limits(depth=depth)).seconds for position in positions]
        depths[f"depth_{depth}_s"] = statistics.median(spent)
        depths[f"depth_{depth}_worst_s"] = max(spent)
    solved = [solves(puzzle) for puzzle in read_puzzles() + taught_puzzles()]
    return {
        "nodes_per_s": rate["quick"],
        "perft_4_s": counted[slowest],
        "perft_4_start": slowest,
        "python_nodes_per_s": rate["python"],
        "objects_vs_python_chess": rate["objects"] / rate["chess objects"],
        "masks_vs_python_chess": rate["masks"] / rate["chess masks"],
        "nodes_vs_python_chess_expanded": rate["python"] / rate["chess"],
        **depths,
        "depth_in_1_s": statistics.median(
            think(position, Limits(seconds=1.0)).depth - 1 for position in positions
        ),
        "puzzles": len(solved),
        "puzzles_solved": sum(seconds is not None for seconds in solved),
        "puzzle_worst_s": max(seconds or SECONDS for seconds in solved),
        "movetime_overrun": overrun(positions[:OVERRUNS]),
    }


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


def library() -> ctypes.CDLL:
    """Return the search in C; NotBuilt where it is not to be had."""
    quick = QuickSearch(os.environ)
    found = quick.library(wait=True)
    if found is None:
        raise NotBuilt(_("{why}"), why=quick.why_not)
    return found


def think(position: Position, limits: Limits) -> Thought:
    """Return the last thought of a search in C, timed in CPU seconds."""
    return think_by(position, limits, library())


def think_by(position: Position, limits: Limits, by: ctypes.CDLL | None) -> Thought:
    """Return the last thought of a search, in Python where `by` is None."""
    return Search(position, fitted_weights(), time.process_time, limits, library=by).think()


def node_rate(positions: list[Position], limits: Limits, by: ctypes.CDLL | None) -> float:
    """Return the nodes a second of searches, all together."""
    thoughts = [think_by(position, limits, by) for position in positions]
    return sum(t.nodes for t in thoughts) / sum(t.seconds for t in thoughts)


def perft_time(preset: str) -> float:
    """Return the CPU seconds in which the games of four plies from a preset's start are counted."""
    start, counting = Position.start(parse_rules(preset)), library_with(PERFT)
    quick_perft(counting, start, 1)  # the rules made ready
    begun = time.process_time()
    quick_perft(counting, start, 4)
    return time.process_time() - begun


def list_moves(position: Position) -> int:
    """List the moves of every position one ply on; return how many positions those are."""
    return sum(1 for after in position.after_each() if after.moves() is not None)


def list_moves_chess(board: chess.Board) -> int:
    """Do the same in python-chess."""
    positions = 0
    for move in board.legal_moves:
        board.push(move)
        list(board.legal_moves)
        board.pop()
        positions += 1
    return positions


def reach(position: Position) -> int:
    """Find what each man reaches, as bits, in every position one ply on; return how many."""
    return sum(1 for after in position.after_each() if after.men_ends())


def reach_chess(board: chess.Board) -> int:
    """Do the same in python-chess: what each piece attacks and its own side does not hold."""
    positions = 0
    for move in board.legal_moves:
        board.push(move)
        own = board.occupied_co[board.turn]
        for square in chess.scan_forward(own):
            board.attacks_mask(square) & ~own
        board.pop()
        positions += 1
    return positions


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
    for _ply in range(plies):
        game = game.play(think_by(game.position, Limits(nodes=300), None).move)
        if game.outcome is not None:
            return None
    return game.position


def solves(puzzle: Puzzle) -> float | None:
    """Return the seconds to the solution of a puzzle; None where it is not found in time.

    It must play a move that is proved to force as much, and know what that brings.
    """
    sort, plies = puzzle.forced.split()
    search = Search(
        puzzle.position,
        fitted_weights(),
        time.process_time,
        Limits(seconds=SECONDS),
        library=library(),
    )
    for thought in search.deepen():
        after = puzzle.position.play(thought.move)
        drawn = sort == "draw" and thought.score == 0 and after.outcome is not None
        claimed = sort == "win" and thought.win_in is not None and 0 < thought.win_in <= int(plies)
        if drawn or (claimed and has_won(puzzle.position.play(thought.move), int(plies) - 1)):
            return thought.seconds
    return None
