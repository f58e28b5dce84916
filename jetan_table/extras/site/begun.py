"""Begins the table of a browser, as its worker asks."""

import json
import os
from collections.abc import Awaitable, Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from rules import _

from ...engine.library import SWITCH
from ...engine.process import EngineProcess
from ...engine.search import make_ready
from ...journal.archive import Archive
from ...languages import Language
from ...page.documents import kept_text
from ..opponent.analyst import NODES, AnalysisFailed
from .engine import EngineBeside, ReadySearch, Worker, begins
from .table import BrowserTable


def table(
    folder: str,
    language: Language,
    keep: Callable[[], Awaitable[Any]],
    begin: Callable[[Callable[[str], None]], Worker],
    think: Callable[[str, Language, int], Awaitable[str]],
    module: Any,
) -> BrowserTable:
    """Return a table whose strong engines and analyses think in workers, and all others here.

    `begin` starts an engine in a worker, and `think` has `analysed` called in another; `keep`
    brings what was written to where the browser keeps it. `module` is the search in C.
    """
    os.environ[SWITCH] = "off"
    EngineProcess.begin = begins(begin, partial(EngineBeside, module=module))

    async def analyse(game: int, spoken: Language) -> list[Any]:
        with closing(Archive.open(Path(folder))) as archive:
            text = kept_text(archive, game)
        try:
            rows: list[Any] = json.loads(await think(text, spoken, NODES))
        except Exception as error:
            raise AnalysisFailed(
                _("the analysis has ended (exit code {code}): {why}"), code=1, why=error
            ) from error
        return rows

    made = BrowserTable(Path(folder), language, analyse, keep)
    make_ready(made.record.position, ReadySearch(module).library())  # or the first reply would wait
    return made
