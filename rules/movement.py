"""The movement of pieces: options become gaits, gaits paths, and paths are folded into posts.

A *gait* says which sequences of straight and diagonal steps a kind takes. A *post* is a piece on
a square of its own board: asked with the occupied squares near it, it answers where the piece may
end, from memory after the first time. An *army* is one side's pieces on the board. A *law* is a set
of rules made ready to play by: its posts, and the answers that a position asks for at every ply.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache

from .board import (
    KINDS,
    SQUARES,
    Direction,
    Kind,
    Outcome,
    Piece,
    Side,
    Square,
    Termination,
    Topology,
    mask_of,
)
from .options import Rules
from .plain import NamedTuple

STRAIGHT, DIAGONAL = "+", "x"

_EVERY_WAY = frozenset(Direction)
_FORWARD = frozenset({Direction.NORTH, Direction.NORTH_EAST, Direction.NORTH_WEST})
_SIDEWAYS = frozenset({Direction.EAST, Direction.WEST})
_DIAGONALLY_BACK = frozenset({Direction.SOUTH_EAST, Direction.SOUTH_WEST})

# A post is a memory; one that grows past this starts again, so that a search of any depth stays
# within a few megabytes.
_POST_ANSWERS = 4096

_UNKNOWN = -1  # as a set of squares: all of them


Path = tuple[Square, ...]
"""A move's squares in order, the start included; no square stands twice in it."""


class Gait(NamedTuple):
    """The steps of a kind."""

    words: tuple[str, ...]
    """Each is one whole move: `+x` is a straight step and then a diagonal one."""
    jumps: bool = False
    """True if pieces on the way do not stop it."""
    line: bool = False
    ways: frozenset[Direction] = _EVERY_WAY
    """The directions it may step in, as Black; Orange's are the same turned north to south."""


def gaits(rules: Rules) -> dict[Kind, Gait]:
    """Return how each kind goes under `rules` (RULES: each value's meaning is in OPTIONS)."""
    backward = _DIAGONALLY_BACK if rules["panthan"] == "seven-ways" else frozenset()
    mix = rules["chief"]
    royal = _mixed(3) if mix == "any" else ("+++", "xxx")
    warrior = {"straight": ("++",), "any": _mixed(2)}.get(rules["warrior"], ("++", "xx"))
    thoat = ("+x",) if rules["thoat"] == "straight-first" else ("+x", "x+")
    whole = {
        Kind.PANTHAN: Gait(("+", "x"), ways=_FORWARD | _SIDEWAYS | backward),
        Kind.THOAT: Gait(thoat, jumps=rules["thoat"] == "jumps"),
        Kind.WARRIOR: Gait(warrior, line=rules["warrior"] == "straight-or-diagonal-line"),
        Kind.PADWAR: Gait(("xx",)),
        Kind.DWAR: Gait(("+++",)),
        Kind.FLIER: Gait(("xxx",), jumps=rules["flier"] == "jumps"),
        Kind.CHIEF: Gait(royal, line=mix == "line"),
        Kind.PRINCESS: Gait(royal, line=mix == "line", jumps=True),
    }
    return {kind: _strided(rules, kind, gait) for kind, gait in whole.items()}


def _mixed(steps: int) -> tuple[str, ...]:
    words = [""]
    for _ in range(steps):
        words = [word + step for word in words for step in (STRAIGHT, DIAGONAL)]
    return tuple(words)


def _strided(rules: Rules, kind: Kind, gait: Gait) -> Gait:
    """Add every shorter beginning of a move where the kind's stride is `up-to`."""
    if kind is Kind.PANTHAN or rules[f"stride.{kind.word}"] == "exact":
        return gait
    begun = {word[:steps] for word in gait.words for steps in range(1, len(word) + 1)}
    return Gait(tuple(sorted(begun)), gait.jumps, gait.line, gait.ways)


