"""The tree in C, seen from Python: the rules as data for it, and `Tree`'s questions handed on.

With the same bound on its table it answers every question as `Tree` does, to the node.
"""

from __future__ import annotations

import ctypes
import sys
from array import array
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Final
from weakref import finalize

from rules import SQUARES, Kind, Piece, Position, Side
from rules.army import Army
from rules.law import FEW, FEW_PLIES, Law
from rules.movement import Post
from rules.options import OPTIONS
from rules.pieces import KINDS

from .chance import chance_to_win
from .evaluation import POSTS
from .glimpse import Glimpses
from .ordering import Choice
from .transposition import probe_of
from .tree import Stopped
from .weights import Weights
from .zobrist import ESCAPE_KEYS, FEW_KEYS, JUGGERNAUT_KEYS, POST_KEYS, SIDE_KEY, key_of

WAYS: Final = 8
MOST_MEN: Final = 100
NOBODY: Final = -1
HALF: Final = 1 << 19
"""Entries of the younger half of the transposition table, of 16 bytes, half of the slots at most
taken: both halves, and one while it grows, stay below 48 MB."""

MOST_WORTH: Final = 1 << 15
"""A piece-square table with larger values does not fit into the ranks of the order in C."""

WORD: Final = (1 << 64) - 1
CHECK: Final = ctypes.CFUNCTYPE(ctypes.c_int32)


class Terms(ctypes.Structure):
    """`struct terms` of `quick/jetan.h`."""

    _fields_ = (
        ("odds", ctypes.c_double * len(KINDS) * len(KINDS)),
        ("captureless_plies", ctypes.c_int64),
        ("few_plies", ctypes.c_int32),
        ("few_men", ctypes.c_int32),
        ("worth", ctypes.c_int32 * len(KINDS)),
        ("escape", ctypes.c_int32),
        ("few_equal", ctypes.c_int32),
        ("chief_by_other", ctypes.c_int32),
        ("princess_takes", ctypes.c_int32),
        ("princess_ends_safe", ctypes.c_int32),
        ("crosses_safe", ctypes.c_int32),
        ("no_move_draws", ctypes.c_int32),
        ("mate_ends", ctypes.c_int32),
        ("is_arena", ctypes.c_int32),
        ("neighbours", ctypes.c_int8 * WAYS * len(SQUARES)),
    )


class Standing(ctypes.Structure):
    """`struct standing`: a position."""

    _fields_ = (
        ("side", ctypes.c_int32),
        ("juggernaut", ctypes.c_int32),
        ("few_counter", ctypes.c_int32),
        ("quiet_plies", ctypes.c_int32),
        ("counts", ctypes.c_int32 * 2),
        ("princess", ctypes.c_int32 * 2),
        ("may_escape", ctypes.c_int32 * 2),
        ("men", ctypes.c_int16 * MOST_MEN * 2),
    )


class KeyTable(ctypes.Structure):
    """`struct keys`: the numbers of `zobrist.py`."""

    _fields_ = (
        ("posts", ctypes.c_uint64 * POSTS),
        ("side", ctypes.c_uint64),
        ("escapes", ctypes.c_uint64 * 2),
        ("few", ctypes.c_uint64 * len(FEW_KEYS)),
        ("juggernaut", ctypes.c_uint64 * len(SQUARES)),
    )


class WorthTable(ctypes.Structure):
    """`struct weights`: a piece-square table, and what an escape and the move are worth."""

    _fields_ = (
        ("table", ctypes.c_int32 * POSTS),
        ("escape", ctypes.c_int32),
        ("tempo", ctypes.c_int32),
    )


class ChoiceMade(ctypes.Structure):
    """`struct choice`."""

    _fields_ = (
        ("at", ctypes.c_int32),
        ("there", ctypes.c_int32),
        ("gain", ctypes.c_int32),
        ("is_escape", ctypes.c_int32),
    )


KEYS: Final = KeyTable(
    (ctypes.c_uint64 * POSTS)(*POST_KEYS),
    SIDE_KEY,
    (ctypes.c_uint64 * 2)(*ESCAPE_KEYS),
    (ctypes.c_uint64 * len(FEW_KEYS))(*FEW_KEYS),
    (ctypes.c_uint64 * len(SQUARES))(*JUGGERNAUT_KEYS),
)


def terms_of(law: Law) -> Terms:
    """Return what a law's options mean for play, as numbers."""
    rules, terms = law.rules, Terms()
    worth = [law.worth[kind] for kind in KINDS]
    for attacker, ours in enumerate(worth):
        for defender, theirs in enumerate(worth):
            terms.odds[attacker][defender] = chance_to_win(ours - theirs)
    terms.captureless_plies = min(law.captureless_plies, sys.maxsize)
    terms.few_plies, terms.few_men = FEW_PLIES, FEW
    terms.worth[:] = worth
    for name, option in (
        ("escape", "escape"),
        ("few_equal", "few-equal"),
        ("chief_by_other", "chief-taken-by-other"),
    ):
        setattr(terms, name, OPTIONS[option].values.index(rules[option]))
    terms.princess_takes = law.princess_takes
    terms.princess_ends_safe = law.princess_ends_safe
    terms.crosses_safe = law.crossings is not None
    terms.no_move_draws, terms.mate_ends = law.no_move_draws, law.mate_ends
    terms.is_arena = rules["duel"] == "arena"
    for square, neighbours in enumerate(rules.topology.neighbours):
        for way, near in enumerate(neighbours):
            terms.neighbours[square][way] = NOBODY if near is None else near
    return terms


