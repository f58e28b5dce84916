"""The service must be as well after a start as it was before."""

import http.server
import json
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from jetan_table.extras.updates.health import LATEST_S, ServiceWatch
from jetan_table.table.loop import EagerClock
from jetan_table.table.supervision import RUNTIME_FOLDER, Starts

WELL: Mapping[str, Any] = {"version": "0.2.0", "sensing": True, "disk": True, "troubles": []}
ILL = {**WELL, "sensing": False, "troubles": ["the cable is out"]}
OLD = {**WELL, "version": "0.1.0"}


class Page(http.server.ThreadingHTTPServer):
    """Answers `/health` with one document after the other, the last for ever; None: not at all."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.documents: list[Mapping[str, Any] | None] = [OLD]

    def says(self, *documents: Mapping[str, Any] | None) -> None:
        self.documents = list(documents)


class Answer(http.server.BaseHTTPRequestHandler):
    """Answers once."""

    server: Page

    def do_GET(self) -> None:
        documents = self.server.documents
        document = documents.pop(0) if len(documents) > 1 else documents[0]
        if document is None:
            return
        self.send_response(200 if document["sensing"] else 503)
        self.end_headers()
        self.wfile.write(json.dumps(document).encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


@pytest.fixture
def page() -> Iterator[Page]:
    with Page() as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """What tells its version, as the new one does."""
    path = tmp_path / "jetan"
    path.write_text("#!/bin/sh\necho jetan 0.2.0\n")
    path.chmod(0o755)
    return path


def watch(page: Page, program: Path) -> tuple[ServiceWatch, EagerClock]:
    clock = EagerClock()
    return ServiceWatch(page.server_port, 60, program, program.parent, clock), clock


def test_what_is_well_for_long_enough_is_up(page: Page, program: Path) -> None:
    watched, clock = watch(page, program)
    page.says(None, None, OLD, WELL)
    begun = clock.now()
    assert watched.trouble("0.2.0") is None
    assert clock.now() - begun == pytest.approx(63)


def test_what_is_ill_in_between_must_be_well_anew(page: Page, program: Path) -> None:
    watched, clock = watch(page, program)
    page.says(*[WELL] * 30, ILL, WELL)
    begun = clock.now()
    assert watched.trouble("0.2.0") is None
    assert clock.now() - begun == pytest.approx(91)


@pytest.mark.parametrize(
    ("document", "why"),
    [(ILL, "the cable is out"), (OLD, "version 0.1.0 answers"), (None, "/health: ")],
)
def test_what_does_not_get_well_is_given_up(
    page: Page, program: Path, document: Mapping[str, Any] | None, why: str
) -> None:
    watched, clock = watch(page, program)
    page.says(document)
    begun = clock.now()
    assert why in str(watched.trouble("0.2.0"))
    assert clock.now() - begun == pytest.approx(LATEST_S)


def test_what_is_ill_again_and_again_is_given_up(page: Page, program: Path) -> None:
    watched, _clock = watch(page, program)
    page.says(*[WELL, WELL, ILL] * 200)
    assert watched.trouble("0.2.0") == "the cable is out"


def test_a_table_that_was_unwell_before_need_be_no_better(page: Page, program: Path) -> None:
    page.says(ILL)
    watched, _clock = watch(page, program)
    assert watched.trouble("0.2.0") is None


def test_two_failed_starts_are_enough(page: Page, program: Path) -> None:
    watched, _clock = watch(page, program)
    page.says(None)
    starts = Starts({RUNTIME_FOLDER: str(program.parent)})
    starts.begin()
    starts.failed("RuntimeError: broken")
    assert watched.last_words() == "RuntimeError: broken"
    starts.begin()
    starts.failed("RuntimeError: broken")
    assert watched.trouble("0.2.0") == "RuntimeError: broken"
    starts.begin()
    assert watched.trouble("0.2.0") == "it hung, or was killed"


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("echo jetan 0.2.1", "jetan 0.2.1"),
        ("echo Traceback >&2; echo ImportError: x >&2; exit 1", "ImportError: x"),
        ("exit 3", "exit 3"),
    ],
)
def test_without_a_service_the_program_must_tell_its_version(
    tmp_path: Path, program: Path, script: str, why: str
) -> None:
    assert ServiceWatch(None, 60, program, tmp_path).trouble("0.2.0") is None
    program.write_text(f"#!/bin/sh\n{script}\n")
    assert ServiceWatch(None, 60, program, tmp_path).trouble("0.2.0") == why
    assert "No such file" in str(ServiceWatch(None, 60, tmp_path / "x", tmp_path).trouble("0.2.0"))
