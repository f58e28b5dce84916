"""The pieces on the board of one table, and the guidance by which hands put them right.

`Tabletop` follows the pieces through the hands, as far as switches and the game's history tell.
`Patience` knows for how long the board has disagreed with the position: hands are led only after a
while. Then `plan` finds the fewest hand moves back, which people are shown one after another. A
game may also begin from the board as it stands, each piece named by people (`named_position`).

Pieces have the letters of position texts: `P` .. `q`, `*` for the Juggernaut, and `?` for something
that nobody saw come. Pieces of one letter are the same to everybody.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, permutations, product
from math import dist, perm
from operator import itemgetter
from types import MappingProxyType
from typing import NamedTuple

from hardware.ports import FaultKind, Flip, Observation, Occupancy
from rules import (
    JUGGERNAUT_LETTER,
    PIECES,
    Position,
    Rules,
    Side,
    Square,
    Topology,
    _,
    format_square,
    letters,
)

from ..game.commands import CommandRefused
from ..game.events import Cleared, Event, Fault, Remains
from ..game.record import Record
from ..reading.readings import Belief, Standing

UNKNOWN_PIECE = "?"
"""Letter of something that nobody saw come."""


class Disagreement(NamedTuple):
    """Squares on which a piece is missing, and those on which one stands that should not."""

    missing: frozenset[Square]
    extra: frozenset[Square]


MOST_DIFFERING = 5
"""Squares that may disagree while a board is read on; with more it has to be set up again."""

MOST_SWEPT = 9
"""The same before the hands are led: people who clear a board do not pause for long."""

NO_DISAGREEMENT = Disagreement(frozenset(), frozenset())


class Patience:
    """Waits out one disagreement at a time; another one starts the wait anew."""

    def __init__(self, patience_s: float) -> None:
        self.disagreement = NO_DISAGREEMENT
        self._patience_s = patience_s
        self._since = self._now = 0.0

    def watch(self, disagreement: Disagreement, now: float) -> bool:
        """Take in the present disagreement; return True if the wait has just ended, or begun."""
        was_over = self.is_over
        self._now = now
        if disagreement != self.disagreement:
            self.disagreement, self._since = disagreement, now
        return was_over != self.is_over

    @property
    def is_over(self) -> bool:
        """True once the board has disagreed long enough for the hands to be led back."""
        return any(self.disagreement) and self._now >= self._since + self._patience_s

    @property
    def is_hopeless(self) -> bool:
        """True if too much disagrees for the board to be read meanwhile."""
        return sum(map(len, self.disagreement)) > (MOST_DIFFERING if self.is_over else MOST_SWEPT)

    @property
    def due(self) -> float | None:
        """Time at which the wait ends, in seconds; None while there is none."""
        return (
            self._since + self._patience_s if any(self.disagreement) and not self.is_over else None
        )


def is_half_a_ply(position: Position, lifted: Sequence[Square]) -> bool:
    """Return True if the pieces in the air may belong to one ply: at most one of each side."""
    occupants = [position.occupant_at(square) for square in lifted]
    return len(occupants) == len(set(occupants))


def find_disagreement(belief: Belief[Standing] | None, position: Position) -> Disagreement:
    """Return the squares that no ply under way explains; none while nothing is read."""
    if belief is None:
        return NO_DISAGREEMENT
    if belief.extra or not is_half_a_ply(position, belief.lifted):
        return Disagreement(belief.missing.union(belief.lifted), belief.extra)
    return NO_DISAGREEMENT


NO_REMAINS: Mapping[Square, str] = MappingProxyType({})


class PieceTracker:
    """Follows pieces, by their letters, through hands that put down first what they lifted last."""

    def __init__(
        self,
        position: Position,
        occupied: Iterable[Square],
        remains: Mapping[Square, str] = NO_REMAINS,
    ) -> None:
        """Start from a board with pieces on `occupied` squares: on each stands what belongs there.

        `remains` are pieces known to stand where another one belongs. A piece where none belongs is
        known if the position lacks pieces of one letter only, and enough of them; else it is
        UNKNOWN_PIECE.
        """
        belongs = letters(position)
        self.standing = {square: belongs.get(square, UNKNOWN_PIECE) for square in occupied}
        self.in_hand: list[str] = []
        """Letters of the pieces that were seen to be lifted and are not put down, longest first."""
        self.absent: list[str] = []
        """Letters of other pieces that the position has and the board does not show."""
        self.confirm(position, remains=remains)
        strays = sorted(square for square in self.standing if square not in belongs)
        is_known = len(strays) <= len(self.absent)
        self.standing.update((s, self._put(None) if is_known else UNKNOWN_PIECE) for s in strays)

    def follow(
        self, flips: Iterable[Flip], position: Position, unsure: Collection[Square] = ()
    ) -> None:
        """Follow lifts and landings; one put down passes for the one that belongs there.

        Switches under `unsure` squares have failed and say nothing. A look that comes late shows a
        whole move at once: hands that were empty must have lifted before they put.
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
        """Return True if a piece in hand has a place on the board; one without goes off it."""
        lacking = Counter(belongs.values()) - Counter(self.standing.values())
        return any(lacking[letter] for letter in self.in_hand)

    def _put(self, belonging: str | None) -> str:
        """Return the letter of a piece put on the square of `belonging`."""
        # Players put the right piece down more often than any rule of thumb would tell: a capture
        # lifts two pieces in either order, and the one that belongs there is nearly always the one
        # that lands.
        if belonging is not None and belonging in self.in_hand:
            self.in_hand.remove(belonging)
            return belonging
        if belonging is not None and belonging in self.absent:
            self.absent.remove(belonging)
            if UNKNOWN_PIECE in self.in_hand:
                self.in_hand.remove(UNKNOWN_PIECE)
            return belonging
        # Else it is the last one lifted; or, from the box, the only kind that is missing.
        if self.in_hand:
            return self.in_hand.pop()
        return self.absent.pop() if len(set(self.absent)) == 1 else UNKNOWN_PIECE

    def confirm(
        self,
        position: Position,
        unsure: Collection[Square] = (),
        remains: Mapping[Square, str] = NO_REMAINS,
    ) -> None:
        """Correct the letters by a confirmed position, wherever it has a piece and one stands.

        On the squares of `remains` those letters hold instead. On `unsure` squares, whose switches
        say nothing, the position holds in any case. In hand or absent is then whatever the position
        has and the board does not show.
        """
        belongs = letters(position)
        for square in unsure:
            self.standing.pop(square, None)
        self.standing.update((s, belongs[s]) for s in belongs.keys() & unsure)
        self.standing.update((s, belongs[s]) for s in self.standing.keys() & belongs.keys())
        self.standing.update((s, remains[s]) for s in self.standing.keys() & remains.keys())
        absent = Counter(belongs.values()) - Counter(self.standing.values())
        # A piece in hand that the position no longer has was taken: it leaves the hand for the box.
        lifted, self.in_hand = self.in_hand, []
        for letter in lifted:
            if absent[letter]:
                absent[letter] -= 1
                self.in_hand.append(letter)
        self.absent = list(absent.elements())


