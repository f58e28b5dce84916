"""The plug is pulled at every call of an evening, the disk fails or lies at it: nothing is lost."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

import pytest

from tests.faults.after import lay_out, switch_on, switch_on_somehow
from tests.faults.disk import Call, Disk, Loss, read_calls
from tests.faults.evening import PLANTS, REASONS
from tests.faults.truth import Certain
from tests.once import once
from tests.paths import ROOT
from tests.profiles import IN_CI

pytestmark = pytest.mark.needs("cc")

IN_MEMORY: Final = "/dev/shm"
"""What is cut off in a test need not wait for a real disk."""

POINTS: Final = frozenset(
    f"{call} {path}"
    for call, paths in {
        "mkdir": "table table/games table/seeds",
        "sync": ". table table/games table/seeds table/games/N.jgn.part table/seeds/N.seed"
        " table/journal.sqlite table/journal.sqlite-wal table/journal.sqlite.part copy.sqlite.part",
        "write": "table/journal.sqlite table/journal.sqlite-wal table/journal.sqlite.part"
        " table/games/N.jgn.part table/seeds/N.seed copy.sqlite.part",
        "rename": "table/journal.sqlite.part table/games/N.jgn.part copy.sqlite.part",
        "link": "table/journal.sqlite",
    }.items()
    for path in paths.split()
)
"""What an evening does to files, and must be cut off at; it does more."""

ONE_POINT: Final = 3 if IN_CI else 1
"""A usual run cuts at so many calls of each point, spread over the evening."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A call of an evening, what it is done to, and what had been shown by then and soon after."""

    number: int
    point: str
    shown: Certain
    soon: Certain


