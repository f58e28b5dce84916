"""What stands on the board of one table, and how hands are led to put it right.

`Tabletop` follows the pieces through the hands, as far as switches and the game's history tell, and
`Patience` how long the board has disagreed with the position: hands are led only after a while.
Then `plan` finds the fewest hand moves back, of which people are shown one after another. A game
may also begin from what stands there, each piece named by people (`named_position`).

Things on the board are told by the letters of position texts: `P` .. `q` for the pieces, `*` for
the Juggernaut, and `?` for something nobody saw come. Pieces of one letter are the same to all.
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
"""What nobody saw come."""


class Disagreement(NamedTuple):
    """Squares on which a piece is missing, or something stands that should not."""

    missing: frozenset[Square]
    extra: frozenset[Square]


MOST_DIFFERING = 5
"""Where more squares disagree than this, the board is set up again, not read."""

MOST_SWEPT = 9
"""... and where more than this do, at once: hands that clear the board do not pause for long."""

NO_DISAGREEMENT = Disagreement(frozenset(), frozenset())


class Patience:
    """Watches one disagreement at a time; another one starts the wait anew."""

    def __init__(self, patience_s: float) -> None:
        self.disagreement = NO_DISAGREEMENT
        self._patience_s = patience_s
        self._since = self._now = 0.0

    def watch(self, disagreement: Disagreement, now: float) -> bool:
        """Take in what disagrees now, and return whether the wait has just ended, or begun."""
        was_over = self.is_over
        self._now = now
        if disagreement != self.disagreement:
            self.disagreement, self._since = disagreement, now
        return was_over != self.is_over

    @property
    def is_over(self) -> bool:
        """Whether the board has disagreed for so long that the hands are led back."""
        return any(self.disagreement) and self._now >= self._since + self._patience_s

    @property
    def is_hopeless(self) -> bool:
        """Whether too much disagrees to be read meanwhile."""
        return sum(map(len, self.disagreement)) > (MOST_DIFFERING if self.is_over else MOST_SWEPT)

    @property
    def due(self) -> float | None:
        """When the wait ends, in seconds; None where nobody waits."""
        return (
            self._since + self._patience_s if any(self.disagreement) and not self.is_over else None
        )


def is_half_a_ply(position: Position, lifted: Sequence[Square]) -> bool:
    """Whether what is in the air may be part of one ply: at most one piece of each side."""
    occupants = [position.occupant_at(square) for square in lifted]
    return len(occupants) == len(set(occupants))


def find_disagreement(belief: Belief[Standing] | None, position: Position) -> Disagreement:
    """Return what a hand in the middle of a ply does not explain; nothing where nobody reads."""
    if belief is None:
        return NO_DISAGREEMENT
    if belief.extra or not is_half_a_ply(position, belief.lifted):
        return Disagreement(belief.missing.union(belief.lifted), belief.extra)
    return NO_DISAGREEMENT


NO_REMAINS: Mapping[Square, str] = MappingProxyType({})


class PieceTracker:
    """Follows pieces through the hands: what is put down is what was lifted last.

    Pieces are told by the letters of position texts.
    """

    def __init__(
        self,
        position: Position,
        occupied: Iterable[Square],
        remains: Mapping[Square, str] = NO_REMAINS,
    ) -> None:
        """Start from a board of which the squares `occupied` are: what belongs there stands there.

        But for `remains`, which are known to stand where something else belongs. What stands where
        nothing belongs is known if the position lacks pieces of one letter only, and enough of
        them; else it is UNKNOWN_PIECE.
        """
        belongs = letters(position)
        self.standing = {square: belongs.get(square, UNKNOWN_PIECE) for square in occupied}
        self.in_hand: list[str] = []
        """What was seen to be lifted and is not put down yet, longest first."""
        self.absent: list[str] = []
        """What else the position has and the board does not show."""
        self.confirm(position, remains=remains)
        strays = sorted(square for square in self.standing if square not in belongs)
        is_known = len(strays) <= len(self.absent)
        self.standing.update((s, self._put(None) if is_known else UNKNOWN_PIECE) for s in strays)

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
            if UNKNOWN_PIECE in self.in_hand:
                self.in_hand.remove(UNKNOWN_PIECE)
            return belonging
        if self.in_hand:
            return self.in_hand.pop()
        return self.absent.pop() if len(set(self.absent)) == 1 else UNKNOWN_PIECE

    def confirm(
        self,
        position: Position,
        unsure: Collection[Square] = (),
        remains: Mapping[Square, str] = NO_REMAINS,
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
            if standing.get(square, UNKNOWN_PIECE) not in (letter, UNKNOWN_PIECE)
            and square not in faults
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

    def disagreement(self, record: Record) -> Disagreement:
        """Return where pieces are missing by the record, and where something stands too much."""
        differing, occupied = self.differing(record), self.occupancy.occupied
        return Disagreement(frozenset(differing - occupied), frozenset(differing & occupied))


MOST_PAIRINGS = 2000
"""Above so many ways to pair wrong pieces with their squares, the nearest are paired."""


@dataclass(frozen=True, slots=True)
class HandMove:
    """One thing hands should do: take what `letter` tells from one square to another.

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
        """How many of them stand already."""
        return self.total - len(self.squares)


def first_placing(position: Position, missing: Collection[Square]) -> Placing | None:
    """Return the pieces to be put next, one kind of one side after another; None if none lack."""
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
    Something unknown on a square where a piece belongs passes for that piece; elsewhere it is
    taken for what lacks if only one kind of piece does, and taken off if several do, or if there is
    more that is unknown than lacks: one of it came from elsewhere, and nobody knows which. It may
    be one of the pieces `hidden` too, which belong where nobody can see whether they stand.
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
    """Return what all that is unknown must be, as far as that can be told."""
    left = Counter(lacking.values()) - Counter(wrong.values())
    unknown = [*wrong.values(), *in_hand].count(UNKNOWN_PIECE)
    kinds = {*left, *hidden}
    return kinds.pop() if len(kinds) == 1 and unknown <= left.total() else UNKNOWN_PIECE


def _pairings(
    wrong: Mapping[Square, str], lacking: Mapping[Square, str], topology: Topology
) -> Iterator[dict[Square, Square]]:
    """Yield ways to send wrong pieces to squares that lack them, the nearest pairs' way first."""
    yield _nearest(wrong, lacking, topology)
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
    """Return how many rings of pieces stand on each other's squares: each costs a move more."""
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
    """Yield the hand moves so that each ends on a free square: what the hand holds comes first."""
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
"""Who stands in every game that goes on; a Chief may have gone where the rules play on then."""


def named_position(
    rules: Rules,
    named: Mapping[Square, str],
    occupied: Collection[Square],
    unsure: Collection[Square],
    side: Side,
) -> Position:
    """Return the position that people name, by the letters of position texts; `side` is to move.

    CommandRefused, saying why, where the names do not fit the squares that are seen `occupied`
    (but on `unsure` ones, whose switches have failed), or where no game goes on so.
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
    """Raise CommandRefused where a piece is not named, or one is that is not seen."""
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
    """Raise CommandRefused where armies are larger than at the start, or lack whom a game needs."""
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
