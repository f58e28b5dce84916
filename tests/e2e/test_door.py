"""The door: whatever strangers do there, the player gets in, and plays."""

import json
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from jetan_table.page.access import AT_A_TABLE
from jetan_table.page.server import SILENT_S, STALLED_S
from jetan_table.table.pin import FREE_TRIES
from tests.e2e.command import ROOT
from tests.e2e.guest import HALF, Guest, Line, get
from tests.e2e.served import Served, served
from tests.e2e.windows import OWN_NAME
from tests.profiles import PATIENCE_S

ROUTER = "127.0.0.9"
"""The address that the player has in common with strangers."""

BROKEN = (
    b"POST /api/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Content-Length: 100\r\n\r\n{"
)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path) as running:
        running.await_playing()
        yield running


def player(table: Served, address: str = ROUTER) -> Guest:
    """Somebody from elsewhere who knows the PIN."""
    guest = Guest(table, address, OWN_NAME)
    assert guest.token
    return guest


def stranger(table: Served, address: str) -> Guest:
    return Guest(table, address, OWN_NAME, pin="wrong")


def test_whoever_asks_nothing_whole_loses_the_place(table: Served) -> None:
    with ExitStack() as held:

        def line(sent: bytes = b"") -> Line:
            return held.enter_context(closing(Line(table.port, ROUTER, sent)))

        silent, half = line(), line(HALF)
        after_a_reply, endless = line(get("/api")), line(get("/api"))
        for one in (after_a_reply, endless):
            one.read(b"}")
            one.send(HALF)
        until = time.monotonic() + SILENT_S + 2
        while time.monotonic() < until and not endless.is_closed(0.5):
            endless.send(b"x")
        assert all(one.is_closed(2) for one in (silent, half, after_a_reply, endless))


@pytest.mark.ci
def test_whoever_sends_no_body_or_takes_no_answer_loses_the_place(table: Served) -> None:
    with ExitStack() as held:
        bodiless = Line(table.port, ROUTER, BROKEN)
        greedy = Line(table.port, ROUTER, get("/static/main.js") * 300)
        for one in (bodiless, greedy):
            held.callback(one.close)
        assert bodiless.is_closed(3 * SILENT_S)
        assert b"503 Service Unavailable" in bodiless.received
        assert b"the body did not come within 10 s" in bodiless.received
        time.sleep(STALLED_S + SILENT_S)
        assert greedy.is_closed(1)
        assert greedy.received.count(b"HTTP/1.1 200") < 300


def test_places_that_are_held_are_given_to_who_comes(table: Served) -> None:
    guest = player(table)
    with ExitStack() as held:
        lines = []
        for number in range(AT_A_TABLE.connections + 100):
            line = Line(table.port, f"127.0.1.{number % 5}", get("/api"))
            held.callback(line.close)
            line.read(b"}")
            line.send(HALF)
            lines.append(line)
        assert stranger(table, "127.0.1.0").ask("GET", "/api")[0] == 200
        assert stranger(table, "127.0.1.9").ask("GET", "/api")[0] == 200
        guest.assert_moved_and_seen()
        left = sum(not line.is_closed() for line in lines)
        assert left <= AT_A_TABLE.connections


