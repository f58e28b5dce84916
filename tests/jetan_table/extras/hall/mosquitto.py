"""A real broker for tests: on a free port of this machine, ended with the test."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

from jetan_table.extras.hall.broker import Broker
from tests.profiles import PATIENCE_S


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
