"""A broker: its address, a link to it, and the files that tell Mosquitto who may do what.

No queue grows: a word that waits is replaced by the next one on its topic, sessions are clean, and
the last word on each topic is published again with every connection, and each minute.

Each table has a user of the same name, who may write to that table's topics alone; watchers may
write nothing.
"""

from __future__ import annotations

import getpass
import hashlib
import re
import socket
import ssl
import sys
from base64 import b64encode
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from urllib.parse import urlsplit

from rules import _

from ...errors import MissingPackage, TableError
from ...files import PRIVATE, read_text, write_whole
from .payloads import (
    MOST_PAYLOAD_BYTES,
    PRESS,
    discovery_topic,
    hall_topic,
    match_topic,
    table_topic,
)
from .settings import NO_TABLE_NAME, TABLE_NAME

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessage

PORTS: Final = {"mqtt": 1883, "mqtts": 8883}

REPEATED_EVERY_S: Final = 60.0
"""Seconds after which everything is published again."""

ALIVE_S: Final = 20
"""Seconds of silence before a ping; a broker drops the link after one and a half times as long."""

FIRST_WAIT_S, LONGEST_WAIT_S = 0.25, 15
"""Seconds before a broker that is away is tried again: doubled each time, up to the second."""

LOST_S: Final = 5.0
"""Seconds without an acknowledgement after which a connection counts as broken."""

MOST_SIGNALS: Final = 64
"""The number of signals that may wait; beyond it the oldest are dropped."""

LINK_TICK_S: Final = 1.0
"""Seconds between two looks at the time."""

REFUSED_CODES: Final = ("Bad user name or password", "Not authorized")

Hear: TypeAlias = Callable[[str, bytes], None]
"""Called with a topic and a message on it, on paho's thread."""

HALL_USER, WATCHER, HOME_USER = "hall", "watcher", "homeassistant"
"""The users who speak for the hall, may only read, and are Home Assistant; no table is named so."""
OWN_USERS: Final = (HALL_USER, WATCHER, HOME_USER)

ITERATIONS: Final = 101
"""Rounds of hashing a password, Mosquitto's number: ours are random and long, and need no more."""


class BadBroker(TableError, ValueError):
    """A broker's address, or a table's name, that cannot be used."""


@dataclass(frozen=True, slots=True)
class Broker:
    """The address of a broker, and the user to log in as."""

    host: str
    port: int
    is_tls: bool = False
    user: str | None = None
    password: str | None = None
    authority: Path | None = None
    """The file of the certificate to trust; None: those of the system."""

    def as_user(self, user: str, password_file: str, authority: str = "") -> Broker:
        """Return it with a user, whose password is in a file; OSError without that file."""
        password = read_text(Path(password_file)).strip() if password_file else None
        trusted = Path(authority) if authority else None
        return Broker(self.host, self.port, self.is_tls, user or None, password, trusted)


def parse_broker(url: str) -> Broker:
    """Read `mqtt://host:1883` or `mqtts://host:8883`; BadBroker for anything else."""
    try:
        parts = urlsplit(url)
        port = parts.port
        (parts.hostname or "").encode("idna")  # or it would fail at each try to connect
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in PORTS or not parts.hostname or parts.path.strip("/") or parts.username:
        raise BadBroker(
            _("{url!r}: a broker is told as mqtt://host:1883 or mqtts://host:8883"), url=url
        )
    return Broker(parts.hostname, port or PORTS[parts.scheme], parts.scheme == "mqtts")


def check_name(name: str) -> str:
    """Return a table's name; BadBroker if it is not a valid one."""
    if re.fullmatch(TABLE_NAME, name) is None:
        raise BadBroker(NO_TABLE_NAME, name=name)
    return name


