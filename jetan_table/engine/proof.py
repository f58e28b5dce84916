"""Wins proved by going through every reply, by the rules' moves alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from rules import Kind, Move, Position

from .evaluation import null_move

Spend: TypeAlias = Callable[[], object]
"""Called for each position that is gone through; it may raise to end a proof that is too long."""


def free() -> None:
    """Let a proof be as long as it is."""


def wins_in(position: Position, plies: int, spend: Spend = free) -> bool:
    """Whether the side to move can force a win within so many plies, whatever is replied.

    Each of its moves but the last must threaten to win at once: wins by quiet moves are left out.
    """
    spend()
    if wins_at_once(position):
        return True
    return plies > 1 and any(has_won(after, plies - 1, spend) for after in position.after_each())


def wins_by(position: Position, move: Move, plies: int) -> bool:
    """Whether a move begins such a win."""
    return has_won(position.play(move), plies - 1)


def has_won(after: Position, plies: int, spend: Spend = free) -> bool:
    """Whether the side that has moved wins within so many plies more."""
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
    """Whether a capture now wins: it takes a royal piece, for no other one ends a game."""
    law, side, theirs = position.law, position.side, position.theirs
    royals = [foe for foe in theirs.men if foe.kind is Kind.CHIEF]
    if theirs.princess is not None:
        royals.append(theirs.princess)
    for post, ends in zip(position.ours.men, position.men_ends(), strict=True):
        for foe in royals:
            if ends & foe.bit:
                outcome = law.taken(foe.kind, post.piece)
                if outcome is not None and outcome.winner is side:
                    return True
    return False
