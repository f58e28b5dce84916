"""Begins the table of a browser, as its worker asks."""

from __future__ import annotations

import json
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from ..engine.child import instead
from ..engine.library import SWITCH
from ..journal.archive import Archive
from ..languages import Language
from ..web.analyst import NODES, AnalysisFailed
from ..web.documents import kept_text
from .engine import Worker, begins
from .table import BrowserTable

FILE = "/tmp/game.jgn"


def table(
    folder: str,
    language: Language,
    keep: Callable[[], Awaitable[Any]],
    begin: Callable[[Callable[[str], None]], Worker],
    run: Callable[[Sequence[str], Mapping[str, str]], Awaitable[str]],
) -> BrowserTable:
    """Return a table whose engines and analyses think in workers.

    `begin` starts an engine in a worker, and `run` a command with some files in another; `keep`
    brings what was written to where the browser keeps it.
    """
    os.environ[SWITCH] = "off"
    instead(begins(begin))

    async def analyse(game: int, spoken: Language) -> list[Any]:
        with closing(Archive.open(Path(folder))) as archive:
            text = kept_text(archive, game)
        words = ("games", "analyse", FILE, "--lang", spoken, "--nodes", str(NODES), "--json")
        try:
            printed = await run(words, {FILE: text})
        except Exception as error:
            raise AnalysisFailed(str(error)) from error
        return [json.loads(line) for line in printed.splitlines()]

    return BrowserTable(Path(folder), language, analyse, keep)
