"""Which tests run when, and what they may cost.

A tier is a set of tests: `jetan check` runs the units, `jetan test` the parts too, and CI all but
those that a release waits for.
A test belongs to the dearest tier that is marked at it or that `PLACES` has for it; what needs a
program beyond Python is a part, and all others are units. What a tier costs is reckoned in CPU
time, that of its processes included. A CPU second does less on a machine that is slow or shared
by many processes, so each worker counts to a million now and then, and budgets grow by how much
slower that was, on average, than on a quiet machine. A process that outlives its test, such as a
browser, is charged to the test in which it ends, whatever that one's tier: so a run fails by what
all its tiers together cost, and each tier that costs more than its own budget is shown.
"""

from collections import Counter, defaultdict
from collections.abc import Generator
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from statistics import fmean
from time import process_time
from typing import Final

import pytest

from tests.profiles import DEAREST, SOAK_AREA

BUDGETS_S: Final = {"unit": 105.0, "parts": 440.0, "ci": 670.0, "release": 850.0}
"""CPU seconds for each tier's own tests; the dearest tier is last."""

PARTS: Final = (
    "tests/contracts/test_sensor.py",
    "tests/e2e",
    "tests/emulated",
    "tests/jetan_table/extras/workshop",
    "tests/faults",
    "tests/firmware_bridge/test_port.py",
    "tests/hardware/test_fitting.py",
    "tests/jetan_table/session/test_no_gesture.py",
    "tests/jetan_table/session/test_orientation.py",
    "tests/jetan_table/boards/test_open_camera.py",
    "tests/jetan_table/boards/test_camera.py",
    "tests/jetan_table/cli/test_die.py",
    "tests/jetan_table/cli/test_jumping_clock.py",
    "tests/jetan_table/extras/lessons/test_commands.py",
    "tests/jetan_table/cli/test_replay.py",
    "tests/jetan_table/cli/test_taken_ports.py",
    "tests/jetan_table/cli/test_transcripts.py",
    "tests/jetan_table/cli/test_terms.py",
    "tests/tools/test_commands.py",
    "tests/jetan_table/extras/commissioning/test_trial_command.py",
    "tests/jetan_table/engine/test_protocol.py",
    "tests/jetan_table/engine/test_random_games.py",
    "tests/jetan_table/engine/test_why.py",
    "tests/jetan_table/extras/opponent",
    "tests/jetan_table/reading/test_causality.py",
    "tests/jetan_table/reading/test_pruning.py",
    "tests/jetan_table/replay",
    "tests/jetan_table/session/test_arena.py",
    "tests/jetan_table/test_tables.py",
    "tests/jetan_table/session/test_illegal_moves.py",
    "tests/jetan_table/session/test_session_fuzz.py",
    "tests/tools/test_simulated_game.py",
    "tests/jetan_table/people/test_people.py",
    "tests/jetan_table/test_life_of_one_ply.py",
    "tests/jetan_table/extras/commissioning",
    "tests/jetan_table/page/test_on_screen.py",
    "tests/jetan_table/page/test_openapi.py",
    "tests/launcher",
    "tests/simulation",
    "tests/site/test_building.py",
    "tests/tidy/test_skips.py",
    "tests/tidy/test_tools.py",
    "tests/vision/test_markers.py",
    "tests/vision/test_lens.py",
    "tests/vision/test_sensor.py",
    "tests/vision/test_sources.py",
)
CI: Final = (
    "tests/bench",
    "tests/training",
    "tests/e2e/test_door.py::test_viewers_behind_the_players_router_leave_a_place_for_the_player",
    "tests/e2e/test_door.py::test_whoever_asks_nothing_whole_loses_the_place",
    "tests/emulated/test_cable.py",
    "tests/emulated/test_evenings.py",
    "tests/emulated/test_wire.py",
    "tests/firmware_bridge/test_evenings.py",
    "tests/hardware/test_levels.py",
    "tests/jetan_table/cli/test_camera.py",
    "tests/jetan_table/engine/test_quick.py::test_its_memory_is_bounded_and_given_back",
    "tests/jetan_table/engine/test_quick.py::test_python_and_c_find_the_same_at_every_depth",
    "tests/jetan_table/engine/test_quick.py::test_sanitizers_have_nothing_to_say",
    "tests/jetan_table/engine/test_search.py::test_a_claimed_end_stands_against_the_plain_search",
    "tests/jetan_table/engine/test_search.py::test_what_is_forced_is_found_without_the_search_in_c",
    "tests/jetan_table/game/test_commands.py",
    "tests/jetan_table/extras/hall/test_far.py",
    "tests/jetan_table/extras/hall/test_far_matches.py",
    "tests/jetan_table/extras/hall/test_killed.py",
    "tests/jetan_table/journal/test_agreements.py",
    "tests/jetan_table/light/test_following_lamps.py",
    "tests/jetan_table/light/test_lamps.py",
    "tests/jetan_table/extras/lessons/test_puzzles.py",
    "tests/jetan_table/replay/test_watching.py",
    "tests/jetan_table/extras/commissioning/test_walk.py::test_a_chain_in_any_order_is_found_out_lamp_by_lamp",
    "tests/jetan_table/extras/commissioning/test_walk.py::test_a_walk_tries_every_switch",
    "tests/jetan_table/extras/commissioning/test_camera_trial.py",
    "tests/packages",
    "tests/rules/test_endless_texts.py",
    "tests/simulation/test_memory.py",
    "tests/site/test_site.py",
    "tests/tidy/test_no_language_left.py",
    "tests/tidy/test_soak.py",
    "tests/tidy/test_tiers.py",
    "tests/vision/test_finder.py",
    "tests/vision/test_camera.py",
    "tests/vision/test_leaning.py",
    "tests/vision/test_witness.py",
    (
        "tests/jetan_table/extras/commissioning/test_trial_command.py"
        "::test_a_camera_that_shows_pictures_is_led_and_gives_up_by_enter"
    ),
    (
        "tests/jetan_table/table/test_loop.py"
        "::test_what_the_sensor_sees_meanwhile_is_bounded_and_its_end_is_kept"
    ),
)
RELEASE: Final = (
    "tests/emulated_pi",
    "tests/launcher/test_launcher.py::test_play_takes_little_room_and_more_can_be_added",
    "tests/packages/test_packages.py::test_the_package_for_arm_runs_on_an_emulated_processor",
)
"""Emulated processors and a real installation: what else is tested stands in for them."""