def paths(topology: Topology, gait: Gait, side: Side, start: Square) -> Iterator[Path]:
    """Yield every path of the gait from `start`, the start included, whatever stands there."""
    ways = gait.ways if side is Side.BLACK else {Direction((4 - way) % 8) for way in gait.ways}
    ways_of = {
        letter: [way for way in ways if way % 2 == (letter == DIAGONAL)]
        for letter in (STRAIGHT, DIAGONAL)
    }
    for word in gait.words:
        if gait.line:
            for way in ways_of[word[0]]:
                yield from _line(topology, start, way, len(word))
            continue
        walks: list[Path] = [(start,)]
        for letter in word:
            walks = [
                (*walk, there)
                for walk in walks
                for way in ways_of[letter]
                if (there := topology.neighbours[walk[-1]][way]) is not None and there not in walk
            ]
        yield from walks


def _line(topology: Topology, start: Square, way: Direction, steps: int) -> Iterator[Path]:
    """Yield the path straight on for a number of steps, if the board has room for it."""
    path: Path = (start,)
    for _ in range(steps):
        here = path[-1]
        there = topology.neighbours[here][way]
        if there is None or there in path:
            return
        path = (*path, there)
        way = topology.onward[here][way]
    yield path


class Post(dict[int, int]):
    """A piece on a square: `post[occupied & post.near]` are the squares it may end on, as bits.

    What stands on those squares is not asked. `paths` maps squares that must be free to the ends
    beyond them; `near` are all of the former, `peers` the posts of the same piece elsewhere. The
    first question finds the paths; until then all squares count as near. `index`: 100 for every
    piece before this one, plus the square, so that what is known of posts can be kept in lists.
    """

    __slots__ = ("bit", "index", "kind", "near", "paths", "peers", "piece", "square")

    def __init__(self, peers: Peers, square: Square) -> None:
        super().__init__()
        self.peers = peers
        self.piece = peers.piece
        self.kind = peers.piece.kind
        self.square = square
        self.bit = 1 << square
        self.index = 100 * (len(KINDS) * peers.piece.side + KINDS.index(self.kind)) + square
        self.paths: dict[int, int] = {}
        self.near = _UNKNOWN

    def __missing__(self, blocked: int) -> int:
        if self.near == _UNKNOWN:
            self.paths, self.near = self.peers.paths_from(self), 0
            for between in self.paths:
                self.near |= between
            return self[blocked & self.near]
        ends = 0
        for between, beyond in self.paths.items():
            if not blocked & between:
                ends |= beyond
        if len(self) >= _POST_ANSWERS:
            self.clear()
        self[blocked] = ends
        return ends


class Peers(dict[int, Post]):
    """The posts of one piece by square, each made when first asked for."""

    __slots__ = ("gait", "piece", "topology")

    def __init__(self, topology: Topology, gait: Gait, piece: Piece) -> None:
        super().__init__()
        self.topology = topology
        self.gait = gait
        self.piece = piece

    def __missing__(self, square: int) -> Post:
        post = self[square] = Post(self, SQUARES[square])
        return post

    def paths_from(self, post: Post) -> dict[int, int]:
        """Return the squares that must be free for a post's ends, and the ends beyond them."""
        # Many paths of a piece have the same squares between: a Chief has far more paths than sets
        # of squares, and a post looks at each set once.
        found: dict[int, int] = {}
        for path in paths(self.topology, self.gait, self.piece.side, post.square):
            between = 0 if self.gait.jumps else mask_of(path[1:-1])
            found[between] = found.get(between, 0) | 1 << path[-1]
        return found


PRINCESS = -1
"""The Princess's place in her army, where her men have the places from 0 on."""

_new = object.__new__  # quicker than a call of the class, and every ply makes an army


