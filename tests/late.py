"""Ends the processes that a test has begun and waits for too long: it fails, and others go on."""

import os
import signal
import time
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path
from threading import Timer
from typing import Final

import pytest

LATE_S: Final = 600.0
"""More than any test takes beside ten others; `faulthandler_timeout` would take the worker, too."""
TICKS: Final = os.sysconf("SC_CLK_TCK")


class Late:
    """The plugin that does so."""

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self) -> Generator[None, object, object]:
        late = Timer(LATE_S, end_all_since, (time.clock_gettime(time.CLOCK_BOOTTIME),))
        late.daemon = True
        late.start()
        try:
            return (yield)
        finally:
            late.cancel()


def end_all_since(begun_s: float) -> None:
    """Kill each process below this one that was begun at that time since boot, or later."""
    parents: dict[int, int] = {}
    begins: dict[int, float] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (folder / "stat").read_text().rpartition(")")[2].split()
            parents[int(folder.name)] = int(words[1])
            begins[int(folder.name)] = int(words[19]) / TICKS
    own = {os.getpid()}
    while more := {each for each, parent in parents.items() if parent in own} - own:
        own |= more
    for each in own - {os.getpid()}:
        if begins[each] >= begun_s:
            with suppress(OSError):
                os.kill(each, signal.SIGKILL)
