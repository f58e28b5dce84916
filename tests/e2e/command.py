"""Runs the command line as a person does: another process, a data folder of its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def command(*arguments: str | Path, world: Callable[[], None] | None = None) -> list[str]:
    """The words that start `jetan ARGUMENTS` with this Python, in a world of `worlds.py`."""
    program = ["jetan_table"] if world is None else ["tests.e2e.worlds", world.__name__]
    return [sys.executable, "-m", *program, *map(str, arguments)]


def environment(home: Path) -> dict[str, str]:
    """An environment in which nothing of this machine's own settings is found.

    But what was built once need not be built again.
    """
    kept = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    own = {"HOME": str(home), "XDG_CONFIG_HOME": str(home), "JETAN_CONFIG": ""}
    return {**os.environ, **own, "XDG_CACHE_HOME": kept}


def begun(home: Path, *arguments: str | Path, **how: Any) -> subprocess.Popen[Any]:
    """Begin one command in the project's folder, in a `world`, and with `env` besides.

    All else is as `subprocess.Popen` takes it.
    """
    words = command(*arguments, world=how.pop("world", None))
    env = {**environment(home), **how.pop("env", {})}
    return subprocess.Popen(words, cwd=ROOT, env=env, **how)


def run(
    home: Path, *arguments: str | Path, typed: str = "", cwd: Path = ROOT, **env: str
) -> subprocess.CompletedProcess[str]:
    """Run one command to its end, in the project's folder or another, with `env` besides."""
    return subprocess.run(
        command(*arguments),
        input=typed,
        capture_output=True,
        text=True,
        cwd=cwd,
        env={**environment(home), **env},
        check=False,
        timeout=120,
    )
