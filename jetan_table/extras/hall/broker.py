"""A broker: its address, a link to it, and the files by which Mosquitto knows who may do what.

Nothing is queued and nothing resent: what waits is replaced by what is said after it, sessions are
clean, and with every connection, and each minute, the last word on each topic is said again.

Every table has a user of its own name, and a line for each topic it may write: no table can write
another's word, and who only watches can write nothing.
"""

from __future__ import annotations

import getpass
import hashlib
import re
import selectors
import socket
import ssl
from base64 import b64encode
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
from .payloads import MOST_BYTES, discovery_topic, hall_topic, match_topic, table_topic
from .settings import NO_TABLE_NAME, TABLE_NAME

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessage

PORTS: Final = {"mqtt": 1883, "mqtts": 8883}

AGAIN_S: Final = 60.0
"""Everything is said again after so long."""

ALIVE_S: Final = 20
"""A link that is silent for so long says that it is there; a broker waits half as long again."""

FIRST_WAIT_S, LONGEST_WAIT_S = 0.25, 15.0
"""A broker that is away is tried again after so long, twice as long each time, at most so long."""

LOST_S: Final = 5.0
"""What is not acknowledged within so long, or twice that, is said again."""

TICK_S: Final = 0.25
"""How often a link looks after what time alone brings about."""

REFUSED_CODES: Final = ("Bad user name or password", "Not authorized")

Hear: TypeAlias = Callable[[str, bytes], None]
"""Is told a topic and what is said there, on the link's thread."""

HALL_USER, WATCHER = "hall", "watcher"
"""Who says what the hall says, and who may read all that tables say; no table is called so."""

ITERATIONS: Final = 101
"""As Mosquitto stores passwords; ours are random and long, so no more are needed."""


class BadBroker(TableError, ValueError):
    """An address of a broker that cannot be used."""


@dataclass(frozen=True, slots=True)
class Broker:
    """Where a broker listens, and as whom to come there."""

    host: str
    port: int
    is_tls: bool = False
    user: str | None = None
    password: str | None = None
    authority: Path | None = None
    """The certificate by which the broker's is trusted; None: those of the system."""

    def as_user(self, user: str, password_file: str, authority: str = "") -> Broker:
        """Return the same for a user, whose password stands in a file; OSError without one."""
        password = read_text(Path(password_file)).strip() if password_file else None
        trusted = Path(authority) if authority else None
        return Broker(self.host, self.port, self.is_tls, user or None, password, trusted)


def parse_broker(url: str) -> Broker:
    """Read `mqtt://host:1883` or `mqtts://host:8883`; BadBroker where it is neither."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in PORTS or not parts.hostname or parts.path.strip("/") or parts.username:
        raise BadBroker(
            _("{url!r}: a broker is told as mqtt://host:1883 or mqtts://host:8883"), url=url
        )
    return Broker(parts.hostname, port or PORTS[parts.scheme], parts.scheme == "mqtts")


def check_name(name: str) -> str:
    """Return a table's name; BadBroker where none can be called so."""
    if re.fullmatch(TABLE_NAME, name) is None:
        raise BadBroker(NO_TABLE_NAME, name=name)
    return name


