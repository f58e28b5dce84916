"""The linters, the formatter and the type checker have nothing to say."""

import subprocess
import sys
from operator import itemgetter

import pytest

from tests.tidy.tree import PACKAGES, ROOT, python_files
from tools.commands import CHECKED, programs

TOOLS = [command for commands in programs(ROOT).values() for command in commands]


@pytest.mark.early
@pytest.mark.parametrize("command", TOOLS, ids=itemgetter(0))
def test_tool_is_content(command: list[str]) -> None:
    python = [sys.executable, "-m", *command]
    result = subprocess.run(python, cwd=ROOT, check=False, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr


def test_every_room_is_checked() -> None:
    assert set(PACKAGES) < set(CHECKED)
    assert all(python_files(ROOT / name) for name in CHECKED)
