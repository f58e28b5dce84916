"""What the table costs on this machine: run it on your Pi, beside the machine of the docs.

Each line has what was measured here, what one core of an x86-64 computer took, and how many times
as much that is. Times of work are CPU time, so other programs hardly count; how late the table is
woken, and how long a line takes to the disk, are by the clock.
"""

import json as json_text
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

from bench.reading import Timed
from jetan_table.engine.evaluation import fitted_weights
from jetan_table.engine.library import QuickSearch
from jetan_table.engine.search import Limits, Search
from jetan_table.machine.machine import woken_late_s
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
        print(json_text.dumps(figures))
        return
    table = Table("what", "here", "docs", "times", title_justify="left")
    for column in table.columns[1:]:
        column.justify = "right"
    for name, here in figures.items():
        times = "" if here is None else f"{here / PUBLISHED[name]:.1f}"
        shown = "-" if here is None else f"{here:.3g}"
        table.add_row(name, shown, f"{PUBLISHED[name]:.3g}", times)
    Console().print(table)


def measured() -> Iterator[float | None]:
    """Yield the figures, in the order in which they are published; None where there is none."""
    spent = reading()
    yield 1000 * statistics.mean(spent)
    yield 1000 * max(spent)
    yield counting()
    yield searching(Search(start(), fitted_weights(), time.process_time, Limits(nodes=20_000)))
    library = QuickSearch(os.environ).library(wait=True)
    many = Limits(nodes=1_000_000)
    if library is None:
        yield None
    else:
        yield searching(Search(start(), fitted_weights(), time.process_time, many, library=library))
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


def counting() -> float:
    """Return the seconds in which all games of three plies are counted."""
    begun = time.process_time()
    perft(start(), 3)
    return time.process_time() - begun


def searching(search: Search) -> float:
    """Return the seconds that a search takes."""
    begun = time.process_time()
    for _thought in search.deepen():
        pass
    return time.process_time() - begun


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
