"""Who may do what at a broker: the files that Mosquitto reads, written here as a whole.

Every table has a user of its own name, and a line for each topic it may write: no table can write
another's word, and who only watches can write nothing.
"""

import getpass
import hashlib
import ssl
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rules.sentences import _

from ...files import PRIVATE, read_text, write_whole
from .broker import BadBroker, check_name
from .payloads import MOST_BYTES, discovery_topic, hall_topic, match_topic, table_topic

HALL_USER, WATCHER = "hall", "watcher"
"""Who says what the hall says, and who may read all that tables say; no table is called so."""

ITERATIONS: Final = 101
"""As Mosquitto stores passwords; ours are random and long, so no more are needed."""


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
