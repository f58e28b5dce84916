"""What stands on the board of one table, as far as its switches and the game's history tell.

And how long that has disagreed with the position: hands are led only after a while.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import itemgetter
from types import MappingProxyType
from typing import NamedTuple

from hardware.ports import FaultKind, Flip, Observation, Occupancy
from rules import Position, Square, format_square
from rules.position import letters

from ..game.events import Cleared, Event, Fault, Remains
from ..game.record import Record
from ..reading.jetan_game import Standing
from ..reading.readings import Belief
from .repair import UNKNOWN


class Disagreement(NamedTuple):
    """Squares on which a piece is missing, or something stands that should not."""

    missing: frozenset[Square]
    extra: frozenset[Square]


MOST_ASTRAY = 5
"""Where more squares disagree than this, the board is set up again, not read."""

MOST_SWEPT = 9
"""... and where more than this do, at once: hands that clear the board do not pause for long."""

NOTHING_AMISS = Disagreement(frozenset(), frozenset())


class Patience:
    """Watches one disagreement at a time; another one starts the wait anew."""

    def __init__(self, patience_s: float) -> None:
        self.amiss = NOTHING_AMISS
        self._patience_s = patience_s
        self._since = self._now = 0.0

    def watch(self, amiss: Disagreement, now: float) -> bool:
        """Take in what disagrees now, and return whether the wait has just ended, or begun."""
        was_over = self.is_over
        self._now = now
        if amiss != self.amiss:
            self.amiss, self._since = amiss, now
        return was_over != self.is_over

    @property
    def is_over(self) -> bool:
        """Whether the board has disagreed for so long that the hands are led back."""
        return any(self.amiss) and self._now >= self._since + self._patience_s

    @property
    def is_hopeless(self) -> bool:
        """Whether too much disagrees to be read meanwhile."""
        return sum(map(len, self.amiss)) > (MOST_ASTRAY if self.is_over else MOST_SWEPT)

    @property
    def due(self) -> float | None:
        """When the wait ends, in seconds; None where nobody waits."""
        return self._since + self._patience_s if any(self.amiss) and not self.is_over else None


def is_half_a_ply(position: Position, lifted: Sequence[Square]) -> bool:
    """Whether what is in the air may be part of one ply: at most one piece of each side."""
    occupants = [position.occupant_at(square) for square in lifted]
    return len(occupants) == len(set(occupants))


def find_amiss(belief: Belief[Standing] | None, position: Position) -> Disagreement:
    """Return what a hand in the middle of a ply does not explain; nothing where nobody reads."""
    if belief is None:
        return NOTHING_AMISS
    if belief.extra or not is_half_a_ply(position, belief.lifted):
        return Disagreement(belief.missing.union(belief.lifted), belief.extra)
    return NOTHING_AMISS


NOTHING: Mapping[Square, str] = MappingProxyType({})


class PieceTracker:
    """Follows pieces through the hands: what is put down is what was lifted last.

    Pieces are told by the letters of position texts.
    """

    def __init__(
        self,
        position: Position,
        occupied: Iterable[Square],
        remains: Mapping[Square, str] = NOTHING,
    ) -> None:
        """Start from a board of which the squares `occupied` are: what belongs there stands there.

        But for `remains`, which are known to stand where something else belongs. What stands where
        nothing belongs is known if the position lacks pieces of one letter only, and enough of
        them; else it is UNKNOWN.
        """
        belongs = letters(position)
        self.standing = {square: belongs.get(square, UNKNOWN) for square in occupied}
        """What stands on each occupied square."""
        self.in_hand: list[str] = []
        """What was seen to be lifted and is not put down yet, longest first."""
        self.absent: list[str] = []
        """What else the position has and the board does not show."""
        self.confirm(position, remains=remains)
        strays = sorted(square for square in self.standing if square not in belongs)
        is_known = len(strays) <= len(self.absent)
        self.standing.update((s, self._put(None) if is_known else UNKNOWN) for s in strays)

    def follow(
        self, flips: Iterable[Flip], position: Position, unsure: Collection[Square] = ()
    ) -> None:
        """Follow what has just been lifted and put; a piece put where it belongs goes home.

        Switches under `unsure` squares have failed: what they show says nothing. A look that comes
        late shows a whole move at once: hands that were empty lifted before they put.
        """
        belongs = letters(position)
        for square, is_occupied in flips if self.in_hand else sorted(flips, key=itemgetter(1)):
            if square in unsure:
                continue
            if is_occupied:
                # a switch that was dead may close under what has stood there all the while
                if square not in self.standing or self._is_holding_any_of(belongs):
                    self.standing[square] = self._put(belongs.get(square))
            elif square in self.standing:  # a switch that was stuck may open under nothing
                self.in_hand.append(self.standing.pop(square))

    def _is_holding_any_of(self, belongs: Mapping[Square, str]) -> bool:
        """Whether something in hand has a place; what has none goes off the board."""
        lacking = Counter(belongs.values()) - Counter(self.standing.values())
        return any(lacking[letter] for letter in self.in_hand)

    def _put(self, belonging: str | None) -> str:
        """Return what has been put on a square to which `belonging` belongs."""
        if belonging is not None and belonging in self.in_hand:
            self.in_hand.remove(belonging)
            return belonging
        if belonging is not None and belonging in self.absent:
            self.absent.remove(belonging)
            if UNKNOWN in self.in_hand:
                self.in_hand.remove(UNKNOWN)
            return belonging
        if self.in_hand:
            return self.in_hand.pop()
        return self.absent.pop() if len(set(self.absent)) == 1 else UNKNOWN

    def confirm(
        self,
        position: Position,
        unsure: Collection[Square] = (),
        remains: Mapping[Square, str] = NOTHING,
    ) -> None:
        """Take a confirmed position for the truth wherever something stands as it says.

        Where something stands on the squares of `remains`, it is what they say. On `unsure` squares
        it is the truth in any case. What is in the air or absent then is what the position has and
        the board does not show.
        """
        belongs = letters(position)
        for square in unsure:
            self.standing.pop(square, None)
        self.standing.update((s, belongs[s]) for s in belongs.keys() & unsure)
        self.standing.update((s, belongs[s]) for s in self.standing.keys() & belongs.keys())
        self.standing.update((s, remains[s]) for s in self.standing.keys() & remains.keys())
        absent = Counter(belongs.values()) - Counter(self.standing.values())
        lifted, self.in_hand = self.in_hand, []
        for letter in lifted:
            if absent[letter]:
                absent[letter] -= 1
                self.in_hand.append(letter)
        self.absent = list(absent.elements())


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
