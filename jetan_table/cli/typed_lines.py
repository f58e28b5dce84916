"""Lines that people or programs write while a command goes on."""

from __future__ import annotations

import os
import stat
import sys
import threading
from collections.abc import Iterator
from queue import Empty, SimpleQueue
from typing import TextIO


class TypedLines:
    """Reads lines from a terminal or a pipe by a thread of its own, so that nobody waits for them.

    From anything else, as from a file or from nothing, no line is read.
    """

    def __init__(self, stream: TextIO = sys.stdin) -> None:
        self._lines: SimpleQueue[str] = SimpleQueue()
        if is_spoken(stream):
            threading.Thread(target=self._read, args=(stream,), daemon=True).start()

    def waiting(self) -> Iterator[str]:
        """Yield the lines that have come since the last call, without their ends."""
        while True:
            try:
                yield self._lines.get_nowait()
            except Empty:
                return

    def _read(self, stream: TextIO) -> None:
        for line in stream:
            if word := line.strip():
                self._lines.put(word)


def is_spoken(stream: TextIO) -> bool:
    """Whether somebody may write to a stream while it is read."""
    try:
        mode = os.fstat(stream.fileno()).st_mode
    except (OSError, ValueError):
        return False
    return stream.isatty() or stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)
