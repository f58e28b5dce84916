"""The chain of a game: each of its rows is sealed over its content and the seal before it.

A seal tells damage and careless edits, not forgers: whoever may write the file can seal anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

import msgspec

from ..game.events import KINDS, Correction, Ending, Event, Ply, Question, Recall, TakeBack

SEAL_BYTES = 16

EventRow = tuple[int, float, str, str, int, str | None, bytes]
"""An event as the journal has it, after its game: seq, at, kind, payload, and what stands after it:
how many plies, the payload of the ending if the game is over; and the seal."""

COUNTED = frozenset(
    kind
    for kind, event in KINDS.items()
    if event in (Ply, Question, TakeBack, Recall, Correction, Ending)
)
"""The kinds of events that change how many plies stand, or whether the game is over."""


def seal_header(game: int, values: Sequence[object]) -> bytes:
    """Return the seal of a game's number and header: its chain begins with it."""
    return blake2b(msgspec.json.encode([game, *values]), digest_size=SEAL_BYTES).digest()


def seal_event(before: bytes, row: Sequence[object]) -> bytes:
    """Return the seal of an event's row, whose own last column counts for nothing."""
    seq, at, kind, payload, plies, ending, *_ = row
    content = f"{seq} {at!r} {kind} {plies} {ending}\n{payload}"
    return blake2b(before + content.encode(errors="replace"), digest_size=SEAL_BYTES).digest()


@dataclass(frozen=True, slots=True)
class Tip:
    """The end of a game's chain: what its last row says, and what the next one needs."""

    seq: int
    """Number of the last event; 0 where there is none yet."""
    seal: bytes
    plies: tuple[int, ...] = ()
    """The numbers of the plies that stand."""
    ending: str | None = None
    """The payload of how the game has ended, while that stands."""

    def next_row(self, at: float, kind: str, payload: str) -> tuple[Tip, EventRow]:
        """Return the row of one event more, sealed, and the tip after it."""
        plies, ending = self.plies, self.ending
        event = _counted(kind, payload)
        match event:
            case Ply(number=number) | Question(number=number, is_ply=True):
                plies = (*plies, number)
            case TakeBack(number=number):
                plies, ending = tuple(earlier for earlier in plies if earlier < number), None
            case Recall():
                ending = None
            case Correction():
                plies, ending = (), None
            case Ending():
                ending = payload
        content = (self.seq + 1, float(at), kind, payload, len(plies), ending)
        seal = seal_event(self.seal, content)
        return Tip(self.seq + 1, seal, plies, ending), (*content, seal)


def _counted(kind: str, payload: str) -> Event | None:
    """Return an event that counts for the tip; None for others, and for one nobody can read."""
    if kind not in COUNTED:
        return None
    try:
        return msgspec.json.decode(payload, type=KINDS[kind])
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
