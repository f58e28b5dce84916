"""A skipped test is named with its mend, and fails where JETAN_CI=1."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.needs import NEEDS, Need
from tests.tidy.tree import ROOT

SUITE = """
import pytest
from tests.needs import NEEDS, Need

NEEDS["nothing"] = Need("no-such-program", "no-such-package")

@pytest.mark.needs("nothing")
def test_unmet(): assert False

@pytest.mark.xfail(strict=True)
def test_known_defect(): assert False
"""


def run_suite(folder: Path, text: str, **environment: str) -> tuple[int, str]:
    """Exit code and output of pytest on a suite `text`, under the project's own conftest."""
    (folder / "test_suite.py").write_text(text)
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = needs(*names): programs\n")
    ours = ("JETAN_CI", "PYTEST_ADDOPTS")
    others = {name: value for name, value in os.environ.items() if name not in ours}
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-p", "no:cacheprovider"],
        cwd=folder,
        env={**others, "PYTHONPATH": str(ROOT), **environment},
        check=False,
        capture_output=True,
        text=True,
    )
    return result.returncode, result.stdout


def test_a_skip_is_named_with_its_mend(tmp_path: Path) -> None:
    code, out = run_suite(tmp_path, SUITE)
    assert code == 0
    named, closing = out.splitlines()[-2:]
    assert named.endswith("nothing is missing: sudo apt-get install no-such-package")
    assert "1 skipped, 1 xfailed" in closing


def test_a_skip_is_a_failure_in_ci(tmp_path: Path) -> None:
    code, out = run_suite(tmp_path, SUITE, JETAN_CI="1")
    assert code == 1
    assert "JETAN_CI=1 forbids it: nothing is missing" in out
    assert "1 xfailed, 1 error" in out.splitlines()[-1]


def test_a_suite_skipped_as_a_whole_is_a_failure_in_ci(tmp_path: Path) -> None:
    suite = "import pytest\npytest.importorskip('no_such_module')\n"
    code, out = run_suite(tmp_path, suite, JETAN_CI="1")
    assert code == pytest.ExitCode.INTERRUPTED
    assert "no_such_module" in out


@pytest.mark.parametrize("need", NEEDS.values(), ids=NEEDS)
def test_a_need_knows_what_is_there(need: Need, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert not need.is_met()
