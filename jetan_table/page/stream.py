"""The state of a table as a stream of events, for all who follow it.

A state comes in whole. What differs from the state
before becomes the next change, is numbered, and is written down once for all followers. A follower
is sent every change after the one it names; who names none, one too old or one of an earlier start
gets the state in full. So a follower that stalls costs nothing, and one that comes back misses
nothing. Only the latest changes are kept.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from itertools import islice
from typing import Any

import msgspec
from starlette.requests import Request as HttpRequest
from starlette.types import Receive, Scope, Send

from rules import whole_number

from .. import __version__
from ..languages import plain, without_folders
from .access import AT_A_TABLE, Room, Visit, gone, makes_room, refusal
from .state import State

MOST_KEPT = 256
"""Changes kept for those who come back; others get the state in full."""
HEARTBEAT_S = 15.0
"""Seconds after which an empty line is sent, so that a lost connection is noticed."""


class Stream:
    """The state as an event stream; used by the server's thread alone.

    A follower is only a number: the last change it was sent. Whoever falls too far behind, or comes
    from before a restart (another `epoch`), gets the state in full, so nothing piles up.
    """

    def __init__(self, epoch: str) -> None:
        self._epoch = epoch
        self._state: State = {}
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

    def push(self, state: State) -> None:
        """Take in the state as it is now; what differs becomes the next change."""
        before = self._state
        self.change({name: it for name, it in state.items() if before.get(name, ...) != it})

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


AT_ONCE = 10
"""Strangers who are sent a change in one `slice_s`: nothing the player does waits until all have
it, and two hundred have it soon enough."""


class Followers:
    """The event stream: a follower that stalls is not waited for, and the server lets it go.

    It begins with the time on the table clock, for those who show running clocks.
    """

    # sse-starlette has a send timeout and pings, too. By hand it is one package less on a Pi, a
    # change is written down once for all followers (`Stream`), and no more than so many are let in.

    def __init__(self, stream: Stream, now: Callable[[], float], room: Room = AT_A_TABLE) -> None:
        self._stream, self._now, self._room = stream, now, room
        self._visits: dict[Visit, None] = {}
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        visit: Visit = scope["state"]["visit"]
        has_room, leaver = makes_room(self._visits, visit, self._room)
        if not has_room:
            await refusal(503, "too many pages follow this table")(scope, receive, send)
            return
        if leaver is not None:
            leaver.leave()
            self._visits.pop(leaver)
        self._visits[visit] = None
        try:
            sending = asyncio.create_task(self._send(HttpRequest(scope), send, visit))
            leaving = asyncio.create_task(gone(receive))
            await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
            for task in (sending, leaving):
                task.cancel()
            await asyncio.gather(sending, leaving, return_exceptions=True)
        finally:
            self._visits.pop(visit, None)

    async def _send(self, request: HttpRequest, send: Send, visit: Visit) -> None:
        headers = [
            (b"content-type", b"text/event-stream; charset=utf-8"),
            (b"cache-control", b"no-store"),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        time = b'event: time\ndata: {"now": %.3f}\n\n' % self._now()
        await send({"type": "http.response.body", "body": time, "more_body": True})
        async for event in self._stream.follow(request.headers.get("last-event-id")):
            if event:
                if not visit.is_known:
                    async with self._turns:
                        await asyncio.sleep(self._room.slice_s)
                await send({"type": "http.response.body", "body": event, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


# Whether the table goes on, for whoever watches over machines


def health(
    sensing: str | None,
    disk: str | None,
    last_scan_s: float | None = None,
    notices: Sequence[Any] = (),
) -> dict[str, Any]:
    """Return how a table is: why its board cannot be trusted, and what happens not be kept.

    The board was looked at `last_scan_s` ago. What is amiss has the ids that the page, the doctor
    and the lamps have for it. `schemas.json` describes the document.
    """
    return {
        "version": __version__,
        "sensing": sensing is None,
        "disk": disk is None,
        "last_scan_s": last_scan_s,
        "troubles": [str(without_folders(why)) for why in (sensing, disk) if why is not None],
        "notices": notices,
    }
