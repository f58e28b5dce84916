"""How strong the opponent plays: names of ranks, each a bound on effort and a share of oversights.

A weak player here errs as people do. It does not play at random: it looks ahead as well as it can,
but some ways of some pieces it does not see, long and bent ones more than short ones.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from random import Random
from typing import Final

from rules import Position, squares_of
from rules.army import Army
from rules.errors import near_miss
from rules.movement import Peers, Post
from rules.sentences import _

from ..errors import TableError
from .search import Limits
from .zobrist import key_of


class UnknownLevel(TableError, LookupError):
    """No level of that name."""


@dataclass(frozen=True, slots=True)
class Level:
    """How strong a player of one name is."""

    name: str
    limits: Limits
    """They hold whatever else is asked for."""
    unseen: float
    """The share of long ways overlooked; of short ones it is half as many."""

    def bounded(self, asked: Limits) -> Limits:
        """Return the stricter of both limits."""
        own = self.limits._asdict()
        stricter = {
            name: min((limit for limit in (value, own[name]) if limit is not None), default=None)
            for name, value in asked._asdict().items()
        }
        return Limits(**stricter)

    def glimpse(self, position: Position, seed: object) -> Position:
        """Return a position as it is seen at this level; by another `seed` other ways are."""
        return as_seen(position, self.unseen, f"{seed} {position.ply_number} {key_of(position)}")


_ALL = (
    Level("panthan", Limits(depth=1), 0.7),
    Level("padwar", Limits(depth=2, nodes=1_000), 0.4),
    Level("dwar", Limits(depth=3, nodes=3_000), 0.2),
    Level("odwar", Limits(depth=4, nodes=5_000), 0.08),
    Level("jed", Limits(nodes=8_000), 0.02),
    Level("jeddak", Limits(), 0.0),
)

LEVELS: Final = {level.name: level for level in _ALL}
"""From a child's to full strength; ranks of Barsoom."""

FULL: Final = "jeddak"


def level_named(name: str) -> Level:
    """Return a level; UnknownLevel names the nearest where there is none."""
    if name not in LEVELS:
        known = ", ".join(LEVELS)
        raise UnknownLevel(
            _("{name}: no such level ({known}){near}"),
            name=name,
            known=known,
            near=near_miss(name, LEVELS),
        )
    return LEVELS[name]


class Glimpse(Post):
    """A post with some of its ends overlooked: `visible` are the others, as bits."""

    __slots__ = ("_visible", "_whole")

    def __init__(self, peers: Peers, whole: Post, visible: int) -> None:
        super().__init__(peers, whole.square)
        self._whole, self._visible = whole, visible
        self.near = whole.near

    def __missing__(self, blocked: int) -> int:
        ends = self[blocked] = self._whole[blocked] & self._visible
        return ends


class Glimpses(Peers):
    """The posts of one piece as somebody sees them who overlooks a share of their ends."""

    __slots__ = ("_chance", "_unseen", "_whole")

    def __init__(self, whole: Peers, unseen: float, seed: str) -> None:
        super().__init__(whole.topology, whole.gait, whole.piece)
        self._whole, self._unseen, self._chance = whole, unseen, seed

    def __missing__(self, square: int) -> Post:
        whole = self._whole[square]
        every = whole[0]  # with nothing in the way; the first question finds the paths
        short = whole.paths.get(0, 0) if len(whole.paths) > 1 else 0
        chance, visible = Random(f"{self._chance} {whole.index}"), 0
        for end in squares_of(every):
            share = self._unseen / 2 if short >> end & 1 else self._unseen
            if chance.random() >= share:
                visible |= 1 << end
        post = self[square] = Glimpse(self, whole, visible)
        return post


def as_seen(position: Position, unseen: float, seed: str) -> Position:
    """Return a position as it is seen by one who overlooks that share of the long ways."""
    if not unseen:
        return position
    law = copy(position.law)
    law.peers = {
        piece: Glimpses(peers, unseen, seed) for piece, peers in position.law.peers.items()
    }
    glimpsed = copy(position)
    glimpsed.law = law
    glimpsed.ours, glimpsed.theirs = (
        Army.of((law.peers[post.piece][post.square] for post in army.posts()), army.may_escape)
        for army in (position.ours, position.theirs)
    )
    return glimpsed
