"""Which move to try first: the better the order, the more a search may leave out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from rules import Position
from rules.army import PRINCESS
from rules.movement import Post

from .evaluation import POSTS

Choice: TypeAlias = tuple[int, Post, int, bool]
"""A move as the search plays it: the piece's place in its army, where it will stand, what the
evaluation gains by it, and whether it is the Princess's escape."""

NO_HINT: Final = -1
EVERYTHING: Final = -10_000_000
"""What a quiet move must gain where every one is wanted."""

MOST_CREDIT: Final = 1 << 18
"""History heuristic: where one post has earned so much, all credit is halved."""

KILLER: Final = 1 << 20
"""What a killer ranks above other quiet moves: more than any credit."""


def hint_of(from_square: int, to_square: int) -> int:
    """Return a move as one number, as the transposition table and the killers keep it."""
    return from_square << 7 | to_square


class MoveOrder:
    """Puts moves in order, and learns from those that cut: killers by ply, history by post.

    `table` is a piece-square table, `escape` what an unspent escape is worth, `deepest` the most
    plies from the root.
    """

    def __init__(self, table: list[int], escape: int, deepest: int) -> None:
        self._table, self._escape = table, escape
        self._credit = [0] * POSTS
        self._killers: list[tuple[int, int]] = [(NO_HINT, NO_HINT)] * (deepest + 1)

    def reward(self, here: Post, there: Post, depth: int, ply: int) -> None:
        """Learn that a quiet move cut: it is a killer at its ply, and its post earns credit."""
        hint, (first, _) = hint_of(here.square, there.square), self._killers[ply]
        if hint != first:
            self._killers[ply] = hint, first
        self._credit[there.index] += depth * depth
        if self._credit[there.index] > MOST_CREDIT:
            self.forget()

    def forget(self) -> None:
        """Let what was learned count for half."""
        self._credit = [credit >> 1 for credit in self._credit]

    def choices(
        self, position: Position, reach: list[int], hint: int, ply: int, need: int
    ) -> Iterator[Choice]:
        """Yield the moves, `hint` first, then captures, quiet moves, and escapes last of all.

        `reach` are `position.men_ends()`. Quiet moves must gain more than `need`.
        """
        if hint != NO_HINT:
            yield from self._hinted(position, reach, hint)
        royal: tuple[int, int] | None = None
        if position.law.princess_takes and position.ours.princess is not None:
            royal = position.princess_ends(position.ours.princess)
            yield from self._takes_of_princess(position, royal[0], hint)
        yield from self._captures(position, reach, hint)
        yield from self._quiet(position, reach, hint, ply, need)
        princess = position.ours.princess
        # In the table she has dangers alone, never above 0: more than hers now she cannot gain.
        if princess is None or -self._table[princess.index] <= need:
            return
        steps, escapes = royal or position.princess_ends(princess)
        yield from self._royal(princess, steps & ~position.theirs.mask, hint, False)
        yield from self._royal(princess, escapes, hint, True)

    def _hinted(self, position: Position, reach: list[int], hint: int) -> Iterator[Choice]:
        start, to = hint >> 7, hint & 127
        princess = position.ours.princess
        if princess is not None and princess.square == start:
            steps, escapes = position.princess_ends(princess)
            if (steps | escapes) >> to & 1:
                yield self._choice(position, PRINCESS, princess, to, bool(escapes >> to & 1))
            return
        for at, post in enumerate(position.ours.men):
            if post.square == start:
                if reach[at] >> to & 1:
                    yield self._choice(position, at, post, to, False)
                return

    def _choice(self, position: Position, at: int, here: Post, to: int, is_escape: bool) -> Choice:
        there, victim = here.peers[to], position.theirs.post_at(to)
        gain = self._table[there.index] - self._table[here.index]
        if victim is not None:
            gain += self._table[victim.index]
        return at, there, gain - self._escape * is_escape, is_escape

    def _takes_of_princess(self, position: Position, steps: int, hint: int) -> Iterator[Choice]:
        princess, taking = position.ours.princess, steps & position.theirs.mask
        assert princess is not None
        while taking:
            to = (taking & -taking).bit_length() - 1
            taking &= taking - 1
            if hint_of(princess.square, to) != hint:
                yield self._choice(position, PRINCESS, princess, to, False)

    def _captures(self, position: Position, reach: list[int], hint: int) -> Iterator[Choice]:
        """Yield what takes: the dearest victim first, by the cheapest man."""
        table, men, theirs = self._table, position.ours.men, position.theirs
        foes, found = theirs.mask, []
        for at, ends in enumerate(reach):
            taking = ends & foes
            if not taking:
                continue
            cost = table[men[at].index]
            while taking:
                to = (taking & -taking).bit_length() - 1
                taking &= taking - 1
                victim = theirs.post_at(to)
                assert victim is not None
                value = table[victim.index]
                found.append((8 * value - cost, value, at, to))
        found.sort(reverse=True)
        for _, value, at, to in found:
            here = men[at]
            if hint_of(here.square, to) != hint:
                there = here.peers[to]
                yield at, there, value + table[there.index] - table[here.index], False

    def _quiet(
        self, position: Position, reach: list[int], hint: int, ply: int, need: int
    ) -> Iterator[Choice]:
        table, credit, men = self._table, self._credit, position.ours.men
        others, killers = ~position.theirs.mask, self._killers[ply]
        found = []
        for at, ends in enumerate(reach):
            ends &= others  # noqa: PLW2901
            if not ends:
                continue
            here = men[at]
            worth, first = table[here.index], here.index - here.square
            while ends:
                lowest = ends & -ends
                ends ^= lowest  # noqa: PLW2901
                to = lowest.bit_length() - 1
                gain = table[first + to] - worth
                if gain > need:
                    found.append((credit[first + to] + gain, gain, at, to))
        if any(killer != NO_HINT for killer in killers):
            found = [
                (rank + KILLER * (hint_of(men[at].square, to) in killers), gain, at, to)
                for rank, gain, at, to in found
            ]
        found.sort(reverse=True)
        for _, gain, at, to in found:
            here = men[at]
            if hint_of(here.square, to) != hint:
                yield at, here.peers[to], gain, False

    def _royal(self, princess: Post, ends: int, hint: int, is_escape: bool) -> Iterator[Choice]:
        table, cost, found = self._table, self._escape * is_escape, []
        worth, first = table[princess.index], princess.index - princess.square
        while ends:
            to = (ends & -ends).bit_length() - 1
            ends &= ends - 1
            found.append((table[first + to] - worth - cost, to))
        found.sort(reverse=True)
        for gain, to in found:
            if hint_of(princess.square, to) != hint:
                yield PRINCESS, princess.peers[to], gain, is_escape
