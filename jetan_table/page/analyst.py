"""Kept games analysed for the page, usually each in a process of its own.

The table plays on meanwhile.
"""

import asyncio
import sys
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec

from rules.sentences import _

from ..errors import TableError
from ..languages import Language
from .access import Visit
from .answers import Busy, TooSlow

NODES: Final = 3000
"""So long each move of a game is thought about, twice."""
MOST_S: Final = 240.0
"""An analysis that takes longer is given up."""
MOST_KEPT: Final = 8
"""So many of the latest are remembered."""
MOST_WAITING: Final = 6
"""So many askers wait for a turn, the one whose turn it is among them."""
MOST_OF_ONE: Final = 2
"""And of one address."""


Analyse: TypeAlias = Callable[[int, Language], Awaitable[list[Any]]]
"""Returns the verdicts on a kept game, in a language."""


class AnalysisFailed(TableError, ChildProcessError):
    """An analysis whose process has ended without one."""


class AnalystBusy(Busy):
    """More games are to be analysed than there is time for."""

    again_s = 30


class _Line:
    """Askers who wait, each for the turn to have a game analysed."""

    def __init__(self) -> None:
        self.turn = asyncio.Semaphore(1)
        self._waiting = Counter[str]()

    @contextmanager
    def place(self, address: str) -> Iterator[None]:
        """Take a place in the line while the block runs; AnalystBusy where there is none."""
        if self._waiting.total() >= MOST_WAITING or self._waiting[address] >= MOST_OF_ONE:
            raise AnalystBusy(_("too many games are waiting to be analysed; ask again later"))
        self._waiting[address] += 1
        try:
            yield
        finally:
            self._waiting[address] -= 1


class Analyst:
    """Has games of a folder analysed, and remembers the latest.

    One at a time for strangers, and one for those who are known, who so wait for no stranger.
    """

    def __init__(self, analyse: Analyse) -> None:
        self._analyse = analyse
        self._strangers, self._known = _Line(), _Line()
        self._kept = OrderedDict[tuple[int, int, Language], list[Any]]()

    async def rows(self, game: int, plies: int, language: Language, visit: Visit) -> list[Any]:
        """Return the verdicts on a kept game, as `jetan games analyse --json` has them.

        `plies` is how many there are; AnalysisFailed, TooSlow or AnalystBusy where there is no
        analysis. Whoever no longer wants it cancels this.
        """
        asked = game, plies, language
        if asked not in self._kept:
            line = self._known if visit.is_known else self._strangers
            with line.place(visit.address):
                async with line.turn:
                    if asked not in self._kept:
                        self._kept[asked] = await self._analyse(game, language)
        self._kept.move_to_end(asked)
        rows = self._kept[asked]
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return rows


def in_a_process(folder: Path) -> Analyse:
    """Return what has kept games of a folder analysed by another process, of little priority."""

    async def analyse(game: int, language: Language) -> list[Any]:
        what = (str(game), "--data", str(folder), "--lang", language, "--nodes", str(NODES))
        process = await asyncio.create_subprocess_exec(
            *("nice", sys.executable, "-m", "jetan_table", "games", "analyse", *what, "--json"),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            async with asyncio.timeout(MOST_S):
                printed, complaints = await process.communicate()
        except TimeoutError:
            raise TooSlow(_("the analysis takes too long here")) from None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode:
            *_rest, why = complaints.decode(errors="replace").strip().splitlines() or [""]
            raise AnalysisFailed(
                _("the analysis has ended (exit code {code}): {why}"),
                code=process.returncode,
                why=why,
            )
        return [msgspec.json.decode(line) for line in printed.splitlines()]

    return analyse
