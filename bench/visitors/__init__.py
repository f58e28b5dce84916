"""Visitors at the real page: whole games by mouse, one by ear and keys, the frames of a walk.

The whole program is served as people start it, and shown by Debian's own Chromium. `jetan bench
visitors mouse` plays twelve games to the end in eleven readings, or the readings that are named;
`blind` one against the computer; `frames` twenty plies on a processor slowed down six times. All
three without a word. The browser's driver comes with `./jetan test`.
"""

import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench._figures import print_figures
from bench.visitors.ear import play_blind
from bench.visitors.frames import measure_frames
from bench.visitors.mouse import GAMES, Visit, play_by_mouse
from jetan_table.cli.options import misused
from rules import _
from tests.e2e.served import Served, served
from tests.e2e.windows import Windows, chromium


def main(json: bool, arguments: Sequence[str]) -> None:
    """Print how each game went and ended, and what was measured; or the sums as JSON."""
    what, *more = arguments or ("all",)
    if what not in ("all", "mouse", "blind", "frames"):
        raise misused(_("{word}: mouse, blind or frames"), word=what)
    visits: list[Visit] = []
    measured: dict[str, float] = {}
    with chromium() as browser, tempfile.TemporaryDirectory() as home:
        windows = Windows(browser)
        with served(Path(home), "--board", "screen") as table:
            for visit in games(windows, table, what, more or GAMES):
                visits.append(visit)
                if not json:
                    print("\n       ".join((visit.line(), *visit.troubles)), flush=True)
            if what in ("all", "frames"):
                measured = measure_frames(windows, table)
    sums = {
        "games": len(visits),
        "plies": sum(visit.plies for visit in visits),
        "troubles": sum(len(visit.troubles) for visit in visits),
    }
    figures = {**(sums if visits else {}), **measured, "load": os.getloadavg()[0]}
    print_figures(figures, json)


def games(windows: Windows, table: Served, what: str, kinds: Sequence[str]) -> Iterator[Visit]:
    """Play what is asked for; each game is told of when it is over."""
    if what in ("all", "mouse"):
        yield from play_by_mouse(windows, table, kinds)
    if what in ("all", "blind"):
        yield play_blind(windows, table)