class Tabletop:
    """The board under the hands: its occupied squares by the switches, and the pieces there."""

    def __init__(self, position: Position) -> None:
        self.occupancy = Occupancy()
        """The occupied squares by the sensors; false before the first observation."""
        self.pieces = PieceTracker(position, ())
        self.touched_at = 0.0
        """Time of the last change, in seconds on the table clock."""
        self.has_stood_right = False
        """True once the board has shown the record's position since the table was switched on."""

    def observe(self, observation: Observation, record: Record, position: Position) -> list[Flip]:
        """Take in an observation, and return the changes that it shows.

        `position` is the one the players take for theirs, certain or not.
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
        """Correct the pieces by the certain position."""
        self.pieces.confirm(position, record.faults.keys(), record.remains)
        self._look(record)

    def _look(self, record: Record) -> None:
        if self.occupancy and not self.has_stood_right:
            self.has_stood_right = not self.differing(record)

    def differing(self, record: Record) -> set[Square]:
        """Return the squares where the board differs from the record, but for failed switches."""
        wanted = letters(record.stands).keys()
        differing = (self.occupancy.occupied ^ wanted) | record.remains.keys()
        return differing - record.faults.keys()

    def cleared(self, record: Record, flips: Iterable[Flip]) -> list[Event]:
        """Return the events of the record's remains that are, or have been, lifted."""
        if not self.occupancy:
            return []
        touched = {square for square, _ in flips}
        lifted = (s for s in record.remains if s in touched or s not in self.occupancy.occupied)
        return [Cleared(format_square(square)) for square in lifted]

    def set_up(self, record: Record) -> None:
        """Take each piece for the man who belongs on its square: people have set them up."""
        self.pieces = PieceTracker(record.stands, self.occupancy.occupied)

    def inherited(self, faults: Mapping[Square, FaultKind], record: Record) -> list[Event]:
        """Return the events that the board brings into a game that is about to begin.

        They tell of failed switches, and of pieces where others belong.
        """
        failed: list[Event] = [Fault(format_square(s), kind.value) for s, kind in faults.items()]
        standing = self.pieces.standing
        remains = {
            format_square(square): standing[square]
            for square, letter in letters(record.position).items()
            if standing.get(square, UNKNOWN_PIECE) not in (letter, UNKNOWN_PIECE)
            and square not in faults
        }
        # A game loaded in its middle is led to its position even if no piece is known to be wrong.
        is_led = record.game.plies and self.differing(record) - faults.keys()
        return [*failed, Remains(remains)] if remains or is_led else failed

    def trusting_people(self, record: Record) -> list[Event]:
        """Return the events by which the board is right, as people say; none where it is already.

        Remains are gone then; if there are none, the switches that differ must have failed.
        """
        if record.remains:
            return [Cleared(format_square(square)) for square in record.remains]
        is_asking = record.question is not None and record.ending is None
        if is_asking or not self.occupancy:
            return []
        # People are right, so each switch that differs is wrong: closed under nothing, or open.
        stuck = self.occupancy.occupied
        return [
            Fault(format_square(square), "stuck" if square in stuck else "dead")
            for square in sorted(self.differing(record))
        ]

    def disagreement(self, record: Record) -> Disagreement:
        """Return the squares that lack a piece by the record, and those with one too many."""
        differing, occupied = self.differing(record), self.occupancy.occupied
        return Disagreement(frozenset(differing - occupied), frozenset(differing & occupied))


