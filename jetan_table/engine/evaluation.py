"""What a position is worth without looking ahead: one number for every piece on every square.

The numbers follow from the rules' own paths, so every option and both boards are judged by the same
few weights. They are made anew for the position a search begins with, from where its Princesses and
Chiefs stand; during the search a move then changes the sum by a subtraction and an addition.
"""

from __future__ import annotations

import math
from copy import copy
from functools import lru_cache
from operator import add
from random import Random
from typing import Final, NamedTuple

from rules import SQUARES, Kind, Piece, Position, Side, Square, Topology
from rules.army import Army
from rules.law import Law
from rules.movement import Post
from rules.pieces import KINDS

from .weights import Weights

FREE = 0.75
"""The share of squares taken to be free where a man's way is judged in general."""

POSTS = 100 * len(KINDS) * len(Side)

UNIT: Final = 250.0
"""A score that lets a side win e times as often as it loses."""

TASTE: Final = 4
"""So much more or less a man may be liked on a square: nothing that decides, but games begin
differently. It is heeded so many plies long:"""

TASTE_PLIES: Final = 12


class Mobility(NamedTuple):
    """What a piece on a square reaches, by how many others could stand in its way.

    `ends[n]`: where the way with the fewest squares in between has n of them. `spread`: how many
    squares those are, each by the chance that its way is free.
    """

    ends: tuple[int, ...]
    spread: float

    def share(self, zone: int) -> float:
        """Return how much of a set of squares is reached."""
        return sum(FREE**n * (ends & zone).bit_count() for n, ends in enumerate(self.ends))


class Sights(NamedTuple):
    """What every post of a law reaches, and the mean over the board for each kind."""

    of: tuple[Mobility, ...]
    mean: dict[Kind, float]


@lru_cache(maxsize=8)
def sights_of(law: Law) -> Sights:
    """Return what the pieces reach under a law."""
    found: list[Mobility] = []
    mean: dict[Kind, float] = {}
    for side in Side:
        for kind in KINDS:
            sights = [_sight(law.peers[Piece(side, kind)][square]) for square in SQUARES]
            mean[kind] = sum(sight.spread for sight in sights) / len(sights)
            found += sights
    return Sights(tuple(found), mean)


def _sight(post: Post) -> Mobility:
    _ = post[0]  # the first question finds the paths
    by_count: dict[int, int] = {}
    for between, beyond in post.paths.items():
        count = between.bit_count()
        by_count[count] = by_count.get(count, 0) | beyond
    ends, seen = [], 0
    for count in range(max(by_count, default=-1) + 1):
        ends.append(by_count.get(count, 0) & ~seen)
        seen |= ends[-1]
    spread = sum(FREE**n * new.bit_count() for n, new in enumerate(ends))
    return Mobility(tuple(ends), spread)


class Stand(NamedTuple):
    """Where the royal pieces of a side are: their squares with those around, 0 for one that is not.

    `danger[square]`: how many enemies reach it.
    """

    princess: int
    chief: int
    danger: tuple[int, ...]


Features = tuple[float, float, float, float, float, float, float, float]
"""What a piece brings on a square, in the order of the weights `presence` .. `hunted`."""


