"""Wins proved by going through every reply, by the rules' moves alone."""

from collections.abc import Callable
from typing import TypeAlias

from rules import Kind, Position

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
    return takes_royal(position, position.men_ends())


def takes_royal(position: Position, reach: list[int]) -> bool:
    """The same, where `reach` is what `position.men_ends()` returns."""
    law, ours, theirs = position.law, position.ours, position.theirs
    princess = 0 if theirs.princess is None else theirs.princess.bit
    is_arena = position.rules["duel"] == "arena"
    chiefs = sum(post.bit for post in theirs.men if post.kind is Kind.CHIEF and not is_arena)
    by_others = princess | (chiefs if law.chief_by_other == "win" else 0)
    for post, ends in zip(ours.men, reach, strict=True):
        if ends & (princess | chiefs if post.kind is Kind.CHIEF else by_others):
            return True
    if not princess or ours.princess is None or not law.princess_takes:
        return False
    return bool(position.princess_ends(ours.princess)[0] & princess)
