"""What stands on each square of a game, as letters."""

from __future__ import annotations

from collections.abc import Mapping

from rules import Position, Square
from rules.pieces import JUGGERNAUT_LETTER

UNKNOWN = "?"


def letters(position: Position) -> dict[Square, str]:
    """Return what should stand where."""
    standing = {square: piece.letter for square, piece in position.pieces().items()}
    if position.juggernaut is not None:
        standing[position.juggernaut] = JUGGERNAUT_LETTER
    return standing


def remains_of(stood: Mapping[Square, str], wanted: Mapping[Square, str]) -> dict[Square, str]:
    """Return what stood where something else is wanted: switches cannot tell the two apart."""
    return {s: stood[s] for s, letter in wanted.items() if s in stood and stood[s] != letter}
