"""A skipped test is named with its mend, and fails where JETAN_CI=1."""

from pathlib import Path

import pytest

from tests.needs import NEEDS, Need
from tests.tidy.suites import run_suite

SUITE = """
import pytest
from tests.needs import NEEDS, Need

NEEDS["nothing"] = Need("no-such-program", "no-such-package")

@pytest.mark.needs("nothing")
def test_unmet(): assert False

@pytest.mark.xfail(strict=True)
def test_known_defect(): assert False
"""


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


LACKING = """
import pytest
from tests import needs

needs.MODULES["no_such_module"] = "./jetan test brings it"

@pytest.fixture
def driver(): import no_such_module

def test_at_once(): import no_such_module
def test_before(driver): pass
def test_another(): import nobody_named_this
"""


def test_a_package_that_only_some_tests_need_is_named_with_what_brings_it(tmp_path: Path) -> None:
    code, out = run_suite(tmp_path, LACKING)
    assert code == 1
    assert "no_such_module is missing: ./jetan test brings it" in out
    assert "No module named 'nobody_named_this'" in out
    assert "1 failed, 2 skipped" in out.splitlines()[-1]


def test_a_suite_that_lacks_such_a_package_is_skipped(tmp_path: Path) -> None:
    suite = LACKING.replace("def test_at_once(): ", "") + "def test_one(): pass\n"
    code, out = run_suite(tmp_path, suite)
    assert "no_such_module is missing: ./jetan test brings it" in out
    assert code == pytest.ExitCode.NO_TESTS_COLLECTED


@pytest.mark.parametrize("need", NEEDS.values(), ids=NEEDS)
def test_a_need_knows_what_is_there(need: Need, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert not need.is_met()
