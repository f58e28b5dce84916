"""The page that tells the life of one ply, and that ply as it runs: the two must not part."""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Final

import pytest

from rules import parse_square
from tests.jetan_table.sitting import sitting
from tests.paths import ROOT
from tests.tidy.tree import PACKAGES

PAGE: Final = ROOT / "docs" / "architecture.md"
CALL: Final = re.compile(r"\[`([\w.]+)`\]\(\.\./([\w/]+\.py)\)")

STAND_INS: Final = ("hardware/build.py", "jetan_table/people/")
"""The people, pieces and contacts of the simulated table: before a scan, and beside the lamps."""

MOST_MODULES: Final = 40
MOST_ROOMS: Final = 10
MOST_IN_A_STEP: Final = 23
MOST_AT_A_LIFT: Final = 36


@dataclass(slots=True)
class Run:
    """Which functions of ours were called, in order, as (qualified name, file)."""

    calls: list[tuple[str, str]] = field(default_factory=list)

    def note(self, frame: FrameType, event: str, _: object) -> None:
        """Take a call down; this is a profiler's hook."""
        if event == "call" and frame.f_code.co_filename.startswith(str(ROOT)):
            name = Path(frame.f_code.co_filename).relative_to(ROOT).as_posix()
            function = frame.f_code.co_qualname
            is_stand_in = name.startswith(STAND_INS) or function.startswith("SimulatedMatrix")
            if name.startswith(PACKAGES) and not is_stand_in:
                self.calls.append((function, name))

    @property
    def modules(self) -> set[str]:
        return {name for _, name in self.calls}


def called(work: Callable[[], None]) -> Run:
    """Do some work, and return what was called by it."""
    run = Run()
    sys.setprofile(run.note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return run


def play() -> Run:
    """The Panthan goes from d2 to d3, at the simulated table."""
    with tempfile.TemporaryDirectory() as folder, sitting(Path(folder)) as evening:
        evening.wait(2.0)
        run = called(lambda: evening.move("d2", "d3"))
        assert evening.table.record.moves == ("Pd2-d3",)
    return run


def steps_of_a_lift() -> list[Run]:
    """The steps of the table in which a piece is lifted and then held, a second in all."""
    with tempfile.TemporaryDirectory() as folder, sitting(Path(folder)) as evening:
        evening.wait(2.0)
        evening.hands.lift(parse_square("d2"), evening.clock.now())
        return [called(lambda: evening.wait(0.01)) for _ in range(100)]


@pytest.fixture(scope="module")
def run() -> Run:
    """The calls of that ply in a process of its own: what others asked for is not known there."""
    command = [sys.executable, "-m", "tests.jetan_table.test_life_of_one_ply"]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return Run([(name, file) for name, file in json.loads(done.stdout)])


def life() -> tuple[str, str]:
    """What the page says of it: the steps, and the modules that are passed."""
    section = PAGE.read_text().partition("## The life of one ply")[2].partition("\n## ")[0]
    steps, _, passed = section.partition("On their way")
    return steps, passed


def test_the_steps_are_called_in_the_order_of_the_page(run: Run) -> None:
    steps = CALL.findall(life()[0])
    assert len(steps) > 20
    at = 0
    for step in steps:
        assert step in run.calls[at:], f"{step}: not called, or not after the step before it"
        at = run.calls.index(step, at)


def test_the_page_names_every_module_that_runs_and_no_other(run: Run) -> None:
    steps, passed = life()
    named = {module for _, module in CALL.findall(steps)}
    beside = {f"{line[1]}{name}.py" for line in rooms(passed) for name in line[2].split(", ")}
    assert named | beside == run.modules
    assert not named & beside


def rooms(passed: str) -> list[re.Match[str]]:
    """The lines of the list of what is passed: a folder, and its modules."""
    return list(re.finditer(r"^- `([\w/]+/)`: ([\w, ]+)$", passed, re.MULTILINE))


def test_few_modules_in_few_rooms_are_passed(run: Run) -> None:
    assert len(run.modules) <= MOST_MODULES
    assert len({Path(name).parent for name in run.modules}) <= MOST_ROOMS


def test_a_lift_takes_few_modules_and_then_the_reader_is_asked_nothing_that_is_not_due() -> None:
    *lifting, step = steps_of_a_lift()
    assert len(step.modules) < max(len(each.modules) for each in lifting) <= MOST_AT_A_LIFT
    assert len(step.modules) <= MOST_IN_A_STEP
    asked = {name for name, file in step.calls if file.startswith("jetan_table/reading/")}
    assert asked == {"SwitchReader.belief"}


if __name__ == "__main__":
    print(json.dumps(play().calls))
