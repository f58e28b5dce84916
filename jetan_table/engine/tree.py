"""The tree a search walks: alpha-beta over the rules core's own masks.

Values are whole numbers for the side to move, in the unit of `evaluation.py`. Null windows
(principal variation search), a transposition table, null-move pruning, killers and history for the
order of moves, late move reductions, and captures alone at the end (quiescence). Escapes, so many
and so seldom good, are tried where the Princess stands threatened or all else loses. So a win
claimed beyond `WON` stands against every reply. Chance enters as expectation.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import cache
from math import ceil, floor
from typing import Final, TypeAlias

from rules import Kind, Position, Topology
from rules.army import PRINCESS

from .chance import fight_odds, roll_odds
from .evaluation import evaluate, null_move
from .ordering import EVERYTHING, NO_HINT, Choice, MoveOrder, hint_of
from .transposition import AT_LEAST, AT_MOST, EXACT, HALF, TranspositionTable, decides, probe_of
from .weights import Weights
from .zobrist import ESCAPE_KEYS, POST_KEYS, SIDE_KEY, key_of

WIN: Final = 1_000_000
"""The value of a game that is won now; each ply until then costs one."""

WON: Final = WIN - 1000
"""Values beyond it, or below its negative, are certain."""

INFINITE: Final = WIN + 1
MOST_PLIES: Final = 120
"""Nodes so far from the root are worth a draw, whatever stands there."""

LATE, VERY_LATE = 5, 18
"""Late move reductions: quiet moves from these places in the order on are searched one ply, two
plies less deep."""

CAPTURE_MARGIN: Final = 30
"""A capture is played out where it could lift the value to this much below alpha."""

MOST_CAPTURES: Final = 4
"""Captures are played out to so many plies beyond the horizon of threats."""

STATIC_MARGIN: Final = 70
"""Static pruning: a node this far above beta, for each ply of depth, is taken to hold it."""

FUTILE_MARGIN: Final = 70
"""Futility pruning: two plies before the end a quiet move must come this near to alpha."""

NULL_MOVE_DEPTH: Final = 3
"""With so many plies to come and more, a null move is tried: who holds beta even by passing will do
so by a move, too."""

NULL_MOVE_REDUCTION: Final = 3
"""So many plies less deep it is searched."""

FEW_MEN: Final = 3
"""A side with so few men is not supposed to gain by every move: a pass might be its best."""

THREATS_DEEPEN: Final = 2
"""A node whose Princess stands threatened is searched one ply deeper, up to so many times the plies
of the horizon from the root (check extension)."""


Node: TypeAlias = tuple[Position, int, int, int]
"""A position as it is met: its Zobrist key, its evaluation for the side to move, plies from the
root."""


class Stopped(Exception):
    """The search has reached a limit; it ends where it is."""


class Tree:
    """What is known while one position is searched."""

    check_every: Final = 128
    """After so many nodes it may ask whether to stop."""

    def __init__(
        self,
        position: Position,
        table: list[int],
        weights: Weights,
        check: Callable[[], None],
        earlier: Iterable[Position],
        half: int | None = None,
        contempt: int = 0,
    ) -> None:
        """`table` is a piece-square table, `earlier` the game's positions that may come again.

        `check` is called where `ask_at` says; it may raise Stopped. `half`: how many entries a half
        of the transposition table has. `contempt`: so much less than nothing a draw is worth to the
        side that moves first.
        """
        self.nodes, self._check_at, self._check = 0, sys.maxsize, check
        self._horizon = 0
        # To come to one of these again is worth a draw: it gains nothing even where the rules let
        # the game go on.
        self._line = {key_of(before) for before in (position, *earlier)}
        self._table = table
        self._escape, self._tempo = round(weights.escape), round(weights.tempo)
        self._order = MoveOrder(self._table, self._escape, MOST_PLIES)
        self._transpositions = TranspositionTable(half or HALF)
        law = position.law
        self._law = law
        self._neighbourhoods = near_squares(position.rules.topology)
        self._is_arena = position.rules["duel"] == "arena"
        self._rolls = position.juggernaut is not None
        self._chief_ends = not self._is_arena and law.chief_by_other != "play-on"

        self._root = self._node_of(position)
        self._draw_for = {position.side: -contempt, position.side.other: contempt}

    def ask_at(self, nodes: int) -> None:
        """Ask whether to stop once so many nodes have been met."""
        self._check_at = nodes

    def look_to(self, horizon: int) -> None:
        """Look into threats to the Princess up to so many plies from the root."""
        self._horizon = horizon

    def forget(self) -> None:
        """Let what was learned about the order of moves count for half."""
        self._order.forget()

    def value_of(self, choice: Choice, depth: int, alpha: int, beta: int) -> int:
        """Return the value of a choice at the root to who makes it, with `depth` plies to come."""
        return self._follow(self._root, choice, depth, alpha, beta)

    def _node_of(self, position: Position) -> Node:
        """Return a position as the first node of a search."""
        return position, key_of(position), evaluate(position, self._table, self._escape), 0

    def hint(self, position: Position) -> int:
        """Return the best move known of a position (its hash move), NO_HINT where none is."""
        known = self._transpositions.find(probe_of(position, key_of(position)))
        return NO_HINT if known is None else known[3]

    def _play(self, node: Node, choice: Choice) -> Node:
        """Return the node a choice leads to."""
        position, key, score, ply = node
        at, there, gain, is_escape = choice
        here = position.ours.princess if at == PRINCESS else position.ours.men[at]
        assert here is not None
        key ^= SIDE_KEY ^ POST_KEYS[here.index] ^ POST_KEYS[there.index]
        if position.theirs.mask & there.bit:
            victim = position.theirs.post_at(there.square)
            assert victim is not None
            key ^= POST_KEYS[victim.index]
        if is_escape:
            key ^= ESCAPE_KEYS[position.side]
        return position.after(at, there, is_escape), key, -score - gain, ply + 1

    def _follow(self, node: Node, choice: Choice, depth: int, alpha: int, beta: int) -> int:
        """Return the value of a choice to who makes it, with `depth` plies to come."""
        after = self._play(node, choice)
        if self._is_arena and self._is_fought(node[0], choice[1].square):
            return self._fight(node, choice, after, depth, alpha, beta)
        return self._after_roll(after, depth, alpha, beta)

    def _after_roll(self, after: Node, depth: int, alpha: int, beta: int) -> int:
        """Return the value of a node just reached to who moved last, the Juggernaut yet to roll."""
        if self._rolls and after[0].ended is None:
            share, plus = roll_odds(after[0], self._table)
            # Who moves next sees a value v as share * v + plus before the roll.
            alpha, beta = _window(alpha, beta, share, -plus)
            return round(share * self._without_roll(after, depth, alpha, beta) - plus)
        return self._without_roll(after, depth, alpha, beta)

    def _without_roll(self, after: Node, depth: int, alpha: int, beta: int) -> int:
        if depth <= 0:
            return -self._quiesce(after, -beta, -alpha)
        return -self._search(after, depth, -beta, -alpha)

    @staticmethod
    def _is_fought(position: Position, square: int) -> bool:
        """Whether a piece stands there that defends itself: a Princess never does."""
        defender = position.theirs.post_at(square)
        return defender is not None and defender.kind is not Kind.PRINCESS

    def _fight(
        self, node: Node, choice: Choice, after: Node, depth: int, alpha: int, beta: int
    ) -> int:
        """Return the expected value of a fight; what follows a lost one is only played out."""
        position, (at, there, _, _) = node[0], choice
        defender = position.theirs.post_at(there.square)
        assert defender is not None
        odds = fight_odds(position, there.kind, defender.kind)
        fallen = position.after(at, there, False, duel_lost=True)
        down = -self._quiesce((*self._node_of(fallen)[:3], after[3]), -INFINITE, INFINITE)
        if odds == 0:
            return down
        rest = (1 - odds) * down
        alpha, beta = _window(alpha, beta, odds, rest)
        return round(odds * self._after_roll(after, depth, alpha, beta) + rest)

    # Full width, down to the captures

    def _search(self, node: Node, depth: int, alpha: int, beta: int) -> int:
        """Return the value of a node, searched so many plies deep, to the side to move."""
        position, key, _, ply = node
        self._count()
        if position.ended is not None:
            return self._final(position, ply)
        if key in self._line or ply >= MOST_PLIES:
            return self._draw_for[position.side]
        probe, hint = probe_of(position, key), NO_HINT
        if (known := self._transpositions.find(probe)) is not None:
            value, hint = _at_ply(known[2], ply), known[3]
            if known[0] >= depth and decides(known[1], value, alpha, beta):
                return value
        reach = position.men_ends()
        if not any(reach) and position.outcome is not None:
            return self._final(position, ply)
        if self._takes_princess(position, reach):
            return WIN - ply - 1
        threatened = self._is_threatened(position)
        is_calm = not threatened and self._is_uncounted(position) and alpha > -WON
        if is_calm and beta < WON:
            cut = self._cut(node, depth, beta)
            if cut is not None:
                return cut
        need = self._need(node, depth, alpha) if is_calm else EVERYTHING
        self._line.add(key)
        more = threatened and ply < THREATS_DEEPEN * self._horizon
        value, best = self._expand(node, reach, hint, depth + more, alpha, beta, need, threatened)
        self._line.discard(key)
        bound = AT_MOST if value <= alpha else AT_LEAST if value >= beta else EXACT
        stored = value + ply if value > WON else value - ply if value < -WON else value
        self._transpositions.keep(probe, depth, bound, stored, hint if best == NO_HINT else best)
        return value

    def _cut(self, node: Node, depth: int, beta: int) -> int | None:
        """Return a value the node holds by standing high, or by a null move; None for neither."""
        position, key, score, ply = node
        margin = STATIC_MARGIN * depth
        if depth <= 2 and score - margin >= beta:
            return score - margin
        if depth < NULL_MOVE_DEPTH or score < beta or len(position.ours.men) <= FEW_MEN:
            return None
        passed = null_move(position), key ^ SIDE_KEY, -score, ply + 1
        value = -self._search(passed, max(depth - NULL_MOVE_REDUCTION, 1), -beta, 1 - beta)
        return beta if value >= beta else None

    def _need(self, node: Node, depth: int, alpha: int) -> int:
        """Return what a quiet move must gain to be searched at all (futility pruning)."""
        if depth > 2:
            return EVERYTHING
        return alpha - node[2] - self._tempo - FUTILE_MARGIN * (depth - 1)

    def _expand(
        self,
        node: Node,
        reach: list[int],
        hint: int,
        depth: int,
        alpha: int,
        beta: int,
        need: int,
        threatened: bool,
    ) -> tuple[int, int]:
        """Return the best value of the moves and the hint of the move that has it."""
        position, _, _, ply = node
        foes = position.theirs.mask
        best = -INFINITE if need == EVERYTHING else alpha  # what is left out reaches no more
        found, place, ceiling = NO_HINT, 0, alpha
        for choice in self._order.choices(position, reach, hint, ply, need):
            at, there, _, is_escape = choice
            if is_escape and not threatened and best > -WON:
                break
            quiet = not foes & there.bit
            less = 0
            if quiet and place >= LATE and depth > 2 and not threatened:
                less = 1 if place < VERY_LATE or depth < 4 else 2
            if place == 0:
                value = self._follow(node, choice, depth - 1, ceiling, beta)
            else:
                value = self._follow(node, choice, depth - 1 - less, ceiling, ceiling + 1)
                if less and value > ceiling:
                    value = self._follow(node, choice, depth - 1, ceiling, ceiling + 1)
                if ceiling < value < beta:
                    value = self._follow(node, choice, depth - 1, value - 1, beta)
            place += 1
            if value <= best:
                continue
            best = value
            here = position.ours.princess if at == PRINCESS else position.ours.men[at]
            assert here is not None
            if value > ceiling:
                ceiling, found = value, hint_of(here.square, there.square)
            if value >= beta:
                if quiet:
                    self._order.reward(here, there, depth, ply)
                break
        return best, found

    def _is_threatened(self, position: Position) -> bool:
        """Whether the Princess of the side to move could be taken where she stands."""
        princess, theirs = position.ours.princess, position.theirs
        if princess is None:
            return False
        near = self._neighbourhoods[princess.square]
        if not theirs.mask & near:
            return False
        bit, occupied = princess.bit, position.occupied
        for post in theirs.men:
            if post.bit & near and post[occupied & post.near] & bit:
                return True
        enemy = theirs.princess
        if not self._law.princess_takes or enemy is None:
            return False
        return bool(enemy[occupied & enemy.near] & bit)

    def _takes_princess(self, position: Position, reach: list[int]) -> bool:
        """Whether a move now takes the enemy's Princess."""
        royal = position.theirs.princess
        if royal is None:
            return False
        bit = royal.bit
        for ends in reach:
            if ends & bit:
                return True
        princess = position.ours.princess
        if not self._law.princess_takes or princess is None:
            return False
        return bool(position.princess_ends(princess)[0] & bit)

    def _final(self, position: Position, ply: int) -> int:
        """Return the value of a game that is over to the side that would move."""
        outcome = position.outcome
        if outcome is None or outcome.winner is None:
            return self._draw_for[position.side]
        return WIN - ply if outcome.winner is position.side else ply - WIN

    def _is_uncounted(self, position: Position) -> bool:
        """Whether no count of plies is about to end the game as a draw."""
        near_end = position.quiet_plies + 4 >= self._law.captureless_plies
        return position.few_counter is None and not near_end

    # Captures alone

    def _quiesce(self, node: Node, alpha: int, beta: int) -> int:
        """Return the value of a node with captures played out; it may stand pat, and take nothing.

        Where the Princess stands threatened it may not, and a whole ply is searched.
        """
        position, _, score, ply = node
        self._count()
        if position.ended is not None:
            return self._final(position, ply)
        best = score + self._tempo
        if best >= beta:
            if ply < self._horizon and self._is_threatened(position):
                return self._search(node, 1, alpha, beta)
            return best
        men, foes = position.ours.men, position.theirs.mask
        table, targets, takers = self._table, 0, []
        for at, reached in enumerate(position.men_ends()):
            if ends := reached & foes:
                targets |= ends
                takers.append((table[men[at].index], at, ends))
        royal = position.theirs.princess
        if royal is not None and targets & royal.bit:
            return WIN - ply - 1
        if ply < self._horizon and self._is_threatened(position):
            return self._search(node, 1, alpha, beta)
        if targets and ply < self._horizon + MOST_CAPTURES:
            takers.sort()
            best = self._play_out(node, takers, targets, best, alpha, beta)
        return best

    def _play_out(
        self,
        node: Node,
        takers: list[tuple[int, int, int]],
        targets: int,
        stand_pat: int,
        alpha: int,
        beta: int,
    ) -> int:
        """Return the best of `stand_pat`, to take nothing, and each target by its cheapest taker.

        `takers`: what each man that takes something is worth, his place, and what he reaches there.
        """
        position, table, law = node[0], self._table, self._law
        men, side, best = position.ours.men, position.side, stand_pat
        victims = [
            (table[foe.index], foe.square) for foe in position.theirs.men if foe.bit & targets
        ]
        victims.sort(reverse=True)
        for worth, square in victims:
            victim = position.theirs.post_at(square)
            assert victim is not None
            is_final = victim.kind is Kind.CHIEF and self._chief_ends
            if not is_final and stand_pat + worth + CAPTURE_MARGIN <= max(alpha, best):
                continue
            for cost, at, ends in takers:
                if not ends & victim.bit:
                    continue
                here = men[at]
                there = here.peers[square]
                if is_final and (outcome := law.taken(Kind.CHIEF, here.piece)) is not None:
                    value = (
                        self._draw_for[side] if outcome.winner is not side else WIN - node[3] - 1
                    )
                elif self._is_arena:
                    odds = fight_odds(position, here.kind, victim.kind)
                    value = stand_pat + round(odds * worth - (1 - odds) * cost)
                else:
                    gain = worth + table[there.index] - cost
                    after = self._play(node, (at, there, gain, False))
                    value = -self._quiesce(after, -beta, -max(alpha, best))
                best = max(best, value)
                if best >= beta:
                    return best
                if not is_final:
                    break
        return best

    def _count(self) -> None:
        self.nodes += 1
        if self.nodes >= self._check_at:
            self._check()


def _window(alpha: int, beta: int, share: float, plus: float) -> tuple[int, int]:
    """Return bounds for a value v where share * v + plus is asked for between alpha and beta.

    They go no further than values do.
    """
    low, high = floor((alpha - plus) / share) - 1, ceil((beta - plus) / share) + 1
    return min(max(low, -INFINITE), WIN), max(min(high, INFINITE), -WIN)


def _at_ply(value: int, ply: int) -> int:
    """Return a value of the transposition table as it counts so many plies from the root."""
    return value - ply if value > WON else value + ply if value < -WON else value


@cache
def near_squares(board: Topology) -> tuple[int, ...]:
    """Return, for each square, those from which three steps can lead to it, as bits.

    No piece goes further, so whoever threatens a square stands on one of these.
    """
    reached = [1 << square for square in range(100)]
    for _ in range(3):
        wider = reached.copy()
        for square, neighbours in enumerate(board.neighbours):
            for near in neighbours:
                if near is not None:
                    wider[near] |= reached[square]
        reached = wider
    return tuple(reached)
