"""When a player gives up, offers a draw or agrees to one: from what it thinks of its own moves."""

from enum import Enum
from typing import Final

HOPELESS: Final = -700
"""A score below this is hopeless: by `win_probability` 6 points of 100 are to be expected."""

HOPELESS_MOVES: Final = 3
"""It resigns when its game has been hopeless, or proven lost, for so many moves in a row."""

CONTENT: Final = 0
"""It agrees to a draw when it thinks its game worth no more than this."""

CONTENT_PLIES: Final = 20
"""It agrees to none before so many plies."""

LEVEL: Final = 30
"""A score no further from 0 is level: by `win_probability` 53 points of 100 for the better side."""

LEVEL_MOVES: Final = 8
"""It offers a draw when its game has been level for so many moves in a row."""

LEVEL_PLIES: Final = 60
"""It offers none before so many plies."""


class Intent(Enum):
    """What a player is about to do beside its move."""

    PLAY_ON = "play on"
    RESIGN = "resign"
    OFFER_DRAW = "offer a draw"


class EndingPolicy:
    """When one player resigns, offers a draw or agrees to one, through one game."""

    def __init__(self) -> None:
        self._hopeless = self._level = 0
        self._is_content = False

    def consider(self, score: int, win_in: int | None, plies: int) -> Intent:
        """Take in what it thinks of its move, `plies` into the game; return what it will do.

        `score` and `win_in` as in a Thought.
        """
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
        return self._is_content and plies >= CONTENT_PLIES
