"""How pieces go: options turned into gaits, gaits walked into paths, paths folded into posts.

A *gait* says which sequences of straight and diagonal steps a kind takes. A *post* is a piece on
a square of its own board: asked with the occupied squares near it, it answers where the piece may
end, from memory after the first time. An *army* is one side's pieces on the board.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .board import KINDS, SQUARES, Direction, Kind, Piece, Side, Square, Topology, mask_of
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
    """Whether pieces in between do not stop it."""
    line: bool = False
    """Whether all steps go in one direction."""
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
    """Yield the path of so many steps straight on, where the board has room for it."""
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
            self._find_paths()
            return self[blocked & self.near]
        ends = 0
        for between, beyond in self.paths.items():
            if not blocked & between:
                ends |= beyond
        if len(self) >= _POST_ANSWERS:
            self.clear()
        self[blocked] = ends
        return ends

    def _find_paths(self) -> None:
        peers, self.near = self.peers, 0
        for path in paths(peers.topology, peers.gait, peers.piece.side, self.square):
            between = 0 if peers.gait.jumps else mask_of(path[1:-1])
            self.paths[between] = self.paths.get(between, 0) | 1 << path[-1]
            self.near |= between


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


PRINCESS = -1
"""Where the Princess stands in her army's counting; her men stand at 0 and above."""

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
    """Whether the Princess's escape is unspent."""

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
        """Whether this side could take their Princess, or their Chief with its own Chief."""
        reach = self.reach(occupied, princess_takes)
        if theirs.princess is not None and reach >> theirs.princess.square & 1:
            return True
        chiefs = [post.bit for post in theirs.men if post.kind is Kind.CHIEF]
        hunters = [post for post in self.men if post.kind is Kind.CHIEF]
        return any(post[occupied & post.near] & chief for post in hunters for chief in chiefs)
