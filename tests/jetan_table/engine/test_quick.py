"""The search in C: finds what the one in Python finds, is bounded, and clean under sanitizers."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from bench.opponent.in_c import PERFT, library_with, quick_perft
from bench.opponent.puzzles import Puzzle, read_puzzles
from jetan_table.engine.evaluation import fitted_weights
from jetan_table.engine.library import FLAGS, LibraryBuild
from jetan_table.engine.search import Limits, Search
from rules import Position, parse_rules
from tests.jetan_table.engine.alike import differences, scattered
from tests.jetan_table.engine.fuzz import SANITIZERS
from tests.jetan_table.engine.test_search import is_solved

pytestmark = pytest.mark.needs("cc")

ROOT = Path(__file__).parents[3]
START = Position.start(parse_rules("cazaux"))
MOST_KB = 50_000


@pytest.fixture(scope="module")
def library() -> ctypes.CDLL:
    """Built from the sources as they are."""
    return library_with(PERFT)


@pytest.mark.parametrize("puzzle", read_puzzles(), ids=lambda p: f"{p.rules} {p.forced}")
def test_what_is_forced_is_found(library: ctypes.CDLL, puzzle: Puzzle) -> None:
    limits, weights = Limits(nodes=80_000), fitted_weights()
    search = Search(puzzle.position, weights, lambda: 0.0, limits, library=library)
    assert is_solved(puzzle, search.think())


@pytest.mark.parametrize("part", range(2))
def test_python_and_c_find_the_same_at_every_depth(library: ctypes.CDLL, part: int) -> None:
    assert list(differences(library, range(20 * part, 20 * part + 20))) == []


@pytest.mark.soak("opponent")
@pytest.mark.parametrize("part", range(20))
def test_thousands_of_positions_are_searched_alike(library: ctypes.CDLL, part: int) -> None:
    first = 1000 + 300 * part
    assert list(differences(library, range(first, first + 300))) == []


def test_it_counts_what_is_known_of_four_plies(library: ctypes.CDLL) -> None:
    assert quick_perft(library, Position.start(parse_rules("appendix")), 4) == 32_525_589


def search_by(library: ctypes.CDLL, limits: Limits) -> Search:
    return Search(START, fitted_weights(), lambda: 0.0, limits, library=library)


def test_it_stops_at_the_node_that_bounds_it(library: ctypes.CDLL) -> None:
    assert search_by(library, Limits(nodes=12_345)).think().nodes == 12_345


@pytest.mark.parametrize("is_quick", [False, True])
def test_a_first_ply_without_end_is_broken_off(
    library: ctypes.CDLL, is_quick: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jetan_table.engine.search.FIRST_PLY_NODES", 10)
    position, chosen = scattered(START.rules, Random(4)), library if is_quick else None
    limits = Limits(nodes=1)
    thought = Search(position, fitted_weights(), lambda: 0.0, limits, library=chosen).think()
    assert (thought.nodes, thought.depth, thought.win_in) == (10, 1, None)
    assert thought.move in position.moves()


def test_it_stops_when_it_is_asked_to(library: ctypes.CDLL) -> None:
    asked = 0

    def stops() -> bool:
        nonlocal asked
        asked += 1
        return asked == 10

    search = Search(START, fitted_weights(), lambda: 0.0, Limits(), stops=stops, library=library)
    thought = search.think()
    assert asked == 10
    assert thought.move in START.moves()


def test_an_interrupt_comes_through(library: ctypes.CDLL) -> None:
    def stops() -> bool:
        raise KeyboardInterrupt

    search = Search(START, fitted_weights(), lambda: 0.0, Limits(), stops=stops, library=library)
    with pytest.raises(KeyboardInterrupt):
        search.think()


def test_its_memory_is_bounded_and_given_back(library: ctypes.CDLL) -> None:
    """More nodes than the table holds, again and again."""

    def resident_kb() -> int:
        status = Path("/proc/self/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0])

    def nodes() -> int:
        return search_by(library, Limits(nodes=3_000_000)).think().nodes

    nodes()
    before = resident_kb()
    for _ in range(2):
        assert nodes() == 3_000_000
    assert resident_kb() - before < MOST_KB


@pytest.mark.ci
@pytest.mark.early
def test_sanitizers_have_nothing_to_say(tmp_path: Path) -> None:
    library = LibraryBuild(tmp_path / "sanitized.so", (*FLAGS, *SANITIZERS), [PERFT]).wait()
    assert watched("alike", library, "2000", "20") == ""
    assert " positions of " in watched("fuzz", "1", "800")


@pytest.mark.soak("opponent")
@pytest.mark.parametrize("seed", range(100, 110))
def test_sanitizers_have_nothing_to_say_of_a_million_positions(seed: int) -> None:
    assert " positions of " in watched("fuzz", str(seed), "100000")


def watched(module: str, *arguments: str | Path) -> str:
    """Return what a module beside this one prints, its libraries watched by sanitizers."""
    asan = subprocess.run(
        ["cc", "-print-file-name=libasan.so"], check=True, capture_output=True, text=True
    ).stdout.strip()
    result = subprocess.run(
        [sys.executable, "-m", f"tests.jetan_table.engine.{module}", *arguments],
        cwd=ROOT,
        # Python itself gives memory back to nobody at its end. Little of what is freed is kept from
        # use, so that it is still in the processor's cache: a fifth quicker.
        env={
            **os.environ,
            "LD_PRELOAD": asan,
            "ASAN_OPTIONS": "detect_leaks=0:quarantine_size_mb=16",
        },
        check=False,
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout.strip()
