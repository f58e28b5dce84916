"""A pass: no ply of the game, but a question often asked of a position."""

from __future__ import annotations

from copy import copy

from rules import Position


def passed(position: Position) -> Position:
    """Return the position with the other side to move: no ply, but what a pass would leave."""
    after = copy(position)
    after.ours, after.theirs = position.theirs, position.ours
    after.ply_number += 1
    return after
