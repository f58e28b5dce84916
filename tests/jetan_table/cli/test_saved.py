"""Saved games on the command line: `jetan games save` and `jetan play --load`."""

from pathlib import Path

import pytest

from jetan_table.cli import main
from tests.e2e.served import served
from tests.jetan_table.cli.in_process import run


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data folder's home with one game of three plies."""
    played = run(tmp_path, *PLAY, tmp_path / "games", typed="d2 d3\ne9 e8\nc2 c3\n")
    assert played.stdout.count("confirmed") == 3
    return tmp_path


PLAY = ("play", "--plain", "--data")


def test_a_saved_game_goes_on_from_any_ply(home: Path) -> None:
    data = home / "games"
    saved = run(home, "games", "save", "Sunday", "--data", data)
    assert (saved.returncode, Path(saved.stdout.strip()).name) == (0, "Sunday.jgn")
    assert "Saved: Sunday" in run(home, "games", "list", "--data", data).stdout
    again = run(home, *PLAY, data, "--load", "Sunday", "--ply", "1", typed="d9 d8\nback\n")
    assert "confirmed 2 Pd9-d8" in again.stdout
    assert "taken back 2" in again.stdout
    whole = run(home, *PLAY, data, "--load", str(data / "games" / "00001.jgn"), typed="f9 f8\n")
    assert "confirmed 4 Pf9-f8" in whole.stdout


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--load", "Monday"), "Monday: no game is saved under that name"),
        (("--load", "nowhere.jgn"), "nowhere.jgn: No such file or directory"),
        (("--ply", "3"), "tell it by --load"),
        (("--load", "Sunday", "--rules", "cazaux"), "brings its own rules"),
    ],
)
def test_what_cannot_be_loaded_gets_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], why: str
) -> None:
    assert main([*PLAY, str(tmp_path), *options]) == 2
    assert why in capsys.readouterr().err


@pytest.mark.parts
def test_a_port_that_is_taken_is_named(home: Path) -> None:
    with served(home) as table:
        other = run(
            home, "serve", "--port", str(table.port), "--data", home / "another", "--lang", "en"
        )
    assert other.returncode == 2
    assert f"port {table.port}: Address already in use" in other.stderr


def test_letters_save_load_and_take_back_in_the_terminal(tmp_path: Path) -> None:
    typed = "d2 d3\ns friday\nb\ne2 e3\nl friday\nl\nl monday\nquit\n"
    done = run(tmp_path, "play", "--plain", "--data", tmp_path / "here", typed=typed)
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stdout.splitlines() if line[:2].strip() and line[:2] != "10"]
    begun = "a new game by the standard rules, zillions: take the Princess or the Chief"
    for words in ("Saved as friday.", "taken back 1", begun):
        assert words in lines
    assert "monday: no game is saved under that name (jetan games list)" in lines
    kept = run(tmp_path, "games", "show", "--data", tmp_path / "here", "--json").stdout
    assert "Pd2-d3" in kept
    assert "Pe2-e3" not in kept
