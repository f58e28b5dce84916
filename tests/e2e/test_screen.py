"""The live screen, in a real pseudo-terminal: it draws, takes keys, and leaves all as it was."""

import os
import pty
import select
import termios
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.command import begun
from tests.profiles import PATIENCE_S

SHOW_SCREEN, LEAVE_SCREEN = "\x1b[?1049h", "\x1b[?1049l"


class Typist:
    """Somebody at a terminal of 100 columns and 30 lines, where the table is shown."""

    def __init__(
        self, home: Path, *arguments: str | Path, world: Callable[[], None] | None = None
    ) -> None:
        self.seen = ""
        self._ours, self.theirs = pty.openpty()
        self.before = termios.tcgetattr(self.theirs)
        termios.tcsetwinsize(self.theirs, (30, 100))
        words = ("play", "--terminal", "--data", home / "games", *arguments)
        screen = dict.fromkeys(("stdin", "stdout", "stderr"), self.theirs)
        self.process = begun(home, *words, world=world, env={"TERM": "xterm-256color"}, **screen)

    def type(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def await_text(self, text: str) -> None:
        """Read until `text` is on the screen."""
        patience = time.monotonic() + PATIENCE_S
        while text not in self.seen:
            assert time.monotonic() < patience, f"{text!r} is not in {self.seen[-3000:]!r}"
            if select.select([self._ours], [], [], 0.1)[0]:
                self.seen += os.read(self._ours, 65536).decode(errors="replace")

    def leave(self) -> int:
        self.type("quit\r")
        self.await_text(LEAVE_SCREEN)
        return self.process.wait(PATIENCE_S)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._ours)
        os.close(self.theirs)


@pytest.mark.parametrize("size", [(30, 100), (24, 80)])
def test_a_ply_typed_on_the_screen_is_confirmed(tmp_path: Path, size: tuple[int, int]) -> None:
    typist = Typist(tmp_path)
    termios.tcsetwinsize(typist.theirs, size)
    try:
        typist.await_text(SHOW_SCREEN)
        typist.await_text("Black to move.")
        typist.type("dx\x7f2\r")
        typist.await_text("Lifted: Panthan d2.")
        typist.type("d3\r")
        typist.await_text("confirmed 1 Pd2-d3")
        typist.type("nonsense\r")
        typist.await_text("nonsense: no such word")
        assert typist.leave() == 0
        assert termios.tcgetattr(typist.theirs) == typist.before
    finally:
        typist.close()


def test_simulated_people_are_watched_and_left(tmp_path: Path) -> None:
    typist = Typist(tmp_path, "--hands", "auto", "--speed", "8", "--lang", "de")
    try:
        typist.await_text("bestätigt 2 ")
        assert typist.leave() == 0
    finally:
        typist.close()