MOST_PAIRINGS = 2000
"""Ways of pairing wrong pieces with their squares to compare; with more the nearest are paired."""


@dataclass(frozen=True, slots=True)
class HandMove:
    """One step for the hands: take the piece `letter` from one square to another.

    `from_square` None is the hand or the box, `to_square` None is off the board.
    """

    letter: str
    from_square: Square | None
    to_square: Square | None


@dataclass(frozen=True, slots=True)
class Placing:
    """Pieces of one letter to be put on `squares`; `total` should stand on the board."""

    letter: str
    squares: tuple[Square, ...]
    total: int

    @property
    def stand(self) -> int:
        """Number of them that stand already."""
        return self.total - len(self.squares)


def first_placing(position: Position, missing: Collection[Square]) -> Placing | None:
    """Return the pieces to put next, one kind of one side after another; None if all stand."""
    wanted = letters(position)
    for letter in (*PIECES, JUGGERNAUT_LETTER):
        squares = tuple(sorted(s for s in missing if wanted.get(s) == letter))
        if squares:
            return Placing(letter, squares, list(wanted.values()).count(letter))
    return None


def first_step(
    position: Position,
    standing: Mapping[Square, str],
    in_hand: Sequence[str],
    unsure: Collection[Square],
) -> HandMove | None:
    """Return the first hand move back to a position; squares that are `unsure` pass as right."""
    belongs = letters(position)
    target = {s: letter for s, letter in belongs.items() if s not in unsure}
    visible = {s: letter for s, letter in standing.items() if s not in unsure}
    hidden = [belongs[square] for square in unsure if square in belongs]
    steps = plan(target, visible, in_hand, position.rules.board, hidden)
    return steps[0] if steps else None


