"""Whether the search in C finds what the one in Python finds, where it leaves nothing out, too.

`python -m tests.jetan_table.engine.alike LIBRARY FIRST COUNT` compares so many seeds by a library
that was built elsewhere, with sanitizers for one.
"""

import ctypes
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import NamedTuple

from bench.opponent.in_c import quick_perft
from jetan_table.engine.evaluation import fitted_weights, piece_square_table
from jetan_table.engine.library import QuickTree, load
from jetan_table.engine.positions import as_seen
from jetan_table.engine.tree import Stopped, Tree, choices_of
from rules import (
    PRESETS,
    SQUARES,
    Kind,
    MoveKind,
    Piece,
    Position,
    Rules,
    Side,
    format_position,
    juggernaut_starts,
    parse_rules,
    perft,
)
from tests.jetan_table.engine.test_random_games import mixed_rules

MOST_NODES = 6000


class Case(NamedTuple):
    """One question to both."""

    position: Position
    earlier: tuple[Position, ...]
    depth: int
    unseen: float
    contempt: int


def case_of(seed: int) -> Case | None:
    """Return a position out of a random game by random rules; None where the game ended early."""
    chance = Random(seed)
    by_preset = chance.random() < 0.5
    rules = parse_rules(chance.choice(sorted(PRESETS))) if by_preset else mixed_rules(chance)
    rules = rules.changed({"ending": "capture"})  # as the search plays all rules
    if chance.random() < 0.2:
        game = [scattered(rules, chance)]
    else:
        game = wandered(rules, chance, chance.choice((0, 4, 12, 30, 60, 100)))
    if game[-1].outcome is not None:
        return None
    depth = 3 if game[-1].occupied.bit_count() < 16 else 2
    unseen, contempt = chance.choice((0.0, 0.0, 0.2)), chance.choice((0, 60))
    return Case(game[-1], tuple(game[:-1]), depth, unseen, contempt)


def wandered(rules: Rules, chance: Random, plies: int) -> list[Position]:
    """Return the positions of a random game, in which much is taken."""
    position = Position.start(rules)
    if starts := juggernaut_starts(position):
        position = position.move_juggernaut(chance.choice(starts))
    game = [position]
    while len(game) <= plies and game[-1].outcome is None:
        moves = [m for m in game[-1].moves() if m.kind is not MoveKind.ESCAPE or plies % 5 == 0]
        takes = [m for m in moves if m.kind is MoveKind.CAPTURE]
        moves = takes if takes and chance.random() < 0.5 else moves
        if not moves:
            break
        game.append(game[-1].play(chance.choice(moves)))
    return game


def scattered(rules: Rules, chance: Random) -> Position:
    """Return men anywhere, up to half a board of them, as no game would leave them."""
    squares = chance.sample(SQUARES, 51)
    pieces = {squares.pop(): Piece(side, Kind.PRINCESS) for side in Side}
    kinds = [kind for kind in Kind if kind is not Kind.PRINCESS]
    for _ in range(chance.randint(0, 48)):
        pieces[squares.pop()] = Piece(chance.choice(list(Side)), chance.choice(kinds))
    return Position.of(
        rules,
        pieces,
        chance.choice(list(Side)),
        escapes=frozenset(side for side in Side if chance.random() < 0.5),
        juggernaut=squares.pop() if chance.random() < 0.3 else None,
        quiet_plies=chance.randint(0, 30),
    )


def thoughts(case: Case, library: ctypes.CDLL | None) -> list[tuple[list[tuple[int, int]], int]]:
    """Return each depth's order of moves (place in the army, goal) and score, while it is quick."""

    def stop(nodes: int) -> int:
        raise Stopped

    position = as_seen(case.position, case.unseen, "a seed")
    weights, reach = fitted_weights(), position.men_ends()
    table = piece_square_table(case.position, weights)
    choices = list(choices_of(position, reach, table, round(weights.escape)))
    given = position, table, weights, case.earlier, case.contempt
    tree: Tree | QuickTree = Tree(*given)
    if library is not None:
        tree = QuickTree(library, case.position.law, *given, plain=True)
    found = []
    with suppress(Stopped):
        for depth in range(1, case.depth + 1):
            tree.deepen(choices, depth, MOST_NODES, stop)
            found.append(([(at, there.index) for at, _, there, _, _ in choices], tree.value))
    return found


def differences(library: ctypes.CDLL, seeds: range) -> Iterator[str]:
    """Yield each position of those seeds on which the two do not agree."""
    for seed in seeds:
        case = case_of(seed)
        if case is None:
            continue
        where = f"seed {seed}: {case.position.rules.base} {format_position(case.position)}"
        both = zip(thoughts(case, None), thoughts(case, library), strict=False)
        if any(python != quick for python, quick in both):
            yield f"{where}: another order or score in Python than in C"
        counts = perft(case.position, 2), quick_perft(library, case.position, 2)
        if counts[0] != counts[1]:
            yield f"{where}: perft {counts[0]} in Python, {counts[1]} in C"


def main(path: str, first: str, count: str) -> int:
    """Print each difference; return 1 where there is one."""
    found = list(differences(load(Path(path)), range(int(first), int(first) + int(count))))
    print(*found, sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
