"""The electronic die: nobody can foresee its throws, nobody can bend them, anybody can check them.

A secret seed is drawn for each game; its SHA-256 hash, the commitment, is shown before the first
throw, and the seed itself when the game is over. Every throw follows from the seed, the numbers
that the players added, and the occasion it is thrown on. So a table cannot throw again until it
likes the face, and whoever knows the seed in the end can throw everything once more.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from itertools import count

from rules.juggernaut import TELEPORT

from .ports import DieThrow

FACES = 10
SEED_BYTES = 32
FAIR_BYTES = 256 - 256 % FACES
"""Bytes from here on would favour some faces, and are passed over."""


def commitment(seed: bytes) -> str:
    """Return the hash that binds a table to `seed` and tells nothing about it."""
    return hashlib.sha256(seed).hexdigest()


def throw(seed: bytes, message: str) -> int:
    """Return a face, 1..10, each of them exactly as likely as the others.

    It is the first byte of HMAC-SHA256(seed, `message:attempt`), taken modulo ten and raised by
    one; `attempt` counts up from 0 until that byte is one of the 250 that favour no face.
    """
    for attempt in count():
        byte = hmac.digest(seed, f"{message}:{attempt}".encode(), "sha256")[0]
        if byte < FAIR_BYTES:
            return byte % FACES + 1
    raise AssertionError("counting never ends")


def roll_numbers(seed: bytes, added: Sequence[int], occasion: str) -> tuple[int, ...]:
    """Return a roll for the Juggernaut: one face, or after a teleport's 10 two more.

    The message of its throw n (from 1) is `added:occasion:n`, the added numbers joined by commas.
    """
    faces = _faces(seed, f"{','.join(map(str, added))}:{occasion}")
    face = next(faces)
    return (face, next(faces), next(faces)) if face == TELEPORT else (face,)


def _faces(seed: bytes, message: str) -> Iterator[int]:
    return (throw(seed, f"{message}:{number}") for number in count(1))


class ElectronicDie:
    """The table's own die during one game; it answers at once."""

    def __init__(self, seed: bytes, added: Sequence[int] = ()) -> None:
        """`added` are the numbers that the players added to the seed."""
        self._seed, self._added = seed, tuple(added)
        self._roll: DieThrow | None = None

    def request(self, occasion: str, now: float) -> None:
        self._roll = DieThrow(now, roll_numbers(self._seed, self._added, occasion))

    def poll(self, now: float) -> DieThrow | None:
        roll, self._roll = self._roll, None
        return roll
