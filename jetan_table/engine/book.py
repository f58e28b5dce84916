"""The opening book: first plies that did well in games of the search against itself, as data.

`training/opponent/book.py` makes the file. A book is known by position, so that it holds whatever
the order of moves. It is a strong player's at the table: hints, studies and matches think.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Final

from rules import Move, Position, Rules, format_rules, parse_move

from .zobrist import key_of

BOOK_FILE: Final = Path(__file__).with_name("book.txt")
BOOK_PLIES: Final = 6
"""A game's first plies, which a book may answer."""


def read_lines(path: Path = BOOK_FILE) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each line of the file: rules as text, and moves as short as `b2b3` from the start."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            rules, moves = line.split(" | ")
            yield rules, tuple(moves.split())


@lru_cache(maxsize=4)
def book_of(rules: Rules) -> Mapping[int, tuple[Move, ...]]:
    """Return the moves to choose from in each position of a book, by its key; none for most rules.

    A move from which many lines go on is there for each of them.
    """
    name, start = format_rules(rules), Position.start(rules)
    found: dict[int, list[Move]] = {}
    for moves in (moves for reading, moves in read_lines() if reading == name):
        position = start
        for text in moves:
            move = parse_move(text, position)
            found.setdefault(key_of(position), []).append(move)
            position = position.play(move)
    return {key: tuple(moves) for key, moves in found.items()}


def book_move(position: Position, seed: object) -> Move | None:
    """Return a move of the book, by chance of a seed; None where it has none."""
    if position.ply_number > BOOK_PLIES or position.juggernaut is not None:
        return None
    moves = book_of(position.rules).get(key_of(position))
    if moves is None:
        return None
    return Random(f"{seed} {position.ply_number}").choice(moves)
