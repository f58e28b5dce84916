"""Every line that the README shows runs as it is written, once a game has been played."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.e2e.command import ROOT
from tests.e2e.forked import forked, run
from tests.profiles import PATIENCE_S

SHOWN: Final = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)

PAGE: Final = [["play"], ["play", "--hands", "auto", "--preset", "clumsy"]]
"""What serves a page until it is stopped."""


def shown() -> Iterator[list[str]]:
    """The words after `./jetan` of each line for whoever uses it; those for developers are last."""
    *blocks, _developers = SHOWN.findall((ROOT / "README.md").read_text())
    for line in "".join(blocks).splitlines():
        words = shlex.split(line, comments=True)
        assert words[0] == "./jetan"
        if words[1:] != ["test"]:
            yield words[1:]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a game of two moves was played, and where what a line writes does no harm."""
    folder = tmp_path_factory.mktemp("home")
    (folder / "tests").symlink_to(ROOT / "tests")
    done = run(folder, "play", "--plain", typed="d2 d3\ne9 e8\nquit\n")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize("words", [*shown()], ids=" ".join)
def test_a_shown_line_runs(words: list[str], home: Path) -> None:
    if words in PAGE:
        served = (*words, "--port", "0", "--no-browser")
        running, printed = forked(home, *served)
        with printed:
            assert any("http://" in printed.readline() for _ in range(4))
            running.terminate()
            running.join(PATIENCE_S)
        assert running.exitcode == 0
        return
    done = run(home, *words, typed="quit\n", cwd=home)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