class BrokerLink:
    """A client of a broker. paho keeps the connection; any thread may `say`, which never waits."""

    def __init__(
        self,
        broker: Broker,
        name: str,
        reads: Sequence[str] = (),
        hear: Hear = lambda topic, content: None,
        will: tuple[str, bytes] | None = None,
        again_s: float = REPEATED_EVERY_S,
    ) -> None:
        """Prepare a link; `name` must be unique at the broker, which publishes `will` at its loss.

        Everything is published again every `again_s` seconds.
        """
        self.trouble: str | None = None
        """The reason for a missing connection, in the library's words, or None."""
        self.is_refused = False
        """True if the broker does not accept this user."""
        self.is_up = False
        self.again_s = again_s
        self._broker, self._name, self._will = broker, name, will
        self._reads: tuple[str, ...] = tuple(reads)
        self._hears: tuple[Hear, ...] = (hear,)
        self._lock = Lock()
        self._newest: dict[str, bytes] = {}
        self.due: dict[str, None] = {}
        """Topics whose newest word has not been published yet, oldest first."""
        self.unacknowledged: dict[str, tuple[int, float]] = {}
        """The message number of the last word on a topic, and when it was published."""
        self._acknowledged: set[int] = set()
        self._signals: deque[tuple[str, bytes]] = deque(maxlen=MOST_SIGNALS)
        self._is_closed = False
        self._bell = Event()
        self._client: Client | None = None
        self._thread: Thread | None = None

    def start(self, now: Callable[[], float]) -> BrokerLink:
        """Connect, in the background; `now` returns a steady time in seconds.

        MissingPackage without the library.
        """
        self._client = client = new_client(self._broker, self._name)
        client.on_pre_connect = self._trusting if self._broker.is_tls else None
        client.on_socket_open = self._opened
        client.on_connect = partial(self._connected, now)
        client.on_connect_fail = self._failed
        client.on_disconnect = self._lost
        client.on_message = self._heard
        client.on_publish = self._arrived
        # It takes fractions, whatever its annotation says, and waits out one before it stops.
        client.reconnect_delay_set(FIRST_WAIT_S, LONGEST_WAIT_S)  # type: ignore[arg-type]
        if self._will is not None:
            client.will_set(*self._will, qos=1, retain=True)
        client.connect_async(self._broker.host, self._broker.port, keepalive=ALIVE_S)
        client.loop_start()
        self._thread = Thread(target=self._run, args=(client, now), name="link", daemon=True)
        self._thread.start()
        return self

    def close(self) -> None:
        """Close the connection without a farewell, so that the broker publishes the will."""
        self._is_closed = True
        self._bell.set()
        if self._client is None or self._thread is None:
            return
        self._thread.join()
        cut(self._client)
        self._client.loop_stop()
        if (line := self._client.socket()) is not None:
            line.close()

    def say(self, topic: str, content: bytes) -> None:
        """Publish `content` on a topic, in place of whatever still waits there."""
        with self._lock:
            self._newest[topic] = content
            self.due[topic] = None
        self._bell.set()

    def signal(self, topic: str, content: bytes) -> None:
        """Publish news of a moment, which nobody keeps; without a connection it is lost."""
        with self._lock:
            if self.is_up:
                self._signals.append((topic, content))
        self._bell.set()

    def read_too(self, topics: Sequence[str], hear: Hear) -> None:
        """Subscribe to more topics; `hear` gets every message of this link from now on."""
        self._reads, self._hears = (*self._reads, *topics), (*self._hears, hear)
        if self._client is not None and self.is_up:
            self._client.subscribe([(topic, 1) for topic in topics])

    # Publishing, on a thread of its own. paho's callbacks may hold its lock for outgoing messages,
    # which `publish` takes, too: they only note what happened, and nothing is published under our
    # own lock.

    def _run(self, client: Client, now: Callable[[], float]) -> None:
        again_at = 0.0
        while not self._is_closed:
            # paho's thread ends at the first packet that it cannot read: begin anew with another.
            if client.loop_start() == 0:
                cut(client)
            if self.is_up:
                if now() >= again_at:
                    again_at = now() + self.again_s
                    with self._lock:
                        self.due |= dict.fromkeys(self._newest)
                self._publish(client, now())
            self._bell.wait(min(LINK_TICK_S, self.again_s))
            self._bell.clear()

    def _publish(self, client: Client, now: float) -> None:
        """Publish what is due on each topic whose last word has been acknowledged."""
        # paho sends again what a broken connection left unacknowledged. A newer word on the same
        # topic waits for that: the older one would otherwise come last, and stay.
        with self._lock:
            done, self._acknowledged = self._acknowledged, set()
            waiting = self.unacknowledged.items()
            self.unacknowledged = {topic: word for topic, word in waiting if word[0] not in done}
            free = [topic for topic in self.due if topic not in self.unacknowledged]
            words = [(topic, self._newest[topic]) for topic in free]
            for topic in free:
                del self.due[topic]
            signals = [self._signals.popleft() for _each in tuple(self._signals)]
        for topic, content in words:
            number = client.publish(topic, content, qos=1, retain=True).mid
            with self._lock:
                self.unacknowledged[topic] = number, now
        for topic, content in signals:
            client.publish(topic, content)
        lost_s = min(LOST_S, 4 * self.again_s)
        if any(now - at > lost_s for _number, at in self.unacknowledged.values()):
            cut(client)

    # What paho reports, on its thread

    def _trusting(self, client: Client, data: Any) -> None:
        """Read the certificate to be trusted; OSError, and a new try later, without one."""
        trusted = self._broker.authority
        client.tls_set(ca_certs=None if trusted is None else str(trusted))
        client.on_pre_connect = None

    def _opened(self, client: Client, data: Any, line: Any) -> None:
        if self._is_closed:  # a connection that was being made meanwhile
            cut(client)

    def _connected(
        self,
        now: Callable[[], float],
        client: Client,
        data: Any,
        flags: Any,
        reason: Any,
        more: Any,
    ) -> None:
        if reason.is_failure:
            self.trouble, self.is_refused = str(reason), str(reason) in REFUSED_CODES
            return
        if self._reads:
            client.subscribe([(topic, 1) for topic in self._reads])
        with self._lock:
            self.due |= dict.fromkeys(self._newest)
            again = {topic: (number, now()) for topic, (number, _at) in self.unacknowledged.items()}
            self.unacknowledged = again
        self.trouble, self.is_refused, self.is_up = None, False, True
        self._bell.set()

    def _failed(self, client: Client, data: Any) -> None:
        self.trouble = str(sys.exception())  # which paho is handling

    def _lost(self, client: Client, data: Any, flags: Any, reason: Any, more: Any) -> None:
        self.trouble, self.is_up = self.trouble or str(reason), False

    def _arrived(self, client: Client, data: Any, mid: int, reason: Any, more: Any) -> None:
        with self._lock:
            self._acknowledged.add(mid)
        self._bell.set()

    def _heard(self, client: Client, data: Any, message: MQTTMessage) -> None:
        for hear in self._hears:
            hear(message.topic, bytes(message.payload))


