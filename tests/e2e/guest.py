"""Clients of a served table, from any address, as strangers or as who knows the PIN."""

import json
import socket
from contextlib import closing
from http.client import HTTPConnection
from typing import Any

from tests.e2e.served import Served
from tests.e2e.windows import OWN_NAME
from tests.profiles import PATIENCE_S

JSON = {"content-type": "application/json"}

HALF = b"GET /api HTTP/1.1\r\nHost: "
"""A request that is not whole."""


class Guest:
    """A client of the table, from an address of its own.

    Whoever comes by the machine's name is somebody from elsewhere; `host` says by which.
    """

    def __init__(
        self, table: Served, address: str = "127.0.0.1", host: str = "localhost", pin: str = ""
    ) -> None:
        """Enter with the table's PIN, or another `pin`."""
        self.table, self.address, self.host = table, address, host
        self.token = ""
        self.token = self.enter(pin or table.pin)[1].get("token", "")

    def connect(self) -> HTTPConnection:
        source = (self.address, 0)
        return HTTPConnection(
            "127.0.0.1", self.table.port, timeout=PATIENCE_S, source_address=source
        )

    def enter(self, pin: str, **headers: str) -> tuple[int, Any]:
        return self.ask("POST", "/api/token", {"pin": pin}, headers)

    def ask(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, Any]:
        """Return the status and the answer; bytes are sent as they are."""
        content = body if isinstance(body, bytes | None) else json.dumps(body).encode()
        with closing(self.connect()) as connection:
            connection.request(method, path, content, {**self._headers(), **(headers or {})})
            response = connection.getresponse()
            return response.status, json.loads(response.read() or b"{}")

    def _headers(self) -> dict[str, str]:
        known = {"authorization": f"Bearer {self.token}"} if self.token else {}
        return {"host": self.host, **JSON, **known}

    def do(self, body: Any, **headers: str) -> tuple[int, Any]:
        return self.ask("POST", "/api/do", body, headers)

    def state(self) -> Any:
        """The state in full, as a new follower gets it."""
        with closing(self.connect()) as connection:
            connection.request("GET", "/events", headers=self._headers())
            response = connection.getresponse()
            assert response.status == 200, response.read()
            lines = [response.readline() for _ in range(6)]  # the time, and then the state
            return json.loads(lines[5].removeprefix(b"data: "))

    def assert_moved_and_seen(self) -> None:
        """Lift a piece and put it back: both are done and seen."""
        assert self.do({"do": "lift", "square": "d2"})[0] == 200
        assert self.state()["hands"]["in_hand"] == ["P"]
        assert self.do({"do": "put", "square": "d2"})[0] == 200
        assert self.state()["hands"]["in_hand"] == []


class Line:
    """A bare connection from an address, to send anything by."""

    def __init__(self, port: int, address: str, sent: bytes = b"") -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), 20, (address, 0))
        self.received = b""
        self.send(sent)

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def read(self, until: bytes) -> None:
        """Receive until these bytes have come, or the end."""
        while until not in self.received and (part := self._socket.recv(65536)):
            self.received += part

    def is_closed(self, wait_s: float = 0.0) -> bool:
        """Whether the other side has closed it, after waiting for that for so long."""
        self._socket.settimeout(max(wait_s, 0.001))
        try:
            while part := self._socket.recv(65536):
                self.received += part
        except TimeoutError:
            return False
        except ConnectionError:
            return True
        return True

    def close(self) -> None:
        self._socket.close()


def get(path: str, host: str = OWN_NAME) -> bytes:
    """A request without a body, as it is sent."""
    return f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
