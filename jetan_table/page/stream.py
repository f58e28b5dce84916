"""Numbered changes of the state, for whoever follows them.

A state comes in whole. What differs from the state before becomes the next change, is numbered,
and is written down once for all followers. A follower is sent every change after the one it names;
who names none, one too old or one of an earlier start gets the state in full. So a follower that
stalls costs nothing, and one that comes back misses nothing. Only the latest changes are kept.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from itertools import islice
from typing import Any

import msgspec

from rules.plain import whole_number

from ..languages import plain
from .state import TableState

MOST_KEPT = 256
"""So many changes are kept for those who come back; others get the state in full."""

HEARTBEAT_S = 15.0
"""A line without meaning is sent after so long, so that a lost connection is noticed."""


class Stream:
    """The state as an event stream; used by the server's thread alone.

    A follower is only a number: the last change it was sent. Whoever falls too far behind, or comes
    from before a restart (another `epoch`), gets the state in full, so nothing piles up.
    """

    def __init__(self, epoch: str) -> None:
        self._epoch = epoch
        self._state: dict[str, Any] = {}
        self._full = b""
        """The state in full as an event, once somebody has asked for it."""
        self._number = 0
        self._changes: deque[bytes] = deque(maxlen=MOST_KEPT)
        self._news = asyncio.Event()
        self._is_closed = False

    @property
    def last_id(self) -> str:
        """The id of the latest event."""
        return f"{self._epoch}-{self._number}"

    def push(self, state: TableState) -> None:
        """Take in the state as it is now; what differs becomes the next change."""
        now = state.flat()
        self.change({name: now[name] for name in now if self._state.get(name, ...) != now[name]})

    def change(self, changed: dict[str, Any]) -> None:
        """Take in what has changed, by its name in the state."""
        if not changed and self._state:
            return
        self._state |= changed
        self._number += 1
        self._full = b""
        self._changes.append(self._event("change", changed))
        self._wake()

    def close(self) -> None:
        self._is_closed = True
        self._wake()

    async def follow(self, last_event_id: str | None) -> AsyncIterator[bytes]:
        """Yield the state in full, or what has changed since an event, and then every change."""
        number = self._known(last_event_id)
        while not self._is_closed:
            if number == self._number:
                yield await self._wait()
                continue
            missed = self._number - number
            if number == 0 or missed > len(self._changes):
                self._full = self._full or self._event("state", self._state)
                event = self._full
                number = self._number
            else:
                event = b"".join(islice(self._changes, len(self._changes) - missed, None))
                number = self._number
            yield event

    def _known(self, last_event_id: str | None) -> int:
        epoch, _, digits = (last_event_id or "").rpartition("-")
        number = whole_number(digits)
        if epoch != self._epoch or number is None or number > self._number:
            return 0
        return number

    async def _wait(self) -> bytes:
        """Wait for news, and return nothing; or after a while a heartbeat."""
        try:
            await asyncio.wait_for(self._news.wait(), HEARTBEAT_S)
        except TimeoutError:
            return b": still here\n\n"
        return b""

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    def _event(self, name: str, content: dict[str, Any]) -> bytes:
        data = msgspec.json.encode(content, enc_hook=plain)
        return b"id: %s\nevent: %s\ndata: %s\n\n" % (self.last_id.encode(), name.encode(), data)