PLACES: Final = (
    dict.fromkeys(PARTS, "parts") | dict.fromkeys(CI, "ci") | dict.fromkeys(RELEASE, "release")
)
"""Folders, files and tests whose tier is not marked where they stand."""

CHEAP: Final = {"git"}
"""Programs that a unit may need."""

TIERS: Final = list(BUDGETS_S)
COUNTING_S: Final = 0.03
"""What `pace` takes on the machine that the budgets were measured on."""

PACED_EVERY: Final = 50
"""After how many reports a worker measures its pace again."""

NAMED: Final = 10
"""How many tests are named of a tier that costs too much."""


def place_of(name: str) -> str:
    """The tier of a test, a file or a folder, by the nearest name in `PLACES`."""
    file = Path(name.partition("::")[0])
    near = (name, *map(str, (file, *file.parents)))
    return next((PLACES[each] for each in near if each in PLACES), "unit")


def tier_of(item: pytest.Item) -> str:
    """The dearest tier that a test's place or a mark says."""
    tiers = [place_of(item.nodeid.partition("[")[0])]
    tiers += [marker.name for marker in item.iter_markers() if marker.name in BUDGETS_S]
    needed = {name for marker in item.iter_markers("needs") for name in marker.args}
    if needed - CHEAP:
        tiers.append("parts")
    return max(tiers, key=TIERS.index)


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
        self.paces: list[float] = []
        self._reported = 0
        self._last_s = 0.0

    @property
    def may(self) -> float:
        """By how much budgets grow on this machine."""
        return fmean(self.paces or [1.0])

    def pytest_ignore_collect(self, collection_path: Path, config: pytest.Config) -> bool | None:
        """Read no module of a tier that is left out: None asks pytest's other rules."""
        if not self.is_whole:
            return None
        place = collection_path.relative_to(config.rootpath)
        return None if place_of(str(place)) in self.tiers else True

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
        if self._reported % PACED_EVERY == 0:
            vars(report)["pace"] = pace()
            self._last_s = spent_s()
        self._reported += 1
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        tier, cost_s = vars(report).get("cost", ("unit", 0.0))
        self.costs[tier][report.nodeid] += cost_s
        if (measured := vars(report).get("pace")) is not None:
            self.paces.append(measured)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail a run that costs more than it may."""
        cost_s = sum(self.costs[tier].total() for tier in self.tiers)
        may_s = sum(BUDGETS_S[tier] for tier in self.tiers) * self.may
        if self.is_whole and cost_s > may_s and not session.exitstatus:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what each tier cost, and name the dearest tests of one that costs too much."""
        for tier in filter(self.costs.get, TIERS if self.is_whole else ()):
            costs, may_s = self.costs[tier], BUDGETS_S[tier] * self.may
            is_too_dear = costs.total() > may_s
            line = f"{tier}: {len(costs)} tests took {costs.total():.0f} of {may_s:.0f} CPU seconds"
            terminalreporter.write_line(line, red=is_too_dear)
            if is_too_dear:
                for name, cost_s in costs.most_common(NAMED):
                    terminalreporter.write_line(f"{cost_s:7.1f} {name}")
