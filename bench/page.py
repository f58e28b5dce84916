"""How quick the table's page is, and how light: lift to lit with 50 watchers, memory, first paint.

The whole program runs as people start it; a client lifts a piece and puts it back, and every
watcher notes when its event stream says that the lamps are lit. The limits are the project's own.
First paint is what a browser with an empty cache is sent before the board is drawn, headers
included.
"""

import json as json_text
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from statistics import median, quantiles
from threading import Barrier, Thread
from typing import Any

from bench._figures import memory_mb
from jetan_table.files import find_checkout
from jetan_table.wiring import TABLE_PIN

WATCHERS = 50
LIFTS = 60
PAUSE_S = 0.25
ASKED_AT_START = ("/events", "/api/about", "/api/words/en", "/api/boards/grid")
NAMED = re.compile(r'(?:src=|href=|fetch\()"(/static/[\w.]+)"')
IMPORTED = re.compile(r'from "\./([\w.]+)"')
LIMIT_LIT_MS = 100.0
LIMIT_MEMORY_MB = 80.0
LIMIT_PAINT_KB = 150.0


def main(json: bool) -> None:
    """Measure, and print a table or one JSON object."""
    figures = measure()
    if json:
        print(json_text.dumps(figures))
        return
    for words, key, limit in (
        (f"lift to lit, {WATCHERS} watchers, p95", "lift_to_lit_p95_ms", f"{LIMIT_LIT_MS:.0f} ms"),
        ("server's memory", "memory_mb", f"{LIMIT_MEMORY_MB:.0f} MB"),
        ("first paint over the wire", "first_paint_kb", f"{LIMIT_PAINT_KB:.0f} KB"),
    ):
        print(f"{words:36} {figures[key]:8.1f}  of {limit}")


def measure() -> dict[str, float]:
    """Start a table, watch it and play on it."""
    with table() as (process, port, pin):
        paint_kb = first_paint_bytes(port) / 1000
        latencies_ms = lift_and_watch(port, pin)
        held_mb = memory_mb(process.pid, "VmHWM")
    p95 = quantiles(latencies_ms, n=20)[-1]
    return {
        "watchers": WATCHERS,
        "lift_to_lit_median_ms": round(median(latencies_ms), 2),
        "lift_to_lit_p95_ms": round(p95, 2),
        "lift_to_lit_vs_limit": round(p95 / LIMIT_LIT_MS, 3),
        "memory_mb": round(held_mb, 1),
        "memory_vs_limit": round(held_mb / LIMIT_MEMORY_MB, 3),
        "first_paint_kb": round(paint_kb, 1),
        "first_paint_vs_limit": round(paint_kb / LIMIT_PAINT_KB, 3),
    }


@contextmanager
def table() -> Iterator[tuple[subprocess.Popen[str], int, str]]:
    """Run `jetan play` with its page; give the process, its port and its PIN."""
    with tempfile.TemporaryDirectory() as folder:
        words = ("--no-browser", "--port", "0", "--data", folder, "--rules", "appendix")
        process = subprocess.Popen(
            [sys.executable, "-m", "jetan_table", "play", "--board", "simulated", *words],
            cwd=find_checkout(),
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        printed = ""
        while not (found := re.search(r"http://.*:(\d+)/", printed)):
            line = process.stdout.readline()
            assert line, f"the table did not start: {printed}"
            printed += line
        try:
            yield process, int(found[1]), Path(folder, TABLE_PIN).read_text().strip()
        finally:
            process.terminate()
            process.communicate()


class Watcher(Thread):
    """A page that notes when it is told that d3 is lit."""

    def __init__(self, port: int, ready: Barrier) -> None:
        super().__init__(daemon=True)
        self.lit_at: list[float] = []
        self._port, self._ready = port, ready

    def run(self) -> None:
        with closing(HTTPConnection("127.0.0.1", self._port)) as connection:
            connection.request("GET", "/events")
            stream = connection.getresponse()
            for _ in range(6):  # the time, and then the state
                stream.readline()
            self._ready.wait()
            while len(self.lit_at) < LIFTS and (line := stream.readline()):
                if b'"d3":"legal"' in line:
                    self.lit_at.append(time.perf_counter())


def lift_and_watch(port: int, pin: str) -> list[float]:
    """Lift a piece again and again; return when each watcher saw the lamps, in ms after it."""
    ready = Barrier(WATCHERS + 1)
    watchers = [Watcher(port, ready) for _ in range(WATCHERS)]
    for watcher in watchers:
        watcher.start()
    ready.wait()
    token = post(port, "/api/token", {"pin": pin})["token"]
    lifted_at = []
    for _ in range(LIFTS):
        lifted_at.append(time.perf_counter())
        post(port, "/api/do", {"do": "lift", "square": "d2"}, token)
        time.sleep(PAUSE_S)
        post(port, "/api/do", {"do": "put", "square": "d2"}, token)
        time.sleep(PAUSE_S)
    for watcher in watchers:
        watcher.join(5)
        assert len(watcher.lit_at) == LIFTS, "a watcher has missed a lift"
    return [
        1000 * (lit - lifted)
        for watcher in watchers
        for lit, lifted in zip(watcher.lit_at, lifted_at, strict=True)
    ]


def post(port: int, path: str, asked: dict[str, str], token: str = "") -> dict[str, Any]:
    """Ask something of the table, and return its answer."""
    headers = {"content-type": "application/json", "authorization": f"Bearer {token}"}
    with closing(HTTPConnection("127.0.0.1", port)) as connection:
        connection.request("POST", path, json_text.dumps(asked), headers)
        response = connection.getresponse()
        answer: dict[str, Any] = json_text.loads(response.read())
        assert response.status == 200, answer
        return answer


def first_paint_bytes(port: int) -> int:
    """Return what is sent until the board is drawn: the page, all it names, and the state."""
    total, wanted, fetched = 0, ["/", *ASKED_AT_START], set[str]()
    while wanted:
        path = wanted.pop()
        if path in fetched:
            continue
        fetched.add(path)
        text = answer_to(port, path, "identity").decode()
        total += len(answer_to(port, path, "gzip"))
        wanted += NAMED.findall(text)
        wanted += [f"/static/{name}" for name in IMPORTED.findall(text)]
    return total


def answer_to(port: int, path: str, coding: str) -> bytes:
    """Return all that comes, headers included, until nothing more does: some streams never end."""
    headers = f"Host: localhost\r\nConnection: close\r\nAccept-Encoding: {coding}"
    received = b""
    with closing(socket.create_connection(("127.0.0.1", port))) as line, suppress(TimeoutError):
        line.settimeout(1)
        line.sendall(f"GET {path} HTTP/1.1\r\n{headers}\r\n\r\n".encode())
        while part := line.recv(65_536):
            received += part
    return received
