"""Zobrist keys: numbers that stand for positions, to know one that comes again.

A key is the XOR of a random number for each thing a position has, so that a move changes it by a
few XORs. Two positions with one key are so unlikely, at 60 bits, that nothing is done about them.
"""

from random import Random
from typing import Final

from rules import Position, Side

from .evaluation import POSTS

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
