"""Keys of positions, proofs of a win, and positions as a player sees who overlooks things.

A Zobrist key is a number that stands for a position, to know one that comes again: the XOR of a
random number for each thing a position has, so that a move changes it by a few XORs. Two positions
with one key are so unlikely, at 60 bits, that nothing is done about them. A win is proved by going
through every reply, by the rules' moves alone. A weak player sees a position in which some ways of
some pieces are left out.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from hashlib import blake2b
from random import Random
from typing import Final, TypeAlias

from rules import Kind, Position, Side, squares_of
from rules.movement import Army, Peers, Post

from .evaluation import POSTS, null_move

_CHANCE = Random("keys")  # the same in every run, so that a search can be repeated

POST_KEYS: Final = [_CHANCE.getrandbits(60) for _ in range(POSTS)]

SIDE_KEY: Final = _CHANCE.getrandbits(60)

ESCAPE_KEYS: Final = [_CHANCE.getrandbits(60) for _ in Side]

FEW_KEYS: Final = [_CHANCE.getrandbits(60) for _ in range(16)]

JUGGERNAUT_KEYS: Final = [_CHANCE.getrandbits(60) for _ in range(100)]


def key_of(position: Position) -> int:
    """Return the number that stands for a position, its counters left out."""
    key = 0 if position.side is Side.BLACK else SIDE_KEY
    for army, side in ((position.ours, position.side), (position.theirs, position.side.other)):
        for post in army.posts():
            key ^= POST_KEYS[post.index]
        if not army.may_escape:
            key ^= ESCAPE_KEYS[side]
    return key if position.juggernaut is None else key ^ JUGGERNAUT_KEYS[position.juggernaut]


def probe_of(position: Position) -> int:
    """Return what a position is kept under: its key, changed by the count of few pieces."""
    few = position.few_counter
    return key_of(position) if few is None else key_of(position) ^ FEW_KEYS[few]


Spend: TypeAlias = Callable[[], object]
"""Called for each position that is gone through; it may raise to end a proof that is too long."""


def free() -> None:
    """Let a proof be as long as it is."""


def wins_in(position: Position, plies: int, spend: Spend = free) -> bool:
    """Return True if the side to move can force a win within so many plies.

    Each of its moves but the last must threaten to win at once: wins by quiet moves are left out.
    """
    spend()
    if wins_at_once(position):
        return True
    return plies > 1 and any(has_won(after, plies - 1, spend) for after in position.after_each())


def has_won(after: Position, plies: int, spend: Spend = free) -> bool:
    """Return True if the side that has moved wins within so many plies more."""
    spend()
    if after.ended is not None:
        return after.ended.winner is after.side.other
    if plies < 2 or not wins_at_once(null_move(after)):
        return False
    replies = list(after.after_each())
    if not replies:
        return after.outcome is not None and after.outcome.winner is after.side.other
    return all(reply.ended is None and wins_in(reply, plies - 1, spend) for reply in replies)


def wins_at_once(position: Position) -> bool:
    """Return True if a capture now wins: it takes a royal piece, for no other one ends a game."""
    return takes_royal(position, position.men_ends())


def takes_royal(position: Position, reach: list[int]) -> bool:
    """The same, where `reach` is what `position.men_ends()` returns."""
    law, ours, theirs = position.law, position.ours, position.theirs
    princess = 0 if theirs.princess is None else theirs.princess.bit
    is_arena = position.rules["duel"] == "arena"
    chiefs = sum(post.bit for post in theirs.men if post.kind is Kind.CHIEF and not is_arena)
    by_others = princess | (chiefs if law.chief_by_other == "win" else 0)
    for post, ends in zip(ours.men, reach, strict=True):
        if ends & (princess | chiefs if post.kind is Kind.CHIEF else by_others):
            return True
    if not princess or ours.princess is None or not law.princess_takes:
        return False
    return bool(position.princess_ends(ours.princess)[0] & princess)


BITS: Final = 1 << 64


def as_seen(position: Position, unseen: float, seed: str) -> Position:
    """Return a position as it is seen by one who overlooks that share of the long ways."""
    if not unseen:
        return position
    number = int.from_bytes(blake2b(seed.encode(), digest_size=8).digest())
    law = copy(position.law)
    law.peers = {
        piece: Glimpses(peers, unseen, number) for piece, peers in position.law.peers.items()
    }
    glimpsed = copy(position)
    glimpsed.law = law
    glimpsed.ours, glimpsed.theirs = (
        Army.of((law.peers[post.piece][post.square] for post in army.posts()), army.may_escape)
        for army in (position.ours, position.theirs)
    )
    return glimpsed


class Glimpses(Peers):
    """The posts of one piece as somebody sees them who overlooks a share of their ends.

    `seed`, 64 bits, is the chance of what is overlooked; of short ways it is half as many.
    """

    __slots__ = ("seed", "unseen", "whole")

    def __init__(self, whole: Peers, unseen: float, seed: int) -> None:
        super().__init__(whole.topology, whole.gait, whole.piece)
        self.whole, self.unseen, self.seed = whole, unseen, seed

    def paths_from(self, post: Post) -> dict[int, int]:
        """Return the whole post's paths, less the ends overlooked."""
        whole = self.whole[post.square]
        visible = whole[0]
        short = whole.paths.get(0, 0) if len(whole.paths) > 1 else 0
        for end in squares_of(visible):
            share = self.unseen / 2 if short >> end & 1 else self.unseen
            if chance_of(self.seed, 100 * post.index + end) < share:
                visible ^= 1 << end
        return {between: beyond & visible for between, beyond in whole.paths.items()}


def chance_of(seed: int, number: int) -> float:
    """Return a number from 0 up to 1 that looks like chance; the search in C finds the same.

    It is the mixing of splitmix64.
    """
    mixed = (seed + (number + 1) * 0x9E3779B97F4A7C15) % BITS
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 % BITS
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % BITS
    return ((mixed ^ mixed >> 31) >> 11) * 2.0**-53
