"""The files written for Mosquitto, against a real one: nobody says another's word."""

import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest

from jetan_table.extras.hall import broker
from jetan_table.extras.hall.broker import (
    HALL_USER,
    HOME_USER,
    OWN_USERS,
    WATCHER,
    BadBroker,
    Broker,
    BrokerFiles,
    BrokerLink,
    parse_broker,
)
from jetan_table.extras.hall.payloads import (
    GAME,
    ONLINE,
    PRESS,
    WORD,
    discovery_topic,
    hall_topic,
    match_topic,
    round_topic,
    table_topic,
)
from tests.jetan_table.extras.hall.mosquitto import (
    PUBLISH,
    Mosquitto,
    free_port,
    is_all_said,
    read_packet,
    until,
)

pytestmark = pytest.mark.needs("mosquitto")


class Club:
    """A broker with two tables, a hall and watchers; everybody hears what it may."""

    def __init__(self, folder: Path, ends: ExitStack) -> None:
        self.files = BrokerFiles(folder / "broker")
        passwords = iter(f"password number {number}" for number in range(100))
        for table in ("alpha", "beta"):
            self.files.seat(table, lambda: next(passwords))
        port = free_port()
        self.files.write_config(port, "127.0.0.1")
        self.mosquitto = ends.enter_context(Mosquitto(folder, self.files.config, port))
        self.ends = ends
        self.heard: dict[str, bytes] = {}
        self.all: set[tuple[str, bytes]] = set()
        self.hall = self.link(HALL_USER, reads=("#",))
        until(lambda: self.hall.is_up)

    def link(
        self, user: str, password: str | None = None, reads: tuple[str, ...] = ()
    ) -> BrokerLink:
        secret = password or self.files.secret(user).read_text().strip()
        address = Broker("127.0.0.1", self.mosquitto.port, user=user, password=secret)
        link = BrokerLink(address, "any", reads, self.hear)
        self.ends.enter_context(closing(link.start(time.monotonic)))
        return link

    def hear(self, topic: str, content: bytes) -> None:
        self.heard[topic] = content
        self.all.add((topic, content))


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    with ExitStack() as ends:
        yield Club(tmp_path, ends)


ALPHA = table_topic("alpha", GAME)
ALPHA_PRESS = table_topic("alpha", PRESS)
TOPICS = (
    ALPHA,
    table_topic("beta", GAME),
    hall_topic("alpha", WORD),
    round_topic(1),
    match_topic("ABCDEF", "alpha"),
    match_topic("ABCDEF", "beta"),
    discovery_topic("alpha"),
    ALPHA_PRESS,
    "jetan/table/gamma/game",
    "anything",
)
MAY = {
    "alpha": {
        ALPHA,
        ALPHA_PRESS,
        match_topic("ABCDEF", "alpha"),
        discovery_topic("alpha"),
    },
    "beta": {table_topic("beta", GAME), match_topic("ABCDEF", "beta")},
    HALL_USER: {hall_topic("alpha", WORD), round_topic(1)},
    WATCHER: set(),
    HOME_USER: {ALPHA_PRESS},
}


def test_each_may_write_its_own_words_and_no_others(club: Club) -> None:
    for user in MAY:
        writer = club.hall if user == HALL_USER else club.link(user)
        for topic in TOPICS:
            writer.say(topic, user.encode())
        until(lambda writer=writer: is_all_said(writer))  # type: ignore[misc]
    may = {(topic, user.encode()) for user, topics in MAY.items() for topic in topics}
    # What the hall may not read is asked of the files: nobody else may say it either.
    readable = {(topic, user) for topic, user in may if topic.startswith(("jetan/", "hall/"))}
    until(lambda: readable <= club.all)
    ends_at = time.monotonic() + 0.5
    while time.monotonic() < ends_at:
        assert club.all <= may


def test_strangers_are_not_let_in(club: Club) -> None:
    for user, password in (("alpha", "wrong"), ("nobody", "x"), (HALL_USER, "hall")):
        link = club.link(user, password)
        until(lambda link=link: link.is_refused)  # type: ignore[misc]
    anonymous = BrokerLink(Broker("127.0.0.1", club.mosquitto.port), "hall")
    with closing(anonymous.start(time.monotonic)):
        until(lambda: anonymous.is_refused)
        assert not anonymous.is_up


def test_watchers_hear_games_and_no_word_of_the_arbiter(club: Club) -> None:
    alpha = club.link("alpha")
    alpha.say(ALPHA, b"x")
    club.hall.say(hall_topic("alpha", WORD), b"secret")
    club.hall.say(round_topic(1), b"pairs")
    until(lambda: is_all_said(alpha) and is_all_said(club.hall))
    heard: dict[str, bytes] = {}
    secret = club.files.secret(WATCHER).read_text().strip()
    address = Broker("127.0.0.1", club.mosquitto.port, user=WATCHER, password=secret)
    watcher = BrokerLink(address, "w", ("jetan/#", "hall/#"), heard.__setitem__)
    with closing(watcher.start(time.monotonic)):
        until(lambda: {ALPHA, round_topic(1)} <= heard.keys())
    assert hall_topic("alpha", WORD) not in heard


def test_who_takes_another_client_id_puts_nobody_out(club: Club) -> None:
    alpha = club.link("alpha")
    until(lambda: alpha.is_up)
    beta = club.link("beta")  # both call themselves `any`
    ends_at = time.monotonic() + 0.5
    until(lambda: beta.is_up)
    while time.monotonic() < ends_at:
        assert alpha.is_up
        assert beta.is_up
        assert club.hall.is_up
        time.sleep(0.001)


