"""Makes the puzzles of `jetan puzzle` from games the opponent plays against itself.

`python -m bench.opponent.daily [SECONDS] [SEED]` plays quick games from random openings, and keeps
each position where one move alone forces a win, or one alone saves; all is proved by `proof.py`.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from random import Random
from typing import Final

from jetan_table.engine.evaluation import null_move
from jetan_table.engine.library import quick_library
from jetan_table.engine.proof import wins_at_once
from jetan_table.engine.search import Limits, Search
from jetan_table.engine.weights import fitted_weights
from jetan_table.lessons.puzzles import PUZZLES_FILE, Task, solutions
from jetan_table.opponent.match import random_opening
from rules import Position, format_position, parse_rules

RULES: Final = ("appendix", "cazaux", "zillions")
NODES: Final = 300
MOST_PLIES: Final = 120
MOST_OF_A_TASK: Final = 130
HINTED: Final = Limits(nodes=12_000)


def main() -> None:
    """Write the file anew."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 300.0
    chance = Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    library, weights = quick_library(os.environ), fitted_weights()
    count, lines, until = Counter[str](), dict[str, None](), time.process_time() + seconds
    while time.process_time() < until:
        rules = chance.choice(RULES)
        game = random_opening(parse_rules(rules), chance)
        while game.outcome is None and len(game.plies) < MOST_PLIES:
            position = game.position
            search = Search(position, weights, time.monotonic, HINTED, library=library)
            *_, thought = search.deepen()
            task = task_of(position, thought.win_in)
            if task is not None and count[task] < MOST_OF_A_TASK:
                count[task] += 1
                lines[f"{rules} | {task} | {format_position(position)}"] = None
            if task is not None:
                break  # the positions after it are much alike
            quick = Search(position, weights, time.monotonic, Limits(nodes=NODES), library=library)
            *_, thought = quick.deepen()
            game = game.play(thought.move)
    chosen = list(lines)
    chance.shuffle(chosen)  # so that a month brings all kinds
    PUZZLES_FILE.write_text("\n".join(["# Made by python -m bench.opponent.daily", *chosen, ""]))
    print(count)


def task_of(position: Position, win_in: int | None) -> Task | None:
    """Return what the position asks for, where that is one move and no other; else None."""
    task = {3: Task.WIN_3, 5: Task.WIN_5}.get(win_in or 0)
    if win_in is None and wins_at_once(null_move(position)):
        task = Task.SAVE
    return task if task is not None and len(solutions(position, task)) == 1 else None


if __name__ == "__main__":
    main()
