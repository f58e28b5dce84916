"""How a board lies on its switches: turned, or mirrored, it has every square somewhere else.

An orientation is a permutation of squares: of a square as the table names it, which one it really
is. A flat board has eight, a disk forty. What stands at set-up shows some of them, and the first
plies others, by being legal under one and not as the board seems to lie; people are asked which
square is a1 (and b1, where that leaves two), by touching it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from hardware.ports import Evidence
from rules import (
    SQUARES,
    Move,
    Position,
    Square,
    Topology,
    format_move,
    parse_square,
    squares_of,
)
from rules.sentences import _
from rules.topology import at_sector_and_ring, sector_and_ring

from ..game.commands import CommandRefused, TurnBoard
from ..game.events import Event, Ply, TakeBack, Turned
from ..game.record import Record

SURE = 1.0
"""By so much, in nats, something else must explain what is seen of a square, to speak against."""

MOST_PLIES = 8
"""Later than this nobody finds out that the board is turned."""

A1, B1 = Square(0), Square(1)


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Orientation:
    """`really[square]` is which square really is where the table sees `square`."""

    really: tuple[Square, ...]

    @property
    def ends(self) -> tuple[Square, Square]:
        """Where the table sees a1 and b1: that tells an orientation from all others."""
        return self.seen(A1), self.seen(B1)

    def seen(self, square: Square) -> Square:
        """Return what the table calls a square."""
        return SQUARES[self.really.index(square)]

    def reordered(self, by_square: Sequence[T]) -> tuple[T, ...]:
        """Return what is told of each square, in the order in which the squares really are."""
        return tuple(by_square[self.seen(square)] for square in SQUARES)

    def after(self, earlier: Orientation) -> Orientation:
        """Return the orientation of a board that was found turned once more."""
        return Orientation(tuple(self.really[square] for square in earlier.really))


AS_WIRED = Orientation(SQUARES)


@lru_cache(maxsize=4)
def orientations(topology: Topology) -> tuple[Orientation, ...]:
    """Return every way a board can lie, that as it is wired first."""
    if topology.columns_around:
        ways = [(turn, way) for way in (1, -1) for turn in range(topology.columns_around)]
        found = [Orientation(tuple(_on_disk(s, *way) for s in SQUARES)) for way in ways]
    else:
        found = [Orientation(tuple(_on_grid(s, way) for s in SQUARES)) for way in range(8)]
    return tuple(found)


def _on_grid(square: Square, way: int) -> Square:
    """Return where a square goes by one of eight ways: mirrored or not, and quarter turns."""
    rank, file = divmod(square, 10)
    if way >= 4:
        file = 9 - file
    for _turn in range(way % 4):
        rank, file = 9 - file, rank
    return SQUARES[10 * rank + file]


def _on_disk(square: Square, turn: int, way: int) -> Square:
    sector, ring = sector_and_ring(square)
    return at_sector_and_ring(way * sector + turn, ring)


def orientation_of(turned: Turned, topology: Topology) -> Orientation:
    """Return the orientation that people have told; as it is wired where a board has none such."""
    return orientation_by(topology, parse_square(turned.a1), parse_square(turned.b1)) or AS_WIRED


def orientation_by(topology: Topology, a1: Square, b1: Square) -> Orientation | None:
    """Return how the board lies whose a1 and b1 the table calls so; None if it cannot."""
    return next((each for each in orientations(topology) if each.ends == (a1, b1)), None)


def shown_by_standing(
    position: Position, evidence: Mapping[Square, Evidence], unsure: Collection[Square]
) -> tuple[Orientation, ...]:
    """Return how the board may lie by what stands there; empty where it may lie as it seems."""
    occupants = [position.occupant_at(square) for square in SQUARES]
    sure = {s: evidence[s] for s in SQUARES if s in evidence and s not in unsure}
    fitting = [
        each
        for each in orientations(position.rules.topology)
        if all(
            sure[square][occupants[each.really[square]]] >= max(sure[square]) - SURE
            for square in sure
        )
    ]
    return () if AS_WIRED in fitting or not sure else tuple(fitting)


def shown_by_plies(
    record: Record, occupied: Collection[Square], unsure: Collection[Square]
) -> tuple[Orientation, ...]:
    """Return how the board may lie so that all plies were legal, and one that seems not to be."""
    game = record.game
    if len(game.plies) > MOST_PLIES or game.position.juggernaut is not None or unsure:
        return ()
    found = []
    stood = frozenset(squares_of(game.start.occupied))
    for each in orientations(game.position.rules.topology)[1:]:
        if stood != {each.really[square] for square in stood}:
            continue
        replayed = really_played(record, each)
        really = frozenset(each.really[square] for square in occupied)
        if replayed is not None and _is_a_ply_later(replayed[1], really):
            found.append(each)
    return tuple(found)


def really_played(
    record: Record, orientation: Orientation
) -> tuple[tuple[Move, ...], Position] | None:
    """Return the plies as they were on a board that lies so, and where they led.

    None where they cannot have been, because one was not legal.
    """
    position, really = record.game.start, orientation.really
    played = []
    for ply in record.game.plies:
        ends = really[ply.move.from_square], really[ply.move.to_square]
        move = next((m for m in position.moves_from(ends[0]) if m.to_square == ends[1]), None)
        if move is None:
            return None
        played.append(move)
        position = position.play(move)
    return tuple(played), position


def _is_a_ply_later(position: Position, occupied: frozenset[Square]) -> bool:
    """Whether one move, which takes nothing, leads from a position to these occupied squares."""
    stand = frozenset(squares_of(position.occupied))
    gone, come = stand - occupied, occupied - stand
    if len(gone) != 1 or len(come) != 1:
        return False
    (start,), (end,) = gone, come
    return any(move.to_square == end for move in position.moves_from(start))


def turned_events(record: Record, command: TurnBoard) -> tuple[Event, ...]:
    """Return what happens when people say how the board lies: the plies so far were others.

    CommandRefused where no board lies so, or where the plies cannot have been played on it.
    """
    a1, b1 = command.a1, command.b1
    each = orientation_by(record.position.rules.topology, parse_square(a1), parse_square(b1))
    if each is None:
        raise CommandRefused(
            _(
                "a board whose a1 is {a1} cannot have its b1 on {b1}: name a corner and its "
                "neighbour"
            ),
            a1=a1,
            b1=b1,
        )
    if record.question is not None:
        raise CommandRefused(_("answer the question first"))
    replayed = really_played(record, each)
    if replayed is None:
        raise CommandRefused(_("the moves so far cannot have been played on a board that lies so"))
    first = record.game.start.ply_number
    undone = [TakeBack(number, "words") for number in range(record.last_number, first - 1, -1)]
    played = [Ply(number, format_move(move)) for number, move in enumerate(replayed[0], first)]
    return (*(() if each == AS_WIRED else (*undone, *played)), Turned(a1, b1))
