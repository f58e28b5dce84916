"""A tier is left out where it is too dear, and fails where it costs more than it may."""

import re
from pathlib import Path

import pytest

from tests.tidy.suites import run_suite
from tests.tidy.tree import ROOT
from tests.tiers import BUDGETS_S, PLACES, TIERS

NO_BUDGET = """
from tests import tiers

tiers.BUDGETS_S.update(unit=0.0, parts=0.0)
"""
DEAR = "tests/test_suite.py::test_that_starts_a_dear_command"
SUITE = """
import subprocess
import sys

import pytest

def test_unit(): pass

@pytest.mark.parts
def test_that_starts_a_dear_command():
    work = "import time\\nwhile time.process_time() < 1: pass"
    subprocess.run([sys.executable, "-c", work], check=True)

@pytest.mark.ci
def test_in_ci(): pass
"""


def test_a_tier_that_costs_too_much_fails_and_names_its_dearest_test(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(NO_BUDGET)
    code, out = run_suite(tmp_path, SUITE, "-n", "2")
    assert code == pytest.ExitCode.TESTS_FAILED
    assert "2 passed" in out
    named = re.search(r"^parts: 1 tests took (\d+) of 0 CPU seconds\n +(\S+) (\S+)$", out, re.M)
    assert named is not None
    assert float(named[2]) >= int(named[1]) >= 1
    assert named[3] == DEAR


def test_a_tier_may_cost_more_on_a_slower_machine(tmp_path: Path) -> None:
    much_slower = "tiers.BUDGETS_S.update(parts=0.01)\ntiers.COUNTING_S = 1e-5\n"
    (tmp_path / "conftest.py").write_text(NO_BUDGET + much_slower)
    code, out = run_suite(tmp_path, SUITE, "-n", "2")
    assert code == 0
    allowed = re.search(r"^parts: 1 tests took \d+ of (\d+) CPU seconds$", out, re.M)
    assert allowed is not None
    assert int(allowed[1]) > 1


@pytest.mark.parametrize(
    ("words", "variables", "passed"),
    [
        ((), {"JETAN_TIER": "unit"}, 1),
        (("tests/test_suite.py",), {}, 3),
        (("-m", "ci"), {"JETAN_CI": "1"}, 1),
    ],
)
def test_what_is_asked_for_is_run(
    tmp_path: Path, words: tuple[str, ...], variables: dict[str, str], passed: int
) -> None:
    code, out = run_suite(tmp_path, SUITE, *words, **variables)
    assert code == 0
    assert f"{passed} passed" in out.splitlines()[-1]


def test_places_are_there_and_have_tiers() -> None:
    for place, tier in PLACES.items():
        file, _, test = place.partition("::")
        assert (ROOT / file).exists()
        assert tier in TIERS
        assert f"def {test}(" in (ROOT / file).read_text() if test else True


def test_the_page_says_what_tiers_may_cost() -> None:
    page = (ROOT / "docs" / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \|.* (\d+) \|$", page, re.MULTILINE)
    assert {tier: float(cost) for tier, cost in rows} == BUDGETS_S
