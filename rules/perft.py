"""Counting all games of a length: the plainest proof that moves are right."""

from .board import Move
from .position import Position


def perft(position: Position, depth: int) -> int:
    """Return how many sequences of `depth` plies are legal; a game that ends earlier counts 0.

    The Juggernaut stands still. ValueError for a negative depth.
    """
    if depth < 0:
        raise ValueError(f"perft depth {depth}: must be 0 or more")
    if depth == 0:
        return 1
    if depth == 1:
        return position.count_moves()
    return sum(perft(after, depth - 1) for after in position.after_each())


def divide(position: Position, depth: int) -> dict[Move, int]:
    """Return, for each legal move, how many sequences of `depth` plies begin with it."""
    if depth < 1:
        raise ValueError(f"divide depth {depth}: must be 1 or more")
    return {move: perft(position.play(move), depth - 1) for move in position.moves()}
