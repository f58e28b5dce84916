"""A browser's engine, with the engine's line protocol: beside the table, or in a worker.

Levels that think a moment do so in the table's own Python, for another one takes long to start,
and a phone's memory. All others have a Python of their own in a worker. Either hears lines only
after it has thought. So it never thinks without end: a line that would let it ponder is held back
until its move has been played.

The search is that in C, as a module of WebAssembly, which `docs/play/search.js` calls.
"""

import asyncio
import ctypes
import json
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any, Final, Protocol, TypeAlias, cast

from rules.text import parse_games

from ...engine.evaluation import fitted_weights
from ...engine.levels import level_named
from ...engine.library import SWITCH, QuickSearch
from ...engine.search import Limits
from ...engine.server import EngineServer
from ...languages import Language
from ..opponent.analysis import analyse, row_of

PONDER: Final = "go ponder "
LEVEL: Final = "setoption name Level "
BESIDE_S: Final = 0.05
"""Seconds before an engine beside the table thinks: so long the page has to hear of the ply."""
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


class ModuleSearch:
    """The search in C in a module of the browser, in the place of what `library.load` returns.

    The module has a memory of its own: what it is lent is copied there, and what it changes, back.
    """

    def __init__(self, module: Any) -> None:
        self._module = module
        self._kept: dict[bytes | None, int] = {None: 0}
        """Places in its memory of what trees stand on; never freed, for there are few."""
        self.jetan_law_new, self.jetan_law_free = module.newLaw, module.freeLaw
        self.jetan_tree_free, self.jetan_hint = module.freeTree, module.hint
        self.jetan_nodes = module.nodes

    def _place_of(self, content: bytes | None) -> int:
        if content not in self._kept:
            self._kept[content] = self._module.keep(content)
        return self._kept[content]

    def jetan_tree_new(
        self,
        law: int,
        keys: bytes,
        weights: bytes,
        standing: bytes,
        earlier: bytes,
        *how: Any,
    ) -> int:
        """Return a tree's place; `how` is as in C, and ends with the net."""
        *numbers, net = how
        kept = law, self._place_of(keys), self._place_of(net)
        return int(self._module.newTree(*kept, weights, standing, earlier, *numbers))

    def jetan_deepen(
        self, tree: int, choices: Any, count: int, depth: int, value: Any, *asking: Any
    ) -> int:
        """Search; `value` is by reference, `asking` says from how many nodes on whom to ask."""
        worth = memoryview(value._obj)
        return int(self._module.deepen(tree, memoryview(choices), count, depth, worth, *asking))


class ReadySearch(QuickSearch):
    """The search in C where a browser has it; None: nowhere."""

    def __init__(self, module: Any) -> None:
        self._builder = None
        self._library = None if module is None else cast("ctypes.CDLL", ModuleSearch(module))
        self.why_not = f"{SWITCH}=off" if module is None else ""


class EngineInWorker:
    """An engine; `say` sends a line, `module` is the browser's search, None without one."""

    def __init__(self, say: Callable[[str], None], module: Any = None) -> None:
        self._lines = FedLines()
        self._server = EngineServer(self._lines, say, time.perf_counter, ReadySearch(module))

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


Begin: TypeAlias = Callable[[Callable[[str], None]], Worker]
"""Starts an engine, which may say lines."""


class EngineBeside:
    """An engine in the table's own Python: it thinks once the page knows what it thinks about."""

    def __init__(self, say: Callable[[str], None], module: Any) -> None:
        self._is_ended = False
        self._engine = EngineInWorker(lambda line: say(f"{line}\n"), module)

    def send(self, text: str) -> None:
        """Take in lines soon, in their order."""
        asyncio.get_running_loop().call_later(BESIDE_S, self._feed, text)

    def _feed(self, text: str) -> None:
        if not self._is_ended:
            self._engine.feed(text)

    def terminate(self) -> None:
        """Hear nothing more."""
        self._is_ended = True


class WorkerChild:
    """A worker with an engine in it, or one beside the table, in the place of a process.

    It is begun with the first line that is no option: they say how strong it is to be.
    """

    pids: Final = count(1)

    def __init__(self, begin: Begin, beside: Begin, command: Sequence[str]) -> None:
        """OSError for any other engine's command."""
        if "jetan_table" not in command:
            raise FileNotFoundError(2, "no programs can be started here")
        self.lines, self.pid = FedLines(), next(self.pids)
        self._begins, self._options = (begin, beside), list[str]()
        self._held: str | None = None
        self._worker: Worker | None = None

    def _send(self, line: str) -> None:
        if self._worker is None:
            self._options.append(line)
            if line.startswith("setoption"):
                return
            levels = [each.rpartition(" ")[2] for each in self._options if LEVEL in each]
            is_soon = bool(levels) and level_named(levels[-1]).limits != Limits()
            self._worker = self._begins[is_soon](self.lines.feed)
            line, self._options = "\n".join(self._options), []
        self._worker.send(line)

    def write(self, data: bytes) -> int:
        """Send whole lines; one that lets it ponder waits."""
        for line in data.decode().splitlines():
            if line.startswith(PONDER):
                self._held = line.replace(PONDER, "go ")
            elif self._held is not None and line in ("ponderhit", "stop"):
                asked, self._held = self._held, None
                self._send(asked if line == "ponderhit" else AT_ONCE)
            else:
                self._send(line)
        return len(data)

    def kill(self) -> None:
        """End it."""
        if self._worker is not None:
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
    begin: Begin, beside: Begin
) -> Callable[[Sequence[str], Mapping[str, str]], WorkerChild]:
    """Return what starts engines in workers or beside the table, for `EngineProcess.begin`."""
    return lambda command, changed: WorkerChild(begin, beside, command)


def analysed(text: str, language: Language, nodes: int, module: Any = None) -> str:
    """Return the verdicts on a game's text as JSON, with that many nodes for each move."""
    (game,) = parse_games(text)
    limits = Limits(nodes=nodes)
    library = ReadySearch(module).library()
    found = analyse(game.game, fitted_weights(), time.perf_counter, limits, library)
    rules = game.game.start.rules
    return json.dumps([row_of(verdict, rules, language) for verdict in found])