def plan(
    target: Mapping[Square, str],
    standing: Mapping[Square, str],
    in_hand: Sequence[str],
    topology: Topology,
    hidden: Sequence[str] = (),
) -> tuple[HandMove, ...]:
    """Return the hand moves that turn `standing` into `target`, in an order that can be done.

    Their number is the smallest possible up to MOST_PAIRINGS; the same board gives the same plan.

    An unknown piece on a square where one belongs passes for that one. Elsewhere it passes for a
    lacking piece if only one kind is lacking, and there are not more unknown pieces than that;
    otherwise one of them came from elsewhere, nobody knows which, and it is taken off. It may also
    be one of the pieces `hidden`, whose squares have switches that say nothing.
    """
    known = {
        square: target.get(square, letter) if letter == UNKNOWN_PIECE else letter
        for square, letter in standing.items()
    }
    wrong = {square: letter for square, letter in known.items() if target.get(square) != letter}
    lacking = {square: letter for square, letter in target.items() if known.get(square) != letter}
    letter = _unknown_letter(wrong, lacking, in_hand, hidden)
    wrong = {square: letter if was == UNKNOWN_PIECE else was for square, was in wrong.items()}
    goes_to = min(
        islice(_pairings(wrong, lacking, topology), MOST_PAIRINGS),
        key=lambda pairs: (_count_loops(pairs), _way(pairs, topology), sorted(pairs.items())),
    )
    return tuple(_in_order(wrong, lacking, goes_to, Counter(in_hand)))


def _unknown_letter(
    wrong: Mapping[Square, str],
    lacking: Mapping[Square, str],
    in_hand: Sequence[str],
    hidden: Sequence[str],
) -> str:
    """Return the letter that all unknown pieces must have; UNKNOWN_PIECE if that is not certain."""
    left = Counter(lacking.values()) - Counter(wrong.values())
    unknown = [*wrong.values(), *in_hand].count(UNKNOWN_PIECE)
    kinds = {*left, *hidden}
    return kinds.pop() if len(kinds) == 1 and unknown <= left.total() else UNKNOWN_PIECE


def _pairings(
    wrong: Mapping[Square, str], lacking: Mapping[Square, str], topology: Topology
) -> Iterator[dict[Square, Square]]:
    """Yield ways to send wrong pieces to squares that lack them, the nearest pairs' way first."""
    # The nearest pairs come first and alone where all ways would be too many to compare: after a
    # swept board with sixteen pieces of a kind astray, people only need a sensible order.
    yield _nearest(wrong, lacking, topology)
    # Pieces of different letters do not compete for squares: their pairings are independent.
    groups = []
    ways = 1
    for letter in sorted(set(wrong.values()) - {UNKNOWN_PIECE}):
        sources = sorted(square for square in wrong if wrong[square] == letter)
        homes = sorted(square for square in lacking if lacking[square] == letter)
        ways *= perm(max(len(sources), len(homes)), min(len(sources), len(homes)))
        groups.append((sources, homes))
    if ways > MOST_PAIRINGS:
        return
    for choice in product(*(_matchings(sources, homes) for sources, homes in groups)):
        yield {source: home for part in choice for source, home in part}


def _matchings(
    sources: list[Square], homes: list[Square]
) -> Iterator[tuple[tuple[Square, Square], ...]]:
    if len(sources) <= len(homes):
        yield from (
            tuple(zip(sources, some, strict=True)) for some in permutations(homes, len(sources))
        )
    else:
        yield from (
            tuple(zip(some, homes, strict=True)) for some in permutations(sources, len(homes))
        )


def _nearest(
    wrong: Mapping[Square, str], lacking: Mapping[Square, str], topology: Topology
) -> dict[Square, Square]:
    """Pair wrong pieces with squares that lack them, nearest pairs first."""
    near = sorted(
        (_distance(topology, source, home), source, home)
        for source, letter in wrong.items()
        for home, wanted in lacking.items()
        if letter == wanted
    )
    pairs: dict[Square, Square] = {}
    for _apart, source, home in near:
        if source not in pairs and home not in pairs.values():
            pairs[source] = home
    return pairs


def _distance(topology: Topology, one: Square, other: Square) -> float:
    return round(dist(topology.centres[one], topology.centres[other]), 6)


def _way(pairs: Mapping[Square, Square], topology: Topology) -> float:
    return sum(_distance(topology, source, home) for source, home in pairs.items())