class Army:
    """The posts of one side. Nothing changes an army; `moved` and `without` return another."""

    __slots__ = ("_places", "mask", "may_escape", "men", "princess")

    _places: dict[int, int] | None
    """The place of each square's piece, as `place_of` returns it; None until that is asked."""
    men: list[Post]
    """All but the Princess, who goes by rules of her own. A list, because a dictionary that is
    copied, loses a key and gains another grows at every other ply."""
    princess: Post | None
    mask: int
    """A bit for every square held, the Princess's included."""
    may_escape: bool
    """True until the Princess has used her escape."""

    @classmethod
    def of(cls, posts: Iterable[Post], may_escape: bool) -> Army:
        """Gather posts, at most one of them a Princess's."""
        army = _new(cls)
        army.men, army.princess, army.mask = [], None, 0
        army.may_escape = may_escape
        army._places = None
        for post in posts:
            army.mask |= post.bit
            if post.kind is Kind.PRINCESS:
                army.princess = post
            else:
                army.men.append(post)
        return army

    def __len__(self) -> int:
        return len(self.men) + (self.princess is not None)

    def place_of(self, square: int) -> int | None:
        """Return the place in `men` of the piece on a square, PRINCESS for her, None for nobody."""
        # Most armies of a search are left before anybody asks for a square, so the map waits.
        places = self._places
        if places is None:
            places = self._places = {post.square: at for at, post in enumerate(self.men)}
            if self.princess is not None:
                places[self.princess.square] = PRINCESS
        return places.get(square)

    def post_at(self, square: int) -> Post | None:
        """Return the post on a square, the Princess's included."""
        at = self.place_of(square)
        if at is None:
            return None
        return self.princess if at == PRINCESS else self.men[at]

    def posts(self) -> Iterator[Post]:
        """Yield every post, the Princess's last."""
        yield from self.men
        if self.princess is not None:
            yield self.princess

    def moved(self, at: int, there: Post, escaping: bool) -> Army:
        """Return the army with the piece at a place of `men`, or the Princess, on `there`."""
        after = _new(Army)
        after._places = None
        if at == PRINCESS:
            here = self.princess
            after.men = self.men
            after.princess = there
            after.may_escape = self.may_escape and not escaping
        else:
            after.men = men = self.men.copy()
            here = men[at]
            men[at] = there
            after.princess = self.princess
            after.may_escape = self.may_escape
        assert here is not None
        after.mask = self.mask ^ here.bit ^ there.bit
        return after

    def without(self, at: int) -> Army:
        """Return the army without the piece at a place of `men`, or without the Princess."""
        after = _new(Army)
        after._places = None
        after.may_escape = self.may_escape
        if at == PRINCESS:
            lost, after.men, after.princess = self.princess, self.men, None
        else:
            after.men = men = self.men.copy()
            lost, after.princess = men.pop(at), self.princess
        assert lost is not None
        after.mask = self.mask ^ lost.bit
        return after

    def reach(self, occupied: int, princess_takes: bool) -> int:
        """Return every square a piece that may take could end on, whatever stands there."""
        ends = 0
        for post in self.men:
            ends |= post[occupied & post.near]
        if princess_takes and self.princess is not None:
            ends |= self.princess[occupied & self.princess.near]
        return ends

    def can_take_royal(self, theirs: Army, occupied: int, princess_takes: bool) -> bool:
        """Return True if this side could take their Princess, or their Chief with its own."""
        reach = self.reach(occupied, princess_takes)
        if theirs.princess is not None and reach >> theirs.princess.square & 1:
            return True
        chiefs = [post.bit for post in theirs.men if post.kind is Kind.CHIEF]
        hunters = [post for post in self.men if post.kind is Kind.CHIEF]
        return any(post[occupied & post.near] & chief for post in hunters for chief in chiefs)


FEW = 3
"""The most pieces a side may have for the count of ten plies to start."""

FEW_PLIES = 10
BY_COUNT = frozenset({Termination.FEW_PIECES, Termination.CAPTURELESS})
"""Ends that a side without a move forestalls: its loss is a win on the last ply counted."""


