"""A browser's engine: a Python of its own in a worker, with the engine's line protocol.

A worker hears lines only after it has thought. So it never thinks without end: a line that would
let it ponder is held back until its move has been played.
"""

import json
import os
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Final, Protocol

from rules.text import parse_games

from ...engine.evaluation import fitted_weights
from ...engine.library import SWITCH, QuickSearch
from ...engine.search import Limits
from ...engine.server import EngineServer
from ...languages import Language
from ..opponent.analysis import analyse, row_of

PONDER: Final = "go ponder "
AT_ONCE: Final = "go nodes 1"
"""The command that makes an engine answer at once: its answer is no longer wanted."""


class FedLines:
    """Lines that are handed over as they come: nobody can wait for them."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque()
        self.is_closed = False

    def feed(self, text: str) -> None:
        """Take in whole lines."""
        self._lines.extend(text.splitlines())

    def next(self, seconds: float | None = 0.0) -> str | None:
        """Return the next line, or None."""
        return self._lines.popleft() if self._lines else None


class EngineInWorker:
    """An engine inside its worker; `say` sends a line."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._lines = FedLines()
        quick = QuickSearch({**os.environ, SWITCH: "off"})  # there is no library for this machine
        self._server = EngineServer(self._lines, say, time.perf_counter, quick)

    def feed(self, text: str) -> None:
        """Take in lines, and do what they ask."""
        self._lines.feed(text)
        self._server.serve()


class Worker(Protocol):
    """A worker of the browser, from outside."""

    def send(self, text: str) -> None:
        """Hand it lines."""
        ...

    def terminate(self) -> None:
        """End it at once."""
        ...


class WorkerChild:
    """A worker with an engine in it, in the place of a process."""

    pids: Final = count(1)

    def __init__(
        self, begin: Callable[[Callable[[str], None]], Worker], command: Sequence[str]
    ) -> None:
        """`begin` starts a worker that may say lines; OSError for any other engine's command."""
        if "jetan_table" not in command:
            raise FileNotFoundError(2, "no programs can be started here")
        self.lines, self.pid = FedLines(), next(self.pids)
        self._held: str | None = None
        self._worker = begin(self.lines.feed)

    def write(self, data: bytes) -> int:
        """Send whole lines; one that lets it ponder waits."""
        for line in data.decode().splitlines():
            if line.startswith(PONDER):
                self._held = line.replace(PONDER, "go ")
            elif self._held is not None and line in ("ponderhit", "stop"):
                asked, self._held = self._held, None
                self._worker.send(asked if line == "ponderhit" else AT_ONCE)
            else:
                self._worker.send(line)
        return len(data)

    def kill(self) -> None:
        """End it."""
        self._worker.terminate()
        self.lines.is_closed = True

    def end(self, seconds: float) -> int:
        """End it: nobody can wait for it here."""
        self.kill()
        return 0

    def leave(self, seconds: float) -> None:
        """End it."""
        self.kill()


def begins(
    begin: Callable[[Callable[[str], None]], Worker],
) -> Callable[[Sequence[str], Mapping[str, str]], WorkerChild]:
    """Return what starts engines in workers, for `EngineProcess.begin`."""
    return lambda command, changed: WorkerChild(begin, command)


def analysed(text: str, language: Language, nodes: int) -> str:
    """Return the verdicts on a game's text as JSON, with that many nodes for each move."""
    (game,) = parse_games(text)
    limits = Limits(nodes=nodes)
    found = analyse(game.game, fitted_weights(), time.perf_counter, limits, None)
    rules = game.game.start.rules
    return json.dumps([row_of(verdict, rules, language) for verdict in found])
