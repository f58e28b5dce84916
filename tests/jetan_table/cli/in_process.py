"""Runs the command line in this process, with a home of its own and what somebody types."""

import io
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from jetan_table.cli import main
from tests.e2e.command import environment


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
