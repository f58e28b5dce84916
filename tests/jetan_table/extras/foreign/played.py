"""Positions that two readers of the rules are compared in, and where they may differ."""

from collections.abc import Iterator
from random import Random

from rules import SQUARE_NAMES, MoveKind, Position, Rules, Side, format_square


def positions(rules: Rules, count: int) -> Iterator[Position]:
    """Yield positions of both sides out of random games that prefer to take."""
    random = Random(f"zillions {rules.values}")
    while count:
        position = Position.start(rules, random.choice(list(Side)))
        for ply in range(random.randrange(20, 160)):
            if position.outcome is not None:
                break
            if count and ply % 9 == random.randrange(9):
                yield position
                count -= 1
            moves = position.moves()
            takes = [move for move in moves if move.kind is MoveKind.CAPTURE]
            position = position.play(
                random.choice(takes if random.random() < 0.3 else moves)
                if takes
                else random.choice(moves)
            )


def seen_through(position: Position) -> set[tuple[str, str]]:
    """Return moves of the Princess onto squares that are threatened only through her own."""
    princess = position.ours.princess
    if princess is None:
        return set()
    lifted = position.threats()
    standing = position.theirs.reach(position.occupied, position.law.princess_takes)
    start = format_square(princess.square)
    hidden = lifted & ~standing
    return {(start, name) for at, name in enumerate(SQUARE_NAMES) if hidden >> at & 1}
