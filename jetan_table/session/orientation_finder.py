"""Finds out how the board lies, asks people about it once, and names its squares accordingly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hardware.ports import Evidence, Observation
from rules import SQUARES, Square

from ..board.orientation import A1, AS_WIRED, B1, Orientation, shown_by_plies, shown_by_standing
from ..game.record import Record
from ..reading.occupancy import Occupancy, TouchWatch
from .view import AskedCorner, Phase, View

SURE_S = 2.0

MANY_MOVES = 3
"""So many different moves that are legal only on a board that lies otherwise speak for one.

Fewer are rather illegal: beginners often move when it is not their turn.
"""

"""The board must seem to lie otherwise for so long: pieces may still be being set up."""


class OrientationFinder:
    """How one board lies: `orientation` is what people have said of it so far.

    `asked` are the squares, by the table's names, of which one is the corner asked about.
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
        self.asked: tuple[Square, ...] = ()
        self._found: Orientation | None = None
        """The one orientation that is left, until `attend` returns it."""

    def take(self, observation: Observation) -> Observation:
        """Return what a sensor saw by the names its squares have."""
        self._sensed.update(observation.squares)
        really = self.orientation.really
        named = {really[square]: evidence for square, evidence in observation.squares.items()}
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
        touched = self._touches.touched(flips, self.asked, observation.at)
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
        elif not self.asked:
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
        self.asked = tuple(square for square in SQUARES if square in corners)

    def add_question(self, view: View) -> View:
        """Return a view of the table with what is asked of the board."""
        if not self.asked:
            return view
        asked = AskedCorner(self._corner, self.asked)
        return replace(view, asked_corner=asked, leading=view.leading.paused())
