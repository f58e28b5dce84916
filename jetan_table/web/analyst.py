"""Kept games analysed for the page, each in a process of its own: the table plays on meanwhile."""

from __future__ import annotations

import asyncio
import sys
from collections import OrderedDict
from pathlib import Path
from typing import Any, Final

import msgspec

from rules.sentences import _

from ..errors import TableError
from ..languages import Language
from .answers import TooSlow

NODES: Final = 3000
"""So long each move of a game is thought about, twice."""
MOST_S: Final = 240.0
"""An analysis that takes longer is given up."""
MOST_KEPT: Final = 8
"""So many of the latest are remembered."""


class AnalysisFailed(TableError, ChildProcessError):
    """An analysis whose process has ended without one."""


class Analyst:
    """Has games of a folder analysed, one at a time, and remembers the latest."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._turn = asyncio.Semaphore(1)
        self._kept = OrderedDict[tuple[int, int, Language], list[Any]]()

    async def rows(self, game: int, plies: int, language: Language) -> list[Any]:
        """Return the verdicts on a kept game, as `jetan games analyse --json` has them.

        `plies` is how many there are; AnalysisFailed or TooSlow where there is no analysis.
        """
        asked = game, plies, language
        async with self._turn:
            if asked not in self._kept:
                self._kept[asked] = await self._analyse(game, language)
            self._kept.move_to_end(asked)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
            return self._kept[asked]

    async def _analyse(self, game: int, language: Language) -> list[Any]:
        what = (str(game), "--data", str(self._folder), "--lang", language, "--nodes", str(NODES))
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
