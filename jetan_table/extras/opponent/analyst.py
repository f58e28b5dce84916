"""Kept games analysed for pages, usually each in a process of its own: the table plays on."""

import asyncio
import sys
from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec
from starlette.requests import Request as HttpRequest

from rules import _

from ...errors import TableError
from ...game.record import Record
from ...languages import Language
from ...page.access import (
    UNANSWERED,
    Refused,
    Visit,
    game_number,
    language_asked,
    while_there,
)
from ...page.documents import kept_record
from ...page.house import Analyse, House
from ...session.umpire import check_help

NODES: Final = 3000
"""The nodes of the search for each move of a game, of which there are two."""
MOST_S: Final = 240.0
"""An analysis that takes longer is given up."""
MOST_KEPT: Final = 8
"""The number of the latest analyses that are remembered."""
MOST_WAITING: Final = 6
"""The number of askers that may wait, including the one whose turn it is."""
MOST_OF_ONE: Final = 2
"""And of one address."""
AGAIN_S: Final = 30
"""Seconds after which others may ask again."""


class AnalysisFailed(TableError, ChildProcessError):
    """An analysis whose process has ended without one."""


class _Line:
    """Askers who wait, each for the turn to have a game analysed."""

    def __init__(self) -> None:
        self.turn = asyncio.Semaphore(1)
        self._waiting = Counter[str]()

    @contextmanager
    def place(self, address: str) -> Iterator[None]:
        """Take a place in the line while the block runs; Refused where there is none."""
        if self._waiting.total() >= MOST_WAITING or self._waiting[address] >= MOST_OF_ONE:
            many = _("too many games are waiting to be analysed; ask again later")
            raise Refused(many, UNANSWERED, AGAIN_S)
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

        `plies` is how many there are; AnalysisFailed or Refused where there is no
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
            raise Refused(_("the analysis takes too long here"), UNANSWERED) from None
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


async def analysis(house: House, request: HttpRequest) -> Any:
    """Return the verdicts on a kept game."""
    game, language = game_number(request.path_params["game"]), language_asked(request)
    _record, rows = await verdicts(house, request, game, language)
    return {"game": game, "rows": rows}


async def verdicts(
    house: House, request: HttpRequest, game: int, language: Language
) -> tuple[Record, list[Any]]:
    """Return a kept game and the verdicts on it, for whoever has sent a request."""
    analyse = house.analyse or in_a_process(house.asked.folder)
    analyst: Analyst = house.shared.setdefault(Analyst, Analyst(analyse))
    record = await house.kept(kept_record, game)
    for each in (record, house.mailbox.record):
        check_help(each)
    visit: Visit = request.scope["state"]["visit"]
    analysed = analyst.rows(game, len(record.moves), language, visit)
    return record, await while_there(request, analysed)
