"""What a weak player sees: positions in which some ways of some pieces are overlooked."""

from __future__ import annotations

from copy import copy
from hashlib import blake2b
from typing import Final

from rules import SQUARES, Position, squares_of
from rules.movement import Army, Peers, Post

BITS: Final = 1 << 64


class Glimpse(Post):
    """A post with some of its ends overlooked; which ones is found when it is first asked."""

    __slots__ = ()
    peers: Glimpses

    def _find_paths(self) -> None:
        eyes, whole = self.peers, self.peers.whole[self.square]
        visible = whole[0]
        short = whole.paths.get(0, 0) if len(whole.paths) > 1 else 0
        for end in squares_of(visible):
            share = eyes.unseen / 2 if short >> end & 1 else eyes.unseen
            if chance_of(eyes.seed, 100 * self.index + end) < share:
                visible ^= 1 << end
        self.near = whole.near
        self.paths = {between: beyond & visible for between, beyond in whole.paths.items()}


class Glimpses(Peers):
    """The posts of one piece as somebody sees them who overlooks a share of their ends.

    `seed`, 64 bits, is the chance of what is overlooked; of short ways it is half as many.
    """

    __slots__ = ("seed", "unseen", "whole")

    def __init__(self, whole: Peers, unseen: float, seed: int) -> None:
        super().__init__(whole.topology, whole.gait, whole.piece)
        self.whole, self.unseen, self.seed = whole, unseen, seed

    def __missing__(self, square: int) -> Post:
        post = self[square] = Glimpse(self, SQUARES[square])
        return post


def chance_of(seed: int, number: int) -> float:
    """Return a number from 0 up to 1 that looks like chance; the search in C finds the same.

    It is the mixing of splitmix64.
    """
    mixed = (seed + (number + 1) * 0x9E3779B97F4A7C15) % BITS
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 % BITS
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % BITS
    return ((mixed ^ mixed >> 31) >> 11) * 2.0**-53


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
