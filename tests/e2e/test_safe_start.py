"""A service that cannot start comes up all the same, and plays again once it can: for real."""

import os
import re
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, TextIO
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import pytest

from firmware_bridge.messages import ShowColours, ShowPalette
from jetan_table.journal.file_format import JOURNAL_NAME
from jetan_table.table.supervision import MOST_BAD
from tests.e2e.forked import forked, run
from tests.e2e.test_serial_board import answering
from tests.firmware_bridge.peer import Peer
from tests.jetan_table.extras.hall.mosquitto import free_port, until
from tests.jetan_table.sitting import play_one_move
from tests.profiles import PATIENCE_S

pytestmark = pytest.mark.ci


class Service:
    """What a service manager does: starts `jetan serve`, and waits for it to end."""

    def __init__(self, home: Path) -> None:
        self.home, self.port = home, free_port()
        self.settings = home / "table.toml"
        (home / "run").mkdir()
        self.url = f"http://127.0.0.1:{self.port}"
        where = ("--data", home / "games", "--config", self.settings)
        self.words = ("serve", *where, "--port", str(self.port))
        self.notes = str(home / "run")

    @contextmanager
    def begun(self) -> Iterator[tuple[BaseProcess, TextIO]]:
        process, printed = forked(self.home, *self.words, RUNTIME_DIRECTORY=self.notes)
        with printed:
            try:
                yield process, printed
            finally:
                process.kill()
                process.join()

    @contextmanager
    def running(self) -> Iterator[tuple[BaseProcess, TextIO]]:
        """Let it run while the block does, and end it in order."""
        with self.begun() as (process, printed):
            yield process, printed
            assert process.pid is not None
            os.kill(process.pid, signal.SIGINT)
            assert ended(process) == 0

    def fail(self) -> str:
        """Start it in vain; return what it says."""
        done = run(self.home, *self.words, RUNTIME_DIRECTORY=self.notes)
        assert done.returncode == 2
        return done.stderr

    def get(self, path: str, status: int = 200) -> Any:
        """Ask for something until it is answered so, and return the answer."""
        patience = time.monotonic() + PATIENCE_S
        while True:
            try:
                with urlopen(self.url + path) as answer:
                    found, text = answer.status, answer.read().decode()
            except HTTPError as error:
                found, text = error.code, error.read().decode()
            except (URLError, ConnectionError):  # nobody there yet, or just going
                found, text = 0, ""
            if found == status:
                return text
            assert time.monotonic() < patience, (found, text)
            time.sleep(0.1)

    def post(self, origin: str | None, body: str) -> bytes:
        headers = {"content-type": "application/x-www-form-urlencoded"}
        if origin is not None:
            headers["origin"] = origin
        with urlopen(Request(f"{self.url}/do", body.encode(), headers)) as answer:
            return bytes(answer.read())


def ended(process: BaseProcess) -> int | None:
    """Return the exit code of a process, or that it goes on."""
    process.join(PATIENCE_S)
    return process.exitcode


@pytest.fixture
def service(tmp_path: Path) -> Service:
    """One that has a game of a ply already."""
    made = Service(tmp_path)
    play_one_move(tmp_path / "games")
    return made


@pytest.mark.promises("the service has failed to start three times", "page", "`/health`", "log")
def test_what_cannot_start_shows_why_and_the_games_and_plays_once_it_is_mended(
    service: Service, tmp_path: Path
) -> None:
    service.settings.write_text("[table]\nboard = 'pinz'\n")
    for _start in range(MOST_BAD):
        why = service.fail()
    with service.running() as (process, printed):
        assert "pinz" in printed.readline()
        page = service.get("/")
        assert "The table does not start" in page
        assert "table.toml" in why
        assert "pinz" in why
        assert "pinz" in page
        assert "pinz" in service.get("/health", 503)
        assert "1 moves" in page

        (link,) = re.findall(r'href="(/api/games/[^"]*)"', page)
        assert "Pd2-d3" in service.get(link)
        with pytest.raises(HTTPError, match="401"):
            service.post(None, "do=backup")
        with pytest.raises(HTTPError, match="403"):
            service.post("http://evil.example", "do=again")
        kept = tmp_path / "kept.sqlite"
        kept.write_bytes(service.post(service.url, "do=backup"))
        restored = run(tmp_path, "games", "restore", kept, "--data", tmp_path / "again")
        assert restored.returncode == 0
        with closing(sqlite3.connect(kept)) as journal:
            assert journal.execute("SELECT count(*) FROM games").fetchone() == (1,)

        service.settings.write_text("[table]\nboard = 'screen'\n")
        assert '"sensing":true' in service.get("/health")
        assert "api/events" not in service.get("/")
        assert process.is_alive()


@pytest.mark.promises("the service has failed to start three times", "lamps")
def test_the_lamps_that_can_be_reached_tell_of_it_and_let_go_of_the_board(
    service: Service, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(tmp_path / "games" / JOURNAL_NAME)) as journal:
        journal.execute("PRAGMA user_version = 2")
    peer = Peer(now=time.monotonic())
    with answering(peer) as port:
        service.settings.write_text(f"[table]\nboard = 'serial'\n[serial]\nport = '{port}'\n")
        for _start in range(MOST_BAD):
            assert "another version" in service.fail()
        with service.running():
            service.get("/health", 503)
            until(lambda: sorted({lit_lamps(shown) for shown in peer.shown}) == [0, 4], PATIENCE_S)
        # What was written last lies in the line still when its writer has gone.
        until(lambda: lit_lamps(peer.shown[-1]) == 0, PATIENCE_S)


def lit_lamps(shown: ShowColours | ShowPalette) -> int:
    """Return how many lamps are not dark."""
    assert isinstance(shown, ShowPalette)
    colours = [any(shown.rest[3 * n : 3 * n + 3]) for n in range(shown.colours)]
    lamps = shown.rest[3 * shown.colours :]
    return sum(colours[both >> shift & 15] for both in lamps for shift in (0, 4))


def test_whoever_sits_at_it_may_try_again_and_what_then_fails_is_safe_at_once(
    service: Service,
) -> None:
    service.settings.write_text("[serial]\nport = 7\n")
    for _start in range(MOST_BAD):
        service.fail()
    with service.begun() as (process, _):
        service.get("/health", 503)
        service.post(service.url, "do=again")
        assert ended(process) == 2
    with service.running():
        assert "port" in service.get("/health", 503)


def test_one_that_is_killed_each_time_has_no_reason_to_tell(service: Service) -> None:
    service.settings.write_text("[table]\nboard = 'screen'\n")
    for _start in range(MOST_BAD):
        with service.begun():
            service.get("/health")
    with service.running():
        assert "it hung, or was killed" in service.get("/health", 503)


def test_one_that_is_stopped_in_order_was_started_well(service: Service) -> None:
    service.settings.write_text("[table]\nboard = 'screen'\n")
    for _start in range(MOST_BAD + 1):
        with service.running():
            assert '"sensing":true' in service.get("/health")
