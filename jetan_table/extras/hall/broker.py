"""A broker's address, and who one is there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from rules.sentences import _

from ...errors import TableError
from ...files import read_text
from .settings import NO_TABLE_NAME, TABLE_NAME

PORTS: Final = {"mqtt": 1883, "mqtts": 8883}


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
