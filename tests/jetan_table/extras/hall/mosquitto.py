"""A real broker for tests, on a free port of this machine, and a bad line to it.

The line loses, doubles, delays, reorders, and is cut. It knows as much of MQTT as tells its packets
apart, and plays its tricks on what is published.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

from jetan_table.extras.hall.broker import Broker, BrokerLink
from tests.profiles import PATIENCE_S

PUBLISH = 3


def free_port() -> int:
    """Return a port that nobody listens on, and that nobody gets who asks for any.

    Linux hands out those from 32768 on: one of them may be another test's before it is used.
    """
    chance = Random()
    while True:
        port = chance.randrange(20_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def until(is_so: Callable[[], bool], patience_s: float = PATIENCE_S) -> None:
    """Wait until something is so; AssertionError where it is not in the end."""
    ends = time.monotonic() + patience_s
    while not is_so():
        assert time.monotonic() < ends, "it never came to be so"
        time.sleep(0.01)


def is_all_said(link: BrokerLink) -> bool:
    """Return True once the broker has acknowledged every word of a link."""
    return link.is_up and not link.due and not link.unacknowledged


class Mosquitto:
    """A broker that can be killed and started again; without `config` anybody may do anything."""

    def __init__(self, folder: Path, config: Path | None = None, port: int | None = None) -> None:
        self.port = port or free_port()
        self.config = config
        if config is None:
            self.config = folder / "mosquitto.conf"
            self.config.write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\n")
        self.log = folder / "mosquitto.log"
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def broker(self) -> Broker:
        return Broker("127.0.0.1", self.port)

    def start(self) -> Mosquitto:
        program = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [program, "-c", str(self.config)], stdout=log, stderr=log
            )
        until(self.listens)
        return self

    def listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def __enter__(self) -> Mosquitto:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.kill()


class BadLine:
    """Listens on a port of its own, and passes on to the broker what it does not spoil."""

    def __init__(self, broker_port: int, seed: int, trouble: float = 0.15) -> None:
        """`trouble` is the chance that something happens to a packet."""
        self._broker_port, self._rng, self._trouble = broker_port, Random(seed), trouble
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._server.getsockname()[1])
        self._is_closed = False
        self._open: list[socket.socket] = []
        self.spoiled = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._is_closed = True
        with suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)  # or it would let one more in
        self._server.close()
        self.cut()

    def cut(self) -> None:
        """Cut all that goes over it."""
        for line in self._open:
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
        self._open.clear()

    def _accept(self) -> None:
        while not self._is_closed:
            try:
                client, _address = self._server.accept()
                broker = socket.create_connection(("127.0.0.1", self._broker_port))
            except OSError:
                time.sleep(0.01)
                continue
            self._open += [client, broker]
            for source, target in ((client, broker), (broker, client)):
                threading.Thread(target=self._pass_on, args=(source, target), daemon=True).start()

    def _pass_on(self, source: socket.socket, target: socket.socket) -> None:
        held: bytes | None = None
        with source, target:
            try:
                while packet := read_packet(source):
                    if packet[0] >> 4 != PUBLISH or self._rng.random() > self._trouble:
                        target.sendall(packet)
                        if held is not None:
                            target.sendall(held)
                            held = None
                        continue
                    self.spoiled += 1
                    match self._rng.randrange(5):
                        case 0:  # lost
                            pass
                        case 1:
                            target.sendall(packet + packet)
                        case 2:
                            time.sleep(self._rng.random() * 0.2)
                            target.sendall(packet)
                        case 3:  # comes after the next one
                            held = packet
                        case 4:
                            self.cut()
                            return
            except OSError:
                return


def read_packet(source: socket.socket) -> bytes:
    """Return the next packet; nothing at the end."""
    head = _exactly(source, 1)
    if not head:
        return b""
    length, shift = 0, 0
    while True:
        byte = _exactly(source, 1)
        if not byte:
            return b""
        head += byte
        length |= (byte[0] & 127) << shift
        shift += 7
        if byte[0] < 128:
            break
    return head + _exactly(source, length)


def _exactly(source: socket.socket, count: int) -> bytes:
    content = b""
    while len(content) < count:
        part = source.recv(count - len(content))
        if not part:
            return b""
        content += part
    return content
