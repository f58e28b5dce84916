"""Makes the puzzles of `jetan puzzle` from games the opponent plays against itself.

`python -m training.opponent.daily [GAMES] [SEED]` plays quick games from random openings, and keeps
each position where one move alone does what is asked; all is proved by `positions.py`. Games, nodes
and the positions of a proof are counted, never seconds: the same file is made again anywhere.
"""

import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from random import Random
from typing import Final

from bench.opponent.puzzles import MEN, random_position
from jetan_table.engine.evaluation import fitted_weights, null_move
from jetan_table.engine.library import quick_library
from jetan_table.engine.positions import wins_at_once
from jetan_table.engine.search import Limits, Search
from jetan_table.extras.lessons.puzzles import PUZZLES_FILE, Task, solutions
from jetan_table.extras.opponent.match import random_opening
from rules import (
    SQUARES,
    Kind,
    Piece,
    Position,
    Rules,
    Side,
    format_position,
    format_rules,
    parse_rules,
)

RULES: Final = ("appendix", "cazaux", "zillions")
GAMES: Final = 400
NODES: Final = 300
MOST_PLIES: Final = 120
MOST_OF_A_TASK: Final = 50
HINTED: Final = Limits(nodes=12_000)
LONGEST_PROOF: Final = 20_000
"""A proof goes through at most so many positions: a second or so."""

TRIED: Final = {Task.DRAW: 6000, Task.WIN_7: 4000}
"""Among how many endings such puzzles are looked for."""


class ProofTooLong(Exception):
    """A proof that goes through more positions than a puzzle's may."""


def main() -> None:
    """Write the file anew."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    chance = Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    counts = Counter[Task]()
    chosen = list(dict.fromkeys([*endings(chance, counts), *out_of_games(games, chance, counts)]))
    chance.shuffle(chosen)  # so that a month brings all kinds
    made_by = " ".join(("# Made by python -m training.opponent.daily", *sys.argv[1:]))
    PUZZLES_FILE.write_text("\n".join([made_by, *chosen, ""]))
    print(counts)


def out_of_games(games: int, chance: Random, counts: Counter[Task]) -> Iterator[str]:
    """Yield the lines of puzzles that came up in so many games."""
    library, weights = quick_library(os.environ), fitted_weights()
    for _number in range(games):
        rules = chance.choice(RULES)
        game = random_opening(parse_rules(rules), chance)
        while game.outcome is None and len(game.plies) < MOST_PLIES:
            position = game.position
            search = Search(position, weights, time.monotonic, HINTED, library=library)
            task = task_of(position, search.think().win_in)
            if task is not None and counts[task] < MOST_OF_A_TASK:
                counts[task] += 1
                yield line_of(task, position)
            if task is not None:
                break  # the positions after it are much alike
            quick = Search(position, weights, time.monotonic, Limits(nodes=NODES), library=library)
            game = game.play(quick.think().move)


def endings(chance: Random, counts: Counter[Task]) -> Iterator[str]:
    """Yield the lines of puzzles that games hardly bring, among so many endings of few men."""
    for task, tried in TRIED.items():
        for number in range(tried):
            position = LIKELY[task](parse_rules(RULES[number % len(RULES)]), chance)
            if position.outcome is None and asks_for(position, task):
                counts[task] += 1
                yield line_of(task, position)


def hunt(rules: Rules, chance: Random) -> Position:
    """Return an ending in which many hunt a Princess who has hardly anybody left."""
    squares = chance.sample(SQUARES, 2 * len(MEN))
    pieces = {
        squares.pop(): Piece(side, kind)
        for side, fewest in ((Side.BLACK, 4), (Side.ORANGE, 1))
        for kind in [Kind.PRINCESS, *chance.sample(MEN, fewest + chance.randrange(2))]
    }
    return Position.of(rules, pieces, Side.BLACK, escapes=frozenset())


LIKELY: Final = {Task.DRAW: random_position, Task.WIN_7: hunt}
"""Which endings may be such puzzles."""


def line_of(task: Task, position: Position) -> str:
    """Return a line of the file."""
    return f"{format_rules(position.rules)} | {task} | {format_position(position)}"


def task_of(position: Position, win_in: int | None) -> Task | None:
    """Return what a position asks for by what a search has found, where one move does it."""
    task = {3: Task.WIN_3, 5: Task.WIN_5}.get(win_in or 0)
    if win_in is None and wins_at_once(null_move(position)):
        task = Task.SAVE
    return task if task is not None and asks_for(position, task) else None


def asks_for(position: Position, task: Task) -> bool:
    """Whether one move and no other does what is asked, as a proof shows that is short enough."""
    try:
        return len(solutions(position, task, at_most(LONGEST_PROOF))) == 1
    except ProofTooLong:
        return False


def at_most(most: int) -> Callable[[], None]:
    """Return what counts a proof's positions, and raises ProofTooLong after so many."""
    spent = count(1)

    def spend() -> None:
        if next(spent) > most:
            raise ProofTooLong

    return spend


if __name__ == "__main__":
    main()
