"""When a player gives up, offers a draw or agrees to one: from what it thinks of its own moves."""

from __future__ import annotations

from enum import Enum
from typing import Final

HOPELESS: Final = -700
"""It resigns when it has thought its game worth less, or lost, for so many moves in a row:"""

HOPELESS_MOVES: Final = 3
CONTENT: Final = 0
"""It agrees to a draw when it thinks its game worth no more, after so many plies:"""

CONTENT_PLIES: Final = 20
LEVEL: Final = 30
"""It offers one when neither has been better by more for so many moves, after so many plies:"""

LEVEL_MOVES: Final = 8
LEVEL_PLIES: Final = 60


class Intent(Enum):
    """What a player is about to do beside its move."""

    PLAY_ON = "play on"
    RESIGN = "resign"
    OFFER_DRAW = "offer a draw"


class Manners:
    """One player's, through one game."""

    def __init__(self) -> None:
        self._hopeless = self._level = 0
        self._is_content = False

    def judge(self, score: int, win_in: int | None, plies: int) -> Intent:
        """Take in what it thinks of its move, `plies` into the game; return what it will do."""
        is_hopeless = score < HOPELESS if win_in is None else win_in < 0
        is_level = win_in is None and abs(score) <= LEVEL
        self._is_content = win_in is None and score <= CONTENT
        self._hopeless = self._hopeless + 1 if is_hopeless else 0
        self._level = self._level + 1 if is_level else 0
        if self._hopeless >= HOPELESS_MOVES:
            return Intent.RESIGN
        if self._level >= LEVEL_MOVES and plies >= LEVEL_PLIES:
            self._level = 0  # who was declined waits before asking again
            return Intent.OFFER_DRAW
        return Intent.PLAY_ON

    def agrees(self, plies: int) -> bool:
        """Whether it takes a draw that is offered."""
        return self._is_content and plies >= CONTENT_PLIES
