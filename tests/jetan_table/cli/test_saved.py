"""Saved games on the command line: `jetan games save` and `jetan play --load`."""

import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from jetan_table.cli import main
from jetan_table.extras.hall.commands import HALL_PORT
from jetan_table.settings import WebSettings
from tests.e2e.forked import forked
from tests.jetan_table.cli.in_process import run
from tests.profiles import PATIENCE_S


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


@contextmanager
def occupied(port: int) -> Iterator[None]:
    """Somebody listens at a port, this test or another program."""
    with ExitStack() as held:
        with suppress(OSError):
            held.enter_context(socket.create_server(("127.0.0.1", port)))
        yield


def address_told(home: Path, *words: str | Path) -> tuple[str, int]:
    """What a command prints until it has told its page's address, and the port of that."""
    process, printed = forked(home, *words)
    lines = ""
    with printed:
        while "http://" not in lines and (line := printed.readline()):
            lines += line
    process.kill()
    process.join(PATIENCE_S)
    found = re.search(r"http://127.0.0.1:(\d+)/", lines)
    assert found, lines
    return lines, int(found[1])


@pytest.mark.parts
@pytest.mark.parametrize(
    ("words", "port"),
    [
        (("play", "--no-browser", "--board", "screen"), WebSettings().port),
        (("hall", "--broker", "mqtt://127.0.0.1:1"), HALL_PORT),
    ],
)
def test_a_port_that_nobody_chose_gives_way(
    tmp_path: Path, words: tuple[str, ...], port: int
) -> None:
    with occupied(port):
        lines, taken = address_told(tmp_path, *words, "--data", tmp_path / "here")
    assert taken > port
    assert f"Port {port} is taken" in lines


@pytest.mark.parametrize("command", ["play", "serve", "hall"])
def test_a_port_that_somebody_chose_does_not(tmp_path: Path, command: str) -> None:
    settings = tmp_path / "table.toml"
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]
        settings.write_text(f"[web]\nport = {port}\n")
        words: tuple[str | Path, ...] = (command, "--data", tmp_path / "here")
        words += ("--broker", "mqtt://127.0.0.1:1") if command == "hall" else ()
        refused = [run(tmp_path, *words, "--port", str(port))]
        refused += [] if command == "hall" else [run(tmp_path, *words, "--config", settings)]
    for other in refused:
        assert other.returncode == 2
        assert f"port {port}: Address already in use" in other.stderr


@pytest.mark.parts
def test_a_service_stays_where_it_is_looked_for(tmp_path: Path) -> None:
    with occupied(WebSettings().port):
        other = run(tmp_path, "serve", "--data", tmp_path / "here")
    assert other.returncode == 2
    assert f"port {WebSettings().port}: Address already in use" in other.stderr


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
