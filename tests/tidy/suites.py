"""A suite of one file, run by pytest under the project's own conftest."""

import os
import subprocess
import sys
from pathlib import Path

from tests.tidy.tree import ROOT

INI = """[pytest]
testpaths = tests
markers =
  needs(*names): programs
  soak(area): long
  parts: dearer
  ci: dearest
"""
OURS = ("JETAN_CI", "JETAN_TIER", "PYTEST_ADDOPTS", "PYTEST_XDIST_WORKER")


def run_suite(root: Path, text: str, *words: str, **variables: str) -> tuple[int, str]:
    """Return exit code and output of pytest on a suite `text` in the project `root`."""
    (root / "tests").mkdir(exist_ok=True)
    (root / "tests" / "test_suite.py").write_text(text)
    (root / "pytest.ini").write_text(INI)
    others = {name: value for name, value in os.environ.items() if name not in OURS}
    pytest = ("-m", "pytest", "-p", "tests.conftest", "-p", "no:cacheprovider")
    result = subprocess.run(
        [sys.executable, *pytest, *words],
        cwd=root,
        env={**others, "PYTHONPATH": str(ROOT), **variables},
        check=False,
        capture_output=True,
        text=True,
    )
    return result.returncode, result.stdout
