"""Leads a wrong board back to the position: the fewest hand moves, one after another.

Things on the board are told by the letters of position texts: `P` .. `q` for the pieces, `*` for
the Juggernaut, and `?` for something nobody saw come. Pieces of one letter are the same to all.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, permutations, product
from math import dist, perm

from rules import Position, Square, Topology
from rules.board import JUGGERNAUT_LETTER, PIECES
from rules.position import letters

UNKNOWN = "?"
"""What nobody saw come."""

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
        square: target.get(square, letter) if letter == UNKNOWN else letter
        for square, letter in standing.items()
    }
    wrong = {square: letter for square, letter in known.items() if target.get(square) != letter}
    lacking = {square: letter for square, letter in target.items() if known.get(square) != letter}
    letter = _unknown_letter(wrong, lacking, in_hand, hidden)
    wrong = {square: letter if was == UNKNOWN else was for square, was in wrong.items()}
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
    unknown = [*wrong.values(), *in_hand].count(UNKNOWN)
    kinds = {*left, *hidden}
    return kinds.pop() if len(kinds) == 1 and unknown <= left.total() else UNKNOWN


def _pairings(
    wrong: Mapping[Square, str], lacking: Mapping[Square, str], topology: Topology
) -> Iterator[dict[Square, Square]]:
    """Yield ways to send wrong pieces to squares that lack them, the nearest pairs' way first."""
    yield _nearest(wrong, lacking, topology)
    groups = []
    ways = 1
    for letter in sorted(set(wrong.values()) - {UNKNOWN}):
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
    for _, source, home in near:
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