def _count_loops(pairs: Mapping[Square, Square]) -> int:
    """Return the number of rings of pieces on each other's squares: each costs one move more."""
    loops, visited = 0, set[Square]()
    for start in pairs:
        square = start
        while square in pairs and square not in visited:
            visited.add(square)
            square = pairs[square]
            loops += square == start
    return loops


def _in_order(
    wrong: Mapping[Square, str],
    lacking: Mapping[Square, str],
    goes_to: Mapping[Square, Square],
    in_hand: Counter[str],
) -> Iterator[HandMove]:
    """Yield the hand moves so that each ends on a free square; pieces in hand come first."""
    standing = dict(wrong)
    pairs = dict(goes_to)
    wanted = {square: lacking[square] for square in sorted(lacking.keys() - goes_to.values())}
    while standing or wanted:
        free = [square for square in wanted if square not in standing]
        held = next((square for square in free if in_hand[wanted[square]]), None)
        ready = next((s for s in sorted(pairs) if pairs[s] not in standing), None)
        unpaired = next((s for s in sorted(standing) if s not in pairs), None)
        if held is not None:
            in_hand[wanted[held]] -= 1
            yield HandMove(wanted.pop(held), None, held)
        elif ready is not None:
            yield HandMove(lacking[pairs[ready]], ready, pairs.pop(ready))
            del standing[ready]
        elif unpaired is not None:
            yield HandMove(standing.pop(unpaired), unpaired, None)
        elif free:
            yield HandMove(wanted.pop(free[0]), None, free[0])
        else:
            # A ring: one piece is taken up, and put down once its square is free.
            first = min(standing)
            wanted[pairs.pop(first)] = letter = standing.pop(first)
            in_hand[letter] += 1
            yield HandMove(letter, first, None)


ROYAL = "CcQq"
"""Letters that a game needs; Chiefs only where the rules do not play on without them."""


def named_position(
    rules: Rules,
    named: Mapping[Square, str],
    occupied: Collection[Square],
    unsure: Collection[Square],
    side: Side,
) -> Position:
    """Return the position of pieces that people name by their letters; `side` is to move.

    Raises CommandRefused if the names do not fit the squares seen `occupied`, apart from `unsure`
    ones, whose switches have failed, or if no game can go on from there.
    """
    _check_squares(set(named), set(occupied), set(unsure))
    _check_armies(rules, named)
    pieces = {square: PIECES[letter] for square, letter in named.items() if letter in PIECES}
    juggernaut = next((s for s in named if named[s] == JUGGERNAUT_LETTER), None)
    position = Position.of(rules, pieces, side, juggernaut=juggernaut)
    if position.outcome is not None:
        raise CommandRefused(_("in that position the game would be over"))
    return position


def _check_squares(named: set[Square], occupied: set[Square], unsure: set[Square]) -> None:
    """Raise CommandRefused if a piece is seen and not named, or named and not seen."""
    for no, squares in (
        (_("say which piece stands on {squares}"), occupied - named - unsure),
        (
            _("no piece is seen on {squares}: put it there, or leave it out"),
            named - occupied - unsure,
        ),
    ):
        if squares:
            raise CommandRefused(no, squares=", ".join(map(format_square, sorted(squares))))


def _check_armies(rules: Rules, named: Mapping[Square, str]) -> None:
    """Raise CommandRefused if an army is larger than at the start, or lacks a piece it needs."""
    counted = Counter(named.values())
    most = Counter(letters(Position.start(rules)).values())
    has_juggernaut = rules["juggernaut"] != "off"
    most[JUGGERNAUT_LETTER] = int(has_juggernaut)
    for letter, count in sorted(counted.items()):
        if count > most[letter]:
            raise CommandRefused(
                _("{count} of {letter} are named: at most {most} are in a game"),
                letter=letter,
                count=count,
                most=most[letter],
            )
    needed = ROYAL if rules["chief-taken-by-other"] != "play-on" else "Qq"
    for letter in (*needed, *(JUGGERNAUT_LETTER * has_juggernaut)):
        if not counted[letter]:
            raise CommandRefused(
                _("no {letter} is named: without it no game goes on"), letter=letter
            )
