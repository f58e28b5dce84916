"""What the table costs on this machine: run it on your Pi, beside the machine of the docs.

Each line has what was measured here, what one core of an x86-64 computer took, and how many times
as much that is. Times of work are CPU time, so other programs hardly count; how late the table is
woken, and how long a line takes to the disk, are by the clock.
"""

import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from ctypes import CDLL
from pathlib import Path
from typing import Final

from bench._figures import cpu_of, print_figures, print_table
from bench.reading import Timed
from jetan_table.engine.evaluation import fitted_weights
from jetan_table.engine.library import QuickSearch
from jetan_table.engine.search import Limits, Search
from jetan_table.extras.commissioning.machine import woken_late_s
from jetan_table.people.manners import PROFILES
from jetan_table.replay.replay import advance, replay_of_recording
from jetan_table.table.loop import WallClock
from rules import Position, parse_rules, perft
from tools.recordings import generate

PROFILE, SEED, PLIES = "draggers", 5001, 40
LINES: Final = 50

PUBLISHED: Final = {
    "reading: an event, mean, ms": 1.7,
    "reading: an event, longest, ms": 16.0,
    "rules: games of 3 plies counted, s": 0.048,
    "search in Python: 20,000 positions, s": 0.73,
    "search in C: 1,000,000 positions, s": 0.33,
    "a line to the disk, median, ms": 0.18,
    "a line to the disk, worst, ms": 0.73,
    "woken late at worst, ms": 0.16,
}
"""What the docs' machine took: the keys are kept stable, and say what is measured in which unit."""


def main(json: bool) -> None:
    """Measure, and print a table, or one JSON object."""
    figures = dict(zip(PUBLISHED, measured(), strict=True))
    if json:
        print_figures(figures, json)
        return
    rows = []
    for name, here in figures.items():
        times = "" if here is None else f"{here / PUBLISHED[name]:.1f}"
        shown = "-" if here is None else f"{here:.3g}"
        rows.append((name, shown, f"{PUBLISHED[name]:.3g}", times))
    print_table("", ("what", "here", "docs", "times"), rows)


def measured() -> Iterator[float | None]:
    """Yield the figures, in the order in which they are published; None where there is none."""
    spent = reading()
    yield 1000 * statistics.mean(spent)
    yield 1000 * max(spent)
    yield cpu_of(lambda: perft(start(), 3))
    yield searching(Limits(nodes=20_000), None)
    library = QuickSearch(os.environ).library(wait=True)
    yield None if library is None else searching(Limits(nodes=1_000_000), library)
    lines = writing()
    yield 1000 * statistics.median(lines)
    yield 1000 * max(lines)
    yield 1000 * woken_late_s(WallClock())


def start() -> Position:
    """Return where games of the default rules begin."""
    return Position.start(parse_rules("appendix"))


def reading() -> list[float]:
    """Return the seconds of each event of a game by hands that drag, which is the dearest kind."""
    game = generate(PROFILES[PROFILE], SEED, PROFILE, PLIES)
    replay = replay_of_recording(game.recording, PROFILE)
    timed = Timed(replay.reader())
    for _reading in advance(replay.source, timed, replay.ends_at):
        pass
    return timed.spent


def searching(limits: Limits, library: CDLL | None) -> float:
    """Return the seconds that a search takes."""
    search = Search(start(), fitted_weights(), time.process_time, limits, library=library)
    return cpu_of(lambda: [*search.deepen()])


def writing() -> list[float]:
    """Return the seconds that each of some lines takes until it is on the disk of this folder."""
    spent = []
    with tempfile.NamedTemporaryFile(dir=Path.cwd()) as file:
        for _line in range(LINES):
            begun = time.perf_counter()
            file.write(b"d2-d3\n")
            file.flush()
            os.fsync(file.fileno())
            spent.append(time.perf_counter() - begun)
    return spent
