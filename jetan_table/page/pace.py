"""How soon the table plays on a screen: once people have seen what was played before."""

from typing import Final

from rules import Position

from ..game.record import Record

REPLY_S: Final = 0.6
"""A piece has landed by then, wherever it went."""
ROLLED_S: Final = 1.6
"""So long the Juggernaut's die rolls, and it walks."""
FOUGHT_S: Final = 2.4
"""So long people read who has won a fight."""
WATCHED_S: Final = 1.0
"""Between two plies of a table that plays both sides, unless people want it otherwise."""


class Pace:
    """When the table may play the ply it wishes, on a board that needs no hands."""

    def __init__(self) -> None:
        self.every_s = WATCHED_S
        """Between two plies that are only watched."""
        self.is_paused = False
        """Whether what is only watched stands still."""
        self._stands: Position | None = None
        self._since = 0.0

    def allows(self, record: Record, now: float, is_watched: bool) -> bool:
        """Whether what stands has been seen for long enough; it is to be asked at each step."""
        if self._stands is not record.stands:
            self._stands, self._since = record.stands, now
        if is_watched and self.is_paused:
            return False
        return now - self._since >= (self.every_s if is_watched else _seen_in(record))


def _seen_in(record: Record) -> float:
    """Return how long people look at the last ply and what came of it."""
    if not record.game.plies:
        return REPLY_S
    last = record.game.plies[-1]
    if last.duel is not None:
        return FOUGHT_S
    return ROLLED_S if last.rolls else REPLY_S
