"""What holds for every suite: skipped suites are named with their mend, and are failures in CI."""

import os
from collections.abc import Generator
from typing import TypeVar

import hypothesis
import pytest

from tests.needs import NEEDS

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)
IN_CI = os.environ.get("JETAN_CI") == "1"

# Machines differ in speed, and no test is about time.
hypothesis.settings.register_profile("house", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.load_profile("ci" if IN_CI else "house")


def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker in item.iter_markers("needs"):
        for name in marker.args:
            if not NEEDS[name].is_met():
                pytest.skip(f"{name} is missing: {NEEDS[name].mend()}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    return forbid_skip((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return forbid_skip((yield))


def forbid_skip(report: Report) -> Report:
    """In CI turn a skip into a failure; an expected failure (`xfail`) stays one."""
    if IN_CI and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, and JETAN_CI=1 forbids it: {skip_reason(report)}"
    return report


def skip_reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Why `report`'s test was skipped, without pytest's word before it."""
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return reason.removeprefix("Skipped: ")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    suites: dict[str, str] = {}
    for report in terminalreporter.getreports("skipped"):
        if not hasattr(report, "wasxfail"):
            suites[report.nodeid.partition("::")[0]] = skip_reason(report)
    for suite, reason in suites.items():
        terminalreporter.write_line(f"skipped {suite}: {reason}", yellow=True)
