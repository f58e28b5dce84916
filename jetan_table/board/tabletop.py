"""What stands on the board of one table, as far as its switches and the game's history tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hardware.ports import Observation
from hardware.switches import FaultKind
from rules import Position, Square, format_square

from ..game.events import Cleared, Event, Fault, Remains
from ..game.placement import UNKNOWN, letters
from ..game.record import Record
from ..reading.occupancy import Flip, Occupancy
from .patience import Disagreement
from .piece_tracker import PieceTracker


class Tabletop:
    """The board under the hands: what switches say of it, and which piece that is."""

    def __init__(self, position: Position) -> None:
        self.occupancy = Occupancy()
        """Which squares are occupied, as sensors tell; false before they have told anything."""
        self.pieces = PieceTracker(position, ())
        """Which piece stands on each of them."""
        self.touched_at = 0.0
        """When anything last changed, in seconds on the table clock."""
        self.has_stood_right = False
        """Whether the board has shown the record's position since the table was switched on."""

    def observe(self, observation: Observation, record: Record, position: Position) -> list[Flip]:
        """Take in what a sensor saw, and return what has changed by it.

        `position` is the one that stands for the players, certain or not.
        """
        is_first = not self.occupancy
        flips = self.occupancy.update(observation)
        if flips:
            self.touched_at = observation.at
        if is_first:
            self.pieces = PieceTracker(record.stands, self.occupancy.occupied, record.remains)
            self.confirm(position, record)
            return flips
        self._look(record)
        shown = self.occupancy.occupied
        unsure = [s for s, kind in record.faults.items() if not kind.is_disproved(s in shown)]
        self.pieces.follow(flips, position, unsure)
        return flips

    def confirm(self, position: Position, record: Record) -> None:
        """Let what stands where follow what is certain now."""
        self.pieces.confirm(position, record.faults.keys(), record.remains)
        self._look(record)

    def _look(self, record: Record) -> None:
        if self.occupancy and not self.has_stood_right:
            self.has_stood_right = not self.differing(record)

    def differing(self, record: Record) -> set[Square]:
        """Return the squares where the board disagrees with the record; failed switches do not."""
        wanted = letters(record.stands).keys()
        differing = (self.occupancy.occupied ^ wanted) | record.remains.keys()
        return differing - record.faults.keys()

    def cleared(self, record: Record, flips: Iterable[Flip]) -> list[Event]:
        """Return what has happened to the record's remains: those that are, or were, lifted."""
        if not self.occupancy:
            return []
        touched = {square for square, _ in flips}
        lifted = (s for s in record.remains if s in touched or s not in self.occupancy.occupied)
        return [Cleared(format_square(square)) for square in lifted]

    def set_up(self, record: Record) -> None:
        """Take what stands where the game has a man for that man: they have been set up for it."""
        self.pieces = PieceTracker(record.stands, self.occupancy.occupied)

    def inherited(self, faults: Mapping[Square, FaultKind], record: Record) -> list[Event]:
        """Return what the board brings into a game that is about to begin.

        Switches that have failed, and what stands where another piece belongs.
        """
        failed: list[Event] = [Fault(format_square(s), kind.value) for s, kind in faults.items()]
        standing = self.pieces.standing
        remains = {
            format_square(square): standing[square]
            for square, letter in letters(record.position).items()
            if standing.get(square, UNKNOWN) not in (letter, UNKNOWN) and square not in faults
        }
        is_led = record.game.plies and self.differing(record) - faults.keys()
        return [*failed, Remains(remains)] if remains or is_led else failed

    def trusting_people(self, record: Record) -> list[Event]:
        """Return what happens when people say that the board is right; nothing where it is.

        What the record has in another's place is gone then, or else switches have failed.
        """
        if record.remains:
            return [Cleared(format_square(square)) for square in record.remains]
        is_asking = record.question is not None and record.ending is None
        if is_asking or not self.occupancy:
            return []
        stuck = self.occupancy.occupied
        return [
            Fault(format_square(square), "stuck" if square in stuck else "dead")
            for square in sorted(self.differing(record))
        ]

    def amiss(self, record: Record) -> Disagreement:
        """Return where pieces are missing by the record, and where something stands too much."""
        differing, occupied = self.differing(record), self.occupancy.occupied
        return Disagreement(frozenset(differing - occupied), frozenset(differing & occupied))
