"""The search in C with more C beside it: what counts games, a plain player, and whole games.

`perft.c` counts what `rules.perft` does. `plain.c` is a plain player, to measure strength by. The
games of `selfplay.c`, for what needs thousands of them, are those that two `Thinker`s with as many
positions a move play, at a tenth of the time; rules with a Juggernaut, fights or an end by mate are
not among them.
"""

from __future__ import annotations

import ctypes
import tempfile
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from random import Random
from typing import Final

from msgspec.structs import astuple

from jetan_table.engine.evaluation import NETS, Weights, mobility_of, net_for
from jetan_table.engine.levels import CONTEMPT
from jetan_table.engine.library import (
    FLAGS,
    HALF,
    KEYS,
    SOURCES,
    WORD,
    LibraryBuild,
    load,
    quick_law,
    standing_of,
)
from jetan_table.engine.positions import key_of
from jetan_table.extras.opponent.match import MOST_PLIES, Tally, random_opening
from rules import Game, Move, MoveKind, Position, Rules, Side, Square, format_move
from rules.movement import Law

PERFT: Final = Path(__file__).with_name("perft.c")


@cache
def library_with(
    source: Path, flags: tuple[str, ...] = FLAGS, search: Path = SOURCES
) -> ctypes.CDLL:
    """Return them as a library, built for this process; NotBuilt without a C compiler."""
    with tempfile.TemporaryDirectory() as folder:
        return load(LibraryBuild(Path(folder, "search.so"), flags, [source], folder=search).wait())


def quick_perft(library: ctypes.CDLL, position: Position, depth: int) -> int:
    """Return what `rules.position` does, counted by a library with `PERFT`."""
    law = quick_law(library, position.law)
    library.jetan_perft.restype = ctypes.c_int64
    library.jetan_perft.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int32]
    return int(library.jetan_perft(law.address, standing_of(position), depth))


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


SELFPLAY: Final = Path(__file__).with_name("selfplay.c")
FEATURES: Final = ctypes.c_double * len(Weights.__struct_fields__)
MOST_BETWEEN: Final = 4
ENDED: Final = (None, None, None, Side.BLACK, Side.ORANGE)
"""Who has won, by the number that says how a game ended; nobody where it was drawn or goes on."""


class SeatInC(ctypes.Structure):
    """`struct player` of `selfplay.c`."""

    _fields_ = (
        ("choose", ctypes.c_void_p),
        ("law", ctypes.c_void_p),
        ("basis", ctypes.c_char_p),
        ("weights", FEATURES),
        ("nodes", ctypes.c_int64),
        ("half", ctypes.c_int64),
        ("seconds", ctypes.c_double),
        ("contempt", ctypes.c_int32),
        ("net", ctypes.c_char_p),
    )


def selfplay_library(search: Path = SOURCES, flags: tuple[str, ...] = FLAGS) -> ctypes.CDLL:
    """Return the games as a library; NotBuilt without a C compiler.

    `search`: the folder of the search in C; another one than the table's can play against that.
    Where its calls are other ones, a `selfplay.c` beside that folder stands for the one here.
    `flags`: the compiler's.
    """
    beside = search.parent / SELFPLAY.name
    library = library_with(beside if beside.exists() else SELFPLAY, flags, search)
    library.selfplay_game.restype = ctypes.c_int32
    return library


@lru_cache(maxsize=8)
def basis_of(law: Law) -> bytes:
    """Return what each piece on each square reaches, as the library reads it."""
    mobility = mobility_of(law)
    mean, more, ends = array("d"), array("d"), array("Q")
    for of, (_, of_kind, place, wide) in zip(*mobility, strict=True):
        mean.append(of_kind)
        more.append(place + wide)
        masks = (*of, *[0] * MOST_BETWEEN)[:MOST_BETWEEN]
        ends.extend(chain.from_iterable((mask & WORD, mask >> 64) for mask in masks))
    return mean.tobytes() + more.tobytes() + ends.tobytes()


