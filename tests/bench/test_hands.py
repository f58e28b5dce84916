"""HANDS: its frozen games, the lines by which a program enters, and what becomes of them."""

import json
import shlex
import sys
from collections import Counter
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest

from bench import hands
from bench.hands import SIMPLE, archive, document, measure, page, rows
from bench.hands.archive import Case, cases
from bench.hands.cameras import SCENES
from bench.hands.entry import BadEntry, Entry
from hardware.ports import presence
from jetan_table.cli import main
from rules import parse_square
from tests.paths import ROOT

pytest.importorskip("chess", reason="chess is missing: ./jetan bench brings it")


@pytest.fixture(scope="module")
def games() -> dict[str, Case]:
    return {case.name: case for case in cases()}


def test_the_games_are_those_that_the_page_tells_of(games: dict[str, Case]) -> None:
    kinds = Counter(case.name.partition("-")[0] for case in games.values())
    assert kinds == {"jetan": 16, "chess": 8}
    assert len({case.kind for case in games.values()}) == 4 * 2 + 2
    text = (ROOT / "docs" / "hands.md").read_text()
    assert "| Jetan | 16 of up to 40 plies |" in text
    assert "| chess | 8 of up to 80 plies |" in text


def test_every_game_begins_as_it_stands_and_is_legal_to_its_end(games: dict[str, Case]) -> None:
    for case in games.values():
        first = case.shown[0].squares
        shown = {square for square, each in first.items() if each and presence(each) > 0}
        stands = case.game.occupied(case.start)
        assert sum(1 << square for square in shown) == stands, case.name
        standing = case.start
        for row in case.truth.plies if case.name.startswith("chess") else ():
            steps = case.game.steps_from(standing, parse_square(row.from_))
            (standing,) = (s.after for s in steps if s.to_square == parse_square(row.to))


def test_other_games_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = tmp_path / "hands-1.tar.xz"
    other.write_bytes(archive.ARCHIVE.read_bytes() + b"0")
    monkeypatch.setattr(archive, "ARCHIVE", other)
    with pytest.raises(ValueError, match="is not HANDS 1"):
        next(iter(cases()))


def told(*arguments: str) -> Any:
    with redirect_stdout(StringIO()) as out:
        assert main(["bench", "hands", "--json", *arguments]) == 0
    return json.loads(out.getvalue())


def test_a_program_enters_by_one_command_at_jetan_and_at_chess() -> None:
    """Its figures are those of the same reader under its own name."""
    command = SIMPLE + " "
    found = told("--game", "chess-club-1", "--reader", command)["kinds"]["chess-club"]
    assert found[command] == found["simple.py"]
    assert found["simple.py"]["right"] > 10
    assert "jetan" not in found, "it has not been fitted to chess"
    jetan = told("--game", "jetan-upright-club-night-1")["kinds"]["jetan-upright-club-night"]
    assert set(jetan) == set(hands.READERS)
    assert jetan["jetan"]["right"] > jetan["snapshot"]["right"]


PERFECT = """
import json, sys
rows = json.load(open(sys.argv[1]))["plies"]
for line in sys.stdin:
    word, now, *_ = line.split()
    while word == "at" and rows and float(now) > rows[0]["t_settled_us"] / 1e6:
        row = rows.pop(0)
        print("ply", row["ply"], row["from"], row["to"])
    print(".", flush=True)
"""


def test_who_tells_the_truth_is_right_and_hardly_late(
    games: dict[str, Case], tmp_path: Path
) -> None:
    case, truth, program = games["chess-club-1"], tmp_path / "truth.json", tmp_path / "perfect.py"
    truth.write_bytes(msgspec.json.encode(case.truth))
    program.write_text(PERFECT)
    command = shlex.join((sys.executable, str(program), str(truth)))
    results = measure([case], {"perfect": lambda it: Entry(command, it.name, it.game, it.start)})
    ((name, plies, right, *wrong, median_s, tail_s),) = rows(results, "chess")
    assert (name, plies, right, set(wrong)) == ("perfect", "80", "100.0", {"0.0"})
    assert 0 <= float(median_s) <= 0.05
    assert float(tail_s) <= 0.5


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("print('perhaps', flush=True)", "wrote: 'perhaps'"),
        ("print('ply one d2 d3', flush=True)", "wrote: 'ply one d2 d3'"),
        ("print('ask 1 d2', flush=True)", "wrote: 'ask 1 d2'"),
        ("print('after d2-d9', flush=True)", "asks after what is not legal: 'after d2-d9'"),
        ("print('after d2', flush=True)", "wrote: 'after d2'"),
        ("while True: print('ply 1 d2 d3')", "writes without end after: 'hands 1"),
    ],
)
def test_a_program_that_breaks_the_protocol_is_named_with_its_line(
    script: str, why: str, games: dict[str, Case]
) -> None:
    case = games["jetan-upright-club-night-1"]
    command = shlex.join((sys.executable, "-c", f"input()\n{script}\ninput()"))
    with pytest.raises(BadEntry) as refused, Entry(command, case.name, case.game, case.start):
        pass
    assert why in str(refused.value)


def test_a_program_that_ends_is_named(games: dict[str, Case]) -> None:
    case = games["jetan-upright-club-night-1"]
    command = shlex.join((sys.executable, "-c", "input(); print('.', flush=True)"))
    entered = Entry(command, case.name, case.game, case.start)
    with entered as entry, pytest.raises(BadEntry, match="has ended"):
        entry.tick(1.0)


def test_the_page_its_plot_and_its_data_are_of_one_run(games: dict[str, Case]) -> None:
    results = json.loads((ROOT / "docs" / "hands.json").read_text())
    assert results["sha256"] == archive.SHA256
    text = (ROOT / "docs" / "hands.md").read_text()
    assert "\n".join([page.BEGIN, *page.lines(results), page.END]) in text
    assert (ROOT / "docs" / "pictures" / "hands.svg").read_text() == page.plot(results)
    ElementTree.fromstring(page.plot(results))
    scenes = {f"camera-{scene}" for scene in SCENES}
    assert set(results["kinds"]) == {case.kind for case in games.values()} | scenes
    assert results["scenes"] == SCENES
    assert set(results["all"]["jetan"]) == set(hands.READERS)
    assert set(results["all"]["camera"]) == set(hands.LOOKERS)


def test_the_simplest_reader_still_does_what_the_page_says(games: dict[str, Case]) -> None:
    """Games and readers are frozen, but for Jetan Table's own."""
    results = json.loads((ROOT / "docs" / "hands.json").read_text())["kinds"]["chess-club"]
    chosen = [case for case in games.values() if case.kind == "chess-club"]
    plain = {"first-landing": hands.READERS["first-landing"]}
    again = document(measure(chosen, plain))["kinds"]["chess-club"]
    assert again["first-landing"] == results["first-landing"]