def cut(client: Client) -> None:
    """Cut a client's connection as a power cut would; paho connects again."""
    line: Any = client.socket()
    with suppress(OSError, AttributeError):  # there may be none any more
        line.shutdown(socket.SHUT_RDWR)


def new_client(broker: Broker, name: str) -> Client:
    """Return a client that is not connected yet; MissingPackage without the library."""
    try:
        from paho.mqtt import client as mqtt
        from paho.mqtt.enums import CallbackAPIVersion
    except ImportError:
        raise MissingPackage(
            _("a hall is reached by paho-mqtt, which is missing: `./jetan hall` or pip brings it")
        ) from None
    client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=name, clean_session=True)
    if broker.user is not None:
        client.username_pw_set(broker.user, broker.password)
    client.connect_timeout = 5.0
    return client


@dataclass(frozen=True, slots=True)
class BrokerFiles:
    """The files of a broker in one folder: `passwd`, `acl`, `mosquitto.conf`, users' passwords."""

    folder: Path

    @property
    def config(self) -> Path:
        """The file for `mosquitto -c`."""
        return self.folder / "mosquitto.conf"

    def secret(self, user: str) -> Path:
        """Return the file with a user's password."""
        return self.folder / "secrets" / user

    def users(self) -> list[str]:
        """Return the names of all users who have a password."""
        path = self.folder / "passwd"
        lines = read_text(path).splitlines() if path.is_file() else []
        return [line.partition(":")[0] for line in lines]

    def seat(self, table: str, make_password: Callable[[], str]) -> str:
        """Give a table a new password and return it; BadBroker for a name it may not have."""
        if table in OWN_USERS:
            raise BadBroker(_("{name}: so is the hall's own user called"), name=table)
        for user in OWN_USERS:
            if user not in self.users():
                self._let_in(user, make_password())
        password = make_password()
        self._let_in(check_name(table), password)
        tables = [user for user in self.users() if user not in OWN_USERS]
        write_whole(self.folder / "acl", acl(tables).encode())
        return password

    def write_config(self, port: int, host: str | None = None, is_tls: bool = False) -> None:
        """Write Mosquitto's configuration, to listen on `port`.

        With `is_tls` its certificate and key are `server.crt` and `server.key` beside it. Started
        by root, Mosquitto goes on as the user who calls this, who can read the files.
        """
        lines = [
            f"listener {port}" + (f" {host}" if host else ""),
            "allow_anonymous false",
            f"password_file {self.folder.absolute() / 'passwd'}",
            f"acl_file {self.folder.absolute() / 'acl'}",
            "use_username_as_clientid true",
            "max_inflight_messages 0",
            f"message_size_limit {MOST_PAYLOAD_BYTES}",
            "persistence false",
            f"user {getpass.getuser()}",
        ]
        if is_tls:
            lines += [
                f"certfile {self.folder.absolute() / 'server.crt'}",
                f"keyfile {self.folder.absolute() / 'server.key'}",
            ]
        write_whole(self.config, "\n".join([*lines, ""]).encode())

    def fingerprint(self) -> str | None:
        """Return the SHA-256 of the broker's certificate; None without one."""
        path = self.folder / "server.crt"
        if not path.is_file():
            return None
        return hashlib.sha256(ssl.PEM_cert_to_DER_cert(read_text(path))).hexdigest()

    def _let_in(self, user: str, password: str) -> None:
        path = self.folder / "passwd"
        lines = read_text(path).splitlines() if path.is_file() else []
        kept = [line for line in lines if line.partition(":")[0] != user]
        text = "\n".join([*kept, f"{user}:{hashed(password)}", ""])
        write_whole(path, text.encode(), PRIVATE)
        secret = self.secret(user)
        secret.parent.mkdir(mode=0o700, exist_ok=True)
        write_whole(secret, f"{password}\n".encode(), PRIVATE)