def test_viewers_behind_the_players_router_leave_a_place_for_the_player(table: Served) -> None:
    guest = player(table)
    with ExitStack() as held:
        own = Line(table.port, ROUTER, b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        mine = get("/events").removesuffix(b"\r\n") + b"Cookie: jetan=%s\r\n\r\n"
        known = Line(table.port, ROUTER, mine % guest.token.encode())
        for line in (own, known):
            held.callback(line.close)
            line.read(b"event: state")
        viewers = [Line(table.port, ROUTER, get("/events")) for _ in range(AT_A_TABLE.of_one)]
        for line in viewers:
            held.callback(line.close)
            line.read(b"\r\n\r\n")
        refused = [line for line in viewers if line.received.startswith(b"HTTP/1.1 503")]
        assert len(refused) == AT_A_TABLE.of_one - AT_A_TABLE.followers_of_one
        refused[0].read(b"}")
        assert b"too many pages follow this table" in refused[0].received
        guest.assert_moved_and_seen()
        for _ in range(3 * AT_A_TABLE.of_one):
            line = Line(table.port, ROUTER, HALF)
            held.callback(line.close)
        guest.assert_moved_and_seen()
        assert not known.is_closed()
        assert not own.is_closed()
        assert b"event: change" in known.received


@pytest.mark.promises("strangers crowd in, guess PINs or send nonsense", "page")
def test_wrong_pins_from_anywhere_lock_out_nobody_who_knows_it(table: Served) -> None:
    guest = player(table)
    for number in range(20):
        guesser = stranger(table, f"127.0.2.{number}")
        answers = [guesser.enter("000000")[0] for _ in range(FREE_TRIES + 1)]
        assert set(answers) <= {403, 429}
    # What strangers wait for one another is soon over, also where much else is done: who has
    # guessed five times waits a minute.
    until = time.monotonic() + PATIENCE_S
    while not re.search(r"in [3-9]\d seconds", guesser.enter("000000")[1]["refused"]):
        assert time.monotonic() < until, "somebody who guesses on and on waits a minute"
        time.sleep(0.1)
    assert "too many wrong PINs" in guesser.enter(table.pin)[1]["refused"]
    assert guest.enter(table.pin)[0] == 200
    until = time.monotonic() + PATIENCE_S
    while "guesses" not in [each["id"] for each in guest.state()["notices"]]:
        assert time.monotonic() < until, "whoever looks at the page sees that somebody guesses"
        time.sleep(0.2)
    while not Guest(table, "127.0.3.1", OWN_NAME).token:
        assert time.monotonic() < until, "somebody new is let in soon"
        time.sleep(0.2)
    guest.assert_moved_and_seen()
    screen = Guest(table, pin="wrong")
    own_page = {"origin": "http://localhost"}
    assert screen.enter("", **own_page)[1]["token"]
    assert Guest(table).token, "a program on the machine itself that knows the PIN"


@pytest.mark.promises("the file `pin` is damaged or empty", "page")
def test_where_the_pin_is_damaged_only_the_own_screen_plays(tmp_path: Path) -> None:
    data = tmp_path / "games"
    data.mkdir()
    for content in (b"", b"\xb12345\n"):
        (data / "pin").write_bytes(content)
        with served(tmp_path, "--lan") as table:
            table.await_playing()
            for pin in ("x", "000000", "None"):
                status, answer = Guest(table, ROUTER, OWN_NAME, pin=pin).enter(pin)
                assert status == 403
                assert "delete the file `pin` of the data folder" in answer["refused"]
            screen = Guest(table, pin="wrong")
            screen.token = screen.enter("", origin="http://localhost")[1]["token"]
            screen.assert_moved_and_seen()
        assert (data / "pin").read_bytes() == content


def test_a_browser_is_known_again_by_its_cookie(table: Served) -> None:
    with closing(Guest(table).connect()) as connection:
        body = json.dumps({"pin": table.pin})
        headers = {"content-type": "application/json", "host": OWN_NAME}
        connection.request("POST", "/api/token", body, headers)
        cookie = connection.getresponse().headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    kept = cookie.partition(";")[0]
    for _ in range(FREE_TRIES):
        stranger(table, "127.0.2.1")
    reloaded = stranger(table, "127.0.2.1")
    assert reloaded.enter(table.pin)[0] == 429
    assert reloaded.enter(table.pin, cookie=kept)[0] == 200
    assert reloaded.do({"do": "back"}, cookie=kept)[0] == 401, "it opens nothing"


@pytest.mark.promises("strangers crowd in, guess PINs or send nonsense", "log")
def test_what_makes_no_sense_is_logged_once_a_kind(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    requests = (
        b"\x16\x03\x01\x02\x00\x01\x00\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: [::1\r\n\r\n",
        get(f"/api/games/{'9' * 5000}"),
        b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n",
    )
    with served(tmp_path) as table:
        for request in requests * 20:
            with closing(Line(table.port, ROUTER, request)) as line:
                line.read(b"\r\n\r\n")
                assert line.received[:12] in (b"HTTP/1.1 400", b"HTTP/1.1 200")
        broken = (
            b"POST /api/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        )
        for _ in range(20):
            Line(table.port, ROUTER, broken + b"Content-Length: 100\r\n\r\n{").close()
        player(table).assert_moved_and_seen()
    logged = capfd.readouterr().err
    assert "Traceback" not in logged
    kinds = ("Invalid HTTP request", "Refused: ", "NotUnderstood: ")
    assert [logged.count(kind) for kind in kinds] == [1, 1, 1]
    assert len(logged.splitlines()) <= 5


@dataclass(frozen=True)
class Took:
    """What the player's lifts and puts took, in seconds each: until they were shown, and of CPU."""

    shown_s: float
    cpu_s: float


def besieged(table: Served, quiet_s: float, siege_s: float) -> tuple[Took, Took]:
    """Let somebody play for so long without and with a siege; all that is asked must be done."""
    guest = player(table, "127.0.0.1")
    quiet = lift_to_light(guest, quiet_s)
    words = (sys.executable, "-m", "tests.e2e.siege", str(table.port))
    attackers = subprocess.Popen(words, cwd=ROOT)
    try:
        siege = lift_to_light(guest, siege_s)
        assert attackers.poll() is None
    finally:
        attackers.terminate()
        attackers.wait(20)
    return quiet, siege


def lift_to_light(guest: Guest, for_s: float) -> Took:
    """Lift a piece and put it down for so long; return the medians of what that took."""
    times, cpu, until = [], [], time.monotonic() + for_s
    while time.monotonic() < until:
        for does in ("lift", "put"):
            begun, spent = time.perf_counter(), table_cpu_s(guest.table)
            status, answer = guest.do({"do": does, "square": "d2"})
            times.append(time.perf_counter() - begun)
            cpu.append(table_cpu_s(guest.table) - spent)
            assert status == 200, answer
        time.sleep(0.2)
    guest.assert_moved_and_seen()
    return Took(statistics.median(times), statistics.mean(cpu))


def table_cpu_s(table: Served) -> float:
    """Return how long the thread that owns the table has computed so far."""
    thread = Path(f"/proc/{table.pid}/task/{table.pid}/schedstat")
    return int(thread.read_text().split()[0]) / 1e9


def test_a_siege(table: Served) -> None:
    quiet, siege = besieged(table, 0.5, 5.0)
    assert min(quiet.shown_s, siege.shown_s) > 0, "all that was asked was done"


@pytest.mark.soak("door")
def test_a_siege_of_five_minutes(table: Served) -> None:
    quiet, siege = besieged(table, 30.0, 300.0)
    print(f"quiet {quiet}, besieged {siege}")
    assert siege.shown_s < 2 * quiet.shown_s
    assert siege.cpu_s < 2 * quiet.cpu_s
