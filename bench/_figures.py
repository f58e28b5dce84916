"""What measurements share: processor time and memory, and how they print what they have found.

The names of figures are kept stable: programs read them.
"""

import json as json_text
import re
import resource
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from jetan_table.terminal.text import print_table as in_columns


def print_figures(figures: Mapping[str, object], json: bool) -> None:
    """Print a line for each figure, or all as one JSON object."""
    if json:
        print(json_text.dumps(figures))
        return
    wide = max(map(len, figures))
    for name, value in figures.items():
        shown = f"{value:,.3f}" if isinstance(value, float) else value
        print(f"{name:{wide}} {shown:>12}")


def cpu_of(work: Callable[[], object]) -> float:
    """Return the CPU seconds of some work."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def cpu_of_children() -> float:
    """Return the CPU seconds of every process started and ended so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def memory_mb(process: int, line: str = "VmRSS") -> float:
    """Return what a process holds in memory; with `VmHWM` the most it has held so far."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(re.findall(rf"{line}:\s+(\d+) kB", status)[0]) / 1000


def p99(values: Sequence[float]) -> float:
    """Return the 99th percentile: the value that one in a hundred exceeds."""
    return sorted(values)[len(values) * 99 // 100]


def print_table(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table below its title: the first column to the left, all others to the right."""
    in_columns(headings, rows, title, is_right=True)
