"""Which tests run when, and what they may cost.

A tier is a set of tests: `jetan check` runs the units, `jetan test` the parts too, and CI all.
A test belongs to the dearest tier that is marked at it or that `PLACES` has for it; what needs a
program beyond Python is a part, and all others are units. What a tier costs is reckoned in CPU
time, that of its processes included, because that is nearly the same on a machine that does much
else.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Generator
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from time import process_time
from typing import Final

import pytest

from tests.profiles import DEAREST, SOAK_AREA

BUDGETS_S: Final = {"unit": 100.0, "parts": 400.0, "ci": 800.0}
"""CPU seconds for each tier's own tests; the dearest tier is last."""

PLACES: Final = {
    "tests/bench": "parts",
    "tests/e2e": "parts",
    "tests/emulated": "parts",
    "tests/emulated_pi": "ci",
    "tests/faults": "parts",
    "tests/firmware_bridge/test_plies.py": "parts",
    "tests/jetan_table/boards/test_table_camera.py": "parts",
    "tests/jetan_table/cli/test_camera.py": "parts",
    "tests/jetan_table/cli/test_die.py": "parts",
    "tests/jetan_table/cli/test_jumping_clock.py": "parts",
    "tests/jetan_table/cli/test_learn.py": "parts",
    "tests/jetan_table/cli/test_physical_play.py": "parts",
    "tests/jetan_table/cli/test_replay.py": "parts",
    "tests/jetan_table/cli/test_study.py": "parts",
    "tests/jetan_table/cli/test_test.py": "parts",
    "tests/jetan_table/cli/test_trial.py": "parts",
    "tests/jetan_table/engine/test_protocol.py": "parts",
    "tests/jetan_table/lamps/test_following_lamps.py": "parts",
    "tests/jetan_table/lamps/test_lamps_page.py": "parts",
    "tests/jetan_table/opponent": "parts",
    "tests/jetan_table/replay/test_watching.py": "parts",
    "tests/jetan_table/setup": "parts",
    "tests/jetan_table/trial": "parts",
    "tests/launcher": "parts",
    "tests/packages": "ci",
    "tests/simulation": "parts",
    "tests/site/test_site.py": "parts",
    "tests/tidy/test_skips.py": "parts",
    "tests/tidy/test_soak.py": "parts",
    "tests/tidy/test_tiers.py": "parts",
    "tests/tidy/test_tools.py": "parts",
    "tests/vision/test_camera.py": "parts",
    "tests/vision/test_leaning.py": "parts",
    "tests/vision/test_sensor.py": "parts",
    "tests/vision/test_synthesis.py": "parts",
}
"""Folders, files and tests whose tier is not marked where they stand."""

CHEAP: Final = {"git"}
"""Programs that a unit may need."""

TIERS: Final = list(BUDGETS_S)
COUNTING_S: Final = 0.03
"""What `pace` takes on the machine that the budgets were measured on."""

NAMED: Final = 10
"""How many tests are named of a tier that costs too much."""


def place_of(path: Path) -> str:
    """The tier of a file or folder, by the nearest name in `PLACES`."""
    return next(
        (PLACES[str(near)] for near in (path, *path.parents) if str(near) in PLACES), "unit"
    )


def tier_of(item: pytest.Item) -> str:
    """The dearest tier that a test's place or a mark says."""
    file, _, name = item.nodeid.partition("[")[0].partition("::")
    said = [place_of(Path(file)), PLACES.get(f"{file}::{name}", "unit")]
    said += [marker.name for marker in item.iter_markers() if marker.name in BUDGETS_S]
    needed = {name for marker in item.iter_markers("needs") for name in marker.args}
    if needed - CHEAP:
        said.append("parts")
    return max(said, key=TIERS.index)


def spent_s() -> float:
    """CPU seconds of this process, and of those it has waited for."""
    uses = getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN)
    return sum(use.ru_utime + use.ru_stime for use in uses)


def pace() -> float:
    """How many times as slow this machine is as the one budgets were measured on, at least 1."""
    begun = process_time()
    sum(number % 7 for number in range(1_000_000))
    return max(1.0, (process_time() - begun) / COUNTING_S)


class Tiers:
    """The plugin that leaves out tiers that are too dear, and reckons what the others cost.

    Whoever names files is given every test there, and is not judged.
    """

    def __init__(self, config: pytest.Config) -> None:
        self.is_whole = not (config.option.file_or_dir or SOAK_AREA)
        self.tiers = TIERS[: TIERS.index(DEAREST) + 1] if self.is_whole else TIERS
        self.costs: dict[str, Counter[str]] = defaultdict(Counter)
        self.may = 1.0
        self._last_s = 0.0

    def pytest_ignore_collect(self, collection_path: Path, config: pytest.Config) -> bool | None:
        """Read no module of a tier that is left out: None asks pytest's other rules."""
        is_left_out = (
            self.is_whole
            and place_of(collection_path.relative_to(config.rootpath)) not in self.tiers
        )
        return True if is_left_out else None

    @pytest.hookimpl(tryfirst=True)  # `-m parts` finds the marks
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Leave out what is too dear, and begin with what takes longest.

        So in the end no core waits for another.
        """
        dear = [item for item in items if tier_of(item) not in self.tiers]
        config.hook.pytest_deselected(items=dear)
        items[:] = [item for item in items if tier_of(item) in self.tiers]
        for item in items:
            if (tier := tier_of(item)) != "unit":
                item.add_marker(tier)
        items.sort(key=lambda item: item.get_closest_marker("early") is None)

    def pytest_runtest_logstart(self) -> None:
        self._last_s = spent_s()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Note in the report what a test has cost, which also the controlling process reads."""
        report = yield
        begun_s, self._last_s = self._last_s, spent_s()
        vars(report)["cost"] = (tier_of(item), self._last_s - begun_s)
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        tier, cost_s = vars(report).get("cost", ("unit", 0.0))
        self.costs[tier][report.nodeid] += cost_s

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail a run that costs more than it may."""
        self.may = pace()
        if self.is_whole and any(map(self.is_too_dear, TIERS)) and not session.exitstatus:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def is_too_dear(self, tier: str) -> bool:
        return self.costs[tier].total() > BUDGETS_S[tier] * self.may

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what each tier cost, and name the dearest tests of one that costs too much."""
        for tier in filter(self.costs.get, TIERS if self.is_whole else ()):
            costs, may_s = self.costs[tier], BUDGETS_S[tier] * self.may
            line = f"{tier}: {len(costs)} tests took {costs.total():.0f} of {may_s:.0f} CPU seconds"
            terminalreporter.write_line(line, red=self.is_too_dear(tier))
            if self.is_too_dear(tier):
                for name, cost_s in costs.most_common(NAMED):
                    terminalreporter.write_line(f"{cost_s:7.1f} {name}")
