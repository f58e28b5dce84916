"""A hall with its page and its broker, as tests sit before it."""

import json
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.cookiejar import CookieJar
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, Request, build_opener

from jetan_table.extras.hall.broker import Broker
from jetan_table.extras.hall.hall import Hall, HallServer
from jetan_table.extras.hall.hub import NO_DELAY, Delay
from jetan_table.page.access import Access
from jetan_table.page.server import listen
from tests.jetan_table.extras.hall.mosquitto import until

PIN = "123456"


class Visitor:
    """Somebody with a browser: asks, and keeps what a cookie says."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._opener = build_opener(HTTPCookieProcessor(CookieJar()))

    def get(self, path: str) -> Any:
        with self._opener.open(f"{self.url}{path}", timeout=10) as response:
            content = response.read()
            is_json = "json" in response.headers["content-type"]
            return json.loads(content) if is_json else content.decode()

    def state_told(self) -> str:
        """Return the first state of tables that the stream of changes tells."""
        with self._opener.open(f"{self.url}/events", timeout=10) as lines:
            return next(str(line, "utf-8") for line in lines if b'"plies"' in line)

    def post(self, path: str, content: Any, origin: str | None = None) -> int:
        headers = {"content-type": "application/json"}
        if origin is not None:
            headers["origin"] = origin
        request = Request(f"{self.url}{path}", json.dumps(content).encode(), headers)
        try:
            with self._opener.open(request, timeout=10) as response:
                return int(response.status)
        except HTTPError as error:
            return error.code

    def status(self, path: str) -> int:
        try:
            self.get(path)
        except HTTPError as error:
            return error.code
        return 200


@dataclass
class ServedHall:
    """A hall that is served, and how to come to it."""

    hall: Hall
    server: HallServer
    url: str

    def hear(self, topic: str, content: bytes) -> None:
        """Let something be said, as if it came from the broker."""
        loop = self.server._loop
        assert loop is not None
        loop.call_soon_threadsafe(self.hall.heard, topic, content)

    def visitor(self, is_arbiter: bool = False) -> Visitor:
        visitor = Visitor(self.url)
        if is_arbiter:
            assert visitor.post("/api/token", {"pin": PIN}) == 200
        return visitor


@contextmanager
def hall_served(
    folder: Path, broker: Broker, delay: Delay = NO_DELAY, has_arbiter: bool = True
) -> Iterator[ServedHall]:
    """Serve a hall while the block runs."""
    numbers = count(1)
    words = (f"word{number}" for number in numbers)
    access = Access(PIN, (), time.time, lambda: f"token{next(numbers)}")
    with (
        closing(Hall(folder, delay, time.time, lambda: next(words))) as hall,
        listen("127.0.0.1", 0) as listener,
    ):
        server = HallServer(hall, broker, access, has_arbiter, f"hall-{id(hall)}")
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        thread = Thread(target=server.run, args=(listener, time.monotonic))
        thread.start()
        try:
            until(lambda: server.link.is_up)
            yield ServedHall(hall, server, url)
        finally:
            server.stop()
            thread.join()
