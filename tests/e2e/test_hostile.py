"""Hostile clients: the table plays on, nothing changes, and every refusal says why."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest

from tests.e2e.guest import Guest
from tests.e2e.served import Served, served
from tests.jetan_table.extras.hall.mosquitto import until
from tests.sentences import said

EMPTY = "/".join(["10"] * 10)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("home")) as running:
        yield running


def calm_state(guest: Guest) -> dict[str, Any]:
    """Return the state without what it says of the machine's pace, which nobody here changes."""
    state = guest.state()
    return {**state, "notices": [each for each in state["notices"] if each["id"] != "pace"]}


@pytest.fixture
def guest(table: Served) -> Iterator[Guest]:
    """Somebody who knows the PIN; afterwards the game is as it was, whatever others have tried."""
    friend = Guest(table)
    before = calm_state(friend)
    yield friend
    until(lambda: calm_state(friend) == before)
    for square, fault in (("e5", "stuck"), ("e5", None)):
        assert friend.do({"do": "ail", "square": square, "fault": fault})[0] == 200


@pytest.mark.parametrize(
    ("headers", "status", "why"),
    [
        ({"authorization": ""}, 401, "only who knows the table's PIN"),
        ({"authorization": "Bearer guessed"}, 401, "this token is no longer valid"),
        ({"authorization": "Basic dXNlcjpwYXNz"}, 401, "only who knows the table's PIN"),
        ({"host": "[::1"}, 400, "host '[::1': is none"),
        ({"host": "]"}, 400, "is none"),
        ({"host": "evil.example"}, 421, "this table is reached by its address, or as "),
        ({"origin": "http://evil.example"}, 403, "only the table's own page may ask this"),
        ({"origin": "null"}, 403, "only the table's own page may ask this"),
        ({"content-type": "text/plain"}, 400, "the body must be application/json"),
    ],
)
def test_forged_headers(guest: Guest, headers: dict[str, str], status: int, why: str) -> None:
    answer = guest.do({"do": "lift", "square": "d2"}, **headers)
    assert answer[0] == status
    assert why in answer[1]["refused"]


@pytest.mark.parametrize(
    "line", ["load {}", "load {}.jgn", "load /dev/zero", "load /dev/zero.jgn", "new {}.toml"]
)
@pytest.mark.parametrize("file", ["arbiter", "pin", "../outside", "games/00001.jgn"])
def test_nobody_reads_files_by_words(guest: Guest, line: str, file: str) -> None:
    """A client names games and readings that the table has, never files."""
    folder = guest.table.home / "games"
    for name in (file, f"{file}.jgn", f"{file}.toml"):
        if not (folder / name).exists():
            (folder / name).write_text("[rules]\nsecret = '4711'\n")
    secret = (folder / file).read_text().split()[0]
    status, answer = guest.do({"do": "type", "line": line.format(folder / file)})
    assert status in (404, 409), answer
    assert secret not in answer["refused"].replace(str(folder / file), "")


def test_nobody_is_told_where_games_lie(guest: Guest) -> None:
    for body in ({"do": "save", "name": "x"}, {"do": "type", "line": "save y"}):
        status, answer = guest.do(body)
        assert status == 200
        assert said(answer["said"][0]).startswith("Saved as ")
        assert str(guest.table.home) not in str(answer)
    saved = guest.table.home / "games" / "saved"
    (saved / "pipe.jgn").mkdir()
    status, answer = guest.do({"do": "save", "name": "pipe"})
    assert status == 409
    assert str(guest.table.home) not in answer["refused"]
    (saved / "pipe.jgn").rmdir()


