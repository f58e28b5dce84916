"""What holds for every suite: how many examples are drawn, on how many cores, what may be dear.

Skipped suites are named with their mend, and are failures in CI.
"""

import os
from collections.abc import Callable, Generator, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

import hypothesis
import pytest

from tests.jetan_table.extras.hall.mosquitto import Mosquitto
from tests.late import Late
from tests.needs import NEEDS, lacking
from tests.profiles import DEAREST, IN_CI, SOAK_AREA, chosen
from tests.soak import Soak
from tests.tiers import Tiers

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)

TO_TRANSLATE = "to translate: "
"""What the name of a test's property begins with that lists sentences of a catalogue's file."""
LISTED = 20
"""How many of them are shown."""

hypothesis.settings.load_profile(chosen())


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "release: takes long; run before a release, not in CI")
    config.pluginmanager.register(Tiers(config))
    if SOAK_AREA is not None:
        config.pluginmanager.register(Soak(config, SOAK_AREA))
    else:
        config.pluginmanager.register(Late())


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Two more than cores, for browsers' tests wait much; none for a file, or a test, alone."""
    named = [Path(argument.partition("::")[0]) for argument in config.args]
    is_small = len(named) <= 1 and all(path.suffix == ".py" for path in named)
    return 0 if is_small else len(os.sched_getaffinity(0)) + 2 * (DEAREST != "unit")


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all processes of this run share."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture
def jetan(tmp_path: Path) -> Callable[..., str]:
    """`told` by a command whose home is the test's own folder."""
    from tests.jetan_table.cli.in_process import told

    return partial(told, tmp_path)


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    """A broker at which anybody may say anything."""
    with Mosquitto(tmp_path) as running:
        yield running


def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker in item.iter_markers("needs"):
        for name in marker.args:
            if not NEEDS[name].is_met():
                pytest.skip(f"{name} is missing: {NEEDS[name].mend()}")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if call.excinfo is not None and call.excinfo.errisinstance(ImportError):
        skip_lacking(report, str(call.excinfo.value))
    return forbid_skip(report)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if report.failed:
        skip_lacking(report, str(report.longrepr))
    return forbid_skip(report)


def skip_lacking(report: pytest.TestReport | pytest.CollectReport, error: str) -> None:
    """Turn a failure into a skip where no more than a package is missing that it may lack."""
    if (why := lacking(error)) is not None:
        file = report.nodeid.partition("::")[0]
        report.outcome, report.longrepr = "skipped", (file, 0, f"Skipped: {why}")


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
    for report in terminalreporter.getreports("passed"):
        for name, missing in report.user_properties:
            if name.startswith(TO_TRANSLATE):
                list_missing(terminalreporter, name.removeprefix(TO_TRANSLATE), missing)


def list_missing(reporter: pytest.TerminalReporter, file: str, missing: list[str]) -> None:
    """Show what nobody has translated yet: no failure before a release."""
    count = len(missing)
    reporter.write_line(f"{file}: {count} sentences have no translation yet", yellow=True)
    for sentence in missing[:LISTED]:
        reporter.write_line(f"  {sentence}")
    if count > LISTED:
        reporter.write_line(f"  and {count - LISTED} more")
