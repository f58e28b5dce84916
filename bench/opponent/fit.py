"""Fits the opponent's weights to games it plays against itself.

`python -m bench.opponent.fit [GAMES] [SEED]` plays, fits, prints, and writes the file anew. Every
quiet position of a game is a witness: what its features weigh should tell how the game ended. The
fit is a logistic regression, held a little towards the weights that played the games.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from jetan_table.engine.evaluation import UNIT, features
from jetan_table.engine.search import Limits, Search, Thought
from jetan_table.engine.weights import WEIGHTS_FILE, Weights
from jetan_table.opponent.match import random_opening, rolled
from rules import MoveKind, Position, Side, parse_rules
from rules.game import Game

RULES: Final = (
    "cazaux",
    "retired-chief",
    "zillions",
    "ninth-ray-clockwise,chief-taken-by-other=win",
)
"""Rules that let most games be won, so that there is something to learn from."""

FIRST: Final = Weights(
    presence=40,
    reach=25,
    place=5,
    aim=12,
    strike=4,
    guard=5,
    exposed=25,
    hunted=25,
    escape=80,
    tempo=15,
)
"""Weights from the head, which play the games."""

GAMES: Final = 250
NODES: Final = 250
MOST_PLIES: Final = 160
SKIPPED_PLIES: Final = 8
DECIDED: Final = 800
PULL: Final = 2000.0
"""How strongly the first weights hold: so many positions' worth of evidence."""

STEPS: Final = 12


@dataclass(frozen=True, slots=True)
class Witness:
    """A position's features for the side to move, and what that side got: 1, 0 or a half."""

    features: list[float]
    result: float


def play_game(seed: int, weights: Weights) -> list[Witness]:
    """Play one game; return what its quiet positions witness."""
    chance = Random(seed)
    game = random_opening(parse_rules(RULES[seed % len(RULES)]), chance)
    quiet: list[tuple[Side, list[float]]] = []
    while game.outcome is None and len(game.plies) < MOST_PLIES:
        search = Search(
            game.position, weights, lambda: 0.0, Limits(nodes=NODES), earlier=game.positions[:-1]
        )
        *_, thought = search.deepen()
        if len(game.plies) >= SKIPPED_PLIES and is_quiet(game.position, thought):
            quiet.append((game.position.side, features(game.position)))
        game = rolled(game.play(thought.move), chance)
    return [Witness(found, result_for(side, game)) for side, found in quiet]


def is_quiet(position: Position, thought: Thought) -> bool:
    """Whether nothing is to be taken or fled from, and nothing decided."""
    princess = position.ours.princess
    is_safe = princess is not None and not position.threats() & princess.bit
    is_open = abs(thought.score) < DECIDED and thought.move.kind is not MoveKind.CAPTURE
    return is_safe and is_open


def result_for(side: Side, game: Game) -> float:
    """Return what a side got from a game."""
    winner = game.outcome.winner if game.outcome else None
    return 0.5 if winner is None else float(winner is side)


def fit(witnesses: Sequence[Witness], old: list[float]) -> list[float]:
    """Return the weights that tell the results best, by Newton's steps."""
    count = len(old)
    scale = [
        math.sqrt(sum(w.features[i] ** 2 for w in witnesses) / len(witnesses)) or 1.0
        for i in range(count)
    ]
    rows = [[f / s / UNIT for f, s in zip(w.features, scale, strict=True)] for w in witnesses]
    start = [value * s for value, s in zip(old, scale, strict=True)]
    now = start.copy()
    for _ in range(STEPS):
        slope = [PULL * (a - b) / UNIT**2 for a, b in zip(now, start, strict=True)]
        bend = [[PULL / UNIT**2 * (i == j) for j in range(count)] for i in range(count)]
        for row, witness in zip(rows, witnesses, strict=True):
            chance = 1 / (1 + math.exp(-sum(a * b for a, b in zip(row, now, strict=True))))
            weight = chance * (1 - chance)
            for i, value in enumerate(row):
                slope[i] += (chance - witness.result) * value
                for j in range(count):
                    bend[i][j] += weight * value * row[j]
        now = [a - b for a, b in zip(now, solve(bend, slope), strict=True)]
    return [value / s for value, s in zip(now, scale, strict=True)]


def solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Solve a system of linear equations by elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i in range(len(rows)):
        pivot = max(range(i, len(rows)), key=lambda at: abs(rows[at][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for j in range(len(rows)):
            if j != i:
                share = rows[j][i] / rows[i][i]
                rows[j] = [a - share * b for a, b in zip(rows[j], rows[i], strict=True)]
    return [row[-1] / row[i] for i, row in enumerate(rows)]


def surprise(witnesses: Sequence[Witness], weights: list[float]) -> float:
    """Return the mean surprise at the results, in nats."""
    total = 0.0
    for witness in witnesses:
        score = sum(f * w for f, w in zip(witness.features, weights, strict=True))
        chance = min(max(1 / (1 + math.exp(-score / UNIT)), 1e-9), 1 - 1e-9)
        total -= witness.result * math.log(chance) + (1 - witness.result) * math.log(1 - chance)
    return total / len(witnesses)


def main(games: int = GAMES, seed: int = 1) -> None:
    """Play so many games, fit, and write the file."""
    witnesses: list[Witness] = []
    for number in range(games):
        witnesses += play_game(seed + number, FIRST)
    names = FIRST.__struct_fields__
    values = [float(getattr(FIRST, name)) for name in names]
    fitted = fit(witnesses, values)
    before, after = surprise(witnesses, values), surprise(witnesses, fitted)
    lines = [
        "[provenance]",
        f'made_by = "python -m bench.opponent.fit {games} {seed}"',
        f"games = {games}",
        f"positions = {len(witnesses)}",
        f"nodes_a_move = {NODES}",
        f'rules = "{" ".join(RULES)}"',
        f"surprise_before = {before:.4f}",
        f"surprise_after = {after:.4f}",
        "",
        "[weights]",
        *(f"{name} = {value:.1f}" for name, value in zip(names, fitted, strict=True)),
        "",
    ]
    WEIGHTS_FILE.write_text("\n".join(lines))
    print("\n".join(lines))


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:]))
