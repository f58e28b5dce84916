"""The process that an engine thinks in: written to without waiting, read by lines.

Where a machine has no processes, as in a browser, something else stands here: see `instead`.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from threading import Thread
from typing import Protocol, TypeAlias

from .lines import LineBuffer


class Lines(Protocol):
    """What another program says."""

    @property
    def is_closed(self) -> bool:
        """Whether it says no more; lines from before are still to be had."""
        ...

    def next(self, seconds: float | None = 0.0) -> str | None:
        """Return the next line; None where none comes within so long (None: however long)."""
        ...


class Child(Protocol):
    """Another program that was started to be spoken with."""

    @property
    def lines(self) -> Lines:
        """What it says."""
        ...

    @property
    def pid(self) -> int:
        """Its number."""
        ...

    def write(self, data: bytes) -> int | None:
        """Send as much as it takes now, and return how much; OSError where it is gone."""
        ...

    def kill(self) -> None:
        """End it at once."""
        ...

    def end(self, seconds: float) -> int:
        """Wait so long for it to leave, then kill it; return its exit code."""
        ...

    def leave(self, seconds: float) -> None:
        """The same, and nobody waits for it."""
        ...


Begin: TypeAlias = Callable[[Sequence[str], Mapping[str, str]], Child]
"""Starts a command line with some variables of the environment changed; OSError."""


class ChildProcess:
    """A process of this machine."""

    def __init__(self, command: Sequence[str], changed: Mapping[str, str]) -> None:
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
        self._input = self._process.stdin
        os.set_blocking(self._input.fileno(), False)
        self.lines: Lines = LineBuffer(self._process.stdout.fileno())

    @property
    def pid(self) -> int:
        return self._process.pid

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


_begin: Begin = ChildProcess


def instead(begin: Begin) -> None:
    """Let other programs be started by something else from now on."""
    global _begin  # noqa: PLW0603 - what a machine can do is the same for all that runs on it
    _begin = begin


def begun(command: Sequence[str], changed: Mapping[str, str]) -> Child:
    """Start a command line as this machine can."""
    return _begin(command, changed)
