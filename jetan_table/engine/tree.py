"""The plain search: what plays where the one in C is not to be had, and what that is held to.

It is alpha-beta and leaves nothing out but an escape nobody needs. Values are whole numbers for
the side to move, in the unit of `evaluation.py`; chance enters as expectation. At depth 0 captures
alone are played out, but where the Princess stands threatened a whole ply is searched. A node
counts where its moves are looked at.
"""

from collections.abc import Callable, Iterable, Sequence
from math import ceil, floor
from typing import Final, TypeAlias

from rules import Kind, Position
from rules.movement import PRINCESS, Post

from .evaluation import POSTS, Weights, evaluate, fight_odds, roll_odds
from .positions import key_of, takes_royal

WIN: Final = 1_000_000
"""The value of a game that is won now; each ply until then costs one."""

WON: Final = WIN - 1000
"""Values beyond it, or below its negative, are certain."""

INFINITE: Final = WIN + 1
MOST_CAPTURES: Final = 4
"""Plies beyond the horizon of threats to which captures are played out."""

MOST_KNOWN: Final = 100_000
TAKES: Final = 1 << 30
"""The rank of a capture above quiet moves."""

Choice: TypeAlias = tuple[int, Post, Post, int, bool]
"""A move as a search plays it: the piece's place in its army, where it stands and will stand, what
the evaluation gains by it, and whether it is the Princess's escape."""

Squares: TypeAlias = tuple[int, int]
Known: TypeAlias = tuple[object, int, int, Squares | None]
"""The search of a position: what it was asked, bounds of its value, squares of its best move."""

NEVER_SEARCHED: Final[Known] = (None, 0, 0, None)

Check: TypeAlias = Callable[[int], int]
"""Told how many nodes were met, it says at how many to ask again; Stopped ends the search."""

Node: TypeAlias = tuple[Position, int, int]
"""A position as it is met, its evaluation for the side to move, and plies from the root."""


class Stopped(Exception):
    """The search has reached a limit; it ends where it is."""


def choices_of(
    position: Position,
    reach: list[int],
    table: list[int],
    escape: int,
    credit: Sequence[int] = (0,) * POSTS,
    first: Squares | None = None,
) -> list[Choice]:
    """Return the moves: what the dearest man is taken by, then the others, the escapes last of all.

    `reach` are `position.men_ends()`. `first`, the squares of a move, comes before; quiet moves go
    by `credit` and gain.
    """
    ours, theirs, found = position.ours, position.theirs, []
    ways, escapes = [*zip(range(len(reach)), ours.men, reach, strict=True)], 0
    if ours.princess is not None:
        steps, escapes = position.princess_ends(ours.princess)
        ways.append((PRINCESS, ours.princess, steps | escapes))
    for at, here, ends in ways:
        while ends:
            bit = ends & -ends
            ends ^= bit  # noqa: PLW2901
            there = here.peers[bit.bit_length() - 1]
            flees = at == PRINCESS and bool(bit & escapes)
            gain = table[there.index] - table[here.index] - escape * flees
            rank = credit[there.index] + gain - TAKES * flees
            if bit & theirs.mask and (victim := theirs.post_at(there.square)) is not None:
                gain += table[victim.index]
                rank = TAKES + 8 * table[victim.index] - table[here.index]
            if (here.square, there.square) == first:
                rank = 2 * TAKES
            found.append((rank, there.index, (at, here, there, gain, flees)))
    found.sort(key=lambda one: one[:2], reverse=True)
    return [choice for _, _, choice in found]