class Law:
    """A set of rules made ready to play by. Each set has one, which all its positions share.

    `crossings` are the Princess's posts where she may not cross a threatened square: she is then
    stopped by threats as walkers are by pieces. `is_plain`: every end of a man's steps is legal.
    """

    __slots__ = (
        "captureless_plies",
        "chief_by_other",
        "chief_only_by_chief",
        "crossings",
        "escape",
        "few_equal",
        "is_plain",
        "mate_ends",
        "no_move_draws",
        "peers",
        "princess_ends_safe",
        "princess_takes",
        "rules",
        "worth",
    )

    def __init__(self, rules: Rules) -> None:
        gait_of = gaits(rules)
        royal = gait_of[Kind.PRINCESS]
        blocked = Gait(royal.words, jumps=False, line=royal.line, ways=royal.ways)
        board = rules.board
        self.rules = rules
        self.peers = {
            Piece(side, kind): Peers(board, gait, Piece(side, kind))
            for side in Side
            for kind, gait in gait_of.items()
        }
        passes_safe = rules["princess-passes"] == "safe"
        self.crossings = (
            {side: Peers(board, blocked, Piece(side, Kind.PRINCESS)) for side in Side}
            if passes_safe
            else None
        )
        self.worth = {kind: rules.worth(kind) for kind in Kind}
        self.princess_takes = rules["princess-takes"] == "yes"
        self.princess_ends_safe = rules["princess-ends"] == "safe"
        self.escape = rules["escape"]
        self.chief_by_other = rules["chief-taken-by-other"]
        self.chief_only_by_chief = self.chief_by_other == "forbidden"
        self.few_equal = rules["few-equal"]
        self.no_move_draws = rules["no-move"] == "draw"
        self.mate_ends = rules["ending"] == "checkmate"
        self.is_plain = not (self.mate_ends or self.chief_only_by_chief)
        captureless = rules["captureless"]
        # The option counts moves by each side, the position counts plies.
        self.captureless_plies = sys.maxsize if captureless == "off" else 2 * int(captureless)

    def taken(self, victim: Kind, by: Piece) -> Outcome | None:
        """Return how the game ends when `by` takes a piece of kind `victim`; None: it goes on."""
        if victim is Kind.PRINCESS:
            return Outcome(by.side, Termination.PRINCESS_TAKEN)
        if victim is not Kind.CHIEF:
            return None
        if by.kind is Kind.CHIEF:
            return Outcome(by.side, Termination.CHIEF_BY_CHIEF)
        if self.chief_by_other == "draw":
            return Outcome(None, Termination.CHIEF_BY_OTHER)
        if self.chief_by_other == "win":
            return Outcome(by.side, Termination.CHIEF_BY_OTHER)
        return None

    def counted_out(self, few_counter: int | None, quiet_plies: int) -> Outcome | None:
        """Return the draw that the counts of a position bring; None while they do not."""
        if few_counter is not None and few_counter >= FEW_PLIES:
            return Outcome(None, Termination.FEW_PIECES)
        if quiet_plies >= self.captureless_plies:
            return Outcome(None, Termination.CAPTURELESS)
        return None

    def are_few_and_equal(self, ours: Army, theirs: Army) -> bool:
        """Return True if both sides have at most three pieces, equal as the rules count them."""
        if len(ours) > FEW or len(theirs) > FEW:
            return False
        if self.few_equal == "count":
            return len(ours) == len(theirs)
        totals = [sum(self.worth[post.kind] for post in army.posts()) for army in (ours, theirs)]
        return self.few_equal == "any" or totals[0] == totals[1]


def law_of(rules: Rules) -> Law:
    """Return the rules' law, from memory where it has been made.

    Equal rules told by different presets have laws of their own, so that each is told as it was.
    """
    return _law_of(rules, rules.base)


@lru_cache(maxsize=64)
def _law_of(rules: Rules, _base: str) -> Law:
    return Law(rules)
