"""PINs: kept beside the journal, and hard to guess."""

from __future__ import annotations

import hmac
from collections import deque
from typing import Final

TRIES_S: Final = 60.0
TRIES_EACH: Final = 5
TRIES_ALL: Final = 30
"""So many wrong PINs are heard in `TRIES_S`, from one address and from all of them."""


class GuardedPin:
    """Knows a PIN, and how often others have guessed at it lately."""

    def __init__(self, digits: str) -> None:
        self._digits = digits
        self._wrong: deque[tuple[float, str]] = deque(maxlen=TRIES_ALL)

    def wait_s(self, now: float, address: str = "") -> float:
        """Return for how long nothing is heard from `address`; 0 where something is."""
        while self._wrong and self._wrong[0][0] <= now - TRIES_S:
            self._wrong.popleft()
        tries = [at for at, whose in self._wrong if whose == address]
        if len(tries) >= TRIES_EACH:
            return tries[-TRIES_EACH] + TRIES_S - now
        return self._wrong[0][0] + TRIES_S - now if len(self._wrong) >= TRIES_ALL else 0.0

    def is_right(self, digits: str, now: float, address: str = "") -> bool:
        """Whether it is these digits; if not, that counts as a guess from `address`."""
        if hmac.compare_digest(digits.encode(), self._digits.encode()):
            return True
        self._wrong.append((now, address))
        return False