class Tree:
    """The knowledge gathered while one position is searched."""

    def __init__(
        self,
        position: Position,
        table: list[int],
        weights: Weights,
        earlier: Iterable[Position] = (),
        contempt: int = 0,
    ) -> None:
        """`table` is a piece-square table, `earlier` the game's positions that may come again.

        `contempt`: so much less than nothing a draw is worth to the side that moves first.
        """
        self.nodes = self.value = self._ask_at = self._horizon = 0
        self._table, self._escape, self._tempo = table, round(weights.escape), round(weights.tempo)
        self._root = position, evaluate(position, table, self._escape), 0
        self._line = {key_of(before) for before in (position, *earlier)}
        self._known: dict[int, Known] = {}
        self._credit = [0] * POSTS
        self._is_arena = position.rules["duel"] == "arena"
        self._chief_ends = position.law.chief_by_other != "play-on" and not self._is_arena
        self._draw_for = {position.side: -contempt, position.side.other: contempt}

    def deepen(self, choices: list[Choice], depth: int, ask_at: int, check: Check) -> None:
        """Search the choices at the root so deep, the best to the front; Stopped ends it early.

        `value` is then what the first of them is worth. `check` is asked once `ask_at` nodes were
        met.
        """
        best, self._horizon, self._ask_at, self._check = -INFINITE, depth + 2, ask_at, check
        for place, choice in enumerate(choices.copy()):
            value = self._follow(self._root, choice, depth - 1, best, INFINITE)
            if value > best:
                best = self.value = value
                choices.insert(0, choices.pop(place))  # those behind it stay in place

    def hint(self, position: Position) -> Squares | None:
        """Return the squares of the best move known of a position; None where none is."""
        return self._known.get(key_of(position), NEVER_SEARCHED)[3]

    def _follow(self, node: Node, choice: Choice, depth: int, alpha: int, beta: int) -> int:
        """Return the value of a choice to who makes it, with `depth` plies to come.

        That is share * v + plus, where v is what the node it leads to is worth to him; below depth
        0, where captures are played out, the dice are left aside.
        """
        position, score, ply = node
        at, here, there, gain, is_escape = choice
        after, share, plus = position.after(at, there, is_escape), 1.0, 0.0
        if depth >= 0 and after.ended is None and after.juggernaut is not None:
            share, theirs = roll_odds(after, self._table)
            plus = -theirs
        foe = position.theirs.post_at(there.square) if self._is_arena else None
        if foe is not None and foe.kind is not Kind.PRINCESS:
            odds = fight_odds(position, there.kind, foe.kind)
            if depth < 0:
                worth = odds * self._table[foe.index] - (1 - odds) * self._table[here.index]
                return score + self._tempo + round(worth)
            fallen = position.after(at, there, False, duel_lost=True)
            left = fallen, evaluate(fallen, self._table, self._escape), ply + 1
            down = -self._search(left, 0, -INFINITE, INFINITE)
            # A lost fight leaves another position behind. It is searched for captures only: both
            # branches to the full depth would double the work with every fight.
            share, plus = odds * share, odds * plus + (1 - odds) * down
        if share == 0:
            return round(plus)
        # The window is carried through the expectation, so that it cuts off as it would without
        # dice.
        low, high = floor((alpha - plus) / share), ceil((beta - plus) / share)
        value = -self._search((after, -score - gain, ply + 1), depth, -high, -low)
        return round(share * value + plus)

    def _search(self, node: Node, depth: int, alpha: int, beta: int) -> int:
        """Return the value of a node to the side to move, searched to a depth in plies."""
        position, score, ply = node
        princess = position.ours.princess
        is_threatened = princess is not None and bool(position.threats() & princess.bit)
        is_calm = depth <= 0 and not (is_threatened and ply < self._horizon)
        best = score + self._tempo if is_calm else -INFINITE  # it may take nothing, too
        if best >= beta and position.ended is None:
            return best
        self._count()
        reach = position.men_ends()
        decided = self._decided(node, reach, is_calm)
        if decided is not None:
            return decided
        if is_calm:
            return self._play_out(node, reach, best, alpha, beta)
        key, table = key_of(position), self._table
        if key in self._line:
            return self._draw_for[position.side]
        # A threatened Princess is looked into a ply deeper, for an answer to the threat is forced;
        # the horizon bounds it, else threats in turn would never end.
        depth = max(depth, 1) + (is_threatened and ply < 2 * self._horizon)
        # Values depend on all four here: ply by the distance to a win, the counter by the ten moves
        # after which few men draw. Only a search that asked the same may answer.
        asked = self._horizon, ply, depth, position.few_counter
        answered, least, most, first = self._known.get(key, NEVER_SEARCHED)
        if asked == answered and (least == most or least >= beta or most <= alpha):
            return most if most <= alpha else least
        self._line.add(key)
        for choice in choices_of(position, reach, table, self._escape, self._credit, first):
            _, here, there, _, is_escape = choice
            # Escapes stand last in the order. The Princess has one in a game, which is kept for a
            # threat.
            if is_escape and not is_threatened and best > -WON:
                break
            value = self._follow(node, choice, depth - 1, max(alpha, best), beta)
            if value > max(alpha, best):
                first = here.square, there.square
            best = max(best, value)
            if best >= beta:
                # Squares that refuted deep searches are tried sooner elsewhere: the history
                # heuristic.
                self._credit[there.index] += depth * depth
                break
        self._line.discard(key)
        least, most = best if best > alpha else -INFINITE, best if best < beta else INFINITE
        self._known[key] = asked, least, most, first
        return best

    def _count(self) -> None:
        self.nodes += 1
        if self.nodes >= self._ask_at:
            self._ask_at = self._check(self.nodes)
            if len(self._known) > MOST_KNOWN:
                self._known.clear()

    def _decided(self, node: Node, reach: list[int], is_calm: bool) -> int | None:
        """Return the value of a game that is over, or won by the next move; else None."""
        position, _, ply = node
        if position.ended is not None or not (is_calm or any(reach)):
            outcome = position.outcome  # which looks for a side without a move, too
            if outcome is not None and outcome.winner is None:
                return self._draw_for[position.side]
            if outcome is not None:
                return WIN - ply if outcome.winner is position.side else ply - WIN
        return WIN - ply - 1 if takes_royal(position, reach) else None

    def _play_out(self, node: Node, reach: list[int], best: int, alpha: int, beta: int) -> int:
        """Return the best of `best` and of captures alone.

        Each target, the dearest first, is taken by its cheapest taker; a Chief by all.
        """
        position, _, ply = node
        men, theirs, table = position.ours.men, position.theirs, self._table
        takers = [at for at, ends in enumerate(reach) if ends & theirs.mask]
        # The cheapest taker loses least if it is taken back; dearer ones can hardly do better on
        # the same square.
        takers.sort(key=lambda at: table[men[at].index])
        foes = theirs.men if takers and ply < self._horizon + MOST_CAPTURES else ()
        for foe in sorted(foes, key=lambda post: -table[post.index]):
            taking = [at for at in takers if reach[at] & foe.bit]
            is_final = foe.kind is Kind.CHIEF and self._chief_ends
            for at in taking if is_final else taking[:1]:
                here, there = men[at], men[at].peers[foe.square]
                gain = table[foe.index] + table[there.index] - table[here.index]
                choice = at, here, there, gain, False
                best = max(best, self._follow(node, choice, -1, max(alpha, best), beta))
                if best >= beta:
                    return best
        return best
