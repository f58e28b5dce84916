"""Another program, spoken with by lines: read without waiting where there are none, written to
without waiting where there is no room.
"""

import os
import select
import subprocess
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from threading import Thread
from typing import Final, Protocol

from rules.sentences import _

from ..errors import TableError

MOST_BYTES: Final = 1 << 20
"""A line longer than this is no line of the protocol."""


class LineTooLong(TableError, ValueError):
    """What comes in has no end of line."""


class Lines(Protocol):
    """What another program says."""

    @property
    def is_closed(self) -> bool:
        """Whether it says no more; lines from before are still to be had."""

    def next(self, seconds: float | None = 0.0) -> str | None:
        """Return the next line; None where none comes within so long (None: however long)."""


class LineBuffer:
    """Cuts what a file descriptor brings into lines."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._whole: deque[str] = deque()
        self._rest = b""
        self.is_closed = False

    def next(self, seconds: float | None = 0.0) -> str | None:
        while not self._whole and not self.is_closed:
            if not select.select([self._descriptor], [], [], seconds)[0]:
                return None
            self._read()
        return self._whole.popleft() if self._whole else None

    def _read(self) -> None:
        data = os.read(self._descriptor, 65536)
        self.is_closed = not data
        *whole, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > MOST_BYTES:
            raise LineTooLong(_("a line of more than {most_bytes} bytes"), most_bytes=MOST_BYTES)
        if self.is_closed and self._rest:
            whole.append(self._rest)
        self._whole.extend(line.decode(errors="replace").strip() for line in whole)


class Child(Protocol):
    """Another program that was started to be spoken with."""

    @property
    def lines(self) -> Lines:
        """What it says."""

    @property
    def pid(self) -> int:
        """Its number."""

    def write(self, data: bytes) -> int | None:
        """Send as much as it takes now, and return how much; OSError where it is gone."""

    def kill(self) -> None:
        """End it at once."""

    def end(self, seconds: float) -> int:
        """Wait so long for it to leave, then kill it; return its exit code."""

    def leave(self, seconds: float) -> None:
        """The same, and nobody waits for it."""


class ChildProcess:
    """A process of this machine, started by a command line; OSError where there is none."""

    def __init__(self, command: Sequence[str], changed: Mapping[str, str]) -> None:
        """`changed` are variables of its environment."""
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env={**os.environ, **changed},
            process_group=0,  # an interrupt is for who asks, who then ends it in words
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input, self.pid = self._process.stdin, self._process.pid
        os.set_blocking(self._input.fileno(), False)
        self.lines: Lines = LineBuffer(self._process.stdout.fileno())

    def write(self, data: bytes) -> int | None:
        return self._input.write(data)

    def kill(self) -> None:
        self._process.kill()

    def end(self, seconds: float) -> int:
        with suppress(OSError):
            self._input.close()
        with self._process:
            try:
                return self._process.wait(seconds)
            except subprocess.TimeoutExpired:
                self._process.kill()
                return self._process.wait()

    def leave(self, seconds: float) -> None:
        with suppress(OSError):
            self._input.close()
        Thread(target=self.end, args=(seconds,)).start()
