"""Known advisories for what the lock names, as uv finds them: some, none, or nobody to ask."""

import json
import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest

from packages.release import NoRelease, check_advisories

FLAWED = "starlette"
ID = "GHSA-0000-0000-0000"
FLAW = {"id": ID, "modified": "2026-01-01T00:00:00Z"}


class Database(BaseHTTPRequestHandler):
    """Answers as osv.dev does, and knows of one flawed package."""

    answered: bytes | None = None

    def do_POST(self) -> None:  # as the standard library calls it
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))["queries"]
        assert all(each["package"]["ecosystem"] == "PyPI" and each["version"] for each in asked)
        results = [{"vulns": [FLAW]} if each["package"]["name"] == FLAWED else {} for each in asked]
        self.answer(self.answered or json.dumps({"results": results}).encode())

    def do_GET(self) -> None:
        self.answer(json.dumps({**FLAW, "affected": []}).encode())

    def answer(self, content: bytes) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_words: Any) -> None:
        """Be silent."""


@pytest.fixture
def database() -> Iterator[str]:
    """The address of a database that runs."""
    with HTTPServer(("127.0.0.1", 0), Database) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def test_a_flawed_package_is_named(database: str) -> None:
    with pytest.raises(NoRelease, match=rf"(?s){FLAWED} .*{ID}.*raise its floor"):
        check_advisories("--service-url", database)


@pytest.mark.parametrize("answered", [None, b"<html>"])
def test_what_is_no_answer_proves_nothing(
    database: str,
    answered: bytes | None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(Database, "answered", answered)
    monkeypatch.setattr(f"{__name__}.FLAWED", "no-such-package")
    check_advisories("--service-url", database)
    assert ("nobody could be asked" in capsys.readouterr().err) == (answered is not None)


def test_where_nobody_answers_it_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, and not listening
        check_advisories("--service-url", f"http://127.0.0.1:{taken.getsockname()[1]}/")
    assert "nobody could be asked" in capsys.readouterr().err
