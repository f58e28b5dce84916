"""Positions whose outcome is proved by going through everything: forced wins, and forced draws.

`python -m bench.opponent.puzzles` makes them anew, from a seed. The proof uses the rules' moves
alone and shares nothing with the opponent's search.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random

from rules import (
    SQUARES,
    Kind,
    Move,
    MoveKind,
    Piece,
    Position,
    Rules,
    Side,
    format_position,
    format_rules,
    parse_position,
    parse_rules,
)

FILE = Path(__file__).with_name("puzzles.txt")
RULES = (
    "appendix",
    "cazaux",
    "wikipedia-free",
    "ninth-ray-clockwise",
    "friedlander,ending=capture",
)
EACH = 3
"""At most so many puzzles of a sort for each of the rules."""

TRIED = {"win 3": 1000, "win 5": 60, "draw 1": 3000}
"""The sorts of puzzles, and among how many positions they are looked for."""

QUICK = ("appendix", "friedlander,ending=capture")
"""Rules under which a win in five is proved in reasonable time."""

MEN = (Kind.CHIEF, Kind.FLIER, Kind.DWAR, Kind.THOAT, Kind.WARRIOR, Kind.PADWAR)


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, and what the side to move can force: `win N` in N plies, or `draw 1`."""

    rules: str
    forced: str
    text: str

    @property
    def position(self) -> Position:
        return parse_position(self.text, parse_rules(self.rules))


def read_puzzles() -> list[Puzzle]:
    """Return the puzzles that were made."""
    lines = FILE.read_text().splitlines()
    return [Puzzle(*line.split(" | ")) for line in lines if not line.startswith("#")]


def wins_in(position: Position, plies: int) -> bool:
    """Whether the side to move can force a win within so many plies, whatever is replied."""
    moves = position.moves()
    if plies == 1:  # what wins at once takes something; to leave no move is not counted on
        moves = tuple(move for move in moves if move.kind is MoveKind.CAPTURE)
    return any(wins_by(position, move, plies) for move in moves)


def wins_by(position: Position, move: Move, plies: int) -> bool:
    """Whether a move begins such a win."""
    side, after = position.side, position.play(move)
    if after.outcome is not None:
        return after.outcome.winner is side
    if plies < 3 or not wins_in_one(after, side):
        return False
    return all(holds(after.play(reply), side, plies - 2) for reply in after.moves())


def wins_in_one(after: Position, side: Side) -> bool:
    """Whether a pass would lose at once: without that no short win is forced."""
    stands = Position.of(after.rules, after.pieces(), side, escapes=after.escapes)
    return wins_in(stands, 1)


def holds(position: Position, side: Side, plies: int) -> bool:
    """Whether `side` has won here or can force it."""
    if position.outcome is not None:
        return position.outcome.winner is side
    return wins_in(position, plies)


def draws_at_once(position: Position) -> bool:
    """Whether taking the Chief draws, and every other move loses to the next one."""
    moves = position.moves()
    drawing = [move for move in moves if is_draw(position.play(move))]
    if not drawing or not all(move.kind is MoveKind.CAPTURE for move in drawing):
        return False
    rest = (position.play(move) for move in moves if move not in drawing)
    return all(holds(after, position.side.other, 1) for after in rest)


def is_draw(position: Position) -> bool:
    """Whether the game is over, and drawn."""
    return position.outcome is not None and position.outcome.winner is None


def forces(position: Position, sort: str) -> bool:
    """Whether a position is a puzzle of a sort, and nothing shorter is forced."""
    if sort == "draw 1":
        return draws_at_once(position) and not wins_in(position, 1)
    plies = int(sort.split()[1])
    shorter = any(wins_in(position, fewer) for fewer in range(1, plies, 2))
    return not shorter and wins_in(position, plies)


def random_position(rules: Rules, chance: Random) -> Position:
    """Return an ending: both Princesses and a few men of each side, near one another."""
    file, rank = chance.randint(0, 4), chance.choice((0, 4))
    near = [at for at in SQUARES if at % 10 - file in range(6) and at // 10 - rank in range(6)]
    squares = chance.sample(near, 12)
    pieces = {
        squares.pop(): Piece(side, kind)
        for side, most in ((Side.BLACK, 3), (Side.ORANGE, 2))
        for kind in [Kind.PRINCESS, *chance.sample(MEN, chance.randint(1, most))]
    }
    escapes = frozenset(Side) if chance.random() < 0.2 else frozenset[Side]()
    return Position.of(rules, pieces, chance.choice(list(Side)), escapes=escapes)


def make(rules: str, sort: str, seed: int) -> Iterator[Puzzle]:
    """Yield the puzzles of a sort for some rules, as many as are found among so many positions."""
    chosen, chance = parse_rules(rules), Random(f"{rules} {sort} {seed}")
    found = 0
    if sort == "win 5" and rules not in QUICK:
        return
    for _ in range(TRIED[sort]):
        position = random_position(chosen, chance)
        if position.outcome is None and forces(position, sort):
            yield Puzzle(format_rules(chosen), sort, format_position(position))
            found += 1
        if found == EACH:
            return


def main() -> None:
    """Write the file anew."""
    with FILE.open("w") as file:
        print("# Made by python -m bench.opponent.puzzles", file=file)
        for rules, sort in product(RULES, TRIED):
            for puzzle in make(rules, sort, seed=1):
                print(puzzle.rules, puzzle.forced, puzzle.text, sep=" | ", file=file, flush=True)


if __name__ == "__main__":
    main()
