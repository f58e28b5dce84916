"""PINs: kept beside the journal, and hard to guess."""

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

FREE_FIRSTS: Final = 1000
"""So many strangers may guess for the first time without waiting for one another: the addresses of
a crowd are soon known, and then somebody new is no longer one of many."""
FREE_OF_ALL: Final = 30
"""So many further guesses strangers may make without waiting for one another."""
TRIES_A_SECOND: Final = 40.0
"""Beyond, a stranger's guess waits a second after the last one for each so many more.

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
    others of that sort, once these are very many. So somebody who comes with the right PIN is heard
    at once, unless guesses come from ever new addresses: nothing tells him from those. Whoever
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
            others, free = (self._more, FREE_OF_ALL) if own else (self._firsts, FREE_FIRSTS)
            many = max(others.by(now) - free, 0)
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
