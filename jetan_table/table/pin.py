"""PINs that are hard to guess: wrong ones make their guessers wait."""

import hmac
import math
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

FREE_TRIES: Final = 5
"""Wrong PINs of one guesser that cost nothing; each one more doubles the wait for the next."""
FIRST_WAIT_S: Final = 60.0
MOST_WAIT_S: Final = 3600.0
KNOWN_WAIT_S: Final = 60.0
"""Longest wait of somebody who is known, in seconds."""

HALF_LIFE_S: Final = 43_200.0
"""Seconds after which a guess counts for half."""

FREE_FIRSTS: Final = 1000
"""First guesses of strangers that cost other strangers nothing: the addresses of a crowd are soon
known, and then somebody new is no longer one of many."""
FREE_OF_ALL: Final = 30
"""Further guesses of strangers that cost other strangers nothing."""
TRIES_A_SECOND: Final = 40.0
"""Guesses beyond those that make the next one wait for a second.

Somebody with no end of addresses can try some five thousand a day: half of all PINs in a hundred
days.
"""

MOST_GUESSERS: Final = 10_000
"""Guessers that are remembered; beyond, the one who has not guessed for longest is forgotten."""


@dataclass(slots=True)
class Guesses:
    """A count of wrong PINs, in which older ones count for less, and the time of the last one."""

    count: float = 0.0
    at: float = 0.0

    def by(self, now: float) -> float:
        return self.count * math.exp2((self.at - now) / HALF_LIFE_S)

    def add(self, now: float) -> None:
        self.count, self.at = self.by(now) + 1, now


class GuardedPin:
    """A PIN, and the wrong guesses at it lately.

    `whose` names the guesser, by an address for example. Each wrong guess makes its guesser wait
    longer. Strangers also wait a little for one another, and those who have not guessed yet only
    for others of that sort, once these are very many. So somebody with the right PIN is heard at
    once, unless guesses come from ever new addresses, which nothing tells apart from theirs.
    Somebody who `is_known` waits for no stranger.
    """

    def __init__(self, digits: str, most_wait_s: float = MOST_WAIT_S) -> None:
        self._digits, self._most_wait_s = digits, most_wait_s
        self._each = OrderedDict[str, Guesses]()
        """Guessers of late; the latest comes last."""
        self._firsts, self._more = Guesses(), Guesses()
        """Guesses of strangers: their first ones, and all others."""

    def guessed(self, now: float) -> int:
        """Return the number of strangers' wrong PINs that still count."""
        return round(self._firsts.by(now) + self._more.by(now))

    def wait_s(self, now: float, whose: str = "", is_known: bool = False) -> float:
        """Return the seconds for which no PIN of theirs is heard; 0 if one is heard now."""
        own = self._each.get(whose)
        until = 0.0
        if own is not None and (beyond := round(own.by(now)) - FREE_TRIES) >= 0:
            most_s = min(KNOWN_WAIT_S, self._most_wait_s) if is_known else self._most_wait_s
            until = own.at + min(FIRST_WAIT_S * 2.0 ** min(beyond, 30), most_s)
        if not is_known:
            # Somebody new waits for first guesses alone: otherwise one stubborn guesser, who has
            # made many, would keep everybody else's phone out.
            others, free = (self._more, FREE_OF_ALL) if own else (self._firsts, FREE_FIRSTS)
            many = max(others.by(now) - free, 0)
            until = max(until, others.at + many / TRIES_A_SECOND)
        return max(until - now, 0.0)

    def attempt(self, digits: str, now: float, whose: str = "", is_known: bool = False) -> bool:
        """Return True for the PIN; any other digits count as a guess."""
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
