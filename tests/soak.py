"""The soak: the long tests of one area, less those that have passed already.

`jetan test --soak=AREA` names the area in the environment. What passes is written down at once, so
that neither Ctrl-C nor a power cut loses it, under a fingerprint of the files that tests stand on.
What a test counts is written down with it, and the sum is judged in the end.
"""

import hashlib
import json
import os
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

from tests.simulation import sometimes
from tools.commands import REMEMBERED

PROPERTIES: Final = "properties"
"""The area of every test that draws examples and is run by hand too, by fewer of them."""

STOOD_ON: Final = (
    *(
        "rules",
        "hardware",
        "firmware_bridge",
        "vision",
        "jetan_table",
        "tests",
        "bench",
        "training",
    ),
    *("pyproject.toml", "uv.lock"),
)


def area_of(item: pytest.Item) -> str | None:
    """The area in which a test soaks."""
    if (marker := item.get_closest_marker("soak")) is not None:
        return str(marker.args[0])
    return PROPERTIES if item.get_closest_marker("hypothesis") else None


def fingerprint(root: Path) -> str:
    """What tells two states of the project's files apart."""
    digest = hashlib.sha256()
    for path in files_stood_on(root):
        digest.update(f"{path.relative_to(root)} {path.stat().st_size}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def files_stood_on(root: Path) -> list[Path]:
    """Every file that may change what a test says, but what Python and compilers make of them."""
    made = {"__pycache__", "build"}
    paths = [path for name in STOOD_ON for path in (root / name, *(root / name).rglob("*"))]
    return sorted(path for path in paths if path.is_file() and made.isdisjoint(path.parts))


COUNTED: Final = "counted"
"""The property under which a test hands in its counts."""


class Memory:
    """Which tests of an area have passed since the project's files are as they are, and counted."""

    def __init__(self, file: Path, state: str) -> None:
        self._file, self._state = file, state

    def passed(self) -> dict[str, Counter[str]]:
        """Return what each has counted, by its name; nothing where the files were others."""
        if not self._file.exists():
            return {}
        state, *lines = self._file.read_text().splitlines()
        tests = [line.partition("\t") for line in lines if state == self._state]
        return {name: Counter(json.loads(counts)) for name, _tab, counts in tests}

    def add(self, name: str, counts: Counter[str]) -> None:
        """Remember one more, on the disk."""
        known = self.passed()
        if not known:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.write_text(f"{self._state}\n")
        with self._file.open("a") as file:
            file.write(f"{name}\t{json.dumps(counts)}\n")
            file.flush()
            os.fsync(file.fileno())


class Soak:
    """The plugin that leaves out what is of no concern, and writes down what passes."""

    def __init__(self, config: pytest.Config, area: str) -> None:
        self.area = area
        self.memory = Memory(config.rootpath / REMEMBERED / area, fingerprint(config.rootpath))
        self._called: set[str] = set()
        self._is_told_all = not hasattr(config, "workerinput")

    @pytest.hookimpl(trylast=True)  # Hypothesis marks its tests by then
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        passed = self.memory.passed()
        left: list[pytest.Item] = []
        others: list[pytest.Item] = []
        for item in items:
            is_left = area_of(item) == self.area and item.nodeid not in passed
            (left if is_left else others).append(item)
        config.hook.pytest_deselected(items=others)
        items[:] = left

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember a test once it has passed to its end; only one process hears of all of them."""
        if not self._is_told_all or not report.passed:
            return
        if report.when == "call":
            self._called.add(report.nodeid)
        elif report.when == "teardown" and report.nodeid in self._called:
            handed_in: Any = dict(report.user_properties).get(COUNTED)
            self.memory.add(report.nodeid, Counter[str](handed_in))

    @property
    def counted(self) -> Counter[str]:
        """What all tests of the area have counted that have passed."""
        return sum(self.memory.passed().values(), Counter())

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail a soak of evenings that never came upon something it should have."""
        if self._is_told_all and sometimes.lacking(self.counted):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Show how often evenings came upon what, and name what they never did."""
        counted = self.counted
        for line in sometimes.rows(counted) if counted else ():
            terminalreporter.write_line(line)
        for encounter in sometimes.lacking(counted):
            terminalreporter.write_line(f"never met: {encounter}", red=True)
