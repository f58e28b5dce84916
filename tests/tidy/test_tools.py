"""The linter, the formatter and the type checker have nothing to say."""

import subprocess
import sys

import pytest

from tests.tidy.tree import PACKAGES, ROOT, python_files

CHECKED = [name for name in (*PACKAGES, "tests", "bench", "packages") if python_files(ROOT / name)]


@pytest.mark.early
@pytest.mark.parametrize("tool", ["ruff check", "ruff format --check --diff", "mypy"])
def test_tool_is_content(tool: str) -> None:
    command = [sys.executable, "-m", *tool.split(), *CHECKED]
    result = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