@dataclass(frozen=True, slots=True)
class Seat:
    """One side's player: the search in C with these weights and so many positions a move."""

    weights: Weights
    nodes: int
    contempt: int = CONTEMPT
    half: int = HALF
    """Entries of a half of its transposition table."""
    seconds: float = 0.0
    """Of the processor's time a move, whatever the positions; 0 where these bound it."""
    search: Path = SOURCES
    """The folder its search in C is from."""
    flags: tuple[str, ...] = FLAGS
    """What that is compiled with."""
    nets: Path = NETS
    """The folder its nets are from."""

    @property
    def library(self) -> ctypes.CDLL:
        """The search in C with the games."""
        return selfplay_library(self.search, self.flags)

    def in_c(self, law: Law) -> SeatInC:
        """Return the player as the library reads it."""
        return SeatInC(
            ctypes.cast(self.library.selfplay_choose, ctypes.c_void_p),
            quick_law(self.library, law).address,
            basis_of(law),
            FEATURES(*astuple(self.weights)),
            self.nodes,
            self.half,
            self.seconds,
            self.contempt,
            net_for(law.rules, self.nets),
        )


@dataclass(frozen=True, slots=True)
class QuickGame:
    """How two seats went on from an opening."""

    opening: Game
    moves: tuple[Move, ...]
    scores: tuple[int, ...]
    """What each move's player thought of it."""
    winner: Side | None

    def positions(self) -> Iterator[Position]:
        """Yield the positions in which the moves were played."""
        position = self.opening.position
        for move in self.moves:
            yield position
            position = position.play(move)


def quick_match(seats: tuple[Seat, Seat], rules: Rules, games: int, seed: int) -> Tally:
    """Return what the first seat gets of a match whose games begin as those of `play_match` do."""
    wins = draws = 0
    pairs: list[float] = []
    for number in range(games):
        pair, black = divmod(number, 2)
        opening = random_opening(rules, Random(f"{seed} {pair}"))
        winner = quick_game(opening, seats if black == 0 else seats[::-1]).winner
        points = 0.5 if winner is None else float((winner is Side.BLACK) == (black == 0))
        wins, draws = wins + (points == 1), draws + (points == 0.5)
        pairs[pair:] = [sum(pairs[pair:]) + points]
    return Tally(wins, draws, games - wins - draws, tuple(pairs))


def quick_game(opening: Game, seats: Sequence[Seat], most_plies: int = MOST_PLIES) -> QuickGame:
    """Return a game played on, Black's seat first; broken off after so many plies in all."""
    position = opening.position
    most = most_plies - len(opening.plies)
    moves, scores, ended = played_in_c(position, seats, opening.positions[:-1], most)
    played = []
    for number in moves:
        kind = MoveKind.ESCAPE if number & 1 else MoveKind.MOVE
        move = Move(Square(number >> 8), Square(number >> 1 & 127), kind)
        if position.theirs.mask >> move.to_square & 1:
            move = move._replace(kind=MoveKind.CAPTURE)
        position = position.play(move)
        played.append(move)
    return QuickGame(opening, tuple(played), tuple(scores), ENDED[ended])


def played_in_c(
    position: Position, seats: Sequence[Seat], earlier: Iterable[Position], most: int
) -> tuple[array[int], array[int], int]:
    """Return the moves of a game, so many at most, their scores, and how it ended, all as in C."""
    keys = array("Q", map(key_of, earlier))
    moves, scores = array("i", bytes(4 * most)), array("i", bytes(4 * most))
    ended, whole = ctypes.c_int32(), ctypes.c_int32 * most
    plies = seats[0].library.selfplay_game(
        (SeatInC * 2)(*(seat.in_c(position.law) for seat in seats)),
        KEYS,
        standing_of(position),
        keys.tobytes(),
        len(keys),
        position.rules["repetition"] != "off",
        most,
        whole.from_buffer(moves),
        whole.from_buffer(scores),
        ctypes.byref(ended),
    )
    return moves[:plies], scores[:plies], ended.value