def hashed(password: str) -> str:
    """Return a password as Mosquitto stores it, salted by the password itself, which is random."""
    salt = hashlib.sha256(f"salt {password}".encode()).digest()[:12]
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ITERATIONS)
    return f"$7${ITERATIONS}${b64encode(salt).decode()}${b64encode(digest).decode()}"


def acl(tables: list[str]) -> str:
    """Return the access list for these tables; whatever it does not allow is forbidden."""
    presses = table_topic("+", PRESS)
    parts = [
        "# Written by `jetan hall seat`: who may write and read what.",
        f"user {HALL_USER}\ntopic read jetan/#\ntopic readwrite hall/#",
        f"user {WATCHER}\ntopic read jetan/#\ntopic read hall/round/#\ntopic read hall/standings",
        f"user {HOME_USER}\ntopic read jetan/#\ntopic read homeassistant/#\ntopic write {presses}",
    ]
    for table in tables:
        writes = [table_topic(table, "#"), match_topic("+", table)]
        writes.append(discovery_topic(table))
        reads = [hall_topic(table, "#"), match_topic("+", "+"), table_topic(table, PRESS)]
        lines = [f"user {table}", *(f"topic write {topic}" for topic in writes)]
        parts.append("\n".join([*lines, *(f"topic read {topic}" for topic in reads)]))
    return "\n\n".join(parts) + "\n"
