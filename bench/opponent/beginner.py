"""How often a level takes a beginner's Chief for a draw, and what else comes of such games.

`python -m bench.opponent.beginner` lets each level play one that sees one ply: it takes what wins
or is worth most, does not leave its Princess to be taken where it can help it, does not take a
Chief for a draw, and else plays anything. `--contempt` lets all levels think the same of a
draw: at 0 it is one. Both sides are bounded by positions and seeds, so the games can be repeated to
the move. The share of the beginners robbed so stands first, with the interval of 95 %, and how many
of them early.
"""

from collections import Counter
from dataclasses import replace
from random import Random

import click

from bench.atlas import wilson
from bench.opponent.strength import Thinker
from jetan_table.engine.evaluation import fitted_weights
from jetan_table.engine.levels import LEVELS
from jetan_table.extras.opponent.match import random_opening
from rules import Move, Position, Termination, parse_rules

MOST_NODES = 20_000
MOST_PLIES = 120
EARLY_PLIES = 40
ROBBED, EARLY = "robbed", "robbed early"


def beginners_move(position: Position, chance: Random) -> Move:
    """Return what somebody plays who sees one ply."""

    def worth(move: Move) -> float:
        after = position.play(move)
        if after.ended is not None:
            return 1000.0 if after.ended.winner is position.side else -500.0
        victim = position.piece_at(move.to_square)
        gained = 0 if victim is None else position.rules.worth(victim.kind)
        princess = after.theirs.princess
        is_left = princess is not None and after.ours.reach(after.occupied, False) & princess.bit
        return gained - 1000.0 * bool(is_left) + chance.random()

    return max(position.moves(), key=worth)


def played(thinker: Thinker, rules: str, seed: int, number: int) -> str:
    """Return how one game ended for the beginner, the level with Orange in every other."""
    chance = Random(f"{seed} {number}")
    game = random_opening(parse_rules(rules), chance)
    while game.outcome is None and len(game.plies) < MOST_PLIES:
        is_level = (len(game.plies) + number) % 2 == 0
        game = game.play(
            thinker.think(game).move if is_level else beginners_move(game.position, chance)
        )
    if game.outcome is None:
        return "broken off"
    has_moved = (len(game.plies) + number) % 2 == 1
    if game.outcome.winner is not None:
        is_levels = (game.outcome.winner is game.position.side) != has_moved
        return "lost" if is_levels else "won"
    if game.outcome.termination is not Termination.CHIEF_BY_OTHER:
        return "drawn else"
    if not has_moved:
        return "drawn by own hand"
    return EARLY if len(game.plies) <= EARLY_PLIES else ROBBED


@click.command()
@click.argument("names", nargs=-1)
@click.option("--rules", default="appendix")
@click.option("--games", type=click.IntRange(1), default=40)
@click.option("--contempt", type=int, help="All levels'; each its own, if not given.")
@click.option("--seed", type=int, default=1)
def main(names: tuple[str, ...], rules: str, games: int, contempt: int | None, seed: int) -> None:
    """Print, for each level, how many games ended how for the beginner."""
    for name in names or LEVELS:
        level = LEVELS[name]
        if contempt is not None:
            level = replace(level, contempt=contempt)
        thinker = Thinker(f"{seed}", level, MOST_NODES, fitted_weights())
        ends = Counter(played(thinker, rules, seed, number) for number in range(games))
        shares = ", ".join(f"{end} {count}" for end, count in ends.most_common())
        robbed, low, high = wilson(ends[ROBBED] + ends[EARLY], games)
        took = f"took the Chief for a draw {robbed:.1%} ({low:.1%} to {high:.1%})"
        print(f"{name:8} contempt {level.contempt:4}: {took}; {shares}", flush=True)


if __name__ == "__main__":
    main()