def features_of(sights: Sights, index: int, own: Stand, enemy: Stand) -> Features:
    """Return what a piece brings on its square to the side whose royals stand as `own` tells."""
    sight, kind, square = sights.of[index], KINDS[index // 100 % len(KINDS)], index % 100
    if kind is Kind.PRINCESS:
        return 0, 0, 0, 0, 0, 0, -own.danger[square], 0
    mean = sights.mean[kind]
    hunted = -own.danger[square] if kind is Kind.CHIEF else 0
    aim, strike, guard = (sight.share(zone) for zone in (enemy.princess, enemy.chief, own.princess))
    return 1, mean, sight.spread - mean, aim, strike, guard, 0, hunted


def stands(position: Position) -> tuple[Stand, Stand]:
    """Return where the royals of Black and of Orange stand."""
    armies = (position.ours, position.theirs)
    if position.side is Side.ORANGE:
        armies = armies[::-1]
    board, occupied = position.rules.topology, position.occupied
    black, orange = (
        Stand(*_zones(army, board), _reaching(enemy, occupied))
        for army, enemy in (armies, armies[::-1])
    )
    return black, orange


def _zones(army: Army, board: Topology) -> tuple[int, int]:
    chief = next((post.square for post in army.men if post.kind is Kind.CHIEF), None)
    princess = None if army.princess is None else army.princess.square
    return zone(board, princess), zone(board, chief)


def zone(board: Topology, square: Square | None) -> int:
    """Return a square and those around it, as bits; none for no square."""
    if square is None:
        return 0
    around = sum(1 << near for near in set(board.neighbours[square]) if near is not None)
    return around | 1 << square


def _reaching(army: Army, occupied: int) -> tuple[int, ...]:
    """Return, for each square, how many of an army's men could end there."""
    counts = [0] * len(SQUARES)
    for post in army.men:
        left = post[occupied & post.near]
        while left:
            counts[(left & -left).bit_length() - 1] += 1
            left &= left - 1
    return tuple(counts)


def worths(position: Position, weights: Weights, taste: int = 0) -> list[int]:
    """Return what each piece on each square is worth to its side, by `Post.index`.

    `taste` is the seed of small likings, the same in every position of the opening; 0 for none.
    """
    black, orange = stands(position)
    law = position.law
    liked = likings(taste if position.ply_number <= TASTE_PLIES else 0)
    table = [*map(add, _general(law, weights, black[:2], orange[:2]), liked)]
    for side, stand in ((Side.BLACK, black), (Side.ORANGE, orange)):
        for kind, fear in ((Kind.CHIEF, weights.hunted), (Kind.PRINCESS, weights.exposed)):
            first = law.peers[Piece(side, kind)][0].index
            for square, enemies in enumerate(stand.danger):
                table[first + square] -= round(fear * enemies)
    return table


@lru_cache(maxsize=8)
def likings(taste: int) -> tuple[int, ...]:
    """Return what is added to the worth of each piece on each square; nothing for a Princess."""
    chance, most = Random(taste), TASTE if taste else 0
    return tuple(
        0 if KINDS[index // 100 % len(KINDS)] is Kind.PRINCESS else chance.randint(-most, most)
        for index in range(POSTS)
    )


@lru_cache(maxsize=64)
def _general(
    law: Law, weights: Weights, black: tuple[int, int], orange: tuple[int, int]
) -> list[int]:
    """Return all of `worths` but the dangers; royals seldom move, so it is asked often."""
    sights, safe = sights_of(law), (0,) * len(SQUARES)
    ours, theirs = Stand(*black, safe), Stand(*orange, safe)
    factors = _factors(weights)
    table = []
    for index in range(POSTS):
        own, enemy = (ours, theirs) if index < POSTS // 2 else (theirs, ours)
        features = features_of(sights, index, own, enemy)
        table.append(round(sum(f * w for f, w in zip(features, factors, strict=True))))
    return table


def _factors(weights: Weights) -> Features:
    return (
        weights.presence,
        weights.reach,
        weights.place,
        weights.aim,
        weights.strike,
        weights.guard,
        weights.exposed,
        weights.hunted,
    )


def features(position: Position) -> list[float]:
    """Return what all pieces bring to the side to move less the other's, by the first weights.

    The unspent escapes and the move itself come last, as the last weights do.
    """
    stand = stands(position)
    if position.side is Side.ORANGE:
        stand = stand[::-1]
    total = [0.0] * len(Weights.__struct_fields__)
    sights = sights_of(position.law)
    sides = ((position.ours, stand, 1), (position.theirs, stand[::-1], -1))
    for army, (own, enemy), sign in sides:
        for post in army.posts():
            for place, brought in enumerate(features_of(sights, post.index, own, enemy)):
                total[place] += sign * brought
        total[-2] += sign * army.may_escape
    total[-1] = 1.0
    return total


def balance(position: Position, table: list[int], escape: int) -> int:
    """Return the sum for the side to move less the other's; an unspent escape is worth `escape`."""
    ours, theirs = (
        sum(table[post.index] for post in army.posts()) + escape * army.may_escape
        for army in (position.ours, position.theirs)
    )
    return ours - theirs


def passed(position: Position) -> Position:
    """Return the position with the other side to move: no ply, but what a pass would leave."""
    after = copy(position)
    after.ours, after.theirs = position.theirs, position.ours
    after.ply_number += 1
    return after


def chance_of(score: int, win_in: int | None) -> float:
    """Return the share of the points to be expected; `win_in` as in a Thought."""
    if win_in is not None:
        return float(win_in > 0)
    return 1 / (1 + math.exp(-score / UNIT))