def test_a_megabyte_does_not_come_through(club: Club) -> None:
    alpha = club.link("alpha")
    alpha.say(ALPHA, b"x" * 1_000_000)
    alpha.say(table_topic("alpha", ONLINE), b"1")
    until(lambda: table_topic("alpha", ONLINE) in club.heard)
    assert ALPHA not in club.heard


def test_a_seat_made_anew_has_another_password_and_its_files_are_secret(tmp_path: Path) -> None:
    files = BrokerFiles(tmp_path)
    words = iter((*OWN_USERS, "first", "second"))
    assert files.seat("alpha", lambda: next(words)) == "first"
    assert files.seat("alpha", lambda: next(words)) == "second"
    assert files.users() == [*OWN_USERS, "alpha"]
    for path in (tmp_path / "passwd", files.secret("alpha")):
        assert path.stat().st_mode & 0o077 == 0
    for name in (*OWN_USERS, "Alpha", "a/b", "#", "+", "", "x" * 33):
        with pytest.raises(BadBroker):
            files.seat(name, lambda: "x")


@pytest.mark.needs("openssl")
# The library leaves a socket whose broker it does not trust to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_by_tls_a_table_trusts_its_own_broker_and_no_other(tmp_path: Path) -> None:
    files = BrokerFiles(tmp_path / "broker")
    files.seat("alpha", lambda: "a password")
    for name in ("server", "other"):
        paths = [f"{files.folder / name}.{end}" for end in ("key", "crt")]
        command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "9"]
        command += ["-keyout", paths[0], "-out", paths[1], "-subj", "/CN=127.0.0.1"]
        command += ["-addext", "subjectAltName=IP:127.0.0.1"]
        subprocess.run(command, check=True, capture_output=True)
    port = free_port()
    files.write_config(port, "127.0.0.1", is_tls=True)
    assert len(files.fingerprint() or "") == 64
    with Mosquitto(tmp_path, files.config, port), ExitStack() as ends:
        links = {}
        for trusted in ("server.crt", "other.crt", "none.crt"):
            authority = str(files.folder / trusted)
            address = parse_broker(f"mqtts://127.0.0.1:{port}")
            address = address.as_user("alpha", str(files.secret("alpha")), authority)
            links[trusted] = link = BrokerLink(address, trusted)
            ends.enter_context(closing(link.start(time.monotonic)))
        until(lambda: links["server.crt"].is_up)
        until(lambda: "certificate" in (links["other.crt"].trouble or "").lower())
        until(lambda: links["none.crt"].trouble is not None)
        assert not links["other.crt"].is_up
        assert not links["none.crt"].is_up


CONNECTED = b"\x20\x02\0\0"
NO_TOPIC = b"\x30\x01\0"
"""A message too short for the length of its topic."""


class OddBroker:
    """Takes connections one after another; the first ones go as `greetings` say, and are unheard.

    What is published is acknowledged from the connection on that has no greeting of its own.
    """

    def __init__(self, *greetings: bytes) -> None:
        self.greetings = list(greetings)
        self.taken: list[list[bytes]] = []
        self.server = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self.take, daemon=True).start()

    def take(self) -> None:
        with suppress(OSError):
            while True:
                line, _address = self.server.accept()
                threading.Thread(target=self.serve, args=(line,), daemon=True).start()

    def serve(self, line: socket.socket) -> None:
        read_packet(line)
        words: list[bytes] = []
        self.taken.append(words)
        is_odd = bool(self.greetings)
        with line, suppress(OSError):
            line.sendall(CONNECTED + (self.greetings.pop(0) if is_odd else b""))
            while packet := read_packet(line):
                if packet[0] >> 4 == PUBLISH:
                    words.append(packet[-1:])
                    if not is_odd:
                        line.sendall(b"\x40\x02" + packet[-3:-1])


def test_a_word_that_nobody_acknowledges_comes_before_its_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(broker, "LOST_S", 3.0)
    with closing((odd := OddBroker(b"")).server):
        link = BrokerLink(Broker("127.0.0.1", odd.server.getsockname()[1]), "any")
        with closing(link.start(time.monotonic)):
            link.say("a", b"1")
            until(lambda: odd.taken == [[b"1"]])
            link.say("a", b"2")
            link.say("a", b"3")
            until(lambda: is_all_said(link) and odd.taken[-1] == [b"1", b"3"])
            assert odd.taken[0] == [b"1"]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_after_a_packet_that_cannot_be_read_the_link_begins_anew() -> None:
    with closing((odd := OddBroker(NO_TOPIC)).server):
        link = BrokerLink(Broker("127.0.0.1", odd.server.getsockname()[1]), "any")
        with closing(link.start(time.monotonic)):
            link.say("a", b"1")
            until(lambda: any(odd.taken[1:]))
            assert len(odd.taken) > 1


@pytest.mark.parametrize(
    "url",
    ["", "http://x", "mqtt://", "mqtt://x:99999999", "mqtt://u:p@x", "x", f"mqtt://{'x' * 64}"],
)
def test_an_address_that_is_none_is_refused_with_its_mend(url: str) -> None:
    with pytest.raises(BadBroker, match="mqtts://host:8883"):
        parse_broker(url)
