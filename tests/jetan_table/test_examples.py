"""The settings that stand as examples: each is read, and a game is played by it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from jetan_table.settings import read_settings
from tests.paths import ROOT
from tests.profiles import SHORT_GAME

EXAMPLES = sorted((ROOT / "docs" / "examples").glob("*.toml"))


@pytest.mark.parts
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_a_game_is_played_by_an_example(
    path: Path, tmp_path: Path, jetan: Callable[..., str]
) -> None:
    """At a simulated board: whichever it names, all else that it says is in force."""
    words = ("--board", "simulated", "--terminal", "--config", path, "--data", tmp_path / "games")
    out = jetan("play", *words, *SHORT_GAME)
    assert "Game 1: 6 moves, read as they were played." in out


def test_examples_show_every_way_to_build_a_board() -> None:
    kinds = {str(read_settings(path).table.board) for path in EXAMPLES}
    assert kinds >= {"serial", "pins", "camera", "emulated"}


def test_an_example_sets_nothing_that_stands_so_already() -> None:
    plain = read_settings(None)
    for path in EXAMPLES:
        assert read_settings(path) != plain, path.name