@pytest.mark.parametrize(
    ("body", "status", "why"),
    [
        (b"", 400, "Input data was truncated"),
        (b"{", 400, "Input data was truncated"),
        (b"\xff\xfe", 400, "malformed"),
        (b"[" * 5000, 400, "Expected `object`, got `array`"),
        (b'{"x":' + b"[" * 20_000 + b"]" * 20_000 + b',"do":"back"}', 400, "nested too deeply"),
        (b'{"do":"load","game":' + b"9" * 5000 + b"}", 400, "Integer value out of range"),
        ([], 400, "Expected `object`, got `array`"),
        ({}, 400, "missing required field `do`"),
        ({"do": "explode"}, 400, "Invalid value 'explode' - at `$.do`"),
        ({"do": "lift"}, 400, "missing required field `square`"),
        ({"do": "lift", "square": "k99"}, 400, "- at `$.square`"),
        ({"do": "lift", "square": "d2", "root": 1}, 400, "unknown field `root`"),
        ({"do": "put", "square": "d4", "letter": "<script>"}, 400, "- at `$.letter`"),
        ({"do": "new", "rules": "appendix", "black": "x" * 41}, 400, "- at `$.black`"),
        ({"do": "new", "rules": "appendx"}, 404, "did you mean appendix"),
        ({"do": "new", "rules": "appendix", "position": "8/8"}, 409, "must have 6"),
        ({"do": "load", "plies": 3}, 409, "tell one of name, game and text"),
        ({"do": "load", "name": "../../etc/passwd"}, 409, "a name is up to 60 letters"),
        ({"do": "load", "name": "nobody"}, 404, "no game is saved under that name"),
        ({"do": "load", "game": 10**30}, 400, ""),
        ({"do": "load", "text": "1. Pd2-d9 *"}, 409, "the game cannot be read"),
        ({"do": "save", "name": "a/b"}, 409, "a name is up to 60 letters"),
        ({"do": "type", "line": "quit"}, 409, "Ctrl-C stops the table"),
        ({"do": "light", "brightness": 9}, 400, "- at `$.brightness`"),
        ({"do": "lift", "square": "e5"}, 409, "nothing stands on e5"),
        ({"do": "back"}, 409, "there is no move to take back"),
        (b'{"do":"type","line":"' + b"x" * 70_000 + b'"}', 413, "larger than 65536 bytes"),
    ],
)
def test_bodies_that_make_no_sense(guest: Guest, body: Any, status: int, why: str) -> None:
    answer = guest.do(body)
    assert answer[0] == status
    assert why in answer[1]["refused"]


@pytest.mark.parametrize(
    ("path", "status", "why"),
    [
        ("/nowhere", 404, "/nowhere: Not Found"),
        ("/static/../../../pyproject.toml", 404, "Not Found"),
        ("/api/do", 405, "Method Not Allowed"),
        ("/api/boards/round", 404, "no such board, there are grid"),
        ("/api/words/fr", 400, "no such language"),
        ("/api/games/999", 404, "no such game"),
        (f"/api/games/{10**30}", 400, "must be the number of a game"),
        (f"/api/games/{'9' * 5000}.jgn", 400, "must be the number of a game"),
        (f"/board.svg?game={'9' * 5000}", 400, "must be the number of a game"),
        (f"/board.svg?position={EMPTY}%20b%20-%20-%20{'9' * 5000}%201", 409, "must be a number"),
        ("/api/saved/..%2f..%2fpin", 404, "Not Found"),
        ("/api/explain?from=d2", 400, "to: must be told"),
        ("/api/explain?from=d2&to=z9", 404, "no such square"),
        ("/board.svg?position=x", 409, "must have 6"),
        ("/api/rules?rules=nothing", 404, "no such preset"),
    ],
)
def test_ways_that_lead_nowhere(guest: Guest, path: str, status: int, why: str) -> None:
    answer = guest.ask("GET", path)
    assert answer[0] == status
    assert why in answer[1]["refused"]


def test_readers_that_read_nothing_hold_nobody_up(table: Served, guest: Guest) -> None:
    with ExitStack() as held:
        for _ in range(20):
            line = held.enter_context(closing(socket.socket()))
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.connect(("127.0.0.1", table.port))
            line.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        for _ in range(25):
            guest.assert_moved_and_seen()
