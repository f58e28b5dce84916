"""Jetan as the reader sees it: legal moves and the Juggernaut's wanderings as steps."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial

from rules import (
    SQUARES,
    TOPOLOGIES,
    Move,
    MoveKind,
    Occupant,
    Position,
    Square,
    mask_of,
    squares_of,
)
from rules.movement import gaits, paths

from .readings import EVERYWHERE, Step

ESCAPE_SURPRISE = 2.5
"""In nats, 12 to 1: the Princess escapes once in a game, and mostly late in it."""

TELEPORT_SURPRISE = 2.5
"""In nats, 12 to 1: one roll in ten sends the Juggernaut to any square, the rest next door."""

EVERY_SQUARE = mask_of(SQUARES)


@dataclass(frozen=True, slots=True)
class Way:
    """One way in which a piece may go on: by its ordinary moves, by the escape, or by hand."""

    ends: int
    """The squares on which it may end, as bits."""
    kind: MoveKind | None
    """None where it is the Juggernaut that may be put there."""
    steps: dict[int, Step[Standing]] = field(default_factory=dict)
    """Those made so far, by the square on which they end."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A position, and what may happen in it before the next ply."""

    position: Position
    may_wander: bool = False
    """Whether the Juggernaut may still be moved."""
    is_fought: bool = False
    """Whether the last ply entered a square that is fought for; nothing follows it from here."""
    _ways: dict[Square, tuple[Way, ...]] = field(default_factory=dict, compare=False, repr=False)

    def ways_from(self, square: Square) -> tuple[Way, ...]:
        """Return the ways on for the piece on a square; asked again, the same ones."""
        known = self._ways.get(square)
        if known is None:
            known = self._ways[square] = tuple(way for way in self._find(square) if way.ends)
        return known

    def forget_ways(self) -> None:
        """Forget them, and all positions to which they lead; asked again, others are made."""
        self._ways.clear()

    def _find(self, square: Square) -> Iterator[Way]:
        if self.is_fought:
            return
        if square != self.position.juggernaut:
            ends, escapes = self.position.ends_from(square)
            yield Way(ends, MoveKind.MOVE)
            yield Way(escapes, MoveKind.ESCAPE)
        elif self.may_wander:
            yield Way(EVERY_SQUARE ^ 1 << square, None)


@lru_cache(maxsize=4096)  # a game with all its doubts comes to a few hundred
def occupants_of(position: Position) -> tuple[int, ...]:
    """Return for every square what stands there, as `Occupant`."""
    found = [int(Occupant.EMPTY)] * len(SQUARES)
    for square, piece in position.pieces().items():
        found[square] = int(Occupant.ORANGE if piece.side else Occupant.BLACK)
    if position.juggernaut is not None:
        found[position.juggernaut] = int(Occupant.NEUTRAL)
    return tuple(found)


MOST_GROWN = 600
"""Ways on that are kept at hand, each with the positions it leads to: a megabyte or two."""


class JetanGame:
    """Jetan as a `ReadableGame` for switches, and as a `CameraGame`: what its positions allow."""

    def __init__(self) -> None:
        self._grown: list[Standing] = []

    def occupied(self, standing: Standing) -> int:
        """Return the squares of all men and of the Juggernaut, as bits."""
        return standing.position.occupied

    def occupants(self, standing: Standing) -> tuple[int, ...]:
        """Return what stands on each square."""
        return occupants_of(standing.position)

    def placement(self, standing: Standing) -> Hashable:
        """Return which piece stands where, and who is to move."""
        position = standing.position
        pieces, juggernaut = tuple(position.pieces().items()), position.juggernaut
        return pieces, position.side, juggernaut, standing.may_wander, standing.is_fought

    def steps(self, standing: Standing, squares: Iterable[Square]) -> Iterator[Step[Standing]]:
        """Yield every legal ply of some men, and where the Juggernaut may be put, if among them."""
        for square in squares:
            yield from self.steps_from(standing, square)

    def ends_from(self, standing: Standing, square: Square) -> int:
        """Return where the piece on `square` may end, or the Juggernaut be put, as bits."""
        return sum(way.ends for way in standing.ways_from(square))

    def beside(self, standing: Standing, square: Square) -> int:
        """Return the squares next to one, as bits."""
        return _around(standing.position.rules["board"])[square]

    def may_go_on(self, standing: Standing, walk: Sequence[Square]) -> bool:
        """Whether a piece that was walked square by square may have further to go."""
        position, start = standing.position, walk[0]
        piece = position.pieces().get(start)
        if piece is None or start == position.juggernaut:
            return False
        rules = position.rules
        ways = paths(rules.board, gaits(rules)[piece.kind], piece.side, start)
        return any(len(way) > len(walk) and way[: len(walk)] == tuple(walk) for way in ways)

    def steps_from(
        self, standing: Standing, square: Square, among: int = EVERYWHERE
    ) -> list[Step[Standing]]:
        """Return the legal moves of the piece on `square`, or where the Juggernaut may be put."""
        found: list[Step[Standing]] = []
        for way in standing.ways_from(square):
            for to in squares_of(way.ends & among):
                step = way.steps.get(to)
                if step is None:
                    if not way.steps:
                        self._note_growth(standing)
                    step = way.steps[to] = _step(standing.position, square, to, way.kind)
                found.append(step)
        return found

    def _note_growth(self, standing: Standing) -> None:
        """Forget the ways on from all positions, once they have become many."""
        if len(self._grown) >= MOST_GROWN:
            for each in self._grown:
                each.forget_ways()
            self._grown.clear()
        self._grown.append(standing)


@cache
def _around(board: str) -> tuple[int, ...]:
    """Return by square which are next to it on a board, as bits."""
    return tuple(
        mask_of(other for other in around if other is not None)
        for around in TOPOLOGIES[board]().neighbours
    )


def _step(position: Position, start: Square, end: Square, kind: MoveKind | None) -> Step[Standing]:
    """Return one step of a position; `kind` None for the Juggernaut's.

    A move that ends on an enemy's square is a capture, whichever kind of way leads there.
    """
    capture = bool(position.occupied >> end & 1)
    if kind is None:
        beside = position.rules.board.neighbours[start]
        surprise = 0.0 if end in beside else TELEPORT_SURPRISE

        def wander() -> Standing:
            return Standing(position.move_juggernaut(end))

        return Step(start, end, capture, wander, is_ply=False, surprise=surprise)
    surprise = ESCAPE_SURPRISE if kind is MoveKind.ESCAPE and not capture else 0.0
    move = Move(start, end, MoveKind.CAPTURE if capture else kind)
    return Step(start, end, capture, partial(_played, position, move), surprise=surprise)


def _played(position: Position, move: Move) -> Standing:
    is_fought = position.is_fought(move)
    may_wander = position.juggernaut is not None and not is_fought
    return Standing(position.play(move), may_wander, is_fought)
