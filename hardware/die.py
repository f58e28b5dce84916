"""The electronic die: its throws cannot be foreseen or bent, and anybody can check them.

A secret seed is drawn for each game; its SHA-256 hash, the commitment, is shown before the first
throw, and the seed itself when the game is over. Every throw follows from the seed, the numbers
that the players added, and its occasion. So a table cannot throw again until it likes the face, and
all throws can be repeated by anybody who knows the seed in the end.
"""

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from itertools import count

from rules import TELEPORT

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
    # 256 is no multiple of ten: the last six bytes would make the faces 1 to 6 likelier.
    for attempt in count():
        byte = hmac.digest(seed, f"{message}:{attempt}".encode(), "sha256")[0]
        if byte < FAIR_BYTES:
            return byte % FACES + 1
    raise AssertionError("counting never ends")


def throws(seed: bytes, added: Sequence[int], occasion: str) -> tuple[int, int, int]:
    """Return the three faces of a seed on an occasion; the last two are for a teleport.

    The message of its throw n (from 1) is `added:occasion:n`, the added numbers joined by commas.
    """
    message = f"{','.join(map(str, added))}:{occasion}"
    return throw(seed, f"{message}:1"), throw(seed, f"{message}:2"), throw(seed, f"{message}:3")


def joint_numbers(shares: Iterable[tuple[int, int, int]]) -> tuple[int, ...]:
    """Return a roll for the Juggernaut from the throws of all its seeds: one face, or three.

    face = sum(face_i - 1) % 10 + 1 over all seeds: without one of them nothing of it is known.
    """
    throws_of_all = zip(*shares, strict=True)
    face, *teleport = (sum(each - 1 for each in faces) % FACES + 1 for faces in throws_of_all)
    return (face, *teleport) if face == TELEPORT else (face,)


def roll_numbers(seeds: Sequence[bytes], added: Sequence[int], occasion: str) -> tuple[int, ...]:
    """Return the roll that seeds give together on an occasion."""
    return joint_numbers(throws(seed, added, occasion) for seed in seeds)
