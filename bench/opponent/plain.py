"""A plain player in C, to measure strength by: four plies, material and reach (`plain.c`)."""

import ctypes
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.opponent.perft import library_with
from jetan_table.engine.library import FLAGS
from jetan_table.engine.quick import quick_law, standing_of
from rules import format_move
from rules.game import Game

FOR_HERE: Final = ("-O3", "-march=native")
"""It is never carried elsewhere, and counts squares more than anything."""

PLAIN: Final = Path(__file__).with_name("plain.c")


def plain_library() -> ctypes.CDLL:
    """Return the player as a library; NotBuilt without a C compiler."""
    library = library_with(PLAIN, (*FLAGS, *FOR_HERE))
    library.plain_move.restype = ctypes.c_int32
    library.plain_move.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32]
    return library


@dataclass(frozen=True, slots=True)
class CompiledPlain:
    """Alpha-beta of so many plies that counts the pieces' values and the squares they reach."""

    name: str
    depth: int

    def play(self, game: Game) -> str:
        """Return its move as text."""
        position, library = game.position, plain_library()
        found = library.plain_move(
            quick_law(library, position.law).address, standing_of(position), self.depth
        )
        start, end = found >> 8, found >> 1 & 127
        move = next(
            move for move in position.moves() if (move.from_square, move.to_square) == (start, end)
        )
        return format_move(move, position)
