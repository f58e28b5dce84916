"""PINs: kept beside the journal, and hard to guess."""

from __future__ import annotations

import hmac
from collections import deque
from typing import Final

TRIES_S: Final = 60.0
TRIES_EACH: Final = 5
TRIES_ALL: Final = 30
"""So many wrong PINs are heard in `TRIES_S`: from one guesser, and from all strangers together."""


class GuardedPin:
    """Knows a PIN, and how often others have guessed at it lately.

    `whose` is who guesses: an address, say. Whoever `is_known` is counted alone, so that nothing
    that strangers do keeps them waiting.
    """

    def __init__(self, digits: str) -> None:
        self._digits = digits
        self._by_strangers: deque[float] = deque(maxlen=TRIES_ALL)
        self._by_each: dict[str, deque[float]] = {}

    def wait_s(self, now: float, whose: str = "", is_known: bool = False) -> float:
        """Return for how long nothing is heard from them; 0 where something is."""
        lately = now - TRIES_S
        for each in [one for one, times in self._by_each.items() if times[-1] <= lately]:
            del self._by_each[each]
        counted = [self._by_each.get(whose, deque(maxlen=TRIES_EACH))]
        if not is_known:
            counted.append(self._by_strangers)
        return max(times[0] - lately if _is_spent(times, lately) else 0.0 for times in counted)

    def is_right(self, digits: str, now: float, whose: str = "", is_known: bool = False) -> bool:
        """Whether it is these digits; if not, that counts as a guess."""
        if hmac.compare_digest(digits.encode(), self._digits.encode()):
            return True
        self._by_each.setdefault(whose, deque(maxlen=TRIES_EACH)).append(now)
        if not is_known:
            self._by_strangers.append(now)
        return False


def _is_spent(times: deque[float], lately: float) -> bool:
    return len(times) == times.maxlen and times[0] > lately