class BrokerLink:
    """One client of a broker, on a thread of its own once it is started; any thread may `say`."""

    def __init__(
        self,
        broker: Broker,
        name: str,
        reads: Sequence[str] = (),
        hear: Hear = lambda topic, content: None,
        will: tuple[str, bytes] | None = None,
        again_s: float = AGAIN_S,
    ) -> None:
        """`name` is no other client's at the broker; `will` is said by it once the link is lost.

        After `again_s` seconds everything is said again.
        """
        self.trouble: str | None = None
        """Why there is no connection, in the library's words; None while there is one."""
        self.is_refused = False
        """Whether the broker does not let this user in."""
        self.is_up = False
        self.connections = 0
        self.again_s = again_s
        self._broker, self._name, self._will = broker, name, will
        self._reads, self._is_reading = tuple(reads), False
        self._hears: tuple[Hear, ...] = (hear,)
        self._lock = Lock()
        self._newest: dict[str, bytes] = {}
        self._due: dict[str, None] = {}
        """The topics whose newest word is to be said, oldest first."""
        self._flying: dict[str, int] = {}
        """The topics whose last word the broker has not acknowledged, with the message's number."""
        self._lost_at = 0.0
        """After this what is not acknowledged counts as lost."""
        self._client: Client | None = None
        self._retry_at, self._wait_s = 0.0, FIRST_WAIT_S
        self._again_at = 0.0
        self._stop = Event()
        self._thread: Thread | None = None
        self._bell: tuple[socket.socket, socket.socket] | None = None
        """What is rung at the second wakes who waits at the first."""

    def start(self, now: Callable[[], float]) -> BrokerLink:
        """Connect from now on; `now` tells a steady time in seconds.

        All connections are made on the thread, so that nobody waits for them. MissingPackage
        without the library.
        """
        new_client(Broker("", 0), "")
        self._bell = socket.socketpair()
        for end in self._bell:
            end.setblocking(False)
        self._thread = Thread(target=self._run, args=(self._bell[0], now), name="link", daemon=True)
        self._thread.start()
        return self

    def close(self) -> None:
        """Let go of the broker, which says that the table is gone."""
        self._stop.set()
        self._ring()
        if self._thread is not None:
            self._thread.join()
        for end in self._bell or ():
            end.close()

    def say(self, topic: str, content: bytes) -> None:
        """Say this on a topic, instead of what still waits there; never waits itself."""
        with self._lock:
            self._newest[topic] = content
            self._due[topic] = None
        self._ring()

    def read_too(self, topics: Sequence[str], hear: Hear) -> None:
        """Read these topics from now on, too; `hear` is told whatever is heard of any."""
        with self._lock:
            self._reads, self._hears = (*self._reads, *topics), (*self._hears, hear)
            self._is_reading = False
        self._ring()

    @property
    def is_all_said(self) -> bool:
        """Whether the broker has acknowledged all there is to say."""
        with self._lock:
            return self.is_up and not self._due and not self._flying

    def _ring(self) -> None:
        if self._bell is not None:
            with suppress(OSError):  # a full pipe has rung already, and a closed one needs no more
                self._bell[1].send(b".")

    # On the link's thread

    def _run(self, bell: socket.socket, now: Callable[[], float]) -> None:
        tick_at = 0.0
        while not self._stop.is_set():
            at = now()
            if at >= tick_at:
                tick_at = at + TICK_S
                self._do(partial(self._tick, at))
            if self._wait(bell, max(0.0, tick_at - now())):
                self._do(self._read)
            self._do(self._flush)
        self._drop()

    def _wait(self, bell: socket.socket, wait_s: float) -> bool:
        """Wait for so long, a ring or the broker; return whether the broker says something."""
        line: Any = None if self._client is None else self._client.socket()
        with selectors.PollSelector() as selector:
            selector.register(bell, selectors.EVENT_READ)
            if isinstance(line, socket.socket) and line.fileno() >= 0:
                writes = selectors.EVENT_WRITE if self._wants_to_write else 0
                selector.register(line, selectors.EVENT_READ | writes)
            ready = {key.fileobj: events for key, events in selector.select(wait_s)}
        if bell in ready:
            with suppress(OSError):
                bell.recv(4096)
        return bool(ready.get(line, 0) & selectors.EVENT_READ)

    def _do(self, step: Callable[[], None]) -> None:
        """Do a step; whatever a broker says, a link that fails at it connects anew."""
        try:
            step()
        except Exception as error:
            self.trouble = f"{type(error).__name__}: {error}"
            self._drop()

    @property
    def _wants_to_write(self) -> bool:
        """Whether more is to be written than the socket took."""
        return self._client is not None and self._client.want_write()

    def _tick(self, now: float) -> None:
        """Connect where there is no connection, keep it alive, and say what is due."""
        if self._client is None:
            if now >= self._retry_at:
                self._connect(now)
            return
        self._client.loop_misc()
        if self.is_up and now >= self._again_at:
            self._again_at = now + self.again_s
            with self._lock:
                self._due = dict.fromkeys(self._newest)
        if now >= self._lost_at:
            self._lost_at = now + min(LOST_S, self.again_s)
            with self._lock:
                self._due |= dict.fromkeys(self._flying)
                self._flying.clear()
        self._flush()

    def _read(self) -> None:
        """Take in what the broker says."""
        if self._client is not None:
            self._client.loop_read()

    def _flush(self) -> None:
        """Say what is due, where the last word on its topic has arrived."""
        if self._client is None:
            return
        if self.is_up:
            with self._lock:
                reads, self._is_reading = () if self._is_reading else self._reads, True
            if reads:
                self._client.subscribe([(topic, 1) for topic in reads])
            with self._lock:
                free = [topic for topic in self._due if topic not in self._flying]
                due = [(topic, self._newest[topic]) for topic in free if topic in self._newest]
                for topic in free:
                    del self._due[topic]
            for topic, content in due:
                sent = self._client.publish(topic, content, qos=1, retain=True)
                with self._lock:
                    self._flying[topic] = sent.mid
        if self._wants_to_write:
            self._client.loop_write()

    def _drop(self) -> None:
        """Let go of the broker at once, as a power cut would: it says the will."""
        client, self._client, self.is_up = self._client, None, False
        with self._lock:
            self._flying.clear()
        if client is not None and (line := client.socket()) is not None:
            with suppress(OSError):
                line.close()

    def _connect(self, now: float) -> None:
        self._retry_at = now + self._wait_s
        self._wait_s = min(self._wait_s * 2, LONGEST_WAIT_S)
        try:
            self._client = client = new_client(self._broker, self._name)
            client.on_connect = self._connected
            client.on_disconnect = self._lost
            client.on_message = self._heard
            client.on_publish = self._arrived
            if self._will is not None:
                client.will_set(*self._will, qos=1, retain=True)
            client.connect(self._broker.host, self._broker.port, keepalive=ALIVE_S)
        except (OSError, ssl.SSLError, ValueError) as error:
            self.trouble = str(error)
            self._client = None

    def _connected(self, client: Client, data: Any, flags: Any, reason: Any, more: Any) -> None:
        if reason.is_failure:
            self.trouble, self.is_refused = str(reason), str(reason) in REFUSED_CODES
            return
        self.trouble, self.is_refused, self.is_up = None, False, True
        self.connections += 1
        self._wait_s, self._again_at = FIRST_WAIT_S, 0.0
        with self._lock:
            self._flying.clear()
            self._due, self._is_reading = dict.fromkeys(self._newest), False

    def _lost(self, client: Client, data: Any, flags: Any, reason: Any, more: Any) -> None:
        if client is self._client:
            self.trouble = self.trouble or str(reason)
            self._client, self.is_up = None, False
            with self._lock:
                self._flying.clear()

    def _arrived(self, client: Client, data: Any, mid: int, reason: Any, more: Any) -> None:
        with self._lock:
            self._flying = {topic: sent for topic, sent in self._flying.items() if sent != mid}

    def _heard(self, client: Client, data: Any, message: MQTTMessage) -> None:
        for hear in self._hears:
            hear(message.topic, bytes(message.payload))


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
    if broker.is_tls:
        client.tls_set(ca_certs=None if broker.authority is None else str(broker.authority))
    client.connect_timeout = 5.0
    return client


