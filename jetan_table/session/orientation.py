"""How a board lies on its switches: turned, or mirrored, it has every square somewhere else.

An orientation is a permutation of squares: of a square as the table names it, which one it really
is. A flat board has eight, a disk forty. What stands at set-up shows some of them, and the first
plies others, by being legal under one and not as the board seems to lie; people are asked which
square is a1 (and b1, where that leaves two), by touching it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar

from hardware.ports import Evidence, Observation, Occupancy
from rules import (
    SQUARES,
    Move,
    Position,
    Square,
    Topology,
    _,
    at_sector_and_ring,
    format_move,
    parse_square,
    sector_and_ring,
    squares_of,
)

from ..game.commands import CommandRefused, TurnBoard
from ..game.events import Event, Ply, TakeBack, Turned
from ..game.record import Record
from .gestures import TouchWatch
from .view import Phase, View

SURE = 1.0
"""By so much, in nats, something else must explain what is seen of a square, to speak against."""

MOST_PLIES = 8
"""Later than this nobody finds out that the board is turned."""

A1, B1 = Square(0), Square(1)


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Orientation:
    """`actual[square]` is which square really is where the table sees `square`."""

    actual: tuple[Square, ...]

    @property
    def ends(self) -> tuple[Square, Square]:
        """Where the table sees a1 and b1: that tells an orientation from all others."""
        return self.seen(A1), self.seen(B1)

    def seen(self, square: Square) -> Square:
        """Return what the table calls a square."""
        return SQUARES[self.actual.index(square)]

    def reordered(self, by_square: Sequence[T]) -> tuple[T, ...]:
        """Return what is told of each square, in the order in which the squares really are."""
        return tuple(by_square[self.seen(square)] for square in SQUARES)

    def after(self, earlier: Orientation) -> Orientation:
        """Return the orientation of a board that was found turned once more."""
        return Orientation(tuple(self.actual[square] for square in earlier.actual))


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
        for each in orientations(position.rules.board)
        if all(
            sure[square][occupants[each.actual[square]]] >= max(sure[square]) - SURE
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
    for each in orientations(game.position.rules.board)[1:]:
        if stood != {each.actual[square] for square in stood}:
            continue
        replayed = replayed_as(record, each)
        there = frozenset(each.actual[square] for square in occupied)
        if replayed is not None and _is_a_ply_later(replayed[1], there):
            found.append(each)
    return tuple(found)


def replayed_as(
    record: Record, orientation: Orientation
) -> tuple[tuple[Move, ...], Position] | None:
    """Return the plies as they were on a board that lies so, and where they led.

    None where they cannot have been, because one was not legal.
    """
    position, actual = record.game.start, orientation.actual
    played = []
    for ply in record.game.plies:
        ends = actual[ply.move.from_square], actual[ply.move.to_square]
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
    each = orientation_by(record.position.rules.board, parse_square(a1), parse_square(b1))
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
    replayed = replayed_as(record, each)
    if replayed is None:
        raise CommandRefused(_("the moves so far cannot have been played on a board that lies so"))
    first = record.game.start.ply_number
    undone = [TakeBack(number, "words") for number in range(record.last_number, first - 1, -1)]
    played = [Ply(number, format_move(move)) for number, move in enumerate(replayed[0], first)]
    return (*(() if each == AS_WIRED else (*undone, *played)), Turned(a1, b1))


SURE_S = 2.0
"""The board must seem to lie otherwise for so long: pieces may still be being set up."""

MANY_MOVES = 3
"""So many different moves that are legal only on a board that lies otherwise speak for one.

