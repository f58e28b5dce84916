"""Ports that are taken: whoever did not choose one gets another, a service does not."""

import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from jetan_table.extras.hall.commands import HALL_PORT
from jetan_table.settings import WebSettings
from tests.e2e.forked import forked
from tests.jetan_table.cli.in_process import run
from tests.profiles import PATIENCE_S


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
