"""Orientations: a board that is turned, or mirrored, on its switches has its squares elsewhere.

An orientation is a permutation: it gives the actual square for each name that the table uses. A
flat board has eight, a disk forty. Set-up shows some of them, when pieces stand as in no other;
first plies show others, by being legal in one orientation and not in the present one. People are
then asked to touch a1, and b1 if that leaves two.
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
"""Nats by which another occupant must explain a square better, to speak against the present one."""

MOST_PLIES = 8
"""Plies after which the table no longer looks whether the board is turned."""

A1, B1 = Square(0), Square(1)


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Orientation:
    """An orientation: `actual[square]` is the square that the table calls `square`."""

    actual: tuple[Square, ...]

    @property
    def ends(self) -> tuple[Square, Square]:
        """The table's names for a1 and b1, which no two orientations have in common."""
        return self.seen(A1), self.seen(B1)

    def seen(self, square: Square) -> Square:
        """Return the table's name for an actual square."""
        return SQUARES[self.actual.index(square)]

    def reordered(self, by_square: Sequence[T]) -> tuple[T, ...]:
        """Return values by the table's squares in the order of the actual ones."""
        return tuple(by_square[self.seen(square)] for square in SQUARES)

    def after(self, earlier: Orientation) -> Orientation:
        """Return the orientation of a board that was turned by `earlier` and then by this one."""
        return Orientation(tuple(self.actual[square] for square in earlier.actual))


AS_WIRED = Orientation(SQUARES)


@lru_cache(maxsize=4)
def orientations(topology: Topology) -> tuple[Orientation, ...]:
    """Return all orientations of a board; the first one is that of its wiring."""
    if topology.columns_around:
        ways = [(turn, way) for way in (1, -1) for turn in range(topology.columns_around)]
        found = [Orientation(tuple(_on_disk(s, *way) for s in SQUARES)) for way in ways]
    else:
        found = [Orientation(tuple(_on_grid(s, way) for s in SQUARES)) for way in range(8)]
    return tuple(found)


def _on_grid(square: Square, way: int) -> Square:
    """Return a square's image by one of eight symmetries: quarter turns, also of a mirror image."""
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
    """Return the orientation that people have named; AS_WIRED if the board has none such."""
    return orientation_by(topology, parse_square(turned.a1), parse_square(turned.b1)) or AS_WIRED


def orientation_by(topology: Topology, a1: Square, b1: Square) -> Orientation | None:
    """Return the orientation with these names for a1 and b1; None if there is none."""
    return next((each for each in orientations(topology) if each.ends == (a1, b1)), None)


def shown_by_standing(
    position: Position, evidence: Mapping[Square, Evidence], unsure: Collection[Square]
) -> tuple[Orientation, ...]:
    """Return the orientations that fit the pieces of a set-up; none if the present one fits."""
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
    """Return the orientations in which all plies were legal, and so is the one under way."""
    game = record.game
    # A Juggernaut may stand anywhere, and a failed switch show anything: both would fit too much.
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
    """Return the plies as they were on a board of that orientation, and the position after them.

    None if one of them was not legal there.
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
    """Return True if one move without a capture leads from a position to these occupied squares."""
    stand = frozenset(squares_of(position.occupied))
    gone, come = stand - occupied, occupied - stand
    if len(gone) != 1 or len(come) != 1:
        return False
    (start,), (end,) = gone, come
    return any(move.to_square == end for move in position.moves_from(start))


def turned_events(record: Record, command: TurnBoard) -> tuple[Event, ...]:
    """Return the events of an orientation that people name: the plies so far were others.

    Raises CommandRefused if the board has no such orientation, or the plies were not legal in it.
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
    # The journal is append-only: the plies that were read wrongly are taken back and played anew.
    undone = [TakeBack(number, "words") for number in range(record.last_number, first - 1, -1)]
    played = [Ply(number, format_move(move)) for number, move in enumerate(replayed[0], first)]
    return (*(() if each == AS_WIRED else (*undone, *played)), Turned(a1, b1))


SURE_S = 2.0
"""Seconds for which another orientation must seem to hold: pieces may still be set up."""

MANY_MOVES = 3
"""Different moves, legal only in another orientation, that it takes to ask for one.

Fewer are more likely to be illegal: beginners often move when it is not their turn.
"""


class OrientationFinder:
    """Finds the orientation of one board: `orientation` is the one that people have named so far.

    `corners` are the squares, by the table's names, one of which is the corner asked about.
    """

    def __init__(
        self,
        orientation: Orientation = AS_WIRED,
        turned: Callable[[Orientation], None] | None = None,
    ) -> None:
        """`turned` is called at every turn, for others who name squares."""
        self.orientation = orientation
        self._turned = turned
        self._sensed: dict[Square, Evidence | None] = {}
        """The latest evidence of every square, by the names that squares have as wired."""
        self._begin_anew()

    def _begin_anew(self) -> None:
        self._occupancy = Occupancy()
        self._touches = TouchWatch()
        self._shown: tuple[Orientation, ...] = ()
        """Other orientations that fit what is seen."""
        self._is_set_up = False
        """True if the set-up showed them, not a move."""
        self._shown_by: tuple[object, ...] = ()
        """The state they were found from, which is not searched twice."""
        self._since: float | None = None
        """Time since when another orientation seems to hold."""
        self._odd: dict[frozenset[Square], tuple[Orientation, ...]] = {}
        """Occupied squares after moves that are legal only elsewhere, with the orientations."""
        self._fitting: tuple[Orientation, ...] = ()
        """Orientations that people's answers have left, while they are asked."""
        self._count = 0
        """Number of occupied squares when people were asked: no piece was in the air then."""
        self.corners: tuple[Square, ...] = ()
        self._found: Orientation | None = None
        """The one orientation that is left, until `attend` returns it."""

    def take(self, observation: Observation) -> Observation:
        """Return an observation by the names that the squares have."""
        self._sensed.update(observation.squares)
        actual = self.orientation.actual
        named = {actual[square]: evidence for square, evidence in observation.squares.items()}
        return Observation(observation.at, named)

    def turn(self, orientation: Orientation, now: float) -> Observation:
        """Name squares by another orientation; return all that was seen, to be taken once more."""
        self.orientation = orientation.after(self.orientation)
        self._begin_anew()
        if self._turned is not None:
            self._turned(orientation)
        return Observation(now, dict(self._sensed))

    def watch(self, observation: Observation) -> None:
        """Take in an observation by the squares' names: a touch may answer the question."""
        flips = self._occupancy.update(observation)
        touched = self._touches.touched(flips, self.corners, observation.at)
        if touched is not None:
            self.answer(touched)

    def answer(self, square: Square) -> bool:
        """Take `square` for the corner asked about; return False if nobody asked."""
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
        """Look for another orientation; return the one that people have confirmed, once."""
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
            # No piece is in the air for a touch, and the board has been put right: nobody need
            # answer.
            self._ask(())
        return None

    def _look(self, record: Record, view: View) -> tuple[Orientation, ...]:
        """Return the other orientations that fit all that is seen now."""
        # Every step asks, and replaying all plies forty times is dear: an unchanged board is not
        # searched.
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
        """Return the orientations that all odd moves have in common; none while these are few."""
        # A set-up shows dozens of pieces at once. One odd move is mostly a beginner's mistake, so
        # that it takes several to ask people about their board.
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
        """Return a view with the question about the board, if one is open."""
        if not self.corners:
            return view
        led = view.leading.paused()
        return replace(view, question=None, corner=self._corner, corners=self.corners, leading=led)
