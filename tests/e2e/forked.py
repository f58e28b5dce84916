"""`jetan` as a process forked from one that has read all modules: that is most of a start.

The process is one of its own, as one begun by a shell, and may be killed and asked to end as that.
"""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from subprocess import CompletedProcess
from tempfile import TemporaryFile
from typing import Final, TextIO

from jetan_table.__main__ import main
from tests.e2e.command import ROOT, environment
from tests.profiles import PATIENCE_S

FORKS: Final = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    [__name__, *map("jetan_table.cli.{}".format, ("at_table", "page", "play", "setup_machine"))]
)


def forked(
    home: Path, *words: str | Path, world: Callable[[], None] | None = None, **env: str
) -> tuple[BaseProcess, TextIO]:
    """Begin `jetan WORDS`, in a world of `worlds.py`; return the process, and what it prints."""
    printed, prints = os.pipe()
    with Path(os.devnull).open() as nothing, os.fdopen(prints, "w") as out:
        process = _begin(home, words, (nothing.fileno(), out.fileno(), 2), ROOT, world, env)
    return process, os.fdopen(printed)


def run(
    home: Path, *words: str | Path, typed: str = "", cwd: Path = ROOT, **env: str
) -> CompletedProcess[str]:
    """Run one command to its end, as `command.run` does."""
    with ExitStack() as ends:
        types, out, err = (ends.enter_context(TemporaryFile("w+")) for _ in range(3))
        types.write(typed)
        types.seek(0)
        streams = types.fileno(), out.fileno(), err.fileno()
        process = _begin(home, words, streams, cwd, None, env)
        process.join(4 * PATIENCE_S)
        if (code := process.exitcode) is None:
            process.kill()
            raise AssertionError(f"{words} goes on and on")
        for stream in (out, err):
            stream.seek(0)
        return CompletedProcess(list(map(str, words)), code, out.read(), err.read())


def _begin(
    home: Path,
    words: tuple[str | Path, ...],
    streams: tuple[int, ...],
    cwd: Path,
    world: Callable[[], None] | None,
    env: dict[str, str],
) -> BaseProcess:
    with ExitStack() as ends:
        passed = [ends.enter_context(Connection(os.dup(each))) for each in streams]
        given = (passed, cwd, {**environment(home), **env}, words, world)
        process = FORKS.Process(target=_run, args=given, daemon=True)
        process.start()
    return process


def _run(
    streams: list[Connection],
    cwd: Path,
    env: dict[str, str],
    words: tuple[str | Path, ...],
    world: Callable[[], None] | None,
) -> None:
    """Be that command from here on; what this suite was begun under counts no more."""
    for number, stream in enumerate(streams):
        os.dup2(stream.fileno(), number)
    sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w")
    sys.stderr = os.fdopen(2, "w", buffering=1)
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    sys.argv = ["jetan", *map(str, words)]
    if world is not None:
        world()
    sys.exit(main())
