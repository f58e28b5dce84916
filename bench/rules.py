"""How quick the rules are, as ratios to python-chess in one run on one core.

Both programs are asked the same things, in turn, several times over; the best time of each counts.
Jetan is asked about positions out of random games, python-chess about the mean of its start
position, Kiwipete and position 5. A ratio above 1 says that Jetan is the quicker one, but for
`destinations` and `import`, which are shares of python-chess's time.
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import chess

from bench._figures import cpu_of_children, print_figures
from rules import Position, parse_rules, perft

Board = TypeVar("Board")

ROUNDS = 7
STARTS = 15
CHESS_POSITIONS = (
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
)
READY = {
    "rules": "from rules import Position, parse_rules; Position.start(parse_rules('appendix'))",
    "chess": "import chess",
    "nothing": "pass",
}
TABLES = """
import tracemalloc
from rules import Position, parse_rules, perft
tracemalloc.start()
start = Position.start(parse_rules("appendix"))
perft(start, 3)
print(tracemalloc.get_traced_memory()[0])
"""


def main(json: bool) -> None:
    """Measure, and print a table, or one JSON object; rates are a second, times microseconds."""
    print_figures(measure(), json)


def measure() -> dict[str, float]:
    """Return every figure of one run."""
    games = game_positions()
    boards = [chess.Board(fen) for fen in CHESS_POSITIONS]
    for position in games:
        expand(position)  # memories filled, as they are a few plies into any game
    rate = best(
        {
            "expanded": lambda: mean_rate(expand, games),
            "chess expanded": lambda: mean_rate(expand_chess, boards),
            "played": lambda: mean_rate(play_all, games),
            "chess played": lambda: mean_rate(play_all_chess, boards),
            "destinations": lambda: 1 / mean_time(destinations, games),
            "chess destinations": lambda: 1 / mean_time(destinations_chess, boards),
        }
    )
    ready = start_times()
    return {
        "expanded_vs_python_chess": rate["expanded"] / rate["chess expanded"],
        "played_vs_python_chess": rate["played"] / rate["chess played"],
        "destinations_vs_python_chess": rate["chess destinations"] / rate["destinations"],
        "import_vs_python_chess": ready["rules"] / ready["chess"],
        "tables_mb": int(run_python(TABLES)) / 1e6,
        "expanded_per_s": rate["expanded"],
        "played_per_s": rate["played"],
        "destinations_us": 1e6 / rate["destinations"],
    }


def best(measures: dict[str, Callable[[], float]]) -> dict[str, float]:
    """Return the highest of each measure's results, all taken in turn."""
    results: dict[str, float] = dict.fromkeys(measures, 0.0)
    for _ in range(ROUNDS):
        for name, measured in measures.items():
            results[name] = max(results[name], measured())
    return results


def mean_rate(ask: Callable[[Board], int], boards: list[Board]) -> float:
    """Return how often a second `ask` does what it counts, as the mean over the boards."""
    return sum(1 / seconds_each(ask, board) for board in boards) / len(boards)


def mean_time(ask: Callable[[Board], int], boards: list[Board]) -> float:
    """Return the seconds of one of what `ask` counts, as the mean over the boards."""
    return sum(seconds_each(ask, board) for board in boards) / len(boards)


def seconds_each(ask: Callable[[Board], int], board: Board) -> float:
    """Return the CPU seconds of one of what `ask` counts on a board."""
    begun = time.process_time()
    count = ask(board)
    return (time.process_time() - begun) / count


def game_positions() -> list[Position]:
    """Return positions out of random games under the default rules, the start among them."""
    start = Position.start(parse_rules("appendix"))
    found = [start]
    for seed in range(6):
        chance, position = random.Random(seed), start
        for ply in range(60):
            position = position.play(chance.choice(position.moves()))
            if position.outcome is not None:
                break
            if ply % 20 == 19:
                found.append(position)
    return found


def expand(position: Position) -> int:
    """Count the moves of every position one ply on, and return how many positions those are."""
    perft(position, 2)
    return position.count_moves()


def expand_chess(board: chess.Board) -> int:
    """Do the same in python-chess."""
    positions = 0
    for move in board.legal_moves:
        board.push(move)
        board.legal_moves.count()
        board.pop()
        positions += 1
    return positions


def play_all(position: Position) -> int:
    """Play every sequence of two plies; return how many moves were played."""
    played = 0
    for after in position.after_each():
        played += 1
        for _ in after.after_each():
            played += 1
    return played


def play_all_chess(board: chess.Board) -> int:
    """Do the same in python-chess."""
    played = 0
    for move in board.legal_moves:
        board.push(move)
        played += 1
        for reply in board.legal_moves:
            board.push(reply)
            board.pop()
            played += 1
        board.pop()
    return played


def destinations(position: Position) -> int:
    """Ask where each piece of the side to move may go, many times; return how many answers."""
    squares = [at for at, piece in position.pieces().items() if piece.side is position.side]
    for _ in range(50):
        for square in squares:
            position.ends_from(square)
    return 50 * len(squares)


def destinations_chess(board: chess.Board) -> int:
    """Do the same in python-chess."""
    masks = [
        chess.BB_SQUARES[at] for at, man in board.piece_map().items() if man.color == board.turn
    ]
    for _ in range(50):
        for mask in masks:
            for _move in board.generate_legal_moves(mask):
                pass
    return 50 * len(masks)


def start_times() -> dict[str, float]:
    """Return the CPU seconds from nothing to ready, the bare interpreter's taken off.

    Both from compiled modules, as after the first start.
    """
    spent = dict.fromkeys(READY, float("inf"))
    with tempfile.TemporaryDirectory() as compiled:
        for _ in range(STARTS):
            for name, code in READY.items():
                before = cpu_of_children()
                run_python(code, PYTHONPYCACHEPREFIX=compiled, PYTHONDONTWRITEBYTECODE="")
                spent[name] = min(spent[name], cpu_of_children() - before)
    return {name: seconds - spent["nothing"] for name, seconds in spent.items()}


def run_python(code: str, **variables: str) -> str:
    """Run code in a Python of its own, at the top of the checkout; return what it printed."""
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parent.parent,
        env=os.environ | variables,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
