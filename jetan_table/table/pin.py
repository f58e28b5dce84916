"""The arbiter of a tournament game: who knows a PIN of his own."""

from __future__ import annotations

import hmac
from collections import deque

from ..game.commands import CommandRefused
from ..game.refusals import No

TRIES = 5
TRIES_S = 60.0
"""So many wrong PINs are heard in so long."""


class Arbiter:
    """Knows the arbiter's PIN, and how often others have guessed at it."""

    def __init__(self, pin: str) -> None:
        self._pin = pin
        self._wrong: deque[float] = deque(maxlen=TRIES)

    def check(self, pin: str, now: float) -> None:
        """Raise CommandRefused for a wrong PIN, or where too many have been."""
        if len(self._wrong) == TRIES and now < self._wrong[0] + TRIES_S:
            wait_s = self._wrong[0] + TRIES_S - now
            raise CommandRefused(No.TOO_MANY_TRIES, wait_s=wait_s)
        if not hmac.compare_digest(pin.encode(), self._pin.encode()):
            self._wrong.append(now)
            raise CommandRefused(No.WRONG_ARBITER_PIN)