Fewer are rather illegal: beginners often move when it is not their turn.
"""


class OrientationFinder:
    """How one board lies: `orientation` is what people have said of it so far.

    `corners` are the squares, by the table's names, of which one is the corner asked about.
    """

    def __init__(
        self,
        orientation: Orientation = AS_WIRED,
        turned: Callable[[Orientation], None] | None = None,
    ) -> None:
        """`turned` is whoever else names squares, and is told of every turn."""
        self.orientation = orientation
        self._turned = turned
        self._sensed: dict[Square, Evidence | None] = {}
        """The latest evidence of every square, by the names that squares have as wired."""
        self._begin_anew()

    def _begin_anew(self) -> None:
        self._occupancy = Occupancy()
        self._touches = TouchWatch()
        self._shown: tuple[Orientation, ...] = ()
        """How the board may lie otherwise, by what is seen."""
        self._is_set_up = False
        """Whether that is so by how the pieces were set up; else by a move."""
        self._shown_by: tuple[object, ...] = ()
        """What that was found from: the same is not looked at twice."""
        self._since: float | None = None
        """Since when something speaks for another orientation."""
        self._odd: dict[frozenset[Square], tuple[Orientation, ...]] = {}
        """What stood after moves that are legal only otherwise, and on which boards they are."""
        self._fitting: tuple[Orientation, ...] = ()
        """The orientations that people's answers have left, while they are asked."""
        self._count = 0
        """How many squares were occupied when they were asked: then no piece was in the air."""
        self.corners: tuple[Square, ...] = ()
        self._found: Orientation | None = None
        """The one orientation that is left, until `attend` returns it."""

    def take(self, observation: Observation) -> Observation:
        """Return what a sensor saw by the names its squares have."""
        self._sensed.update(observation.squares)
        actual = self.orientation.actual
        named = {actual[square]: evidence for square, evidence in observation.squares.items()}
        return Observation(observation.at, named)

    def turn(self, orientation: Orientation, now: float) -> Observation:
        """Name squares otherwise from now on; return all that was seen, to be taken once more."""
        self.orientation = orientation.after(self.orientation)
        self._begin_anew()
        if self._turned is not None:
            self._turned(orientation)
        return Observation(now, dict(self._sensed))

    def watch(self, observation: Observation) -> None:
        """Take in what is seen, by its names: a touch may answer what is asked."""
        flips = self._occupancy.update(observation)
        touched = self._touches.touched(flips, self.corners, observation.at)
        if touched is not None:
            self.answer(touched)

    def answer(self, square: Square) -> bool:
        """The corner that is asked about is `square`; return whether that was asked."""
        corner = self._corner
        fitting = tuple(each for each in self._fitting if each.seen(corner) == square)
        if len(fitting) == 1:
            self._found = fitting[0]
        if fitting:
            self._ask(fitting)
        return bool(fitting)

    @property
    def _corner(self) -> Square:
        """The corner asked about: a1 first, then b1 where that leaves a choice."""
        return A1 if len({each.seen(A1) for each in self._fitting}) > 1 else B1

    def attend(self, record: Record, view: View, now: float) -> Orientation | None:
        """Look whether the board seems to lie otherwise; return how it does, once people say."""
        found, self._found = self._found, None
        if found is not None:
            return found
        if record.terms.is_oriented or record.ending or not self._occupancy:
            self._ask(())
        elif not self.corners:
            self._since = (self._since or now) if self._look(record, view) else None
            if self._since is not None and now >= self._since + SURE_S:
                fitting = self._fitting_all()
                self._count = len(self._occupancy.occupied)
                self._ask((AS_WIRED, *fitting) if fitting else ())
        elif len(self._occupancy.occupied) == self._count and not self._look(record, view):
            self._ask(())  # no piece is in the air for a touch, and the board has been put right
        return None

    def _look(self, record: Record, view: View) -> tuple[Orientation, ...]:
        """Return how the board may lie otherwise, by all that is seen now; empty: as it seems."""
        by = (record, view.leading.extra, frozenset(self._occupancy.occupied))
        if by != self._shown_by:
            self._shown_by = by
            unsure = record.faults.keys()
            self._shown, self._is_set_up = (), False
            if not record.game.plies:
                self._shown = shown_by_standing(record.position, self._occupancy.evidence, unsure)
                self._is_set_up = bool(self._shown)
            if not self._shown and view.phase is Phase.PLAYING and view.leading.extra:
                self._shown = shown_by_plies(record, self._occupancy.occupied, unsure)
        return self._shown

    def _fitting_all(self) -> tuple[Orientation, ...]:
        """Return how the board may lie by all that is odd about it; empty where that is little."""
        if self._is_set_up:
            return self._shown
        self._odd[frozenset(self._occupancy.occupied)] = self._shown
        if len(self._odd) < MANY_MOVES:
            return ()
        return tuple(each for each in self._shown if all(each in odd for odd in self._odd.values()))

    def _ask(self, fitting: tuple[Orientation, ...]) -> None:
        self._fitting = fitting
        corners = {each.seen(self._corner) for each in fitting}
        self.corners = tuple(square for square in SQUARES if square in corners)

    def add_question(self, view: View) -> View:
        """Return a view of the table with what is asked of the board."""
        if not self.corners:
            return view
        led = view.leading.paused()
        return replace(view, question=None, corner=self._corner, corners=self.corners, leading=led)
