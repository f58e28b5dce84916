"""The tree in C, seen from Python: the rules as data for it, and `Tree`'s questions handed on."""

import ctypes
from array import array
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, islice, repeat
from struct import Struct
from typing import Final
from weakref import finalize

from rules import SQUARES, Kind, Piece, Position, Side
from rules.board import KINDS
from rules.movement import FEW, FEW_PLIES, Law, Post
from rules.options import OPTIONS

from .chance import chance_to_win
from .glimpse import Glimpses
from .tree import Check, Choice, Stopped
from .weights import Weights, net_for
from .zobrist import (
    ESCAPE_KEYS,
    FEW_KEYS,
    JUGGERNAUT_KEYS,
    POST_KEYS,
    SIDE_KEY,
    key_of,
    probe_of,
)

MOST_MEN: Final = 100
NOBODY: Final = -1
HALF: Final = 1 << 19
"""Entries of the younger half of the transposition table, of 16 bytes, half of the slots at most
taken: both halves, and one while it grows, stay below 48 MB."""

MOST_WORTH: Final = 1 << 15
"""A piece-square table with larger values does not fit into the ranks of the order in C."""

WORD: Final = (1 << 64) - 1
CHECK: Final = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)
STOP: Final = -1

TERMS: Final = Struct("@64dq19i800b0q")
STANDING: Final = Struct("@10i200h")
"""`struct terms` and `struct standing` of `quick/jetan.h`, the former as long as C makes it."""

KEYS: Final = array(
    "Q", [*POST_KEYS, SIDE_KEY, *ESCAPE_KEYS, *FEW_KEYS, *JUGGERNAUT_KEYS]
).tobytes()
"""`struct keys`: the numbers of `zobrist.py`."""


def terms_of(law: Law) -> bytes:
    """Return what a law's options mean for play."""
    rules, worth = law.rules, [law.worth[kind] for kind in KINDS]
    chosen = ("escape", "few-equal", "chief-taken-by-other")
    around = chain.from_iterable(rules.board.neighbours)
    return TERMS.pack(
        *(chance_to_win(ours - theirs) for ours in worth for theirs in worth),
        law.captureless_plies,
        FEW_PLIES,
        FEW,
        *worth,
        *(OPTIONS[name].values.index(rules[name]) for name in chosen),
        law.princess_takes,
        law.princess_ends_safe,
        law.crossings is not None,
        law.no_move_draws,
        law.mate_ends,
        rules["duel"] == "arena",
        *(NOBODY if near is None else near for near in around),
    )


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
        self.address = library.jetan_law_new(terms_of(law), counts.tobytes(), words.tobytes())
        if not self.address:
            raise MemoryError("no room for the rules of the search in C")
        finalize(self, library.jetan_law_free, self.address)


@lru_cache(maxsize=8)
def quick_law(library: ctypes.CDLL, law: Law) -> QuickLaw:
    """Return a law for the library, from memory where it has been made."""
    return QuickLaw(library, law)


def standing_of(position: Position) -> bytes:
    """Return a position as the library reads it."""
    armies = [position.ours, position.theirs]
    if position.side is Side.ORANGE:
        armies.reverse()
    men = chain.from_iterable(
        islice(chain((post.index for post in army.men), repeat(0)), MOST_MEN) for army in armies
    )
    return STANDING.pack(
        position.side,
        NOBODY if position.juggernaut is None else position.juggernaut,
        NOBODY if position.few_counter is None else position.few_counter,
        position.quiet_plies,
        *(len(army.men) for army in armies),
        *(NOBODY if army.princess is None else army.princess.index for army in armies),
        *(army.may_escape for army in armies),
        *men,
    )


class QuickTree:
    """What is known in the library while one position is searched; asked as `Tree` is."""

    def __init__(
        self,
        library: ctypes.CDLL,
        law: Law,
        position: Position,
        table: list[int],
        weights: Weights,
        earlier: Iterable[Position],
        contempt: int = 0,
        *,
        half: int = HALF,
        plain: bool = False,
    ) -> None:
        """`law` is the position's, with all ways of all pieces, where the player sees but some."""
        if max(map(abs, table)) >= MOST_WORTH:
            raise ValueError(f"a piece-square table with values of {MOST_WORTH} or more")
        self._library, self._law, self.value = library, quick_law(library, law), 0
        self._net = None if plain else net_for(law.rules)
        keys = array("Q", map(key_of, earlier))
        seen_by = position.law.peers[Piece(Side.BLACK, Kind.PANTHAN)]
        unseen, seed = (seen_by.unseen, seen_by.seed) if isinstance(seen_by, Glimpses) else (0.0, 0)
        worth = array("i", [*table, round(weights.escape), round(weights.tempo)])
        at = standing_of(position), keys.tobytes(), len(keys)
        how = unseen, seed, half, contempt, plain, self._net
        self._tree = library.jetan_tree_new(self._law.address, KEYS, worth.tobytes(), *at, *how)
        if not self._tree:
            raise MemoryError("no room for a search in C")
        finalize(self, library.jetan_tree_free, self._tree)

    @property
    def nodes(self) -> int:
        return int(self._library.jetan_nodes(self._tree))

    def deepen(self, choices: list[Choice], depth: int, ask_at: int, check: Check) -> None:
        """Search the choices at the root so deep, the best to the front, as `Tree` does."""
        raised: list[BaseException] = []

        def asked(nodes: int) -> int:
            try:
                return check(nodes)
            except BaseException as error:  # an interrupt, too: nothing may be raised through C
                raised.append(error)
                return STOP

        packed = array("i")
        for at, _, there, gain, is_escape in choices:
            packed.extend((at, there.index, gain, is_escape))
        value, whole = ctypes.c_int32(self.value), ctypes.c_int32 * len(packed)
        asked_for = whole.from_buffer(packed), len(choices), depth, ctypes.byref(value)
        is_done = self._library.jetan_deepen(self._tree, *asked_for, ask_at, CHECK(asked))
        self.value = value.value
        by_goal = {(choice[0], choice[2].index): choice for choice in choices}
        choices[:] = [by_goal[goal] for goal in zip(packed[::4], packed[1::4], strict=True)]
        if not is_done:
            raise raised.pop() if raised else Stopped  # none is kept, for it would keep the tree

    def hint(self, position: Position) -> tuple[int, int] | None:
        """Return the squares of the best move known of a position; None where none is."""
        found = int(self._library.jetan_hint(self._tree, probe_of(position)))
        return None if found < 0 else divmod(found, 128)
