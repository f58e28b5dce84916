"""`jetan` as a process forked from one that has read all modules: that is most of a start.

The process is one of its own, as one begun by a shell, and may be killed and asked to end as that.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Final, TextIO

from jetan_table.__main__ import main
from tests.e2e.command import environment

FORKS: Final = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    [__name__, *map("jetan_table.cli.{}".format, ("at_table", "page", "play", "setup_machine"))]
)


def forked(
    home: Path, *words: str | Path, world: Callable[[], None] | None = None
) -> tuple[BaseProcess, TextIO]:
    """Begin `jetan WORDS`, in a world of `worlds.py`; return the process, and what it prints."""
    printed, prints = os.pipe()
    with Connection(prints, readable=False) as out, Connection(os.dup(2), readable=False) as error:
        process = FORKS.Process(target=_run, args=(home, words, out, error, world), daemon=True)
        process.start()
    return process, os.fdopen(printed)


def _run(
    home: Path,
    words: tuple[str | Path, ...],
    out: Connection,
    error: Connection,
    world: Callable[[], None] | None,
) -> None:
    """Be that command from here on; what this suite was begun under counts no more."""
    for number, stream in ((1, out), (2, error)):
        os.dup2(stream.fileno(), number)
    sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w", buffering=1)
    os.environ.clear()
    os.environ.update(environment(home))
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    sys.argv = ["jetan", *map(str, words)]
    if world is not None:
        world()
    sys.exit(main())
