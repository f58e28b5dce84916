"""The pages that follow the event stream: so many, and none is waited for."""

import asyncio
from collections.abc import Callable

from starlette.requests import Request as HttpRequest
from starlette.types import Receive, Scope, Send

from .access import AT_A_TABLE, Room, Visit, makes_room
from .answers import gone, refusal
from .stream import Stream

AT_ONCE = 10
"""So many strangers are sent a change in a `slice_s` of the room: nothing that the player does
waits until all have it, and two hundred have it soon enough."""


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
