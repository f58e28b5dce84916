"""Known advisories against what the lock names: found, none, or nobody to ask."""

import json
import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest

from packages import advisories
from packages.locked import read_lock

FLAWED = "starlette"
ID = "GHSA-0000-0000-0000"


class Database(BaseHTTPRequestHandler):
    """Answers as osv.dev does, and knows of one flawed package."""

    answered: bytes | None = None

    def do_POST(self) -> None:  # as the standard library calls it
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))["queries"]
        assert all(each["package"]["ecosystem"] == "PyPI" and each["version"] for each in asked)
        flaw = {"vulns": [{"id": ID, "modified": "2026-01-01T00:00:00Z"}]}
        results = [flaw if each["package"]["name"] == FLAWED else {} for each in asked]
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.answered or json.dumps({"results": results}).encode())

    def log_message(self, *_words: Any) -> None:
        """Be silent."""


@pytest.fixture
def database() -> Iterator[str]:
    """The address of a database that runs."""
    with HTTPServer(("127.0.0.1", 0), Database) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1/querybatch"
        server.shutdown()
        thread.join()


def test_a_flawed_package_is_named(database: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert advisories.main(["--database", database]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    (version,) = (each["version"] for each in read_lock()["package"] if each["name"] == FLAWED)
    assert line.startswith(f"{FLAWED}=={version}: {ID}")


@pytest.mark.parametrize(("answered", "code"), [(None, 0), (b"<html>", 2), (b'{"results":[]}', 2)])
def test_what_is_no_whole_answer_proves_nothing(
    database: str, answered: bytes | None, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Database, "answered", answered)
    monkeypatch.setattr(f"{__name__}.FLAWED", "no-such-package")
    assert advisories.main(["--database", database]) == code


def test_where_nobody_answers_it_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, and not listening
        port = taken.getsockname()[1]
        assert advisories.main(["--database", f"http://127.0.0.1:{port}/"]) == 2
    assert "nobody could be asked" in capsys.readouterr().err
