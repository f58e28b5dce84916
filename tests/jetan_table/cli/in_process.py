"""Runs the command line in this process, with a home of its own and what somebody types."""

import io
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from subprocess import CompletedProcess
from typing import TypeAlias

import pytest

from jetan_table.cli import EXIT_REFUSED, main
from tests.e2e.command import environment

Jetan: TypeAlias = Callable[..., str]
"""`told` by a command whose home is known."""


def run(home: Path, *arguments: str | Path, typed: str = "") -> CompletedProcess[str]:
    """Run one command to its end."""
    out, err = io.StringIO(), io.StringIO()
    words = list(map(str, arguments))
    with pytest.MonkeyPatch.context() as patched, redirect_stdout(out), redirect_stderr(err):
        patched.setattr("sys.stdin", io.StringIO(typed))
        for name, value in environment(home).items():
            patched.setenv(name, value)
        code = main(words)
    return CompletedProcess(words, code, out.getvalue(), err.getvalue())


def told(home: Path, words: str, *more: str | Path, typed: str = "", code: int = 0) -> str:
    """What a command tells that ends with `code`; where it refuses, that one line alone."""
    ended = run(home, *words.split(), *more, typed=typed)
    assert ended.returncode == code, ended.stderr
    if code != EXIT_REFUSED:
        return ended.stdout
    assert (ended.stdout, ended.stderr.count("\n")) == ("", 1)
    assert ended.stderr.startswith("jetan: ")
    return ended.stderr
