"""The worth of a position without looking ahead: one number for every piece on every square.

These piece-square tables follow from the rules' own paths, so every option and both boards are
judged by the same few weights. A table is made anew for the position a search begins with, from
where its Princesses and Chiefs stand; during the search a move then changes the sum by a
subtraction and an addition. Chance, the Juggernaut's roll and the arena's fights, enters as
expectation.

Values are whole numbers; 250 more is about three games won for one lost (`win_probability`). The
weights are kept as data, learned by play against itself: `training/opponent/fit.py` makes the file
anew, and `training/opponent/net.py` the nets that correct them.
"""

import math
import sys
from array import array
from copy import copy
from functools import cache, lru_cache
from itertools import product
from operator import add
from pathlib import Path
from random import Random
from typing import Final, NamedTuple, TypeAlias
from zlib import decompress

import msgspec

from rules import KINDS, SQUARES, Kind, Piece, Position, Rules, Side, Topology, parse_rules
from rules.movement import Army, Law, Post

WEIGHTS_FILE = Path(__file__).with_name("weights.toml")

NETS: Final = Path(__file__).with_name("nets")

FREE = 0.75
"""The chance that a square in a man's way is taken to be free, where no position is looked at."""

POSTS = 100 * len(KINDS) * len(Side)
"""The number of posts, a piece on a square each, and the length of a piece-square table."""

UNIT: Final = 250.0
"""A score that lets a side win e times as often as it loses: nearly three games to one."""

TASTE: Final = 4
"""The most by which a player likes a man on a square more or less, so that games begin differently:
it decides nothing."""

TASTE_PLIES: Final = 12
"""Plies at the start of a game in which such likings count."""

STEP = 0.1
"""The chance of each face of the die; eight of them step one square."""

TELEPORT = 0.1 / len(SQUARES)
"""The chance that a roll teleports the Juggernaut to one certain square."""

ROYAL = (Kind.CHIEF, Kind.PRINCESS)


class Weights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The worth of one of each feature; at 250 more, three games are won for one lost.

    Squares reached are counted by the chance that the way to them is free.
    """

    presence: float
    """A man."""
    reach: float
    """Each square that a man of this kind reaches in the mean over the board."""
    place: float
    """Each square more than that mean which it reaches from where it stands."""
    aim: float
    """Each square it reaches on or beside the enemy Princess's."""
    strike: float
    """Each square it reaches on or beside the enemy Chief's."""
    guard: float
    """Each square it reaches on or beside the own Princess's."""
    wide: float
    """Against: each square more that the own Princess reaches than from where she reaches least."""
    exposed: float
    """Against: each enemy man that reaches the square of the own Princess."""
    hunted: float
    """Against: each enemy man that reaches the square of the own Chief."""
    escape: float
    """An escape unspent."""
    tempo: float
    """To be the side to move."""


class WeightsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Weights as they are kept, with where they are from."""

    provenance: dict[str, str | int | float]
    weights: Weights


def read_weights(path: Path) -> Weights:
    """Return the weights in a file; ValueError or OSError where it has none."""
    return msgspec.toml.decode(path.read_bytes(), type=WeightsFile).weights


@cache
def fitted_weights() -> Weights:
    """Return the weights that come with the table."""
    return read_weights(WEIGHTS_FILE)


@cache
def net_for(rules: Rules, nets: Path = NETS) -> bytes | None:
    """Return the net for these rules as the search in C reads it; None where none was trained.

    A file says in a line where it is from; then come, compressed, numbers of two bytes, the low
    one first.
    """
    path = next((path for path in nets.glob("*.net") if parse_rules(path.stem) == rules), None)
    if path is None:
        return None
    numbers = array("h", decompress(path.read_bytes().partition(b"\n")[2]))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def evaluate(position: Position, table: list[int], escape: int) -> int:
    """Return the worth of the side to move less the other's: the sum of a piece-square table.

    `escape`: what an unspent escape is worth.
    """
    ours, theirs = (
        sum(table[post.index] for post in army.posts()) + escape * army.may_escape
        for army in (position.ours, position.theirs)
    )
    return ours - theirs


def win_probability(score: int, win_in: int | None) -> float:
    """Return the share of the points to be expected by a side with a score; 0.5 is an even game.

    `win_in`: plies to a proven win, negative to a proven loss, None where nothing is proven.
    """
    if win_in is not None:
        return float(win_in > 0)
    return 1 / (1 + math.exp(-score / UNIT))


def null_move(position: Position) -> Position:
    """Return the position with the other side to move: what a pass would leave, if there were one.

    No ply of the game, but a question the search and the explanations ask: what is threatened?
    """
    after = copy(position)
    after.ours, after.theirs = position.theirs, position.ours
    after.ply_number += 1
    return after


def piece_square_table(position: Position, weights: Weights, taste: int = 0) -> list[int]:
    """Return what each piece on each square is worth to its side, by `Post.index`.

    `taste` is the seed of small likings, the same in every position of the opening; 0 for none.
    """
    black, orange = royals_of(position)
    law = position.law
    liked = likings(taste if position.ply_number <= TASTE_PLIES else 0)
    table = [*map(add, _general(law, weights, black[:2], orange[:2]), liked)]
    for side, royals in ((Side.BLACK, black), (Side.ORANGE, orange)):
        for kind, fear in ((Kind.CHIEF, weights.hunted), (Kind.PRINCESS, weights.exposed)):
            first = law.peers[Piece(side, kind)][0].index
            for square, enemies in enumerate(royals.danger):
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


def _general(
    law: Law, weights: Weights, black: tuple[int, int], orange: tuple[int, int]
) -> list[int]:
    """Return a piece-square table without the dangers to the royal pieces.

    `black`, `orange`: squares around the Princess and the Chief.
    """
    (_reach, alone), half, table = mobility_of(law), POSTS // 2, []
    for first, own, enemy in ((0, black, orange), (half, orange, black)):
        near = (shares(law, zone)[first : first + half] for zone in (*enemy, own[0]))
        for (presence, mean, more, wide), aim, strike, guard in zip(
            alone[first : first + half], *near, strict=True
        ):
            worth = presence * weights.presence + mean * weights.reach + more * weights.place
            worth += aim * weights.aim
            worth += strike * weights.strike
            worth += guard * weights.guard
            worth += wide * weights.wide
            table.append(round(worth))
    return table


@lru_cache(maxsize=512)
def shares(law: Law, zone: int) -> tuple[float, ...]:
    """Return how many squares of a zone each post reaches; a Princess's none.

    Royal pieces seldom move, so the same zones are asked for again and again.
    """
    return tuple(
        0.0 if KINDS[index // 100 % len(KINDS)] is Kind.PRINCESS else reach_in(mobility, zone)
        for index, mobility in enumerate(mobility_of(law)[0])
    )


Mobility: TypeAlias = tuple[int, ...]
"""The reach of a piece from a square, as bits: `[n]` are ends whose shortest way has n squares in
between."""

EVERYWHERE: Final = (1 << len(SQUARES)) - 1


def reach_in(mobility: Mobility, zone: int = EVERYWHERE) -> float:
    """Return how many squares of a zone are reached, each by the chance that its way is free."""
    return sum(FREE**n * (ends & zone).bit_count() for n, ends in enumerate(mobility))


@lru_cache(maxsize=8)
def mobility_of(
    law: Law,
) -> tuple[tuple[Mobility, ...], tuple[tuple[float, float, float, float], ...]]:
    """Return what the pieces reach under a law, by `Post.index`, from memory where it was asked.

    Next to it is what a post brings wherever the royal pieces stand: how much of the features
    `presence`, `reach`, `place` and `wide`.
    """
    found: list[Mobility] = []
    alone: list[tuple[float, float, float, float]] = []
    for side, kind in product(Side, KINDS):
        reached = [_mobility(law.peers[Piece(side, kind)][square]) for square in SQUARES]
        spreads = [*map(reach_in, reached)]
        mean, least = sum(spreads) / len(spreads), min(spreads)
        found += reached
        if kind is Kind.PRINCESS:
            alone += [(0, 0, 0, least - spread) for spread in spreads]
        else:
            alone += [(1, mean, spread - mean, 0) for spread in spreads]
    return tuple(found), tuple(alone)


def _mobility(post: Post) -> Mobility:
    _ = post[0]  # the first question finds the paths
    by_count: dict[int, int] = {}
    for between, beyond in post.paths.items():
        count = between.bit_count()
        by_count[count] = by_count.get(count, 0) | beyond
    ends, nearer = [], 0
    for count in range(max(by_count, default=-1) + 1):
        ends.append(by_count.get(count, 0) & ~nearer)
        nearer |= ends[-1]
    return tuple(ends)


class Royals(NamedTuple):
    """The squares of a side's royal pieces, and the threats to them."""

    princess: int
    """Her square with those around, as bits; 0 where she is not."""
    chief: int
    """The same of the Chief."""
    danger: tuple[int, ...]
    """`danger[square]`: how many enemy men could end there."""


