"""Runs a hall: its page and its links to the broker, until it is asked to end."""

import asyncio
import socket
from collections.abc import Callable
from contextlib import closing

import uvicorn

from ...page.access import IN_A_HALL, Access
from ...page.server import BoundedProtocol, bounded, serve
from . import topics
from .app import HallHouse, make_hall_app
from .broker import Broker
from .hall import Hall
from .link import BrokerLink, Links
from .payloads import MOST_BYTES

TICK_S = 0.25


class HallProtocol(BoundedProtocol):
    """A hall has more visitors than a table."""

    room = IN_A_HALL


class HallServer:
    """Serves one hall on a socket that listens."""

    def __init__(
        self, hall: Hall, broker: Broker, access: Access, has_arbiter: bool, name: str
    ) -> None:
        """`name` is what the hall is called at the broker: no other client may have it."""
        self.hall = hall
        self._loop: asyncio.AbstractEventLoop | None = None
        self.link = BrokerLink(broker, name, topics.OF_ALL_TABLES, self._hear)
        if has_arbiter:  # who only shows has no right to write
            hall.link = self.link
        app = make_hall_app(HallHouse(hall, access, has_arbiter))
        self._server = uvicorn.Server(bounded(app, HallProtocol))

    def run(self, listener: socket.socket, steady: Callable[[], float]) -> None:
        """Serve until a signal or `stop`; on the main thread Ctrl-C ends it."""
        asyncio.run(self._run(listener, steady))

    def stop(self) -> None:
        """End soon; may be called from any thread."""
        self._server.should_exit = True

    async def _run(self, listener: socket.socket, steady: Callable[[], float]) -> None:
        self._loop = asyncio.get_running_loop()
        self.hall.say_all()
        with closing(Links([self.link], steady).start()):
            ticking = asyncio.create_task(self._tick())
            await serve(self._server, listener)
            ticking.cancel()

    async def _tick(self) -> None:
        while True:
            self.hall.tick()
            if self._server.should_exit:
                self.hall.public.stream.close()
                self.hall.arbiter.stream.close()
            await asyncio.sleep(TICK_S)

    def _hear(self, topic: str, content: bytes) -> None:
        """Hand a word over to the hall's own thread; more than any table says is cut."""
        assert self._loop is not None
        content = content[: MOST_BYTES + 1]
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.hall.heard, topic, content)
