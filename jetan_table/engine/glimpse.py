"""What a weak player sees: positions in which some ways of some pieces are overlooked."""

from __future__ import annotations

from copy import copy
from hashlib import blake2b
from typing import Final

from rules import Position, squares_of
from rules.army import Army
from rules.movement import Peers, Post

BITS: Final = 1 << 64


class Glimpse(Post):
    """A post with some of its ends overlooked; which ones is found when it is first asked."""

    __slots__ = ("_eyes", "_visible", "_whole")

    def __init__(self, eyes: Glimpses, whole: Post) -> None:
        super().__init__(eyes, whole.square)
        _ = whole[0]  # the first question finds the paths
        self._eyes, self._whole, self._visible = eyes, whole, -1
        self.near = whole.near

    def __missing__(self, blocked: int) -> int:
        if self._visible < 0:
            self._visible = self._eyes.visible(self._whole)
        ends = self[blocked] = self._whole[blocked] & self._visible
        return ends


class Glimpses(Peers):
    """The posts of one piece as somebody sees them who overlooks a share of their ends.

    `seed`, 64 bits, is the chance of what is overlooked; of short ways it is half as many.
    """

    __slots__ = ("_whole", "seed", "unseen")

    def __init__(self, whole: Peers, unseen: float, seed: int) -> None:
        super().__init__(whole.topology, whole.gait, whole.piece)
        self._whole, self.unseen, self.seed = whole, unseen, seed

    def __missing__(self, square: int) -> Post:
        post = self[square] = Glimpse(self, self._whole[square])
        return post

    def visible(self, whole: Post) -> int:
        """Return the ends of a post that are seen, as bits."""
        short = whole.paths.get(0, 0) if len(whole.paths) > 1 else 0
        visible = 0
        for end in squares_of(whole[0]):
            share = self.unseen / 2 if short >> end & 1 else self.unseen
            if chance_of(self.seed, 100 * whole.index + end) >= share:
                visible |= 1 << end
        return visible


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
