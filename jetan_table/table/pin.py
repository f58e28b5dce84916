"""The arbiter of a tournament game: who knows a PIN of his own."""

from __future__ import annotations

import hmac
import secrets
from collections import deque
from pathlib import Path

from ..game.commands import CommandRefused
from ..game.refusals import No
from ..journal.journal import Journal

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


TABLE_PIN, ARBITER_PIN = "pin", "arbiter"


def kept_pin(folder: Path, name: str) -> str:
    """Return the PIN kept in a file of the data folder, made up if there is none yet."""
    path = folder / name
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(f"{secrets.randbelow(1_000_000):06}\n", encoding="utf-8")
    return path.read_text(encoding="utf-8").strip()


def unguessable() -> str:
    """Return a word nobody can guess."""
    return secrets.token_urlsafe(18)


def arbiter_of(journal: Journal) -> Arbiter:
    """Return the arbiter, whose PIN is kept beside the journal."""
    return Arbiter(kept_pin(journal.folder, ARBITER_PIN))
