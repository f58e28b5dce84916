"""Runs the application on a thread of its own, within bounds, and stops it at once."""

import asyncio
import os
import socket
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Any, ClassVar

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from rules import Sentence, _

from ..errors import TableError
from .access import AT_A_TABLE, Room, Visit, quiet_logs, who_leaves
from .house import Mailbox
from .state import in_trouble
from .stream import Stream

SILENT_S = 10.0
"""Seconds for a whole request to come, from the connection or from the last answer."""

STALLED_S = 30.0
"""Seconds after which a connection that takes nothing of its answer is closed."""

NEWCOMERS = 32
"""Connections accepted between two looks at requests: nobody must make room for a crowd that comes
at once before having been heard."""

TICK_S = 1.0
"""Seconds between the wakings of a server at rest."""

NO_HTTP = b'{"refused":"this is no HTTP request"}'
REFUSAL = (
    b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-type: application/json\r\n"
    b"content-length: %d\r\n\r\n%s" % (len(NO_HTTP), NO_HTTP)
)


class PortTaken(TableError, OSError):
    """The port is another program's."""


class BoundedProtocol(H11Protocol):
    """HTTP/1.1 for so many connections at once, each of which must get on with what it is about.

    Whoever asks nothing whole, or takes no answer, loses its place, also after a whole reply.
    """

    room: ClassVar[Room] = AT_A_TABLE
    visit: Visit
    _deadline: asyncio.TimerHandle | None = None
    _untaken = 0
    """Bytes still to be taken when the deadline was set."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        address = (transport.get_extra_info("peername") or [""])[0]
        now = self.loop.time()
        self.visit = Visit(address, self._leave, now)
        others = [other.visit for other in self.connections if isinstance(other, BoundedProtocol)]
        leaver = who_leaves(others, self.visit, now, self.room)
        super().connection_made(transport)
        self.app_state = {**self.app_state, "visit": self.visit}
        self._watch()
        if leaver is not None:
            leaver.leave()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget_deadline()
        # Bound methods tie a connection to its visit: what is tied in a ring stays in memory until
        # Python looks for rings, which a table at rest does not do within an evening.
        self.visit.leave = _nobody
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._note_asked()

    def on_response_complete(self) -> None:
        self.visit.waits, self.visit.since = True, self.loop.time()
        super().on_response_complete()  # another request may have come meanwhile
        self._watch()
        self._note_asked()

    def send_400_response(self, msg: str) -> None:
        cycle: Any = self.cycle
        if cycle is not None and cycle.response_started and not cycle.response_complete:
            self.transport.abort()  # nothing fits into the middle of an answer
        else:
            self.transport.write(REFUSAL)
            self.transport.close()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._watch()

    def _note_asked(self) -> None:
        cycle: Any = self.cycle
        if self.visit.waits and cycle is not None and not cycle.response_complete:
            self.visit.waits, self.visit.since = False, self.loop.time()
            self._watch()

    def _watch(self) -> None:
        """Set a deadline for whoever has to ask, or to take."""
        self._forget_deadline()
        is_stalled = self.flow.write_paused
        if is_stalled or self.visit.waits:
            self._untaken = self.transport.get_write_buffer_size()
            wait_s = STALLED_S if is_stalled else SILENT_S
            self._deadline = self.loop.call_later(wait_s, self._close_if_idle)

    def _close_if_idle(self) -> None:
        if 0 < self.transport.get_write_buffer_size() < self._untaken:
            self._watch()  # a slow line is still taking what was asked
        else:
            self._leave()

    def _leave(self) -> None:
        """Give the place up at once, whatever was still to be taken."""
        self.connections.discard(self)
        self.transport.abort()

    def _forget_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


def _nobody() -> None:
    """Whoever has left already."""


class QuietServer(uvicorn.Server):
    """Wakes once a second, for the date in its headers, not ten times."""

    async def main_loop(self) -> None:
        self._ends = asyncio.Event()
        ticks = 0
        while not await self.on_tick(ticks):
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ends.wait(), TICK_S)
            ticks += 10  # by tens it renews the date

    def end(self, loop: asyncio.AbstractEventLoop) -> None:
        """Stop at once; called on any thread."""
        self.should_exit = True
        loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        if hasattr(self, "_ends"):
            self._ends.set()


def listen(host: str, port: int, others: int = 0) -> socket.socket:
    """Return a socket that listens at a port, or at the first free one of the `others` after it.

    PortTaken where other programs listen at all of them.
    """
    try:
        return socket.create_server((host, port), backlog=NEWCOMERS)
    except OSError as error:
        with suppress(PortTaken):
            if others:
                return listen(host, port + 1, others - 1)
        raise PortTaken(
            _("port {port}: {why}; stop what uses it, or take --port 0 for any"),
            port=port,
            why=Sentence(os.strerror(error.errno or 0)),
        ) from error


def bounded(app: ASGIApp, protocol: type[BoundedProtocol] = BoundedProtocol) -> uvicorn.Config:
    """Return how an app is served: with limits to whatever a stranger sends."""
    return uvicorn.Config(
        app,
        http=protocol,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # they would let a client choose the address it is counted by
        backlog=NEWCOMERS,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=1,
    )


@contextmanager
def serving(
    app: ASGIApp,
    listener: socket.socket,
    mailbox: Mailbox,
    stream: Stream,
    now: Callable[[], float],
) -> Iterator[None]:
    """Serve while the block runs; states from the mailbox go to the stream.

    `now` tells a time that runs on whatever the table does.
    """
    with running(app, listener) as loop:
        mailbox.follow(lambda state: loop.call_soon_threadsafe(stream.push, state))
        asyncio.run_coroutine_threadsafe(watch_disk(mailbox, stream, now), loop)
        try:
            yield
        finally:
            mailbox.follow(lambda state: None)
            loop.call_soon_threadsafe(stream.close)


async def watch_disk(mailbox: Mailbox, stream: Stream, now: Callable[[], float]) -> None:
    """Say that the disk takes long, which the table cannot say while it waits for it."""
    before = None
    while True:
        await asyncio.sleep(TICK_S)
        slow = mailbox.slow_disk(now())
        if slow != before:
            state = mailbox.state
            stream.push(state if slow is None else in_trouble(state, slow))
            before = slow


@contextmanager
def running(app: ASGIApp, listener: socket.socket) -> Iterator[asyncio.AbstractEventLoop]:
    """Serve on a thread of its own while the block runs; gives the loop that does."""
    server = QuietServer(bounded(app))
    loop = asyncio.new_event_loop()
    thread = Thread(target=_run, args=(loop, serve(server, listener)), name="server", daemon=True)
    thread.start()
    try:
        with quiet_logs():
            yield loop
    finally:
        server.end(loop)
        thread.join()
        loop.close()


async def serve(server: uvicorn.Server, listener: socket.socket) -> None:
    """Serve until the server is to end, and leave no connection open."""
    await server.serve([listener])
    for connection in list(server.server_state.connections):
        if isinstance(connection, BoundedProtocol):
            connection.transport.abort()
    await asyncio.sleep(0)  # connections that were closed are let go of at the loop's next turn


def _run(loop: asyncio.AbstractEventLoop, work: Coroutine[None, None, None]) -> None:
    loop.run_until_complete(work)
    loop.run_until_complete(_end_others())


async def _end_others() -> None:
    """End what is being made for somebody, its processes too."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
