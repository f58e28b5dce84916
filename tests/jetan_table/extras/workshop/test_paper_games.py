"""Games on printed boards and pieces, painted as a camera sees them, are read move by move."""

import re
import subprocess
import sys
from pathlib import Path
from threading import Timer

import pytest

from tests.jetan_table.extras.workshop.paper_games import (
    MOVES,
    Scene,
    Tally,
    scene_of,
    tally,
    watched,
    write_scene,
)

FIRST_STANDS = 8
"""The first picture is shown so often: a table learns the pieces' looks by it."""

PATIENCE_S = 60.0 + 6.0 * MOVES
"""A table that has not confirmed all moves by then is given up."""


@pytest.mark.parts
@pytest.mark.parametrize("number", [1, 7])
def test_a_short_game_is_read(number: int, tmp_path: Path) -> None:
    assert read(scene_of(number), 3, tmp_path) == Tally(right=3, wrong=0, asked=0, never=0)


@pytest.mark.release
@pytest.mark.parametrize("number", [7, 1, 3, 5])
def test_a_long_game_is_read_without_an_error(number: int, tmp_path: Path) -> None:
    tallied = read(scene_of(number), MOVES, tmp_path)
    assert (tallied.right, tallied.wrong, tallied.never) == (MOVES, 0, 0)
    assert tallied.asked <= 1  # which a later picture has answered


def read(scene: Scene, moves: int, folder: Path) -> Tally:
    """What `jetan watch` reads of a scene's game."""
    positions, true = scene.game(moves)
    markers = write_scene(scene, positions, folder / "pictures")
    return tally(watched(folder / "pictures", scene, ["--markers", str(markers)]), true)


@pytest.mark.ci
@pytest.mark.parametrize(
    ("number", "moves"),
    [(7, 8), *(pytest.param(number, MOVES, marks=pytest.mark.release) for number in (7, 0))],
)
def test_a_table_plays_along(number: int, moves: int, tmp_path: Path) -> None:
    """`jetan play --camera` is shown each picture for two seconds, as if a camera saw it now."""
    scene, pictures = scene_of(number), tmp_path / "pictures"
    positions, true = scene.game(moves)
    markers = write_scene(scene, positions, pictures)
    for picture in sorted(pictures.iterdir()):
        for again in range(FIRST_STANDS if picture.stem == "000" else 1):
            picture.with_stem(f"{picture.stem}-{again}").write_bytes(picture.read_bytes())
    words = ["--plain", "--camera", str(pictures), "--markers", str(markers)]
    words += ["--rules", scene.rules, "--data", str(tmp_path / "data")]
    table = subprocess.Popen(
        [sys.executable, "-m", "jetan_table", "play", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    late = Timer(PATIENCE_S, table.terminate)
    late.start()
    assert table.stdout is not None
    record: dict[int, str] = {}
    for line in table.stdout:
        match line.split():
            case ["confirmed", ply, move]:
                record[int(ply)] = "".join(re.findall(r"[a-j]\d+", move))
            case ["taken", "back", ply, *_]:
                record.pop(int(ply))
        if len(record) == moves:
            break
    late.cancel()
    table.terminate()
    table.communicate()
    assert list(record.values()) == true