@dataclass(frozen=True, slots=True)
class BrokerFiles:
    """The files in one folder: `passwd`, `acl`, `mosquitto.conf`, and what a user's password is."""

    folder: Path

    @property
    def config(self) -> Path:
        """What `mosquitto -c` is told."""
        return self.folder / "mosquitto.conf"

    def secret(self, user: str) -> Path:
        """Return the file with a user's password."""
        return self.folder / "secrets" / user

    def users(self) -> list[str]:
        """Return everybody who has a password."""
        path = self.folder / "passwd"
        lines = read_text(path).splitlines() if path.is_file() else []
        return [line.partition(":")[0] for line in lines]

    def seat(self, table: str, make_password: Callable[[], str]) -> str:
        """Give a table a new password, and return it; BadBroker where none can be called so."""
        if table in (HALL_USER, WATCHER):
            raise BadBroker(_("{name}: so is the hall's own user called"), name=table)
        for user in (HALL_USER, WATCHER):
            if user not in self.users():
                self._let_in(user, make_password())
        password = make_password()
        self._let_in(check_name(table), password)
        tables = [user for user in self.users() if user not in (HALL_USER, WATCHER)]
        write_whole(self.folder / "acl", acl(tables).encode())
        return password

    def write_config(self, port: int, host: str | None = None, is_tls: bool = False) -> None:
        """Write what Mosquitto is told: to listen on `port`, by TLS where `is_tls`.

        Its certificate and key are `server.crt` and `server.key` beside it then. Started by root it
        goes on as whoever writes this, who can read the files.
        """
        lines = [
            f"listener {port}" + (f" {host}" if host else ""),
            "allow_anonymous false",
            f"password_file {self.folder.absolute() / 'passwd'}",
            f"acl_file {self.folder.absolute() / 'acl'}",
            "use_username_as_clientid true",
            "max_inflight_messages 0",
            f"message_size_limit {MOST_BYTES}",
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
        """Return the SHA-256 of the broker's certificate; None where it has none here."""
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
    """Return a password as in Mosquitto's file; its salt is of the password, which is random."""
    salt = hashlib.sha256(f"salt {password}".encode()).digest()[:12]
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ITERATIONS)
    return f"$7${ITERATIONS}${b64encode(salt).decode()}${b64encode(digest).decode()}"


def acl(tables: list[str]) -> str:
    """Return the access list for these tables: what is not allowed in it is not."""
    parts = [
        "# Written by `jetan hall seat`: who may write and read what.",
        f"user {HALL_USER}\ntopic read jetan/#\ntopic readwrite hall/#",
        f"user {WATCHER}\ntopic read jetan/#\ntopic read hall/round/#\ntopic read hall/standings",
    ]
    for table in tables:
        writes = [table_topic(table, "#"), match_topic("+", table)]
        writes.append(discovery_topic(table))
        reads = [hall_topic(table, "#"), match_topic("+", "+")]
        lines = [f"user {table}", *(f"topic write {topic}" for topic in writes)]
        parts.append("\n".join([*lines, *(f"topic read {topic}" for topic in reads)]))
    return "\n\n".join(parts) + "\n"
