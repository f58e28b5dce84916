"""HANDS before a camera: painted games by the lines of the protocol, and who reads them."""

import json
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from bench.hands import LOOKERS, measure, page, rows
from bench.hands.cameras import LOOK_S, Filmed, film
from bench.hands.entry import BadEntry, Entry
from jetan_table.cli import main
from rules import SQUARE_NAMES
from tests.paths import ROOT

pytestmark = pytest.mark.parts

PLIES = 3

PERFECT = """
import json, os, sys
rows = json.load(open(sys.argv[1]))["plies"]
with open(sys.argv[2], "w", 1) as heard:
    for line in sys.stdin:
        word, now, *rest = line.split()
        heard.write(line)
        assert word != "look" or os.path.getsize(rest[0])
        while word == "look" and rows and float(now) >= rows[0]["t_settled_us"] / 1e6:
            row = rows.pop(0)
            print("ply", row["ply"], row["from"], row["to"])
        print(".", flush=True)
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Filmed:
    return film("paper", tmp_path_factory.mktemp("paper"), PLIES)


def shares(game: Filmed, command: Sequence[str]) -> tuple[str, ...]:
    """Return the row of a program: plies, then right, asked, wrong and never, and so on."""
    text = shlex.join(command)

    def opening(case: Filmed) -> Entry:
        return Entry(text, case.name, case.game, case.start, *case.known)

    ((_name, *figures),) = rows(measure([game], {"program": opening}), "camera")
    return tuple(figures)


def test_a_program_is_given_looks_by_time_and_path(game: Filmed, tmp_path: Path) -> None:
    """One that tells the truth is right and never late; what it was given is what was painted."""
    truth, program, heard = (tmp_path / name for name in ("truth.json", "perfect.py", "heard"))
    truth.write_bytes(msgspec.json.encode(game.truth))
    program.write_text(PERFECT)
    found = shares(game, [sys.executable, str(program), str(truth), str(heard)])
    assert found == (str(PLIES), "100.0", "0.0", "0.0", "0.0", "0.0", "0.00", "0.00")
    begins, squares, *looks = heard.read_text().splitlines()
    assert begins == "hands 1 camera-paper-1"
    assert tuple(squares.split()[1::3]) == SQUARE_NAMES
    assert looks == [
        f"look {LOOK_S * number:.3f} {look.path}" for number, look in enumerate(game.looks)
    ]


def test_who_is_silent_has_never_told_and_who_breaks_off_is_named(game: Filmed) -> None:
    silent = "import sys\nfor _ in sys.stdin: print('.', flush=True)"
    assert shares(game, [sys.executable, "-c", silent])[1:5] == ("0.0", "0.0", "0.0", "100.0")
    with pytest.raises(BadEntry, match="has ended after: 'squares a1"):
        shares(game, [sys.executable, "-c", "input(); print('.', flush=True); input()"])


def test_the_readers_of_the_page_read_a_few_plies(game: Filmed) -> None:
    found = {name: figures for name, *figures in rows(measure([game], LOOKERS), "camera")}
    assert set(found) == set(LOOKERS)
    assert found["jetan"][1] == "100.0"
    assert float(found["difference.py"][1]) > 0


def test_the_same_is_painted_each_time(game: Filmed, tmp_path: Path) -> None:
    again = film("paper", tmp_path, 1)
    assert again.truth.plies == game.truth.plies[:1]
    for look, other in zip(again.looks, game.looks, strict=False):
        assert look.at == other.at
        assert look.path.read_bytes() == other.path.read_bytes()


def test_one_game_is_written_without_the_others(tmp_path: Path) -> None:
    docs, names = ROOT / "docs", ("hands.md", "hands.json", "pictures/hands.svg")
    (tmp_path / "pictures").mkdir()
    for name in names:
        shutil.copy(docs / name, tmp_path / name)
    results = json.loads((docs / "hands.json").read_text())
    for part in ("kinds", "all"):
        results[part] = {
            name: each for name, each in results[part].items() if name.startswith("camera")
        }
        assert results[part]
    page.write(tmp_path, results, "camera")
    for name in names:
        assert (tmp_path / name).read_bytes() == (docs / name).read_bytes()


def test_a_part_of_a_game_is_not_written() -> None:
    with pytest.raises(SystemExit):
        main(["bench", "hands", "--write", "--game", "camera-wood"])
