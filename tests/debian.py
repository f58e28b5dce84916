"""A clean Debian 13 for tests, in a folder, while they run."""

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path


def rights() -> Sequence[str]:
    """Return what begins a command that only root may run."""
    return [] if os.geteuid() == 0 else ["sudo", "-n"]


def root_runs(*words: str | Path) -> str:
    """Run a command as root; return what it says."""
    done = subprocess.run(
        [*rights(), *words],
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, f"{words}\n{done.stdout}"
    return done.stdout


@contextmanager
def debian(root: Path, *words: str) -> Iterator[None]:
    """Lay a clean Debian 13 with Python into `root` while the block runs."""
    try:
        root_runs("mmdebstrap", "--quiet", "--include=python3", *words, "trixie", root)
        yield
    finally:
        root_runs("rm", "-rf", "--one-file-system", root)
