"""The table's voice: sentences said aloud by espeak-ng, where it is installed."""

import shutil
import subprocess
from collections.abc import Sequence
from threading import Condition, Thread
from typing import Final

from ..languages import Language

PROGRAM: Final = "espeak-ng"
"""It has English and German voices and needs no network; Debian packs it under this name."""

LONGEST_S: Final = 30.0
"""No sentence takes so long; a sound card that hangs is given up on."""


def can_speak() -> bool:
    """Whether the program that speaks is here."""
    return shutil.which(PROGRAM) is not None


class Voice:
    """Says one sentence at a time, on a thread of its own, so that the table never waits.

    Of what is to be said while it speaks only the newest is kept: what was is no news any more.
    """

    def __init__(self, language: Language, options: Sequence[str] = ()) -> None:
        """`options` are more words of the program's command line, as `-w FILE`."""
        self._command = (PROGRAM, "--stdin", "-v", language, *options)
        self._waiting: str | None = None
        self._is_closed = False
        self._spoken: subprocess.Popen[bytes] | None = None
        self._changed = Condition()
        self._thread = Thread(target=self._speak, name="voice", daemon=True)
        self._thread.start()

    def say(self, words: str) -> None:
        """Say this next, instead of what is still waiting."""
        with self._changed:
            self._waiting = words
            self._changed.notify()

    def close(self) -> None:
        """Fall silent."""
        with self._changed:
            self._is_closed = True
            if self._spoken is not None:
                self._spoken.kill()
            self._changed.notify()
        self._thread.join()

    def _speak(self) -> None:
        while (words := self._next()) is not None:
            self._say(words)

    def _next(self) -> str | None:
        """Wait for the next words, and return them; None when nothing more is to be said."""
        with self._changed:
            self._spoken = None
            self._changed.wait_for(lambda: self._waiting is not None or self._is_closed)
            words, self._waiting = self._waiting, None
            return None if self._is_closed else words

    def _say(self, words: str) -> None:
        quiet = subprocess.DEVNULL
        try:
            spoken = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet
            )
        except OSError:  # the program has gone since the table began
            return
        with self._changed:
            self._spoken = spoken
            if self._is_closed:
                spoken.kill()
        with spoken:
            try:
                spoken.communicate(words.encode(), LONGEST_S)
            except subprocess.TimeoutExpired:
                spoken.kill()
