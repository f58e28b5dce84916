"""Lines of text from a pipe, without waiting where there are none."""

from __future__ import annotations

import os
import select
from collections import deque
from typing import Final

from rules.sentences import _

from ..errors import TableError

MOST_BYTES: Final = 1 << 20
"""A line longer than this is no line of the protocol."""


class LineTooLong(TableError, ValueError):
    """What comes in has no end of line."""


class LineBuffer:
    """Cuts what a file descriptor brings into lines."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._whole: deque[str] = deque()
        self._rest = b""
        self.is_closed = False
        """Whether the other end is gone; lines it sent before are still to be had."""

    def next(self, seconds: float | None = 0.0) -> str | None:
        """Return the next line; None where none comes within so long (None: however long)."""
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
