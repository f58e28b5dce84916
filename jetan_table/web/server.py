"""Runs the application on a thread of its own, within bounds, and stops it at once."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from threading import Thread

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from rules.sentences import _

from ..errors import TableError
from .mailbox import Mailbox
from .state import TableState
from .stream import Stream

MOST_CONNECTIONS = 400
"""Below the 1024 files a process may commonly open: the journal must always find one."""

MOST_OF_ONE = 100
"""So many connections from one address: it cannot take the room of all others."""

SILENT_S = 10.0
"""A connection that has asked nothing for so long is closed."""

TICK_S = 1.0
"""At rest the server wakes so often."""

FULL = b'{"refused":"too many connections at once"}'
REFUSAL = (
    b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-type: application/json\r\n"
    b"content-length: %d\r\n\r\n%s" % (len(FULL), FULL)
)


class PortTaken(TableError, OSError):
    """The port is another program's."""


class BoundedProtocol(H11Protocol):
    """HTTP/1.1, for so many connections at once; the others are told so."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        address = (transport.get_extra_info("peername") or [""])[0]
        is_full = len(self.connections) >= MOST_CONNECTIONS or self._count(address) >= MOST_OF_ONE
        super().connection_made(transport)
        if is_full:
            transport.write(REFUSAL)
            transport.close()
            return
        self.loop.call_later(SILENT_S, self._close_if_silent)

    def _count(self, address: str) -> int:
        clients = (getattr(other, "client", None) for other in self.connections)
        return sum(client is not None and client[0] == address for client in clients)

    def _close_if_silent(self) -> None:
        if not self._has_asked() and not self.transport.is_closing():
            self.transport.close()

    def _has_asked(self) -> bool:
        return getattr(self, "cycle", None) is not None


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


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; PortTaken where another program does."""
    try:
        return socket.create_server((host, port), backlog=128)
    except OSError as error:
        raise PortTaken(
            _("port {port}: {why}; stop what uses it, or take --port 0 for any"),
            port=port,
            why=error.strerror or error,
        ) from error


@contextmanager
def serving(
    app: ASGIApp, listener: socket.socket, mailbox: Mailbox, stream: Stream
) -> Iterator[None]:
    """Serve while the block runs; states from the mailbox go to the stream."""
    config = uvicorn.Config(
        app,
        http=BoundedProtocol,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # they would let a client choose the address it is counted by
        timeout_keep_alive=5,
        timeout_graceful_shutdown=1,
    )
    server = QuietServer(config)
    loop = asyncio.new_event_loop()
    thread = Thread(target=_run, args=(loop, server.serve([listener])), name="server", daemon=True)
    mailbox.follow(lambda state: _hand_over(loop, stream, state))
    thread.start()
    try:
        yield
    finally:
        mailbox.follow(lambda state: None)
        loop.call_soon_threadsafe(stream.close)
        server.end(loop)
        thread.join()
        loop.close()


def _run(loop: asyncio.AbstractEventLoop, serve: Coroutine[None, None, None]) -> None:
    loop.run_until_complete(serve)


def _hand_over(loop: asyncio.AbstractEventLoop, stream: Stream, state: TableState) -> None:
    loop.call_soon_threadsafe(stream.push, state)
