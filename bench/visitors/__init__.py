"""Visitors at the real page: whole games by mouse, one by ear and keys, the frames of a walk.

The whole program is served as people start it, and shown by Debian's own Chromium. `jetan bench
visitors mouse 12` plays twelve games to the end in eleven readings, `blind` one against the
computer, `frames` twenty plies on a processor slowed down six times; without a word all three.
The browser's driver comes with `./jetan test`.
"""

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench._figures import print_figures
from bench.visitors.ear import play_blind
from bench.visitors.frames import measure_frames
from bench.visitors.mouse import Visit, play_by_mouse
from jetan_table.cli.options import misused
from rules import _
from tests.e2e.served import served
from tests.e2e.windows import Windows, chromium

GAMES = 12


def main(json: bool, arguments: Sequence[str]) -> None:
    """Print how each game went and ended, then what was measured; or all as one JSON object."""
    what, *more = arguments or ("all",)
    if what not in ("all", "mouse", "blind", "frames"):
        raise misused(_("{word}: mouse, blind or frames"), word=what)
    visits: list[Visit] = []
    frames: dict[str, float] = {}
    with chromium() as browser, tempfile.TemporaryDirectory() as home:
        windows = Windows(browser)
        with served(Path(home), "--board", "screen") as table:
            if what in ("all", "mouse"):
                visits += play_by_mouse(windows, table, int(more[0]) if more else GAMES)
            if what in ("all", "blind"):
                visits.append(play_blind(windows, table))
            if what in ("all", "frames"):
                frames = measure_frames(windows, table)
    if not json:
        for visit in visits:
            print(f"{visit.who:6} {visit.rules:28} {visit.plies:4} plies  {visit.ended}")
            for trouble in visit.troubles:
                print(f"       {trouble}")
    print_figures({**figures(visits), **frames, "load": os.getloadavg()[0]}, json)


def figures(visits: Sequence[Visit]) -> dict[str, Any]:
    """Return the sums of some games, and the games themselves for programs."""
    if not visits:
        return {}
    return {
        "games": len(visits),
        "plies": sum(visit.plies for visit in visits),
        "troubles": sum(len(visit.troubles) for visit in visits),
        "ends": {visit.rules: visit.ended for visit in visits},
    }
