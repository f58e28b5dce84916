"""Positions whose outcome is proved by going through everything: forced wins, and forced draws.

`python -m bench.opponent.puzzles` makes them anew, from a seed. The proof uses the rules' moves
alone and shares nothing with the opponent's search.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random

from jetan_table.engine.positions import wins_at_once, wins_in
from jetan_table.extras.lessons.puzzles import Task, read_daily
from rules import (
    SQUARES,
    Kind,
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
    "zillions",
    "wikipedia-free",
    "ninth-ray-clockwise",
    "friedlander,ending=capture",
)
EACH = 6
"""At most so many puzzles of a sort for each of the rules."""

TRIED = {"win 3": 1000, "win 5": 2000, "draw 1": 4000}
"""The sorts of puzzles, and among how many positions they are looked for."""

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


def taught_puzzles() -> list[Puzzle]:
    """Return those of `jetan puzzle` in which a win or a draw is forced."""
    forced = {Task.WIN_3: "win 3", Task.WIN_5: "win 5", Task.WIN_7: "win 7", Task.DRAW: "draw 1"}
    return [
        Puzzle(format_rules(p.position.rules), forced[p.task], format_position(p.position))
        for p in read_daily()
        if p.task in forced
    ]


def draws_at_once(position: Position) -> bool:
    """Whether taking the Chief draws, and every other move loses to the next one."""
    moves = position.moves()
    drawing = [move for move in moves if is_draw(position.play(move))]
    if not drawing or not all(move.kind is MoveKind.CAPTURE for move in drawing):
        return False
    rest = (position.play(move) for move in moves if move not in drawing)
    return all(after.ended is None and wins_at_once(after) for after in rest)


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
