"""Asking an opponent to the table."""

from dataclasses import dataclass

from rules import Side

THINK_S = 2.0
"""How long it thinks about a move, unless told otherwise."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """An opponent that people ask to the table."""

    name: str
    """A level, or `command:` and another engine's command line."""
    side: Side
    think_s: float = THINK_S
    """Seconds a move."""
    ponders: bool = False
    """Whether it thinks on the people's time, too."""
    guides: bool = False
    """Whether the adviser shows the people a good move each time."""
    has_book: bool = True
    """Whether a strong level's first moves may be out of its book."""
    plays_both: bool = False
    """Whether it plays both sides, beginning with `side`."""