class Recorded:
    """An evening: all it has done to its files, in order."""

    def __init__(self, root: Path, log: Path) -> None:
        self._root = str(root)
        self.calls = list(read_calls(log))
        self.moments = list(self._moments())

    def _moments(self) -> Iterator[Moment]:
        marks: list[Certain] = [call.mark for call in self.calls if call.kind == "mark"]
        number, opened = 0, dict[str, str]()
        for at, call in enumerate(self.calls):
            if call.kind == "mark":
                number += 1
                continue
            if call.kind == "open":
                opened[call.words[0]] = call.words[-1]
            if call.kind not in ("open", "close"):
                path = call.words[0] if "/" in call.words[0] else opened[call.words[0]]
                shown = marks[number - 1] if number else {}
                yield Moment(at, self._point(call, path), shown, marks[min(number, len(marks) - 1)])

    def _point(self, call: Call, path: str) -> str:
        name = os.path.relpath(path, self._root)
        return f"{call.kind} {re.sub(r'[0-9a-f]{60,}|[0-9]{5}', 'N', name)}"

    def sample(self, most: int) -> list[Moment]:
        """Return so many moments of each point, spread over the evening."""
        of_point = defaultdict[str, list[Moment]](list)
        for moment in self.moments:
            of_point[moment.point].append(moment)
        chosen = (moments[:: -(-len(moments) // most)] for moments in of_point.values())
        return sorted((one for some in chosen for one in some), key=lambda one: one.number)

    def cuts(self, moments: list[Moment], seed: int, lie: int | None = None) -> Iterator[Cut]:
        """Yield what each cut leaves right after some moments; the sync of call `lie` is none."""
        disk, done = Disk({self._root: None}), 0
        for moment in moments:
            for number in range(done, moment.number + 1):
                if number != lie:
                    disk.do(self.calls[number])
            done = moment.number + 1
            for loss in Loss:
                chance = Random(f"{seed} {moment.number}")
                yield Cut(moment, loss, seed, disk.after_cut(loss, chance), self._root)


@dataclass(frozen=True, slots=True)
class Cut:
    """What is found below `root` after a cut."""

    moment: Moment
    loss: Loss
    seed: int
    found: Mapping[str, bytes | None]
    root: str

    def assert_nothing_is_lost(self) -> None:
        """Lay it out and switch the table on."""
        with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
            lay_out(self.found, self.root, Path(folder))
            try:
                switch_on(Path(folder), self.moment.shown, self.moment.soon)
            except Exception as error:
                raise AssertionError(str(self)) from error

    def __str__(self) -> str:
        moment = self.moment
        return (
            f"cut after call {moment.number}, {moment.point}: {self.loss.value}, seed {self.seed}"
        )


@cache
def shim(folder: Path) -> Path:
    """Build what stands between a program and its files."""
    library = folder / "shim.so"

    def build() -> str:
        flags = ("-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror")
        source = str(Path(__file__).with_name("shim.c"))
        subprocess.run(["cc", *flags, "-o", str(library), source, "-ldl"], check=True)
        return str(library)

    return Path(once(folder / "shim", build))


def under_shim(run_folder: Path, root: Path, log: Path, *words: str) -> None:
    """Run the program of `evening.py` under the shim."""
    faults = {"FAULTS_ROOT": str(root), "FAULTS_LOG": str(log), "LD_PRELOAD": str(shim(run_folder))}
    played = subprocess.run(
        [sys.executable, "-m", "tests.faults.evening", str(root), *words],
        cwd=ROOT,
        env={**os.environ, **faults},
        capture_output=True,
        text=True,
        check=False,
    )
    assert played.returncode == 0, played.stdout + played.stderr


def record(run_folder: Path, folder: Path, *planted: str) -> Recorded:
    """Live through an evening, and return what it did to its files."""
    root = folder / "evening"
    root.mkdir()
    under_shim(run_folder, root, folder / "log", *planted)
    return Recorded(root, folder / "log")


@pytest.fixture(scope="module")
def recorded(run_folder: Path) -> Iterator[Recorded]:
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
        yield record(run_folder, Path(folder))


def assert_nothing_is_lost(recorded: Recorded, moments: list[Moment], seed: int) -> Counter[str]:
    """Cut right after some moments of an evening; return how often at each point."""
    hits = Counter[str]()
    for cut in recorded.cuts(moments, seed):
        cut.assert_nothing_is_lost()
        hits[cut.moment.point] += 1
    return hits


def test_an_evening_reaches_every_point(recorded: Recorded) -> None:
    assert {moment.point for moment in recorded.moments} >= POINTS


def test_nothing_that_was_shown_is_missing_after_a_cut(recorded: Recorded) -> None:
    hits = assert_nothing_is_lost(recorded, recorded.sample(ONE_POINT), seed=1)
    assert hits.keys() == {moment.point for moment in recorded.moments}


@pytest.mark.parametrize("plant", PLANTS)
def test_what_is_written_wrongly_is_found(plant: str, run_folder: Path) -> None:
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
        planted = record(run_folder, Path(folder), plant)
        with pytest.raises(AssertionError, match="cut after call"):
            assert_nothing_is_lost(planted, planted.moments[::5], seed=1)


def assert_lies_are_named(recorded: Recorded, lie: int, seed: int) -> None:
    """Cut the power some time after a sync that was none."""
    later = [moment for moment in recorded.moments if moment.number > lie]
    ever = [call.mark for call in recorded.calls if call.kind == "mark"]
    moments = sorted(Random(seed).sample(later, min(2, len(later))), key=lambda one: one.number)
    for cut in recorded.cuts(moments, seed, lie):
        with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
            lay_out(cut.found, cut.root, Path(folder))
            switch_on_somehow(Path(folder), ever)


def lies(recorded: Recorded) -> Iterator[int]:
    """Yield the number of each sync."""
    return (one.number for one in recorded.moments if one.point.startswith("sync "))


def test_a_disk_that_lies_makes_nothing_up(recorded: Recorded) -> None:
    for lie in islice(lies(recorded), 3, None, 12):
        assert_lies_are_named(recorded, lie, seed=lie)


def assert_survives(run_folder: Path, numbers: range, times: int, reason: int) -> None:
    """Live through an evening for each of some calls, which fails, and so many after it."""
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
        words = ("fail", str(times), str(reason), *map(str, numbers))
        under_shim(run_folder, Path(folder), Path(os.devnull), *words)


@pytest.mark.parametrize(("first", "times", "reason"), [(11, 1, REASONS[0]), (40, 30, REASONS[1])])
def test_a_disk_that_fails_for_a_while_loses_nothing(
    run_folder: Path, first: int, times: int, reason: int
) -> None:
    assert_survives(run_folder, range(first, 260, 60), times, reason)


@pytest.mark.soak("faults")
@pytest.mark.parametrize("seed", range(6))
def test_cut_at_every_call(recorded: Recorded, seed: int) -> None:
    assert_nothing_is_lost(recorded, recorded.moments, seed)


@pytest.mark.soak("faults")
@pytest.mark.parametrize("seed", range(4))
def test_lied_to_at_every_sync(recorded: Recorded, seed: int) -> None:
    for lie in lies(recorded):
        assert_lies_are_named(recorded, lie, seed)


@pytest.mark.soak("faults")
@pytest.mark.parametrize("reason", REASONS)
@pytest.mark.parametrize("times", [1, 4, 40])
def test_failing_at_every_call(run_folder: Path, times: int, reason: int) -> None:
    assert_survives(run_folder, range(300), times, reason)
