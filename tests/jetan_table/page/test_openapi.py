"""The description that programs read: a valid one, which every answer keeps to."""

import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPResponse
from pathlib import Path
from queue import Queue
from typing import Any
from urllib.request import Request, urlopen

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from openapi_spec_validator import OpenAPIV31SpecValidator
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from jetan_table.page.access import Access
from jetan_table.page.app import make_app, ways
from jetan_table.page.house import House
from jetan_table.page.openapi import SCHEMAS
from jetan_table.page.playing import LOOPBACK
from jetan_table.page.server import listen, serving
from jetan_table.page.stream import Stream
from tests.jetan_table.page.described import api, assert_described
from tests.jetan_table.page.test_on_screen import ScreenTable, on_screen

EXAMPLES = 3
"""Of each way to ask; of requests, which are many kinds, ten times as many."""
ASKED = [
    *(
        "/health",
        "/api",
        "/api/openapi.json",
        "/api/about",
        "/api/words/de",
        "/api/boards/ninth-ray-clockwise",
    ),
    *("/api/rules?rules=cazaux", "/api/cards/de?rules=cazaux%2Bjuggernaut", "/api/game"),
    *("/api/explain?from=d9&to=d5", "/api/games", "/api/games/1", "/api/saved/evening"),
    *("/api/series", "/api/sensors", "/api/lessons/en", "/api/puzzles/de", "/api/studies"),
    *("/api/line?moves=d9-d8", "/api/line?game=1&plies=0&moves=d2-d3,Pd9-d8", "/api/mistakes"),
]
"""An address for each JSON document that such a table has."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a simulated table on a screen in this process; the token is `token`."""
    ended, begun = threading.Event(), Queue[ScreenTable]()

    def play() -> None:
        with on_screen(folder) as table:  # its journal is this thread's alone
            begun.put(table)
            while not ended.is_set():
                table.page.step(0.01)
                table.wait(0.1)

    thread = threading.Thread(target=play)
    thread.start()
    try:
        table = begun.get(timeout=60)
        mailbox, asked = table.page.mailbox, table.asked
        access = Access("123456", (), time.monotonic, lambda: "token")
        access.enter_unasked()
        house = House(mailbox, Stream("epoch"), access, asked, asked.clock.now)
        app = make_app(house)
        with (
            listen(LOOPBACK, 0) as listener,
            serving(app, listener, mailbox, house.stream, time.monotonic),
        ):
            yield f"http://{LOOPBACK}:{listener.getsockname()[1]}"
    finally:
        ended.set()
        thread.join()


def opened(url: str, **body: object) -> HTTPResponse:
    """Ask for something, or tell it; what is refused is an HTTPError."""
    headers = {"content-type": "application/json", "authorization": "Bearer token"}
    content = json.dumps(body).encode() if body else None
    answer: HTTPResponse = urlopen(Request(url, content, headers))
    return answer


def events(stream: HTTPResponse) -> Iterator[tuple[str, Any]]:
    """Yield the events of the stream: what each is called, and what it holds."""
    name = ""
    for line in stream:
        kind, _colon, value = line.decode().strip().partition(": ")
        if kind == "event":
            name = value
        elif kind == "data":
            yield name, json.loads(value)


PATIENCE_S = 120
"""Seconds for an answer: on a busy machine an analysis takes long, and that is no fault of it."""


def test_it_is_an_openapi_document() -> None:
    assert list(OpenAPIV31SpecValidator(api()).iter_errors()) == []


def test_every_route_and_every_schema_that_is_named_is_in_it() -> None:
    described = {(path, method) for path, one in api()["paths"].items() for method in one}
    assert described == {(way.path.replace(":path", ""), way.method.lower()) for way in ways()}
    schemas = api()["components"]["schemas"]
    named = {way.answers for way in ways() if "/" not in way.answers}
    assert named | {way.takes for way in ways() if way.takes} <= schemas.keys()


def test_every_document_of_a_table_is_as_it_is_described(tmp_path: Path) -> None:
    with served(tmp_path) as url:
        opened(f"{url}/api/do", do="move", from_square="d2", to_square="d3")
        done = opened(f"{url}/api/do", do="save", name="evening")
        assert_described(json.load(done), "Done")
        asked = set[str]()
        for address in ASKED:
            answer = opened(url + address)
            assert answer.headers["content-type"] == "application/json"
            path = address.partition("?")[0]
            way = next(way for way in ways() if is_of(way.path, path))
            asked.add(way.answers)
            assert_described(json.load(answer), way.answers)
        beyond = {"Analysis", "Series", "Camera", "Repairs", "SetUp", "Token", "Done"}
        assert asked | beyond == {way.answers for way in ways() if "/" not in way.answers}


def is_of(pattern: str, path: str) -> bool:
    parts = zip(pattern.split("/"), path.split("/"), strict=False)
    is_as_long = pattern.count("/") == path.count("/")
    return is_as_long and all(own[0:1] + own[-1:] == "{}" or own == other for own, other in parts)


def test_the_stream_of_a_game_is_as_it_is_described(tmp_path: Path) -> None:
    described = api()["paths"]["/events"]["get"]["x-events"]
    with served(tmp_path) as url, opened(f"{url}/events") as stream:
        heard = events(stream)
        for kind in ("time", "state"):
            name, document = next(heard)
            assert name == kind
            assert_described(document, described[name]["$ref"].removeprefix(SCHEMAS))
        for start, end in (("d2", "d3"), ("d9", "d8"), ("e2", "e3")):
            opened(f"{url}/api/do", do="move", from_square=start, to_square=end)
        document = {}
        while len(document.get("moves", ())) < 3:
            name, document = next(heard)
            assert name == "change"
            assert_described(document, described[name]["$ref"].removeprefix(SCHEMAS))


@pytest.mark.parts
def test_whatever_fits_the_description_is_answered_as_it_says(tmp_path: Path) -> None:
    """Requests are made up by the description: none makes the table fail."""
    as_described = [
        not_a_server_error,
        status_code_conformance,
        content_type_conformance,
        response_schema_conformance,
    ]
    schema, answered = schemathesis.openapi.from_dict(api()), Counter[str]()
    with served(tmp_path) as url:
        for found in schema.get_all_operations():
            operation = found.ok()
            if operation.path == "/events":
                continue  # it has no end
            count = EXAMPLES * (10 if operation.path == "/api/do" else 1)

            @seed(1)
            @settings(
                max_examples=count,
                database=None,
                deadline=None,
                phases=[Phase.generate],
                suppress_health_check=list(HealthCheck),
            )
            @given(case=operation.as_strategy())
            def answers(case: Any) -> None:
                token = {"authorization": "Bearer token"}
                answer = case.call(base_url=url, headers=token, timeout=PATIENCE_S)
                case.validate_response(answer, checks=as_described)
                answered[case.operation.path] += 1

            answers()
    assert answered.keys() == api()["paths"].keys() - {"/events"}
