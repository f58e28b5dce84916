"""The opponent's strengths, named after ranks: each bounds effort and has a share of oversights.

A weak player here errs as people do. It does not play at random: it looks ahead as well as it can,
but some ways of some pieces it does not see, long and bent ones more than short ones. A strong one
has an opening book at the table, where hints, studies and matches think: first plies that did well
in games of the search against itself. `training/opponent/book.py` makes it; it is known by
position, so that it holds whatever the order of moves.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Final

from rules import Move, Position, Rules, _, format_rules, near_miss, parse_move

from ..errors import TableError
from .positions import as_seen, key_of
from .search import Limits

BOOK_FILE: Final = Path(__file__).with_name("book.txt")

BOOK_PLIES: Final = 6
"""A game's first plies, which a book may answer."""

CONTEMPT: Final = 150
"""The loss that a draw is to a strong level: a Chief taken for a draw ends many games that could be
won."""

GENTLE: Final = 900
"""The same of a weak one: who is about to beat it shall not be robbed of that by such a draw."""


@dataclass(frozen=True, slots=True)
class Level:
    """The strength of a level."""

    name: str
    limits: Limits
    """They hold whatever else is asked for."""
    unseen: float
    """The share of long ways overlooked; of short ones it is half as many."""
    contempt: int = CONTEMPT
    """The loss that a draw is to it."""

    @property
    def is_strong(self) -> bool:
        """True if it looks as far as it can: it knows openings, and Python is too slow for it."""
        return self.limits.depth is None

    def bounded(self, asked: Limits) -> Limits:
        """Return the stricter of both limits."""
        own = self.limits._asdict()
        stricter = {
            name: min((limit for limit in (value, own[name]) if limit is not None), default=None)
            for name, value in asked._asdict().items()
        }
        return Limits(**stricter)

    def glimpse(self, position: Position, seed: object) -> Position:
        """Return a position as it is seen at this level; by another `seed` other ways are."""
        return as_seen(position, self.unseen, f"{seed} {position.ply_number} {key_of(position)}")


_ALL = (
    Level("panthan", Limits(depth=1), 0.37, GENTLE),
    Level("than", Limits(depth=2, nodes=800), 0.21, GENTLE),
    Level("padwar", Limits(depth=2, nodes=2_000), 0.1, GENTLE),
    Level("dwar", Limits(depth=3, nodes=5_000), 0.058, GENTLE),
    Level("odwar", Limits(depth=5, nodes=8_000), 0.026, GENTLE),
    Level("jedwar", Limits(nodes=18_000), 0.0085),
    Level("jed", Limits(nodes=80_000), 0.0025),
    Level("jeddak", Limits(), 0.0),
)

LEVELS: Final = {level.name: level for level in _ALL}
"""From a child's to full strength; ranks of Barsoom."""

FULL: Final = "jeddak"


def level_named(name: str) -> Level:
    """Return a level; TableError names the nearest where there is none."""
    if name not in LEVELS:
        known = ", ".join(LEVELS)
        raise TableError(
            _("{name}: no such level ({known}){near}"),
            name=name,
            known=known,
            near=near_miss(name, LEVELS),
        )
    return LEVELS[name]


def book_move(position: Position, seed: object) -> Move | None:
    """Return a move of the book, by chance of a seed; None where it has none."""
    if position.ply_number > BOOK_PLIES or position.juggernaut is not None:
        return None
    moves = book_of(position.rules).get(key_of(position))
    if moves is None:
        return None
    return Random(f"{seed} {position.ply_number}").choice(moves)


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


def read_lines(path: Path = BOOK_FILE) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each line of the file: rules as text, and moves as short as `b2b3` from the start."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            rules, moves = line.split(" | ")
            yield rules, tuple(moves.split())
