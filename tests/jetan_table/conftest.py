"""A table to sit at, the command line as a test calls it, and disks that are full."""

import resource
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path

import pytest

from tests.jetan_table.cli.in_process import Jetan, told
from tests.jetan_table.sitting import Evening, sitting


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """A sitting at a new game, whose journal is in the test's own folder."""
    with sitting(tmp_path) as begun:
        yield begun


@pytest.fixture
def jetan(tmp_path: Path) -> Jetan:
    """`told` by a command whose home is the test's own folder."""
    return partial(told, tmp_path)


@contextmanager
def file_limit(size: int) -> Iterator[None]:
    """Let no file grow beyond `size` bytes, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, ignored)


@pytest.fixture
def limit() -> Callable[[int], AbstractContextManager[None]]:
    """What lets no file grow beyond so many bytes, as a context."""
    return file_limit


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder on a filesystem of 512 kB; where none may be mounted, files are kept as small."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", str(folder)]
    try:
        is_mounted = subprocess.run(mount, check=False, capture_output=True).returncode == 0
    except FileNotFoundError:
        is_mounted = False
    if is_mounted:
        yield folder
        subprocess.run(["umount", str(folder)], check=True)
    else:
        with file_limit(200_000):
            yield folder
