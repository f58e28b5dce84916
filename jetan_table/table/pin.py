"""PINs: kept beside the journal, and hard to guess."""

from __future__ import annotations

import hmac
import math
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

FREE_TRIES: Final = 5
"""So many wrong PINs of one guesser cost nothing; each one more doubles what the next waits."""
FIRST_WAIT_S: Final = 60.0
MOST_WAIT_S: Final = 3600.0
KNOWN_WAIT_S: Final = 60.0
"""Whoever is known waits no longer than this."""

HALF_LIFE_S: Final = 43_200.0
"""A guess counts for half after so long."""

FREE_OF_ALL: Final = 30
TRIES_A_SECOND: Final = 60.0
"""A stranger's guess waits a second after the last one for each so many that strangers have made,
but for the first few.

Whoever has no end of addresses tells some five thousand a day: half of all PINs in a hundred days.
"""

MOST_GUESSERS: Final = 10_000
"""So many are remembered; who has not guessed for longest is forgotten beyond."""


@dataclass(slots=True)
class Guesses:
    """How many wrong PINs were told, the older ones counted for less, and when the last one was."""

    count: float = 0.0
    at: float = 0.0

    def by(self, now: float) -> float:
        return self.count * math.exp2((self.at - now) / HALF_LIFE_S)

    def add(self, now: float) -> None:
        self.count, self.at = self.by(now) + 1, now


class GuardedPin:
    """Knows a PIN, and how often others have guessed at it lately.

    `whose` is who guesses: an address, say. Whoever guesses wrong waits alone, longer each time.
    Strangers wait a little for one another besides, and those who have not guessed yet only for
    others of that sort, so that somebody who comes with the right PIN soon is heard. Whoever
    `is_known` waits for nobody.
    """

    def __init__(self, digits: str, most_wait_s: float = MOST_WAIT_S) -> None:
        self._digits, self._most_wait_s = digits, most_wait_s
        self._each = OrderedDict[str, Guesses]()
        """Who has guessed lately; the latest comes last."""
        self._firsts, self._more = Guesses(), Guesses()
        """What strangers have guessed: each for the first time, and again."""

    def guessed(self, now: float) -> int:
        """Return how many wrong PINs of strangers still count."""
        return round(self._firsts.by(now) + self._more.by(now))

    def wait_s(self, now: float, whose: str = "", is_known: bool = False) -> float:
        """Return for how long nothing is heard from them; 0 where something is."""
        own = self._each.get(whose)
        until = 0.0
        if own is not None and (beyond := round(own.by(now)) - FREE_TRIES) >= 0:
            most_s = min(KNOWN_WAIT_S, self._most_wait_s) if is_known else self._most_wait_s
            until = own.at + min(FIRST_WAIT_S * 2.0 ** min(beyond, 30), most_s)
        if not is_known:
            others = self._firsts if own is None else self._more
            many = max(others.by(now) - FREE_OF_ALL, 0)
            until = max(until, others.at + many / TRIES_A_SECOND)
        return max(until - now, 0.0)

    def is_right(self, digits: str, now: float, whose: str = "", is_known: bool = False) -> bool:
        """Whether it is these digits; if not, that counts as a guess."""
        if hmac.compare_digest(digits.encode(), self._digits.encode()):
            self._each.pop(whose, None)
            return True
        if not is_known:
            (self._more if whose in self._each else self._firsts).add(now)
        self._each.setdefault(whose, Guesses()).add(now)
        self._each.move_to_end(whose)
        if len(self._each) > MOST_GUESSERS:
            self._each.popitem(last=False)
        return False