def royals_of(position: Position) -> tuple[Royals, Royals]:
    """Return where the royal pieces of Black and of Orange stand, in this order."""
    armies = (position.ours, position.theirs)
    if position.side is Side.ORANGE:
        armies = armies[::-1]
    board, occupied = position.rules.board, position.occupied
    black, orange = (
        Royals(
            _zone(board, army.princess),
            _zone(board, next((post for post in army.men if post.kind is Kind.CHIEF), None)),
            _reaching(enemy, occupied),
        )
        for army, enemy in (armies, armies[::-1])
    )
    return black, orange


def _zone(board: Topology, post: Post | None) -> int:
    """Return the square of a piece and those around it, as bits; none for no piece."""
    if post is None:
        return 0
    near = set(board.neighbours[post.square]) - {None}
    return post.bit | sum(1 << square for square in near if square is not None)


def _reaching(army: Army, occupied: int) -> tuple[int, ...]:
    """Return, for each square, how many of an army's men could end there."""
    counts = [0] * len(SQUARES)
    for post in army.men:
        left = post[occupied & post.near]
        while left:
            counts[(left & -left).bit_length() - 1] += 1
            left &= left - 1
    return tuple(counts)


def roll_odds(position: Position, table: list[int]) -> tuple[float, float]:
    """Return what the roll before this position's next ply makes of its value to the side to move.

    These are two numbers: the expectation is the first times the value, plus the second. The first
    is the chance that no royal piece dies, for that counts as a draw; the second what the side to
    move gains in the mean by the men that may die, each counted as what it is worth in `table`, a
    piece-square table. Where the Juggernaut goes else is taken to change nothing.
    """
    here = position.juggernaut
    if here is None:
        return 1.0, 0.0
    draw, plus = 0.0, 0.0
    for army, sign in ((position.ours, -STEP), (position.theirs, STEP)):
        royals = int(army.princess is not None)
        for post in army.men:
            royals += post.kind is Kind.CHIEF
        draw += TELEPORT * royals
        for near in position.rules.board.neighbours[here]:
            post_near = None if near is None else army.post_at(near)
            if post_near is None:
                continue
            if post_near.kind in ROYAL:
                draw += STEP
            else:
                plus += sign * table[post_near.index]
    return 1 - draw, plus


def fight_odds(position: Position, attacker: Kind, defender: Kind) -> float:
    """Return the chance that the piece which enters a square wins the fight for it."""
    worth = position.rules.worth
    return chance_to_win(worth(attacker) - worth(defender))


@cache
def chance_to_win(edge: int) -> float:
    """Return the chance that a throw of ten plus `edge` beats another; equal sums throw again."""
    throws = range(1, 11)
    sums = [edge + attack - defence for attack in throws for defence in throws]
    won, lost = sum(total > 0 for total in sums), sum(total < 0 for total in sums)
    return won / (won + lost)