def posts_of(law: Law) -> list[Post]:
    """Return every post, those for crossings last; without such, the Princess's own again."""
    of = [law.peers[Piece(side, kind)] for side in Side for kind in KINDS]
    of += [
        (law.crossings or {s: law.peers[Piece(s, Kind.PRINCESS)] for s in Side})[s] for s in Side
    ]
    return [peers[square] for peers in of for square in SQUARES]


class QuickLaw:
    """A law as the library holds it."""

    def __init__(self, library: ctypes.CDLL, law: Law) -> None:
        counts, words = array("i"), array("Q")
        for post in posts_of(law):
            _ = post[0]  # the first question finds the paths
            counts.append(len(post.paths))
            for between, beyond in post.paths.items():
                words.extend((between & WORD, between >> 64, beyond & WORD, beyond >> 64))
        terms = terms_of(law)
        self.address = library.jetan_law_new(
            ctypes.byref(terms), counts.buffer_info()[0], words.buffer_info()[0]
        )
        if not self.address:
            raise MemoryError("no room for the rules of the search in C")
        finalize(self, library.jetan_law_free, self.address)


@lru_cache(maxsize=8)
def quick_law(library: ctypes.CDLL, law: Law) -> QuickLaw:
    """Return a law for the library, from memory where it has been made."""
    return QuickLaw(library, law)


def standing_of(position: Position) -> Standing:
    """Return a position as the library reads it."""
    standing = Standing()
    standing.side = position.side
    standing.juggernaut = NOBODY if position.juggernaut is None else position.juggernaut
    standing.few_counter = NOBODY if position.few_counter is None else position.few_counter
    standing.quiet_plies = position.quiet_plies
    armies: tuple[tuple[Side, Army], ...] = (
        (position.side, position.ours),
        (position.side.other, position.theirs),
    )
    for side, army in armies:
        standing.counts[side] = len(army.men)
        standing.princess[side] = NOBODY if army.princess is None else army.princess.index
        standing.may_escape[side] = army.may_escape
        for at, post in enumerate(army.men):
            standing.men[side][at] = post.index
    return standing


def quick_perft(library: ctypes.CDLL, position: Position, depth: int) -> int:
    """Return what `rules.perft` does, counted by the library."""
    law, standing = quick_law(library, position.law), standing_of(position)
    return int(library.jetan_perft(law.address, ctypes.byref(standing), depth))


class QuickTree:
    """What is known in the library while one position is searched; asked as `Tree` is."""

    check_every: Final = 2048
    """After so many nodes it may ask whether to stop: one or two milliseconds."""

    def __init__(
        self,
        library: ctypes.CDLL,
        law: Law,
        position: Position,
        table: list[int],
        weights: Weights,
        check: Callable[[], None],
        earlier: Iterable[Position],
        half: int | None = None,
    ) -> None:
        """`law` is the position's, with all ways of all pieces, where the player sees but some."""
        if max(map(abs, table)) >= MOST_WORTH:
            raise ValueError(f"a piece-square table with values of {MOST_WORTH} or more")
        self._library, self._law, self._check = library, quick_law(library, law), check
        self._raised: BaseException | None = None
        self._asked = CHECK(self._ask)
        keys = array("Q", map(key_of, earlier))
        seen_by = position.law.peers[Piece(Side.BLACK, Kind.PANTHAN)]
        unseen, seed = (seen_by.unseen, seen_by.seed) if isinstance(seen_by, Glimpses) else (0.0, 0)
        worth = WorthTable((ctypes.c_int32 * POSTS)(*table))
        worth.escape, worth.tempo = round(weights.escape), round(weights.tempo)
        standing = standing_of(position)
        self._tree = library.jetan_tree_new(
            self._law.address,
            ctypes.byref(KEYS),
            ctypes.byref(worth),
            ctypes.byref(standing),
            keys.buffer_info()[0],
            len(keys),
            unseen,
            seed,
            half or HALF,
            self._asked,
        )
        if not self._tree:
            raise MemoryError("no room for a search in C")
        finalize(self, library.jetan_tree_free, self._tree)

    def _ask(self) -> int:
        """Hand the library's question on; nothing may be raised through it."""
        try:
            self._check()
        except BaseException as raised:  # an interrupt, too: `follow` raises it again
            self._raised = raised
            return 1
        return 0

    @property
    def nodes(self) -> int:
        return int(self._library.jetan_nodes(self._tree))

    def ask_at(self, nodes: int) -> None:
        """Ask whether to stop once so many nodes have been met."""
        self._library.jetan_check_at(self._tree, nodes)

    def look_to(self, horizon: int) -> None:
        """Look into threats to the Princess up to so many plies from the root."""
        self._library.jetan_set_horizon(self._tree, horizon)

    def forget(self) -> None:
        """Let what was learned about the order of moves count for half."""
        self._library.jetan_forget(self._tree)

    def hint(self, position: Position) -> int:
        """Return the best move known of a position, NO_HINT where none is."""
        return int(self._library.jetan_hint(self._tree, probe_of(position, key_of(position))))

    def value_of(self, choice: Choice, depth: int, alpha: int, beta: int) -> int:
        """Return the value of a choice at the root, as `Tree` does."""
        at, there, gain, is_escape = choice
        made, value = ChoiceMade(at, there.index, gain, is_escape), ctypes.c_int32()
        if not self._library.jetan_follow(
            self._tree, ctypes.byref(made), depth, alpha, beta, ctypes.byref(value)
        ):
            raise self._raised or Stopped
        return value.value
