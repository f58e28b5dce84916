"""The names of what is said through a broker: each topic has one writer ([hall.md])."""

import re
from typing import Final

from .settings import TABLE_NAME

ONLINE, GAME, HEALTH = "online", "game", "health"
"""What a table says."""

SEAT, WORD = "seat", "word"
"""What the hall says to a table."""

HOME: Final = "home"
"""What a table says to Home Assistant alone."""

OF_ALL_TABLES: Final = tuple(f"jetan/table/+/{what}" for what in (ONLINE, GAME, HEALTH))
_OF_TABLE = re.compile(rf"jetan/table/(?P<name>{TABLE_NAME})/(?P<what>{ONLINE}|{GAME}|{HEALTH})")


def table_topic(table: str, what: str) -> str:
    """Return where a table says its `online`, `game` or `health`."""
    return f"jetan/table/{table}/{what}"


def read_topic(topic: str) -> tuple[str, str] | None:
    """Return whose topic this is and what is said there; None where it is no table's."""
    match = _OF_TABLE.fullmatch(topic)
    return None if match is None else (match["name"], match["what"])


def hall_topic(table: str, what: str) -> str:
    """Return where the hall says a table its `seat` or an arbiter's `word`."""
    return f"hall/table/{table}/{what}"


def round_topic(number: int) -> str:
    """Return where the hall says the pairs of a round."""
    return f"hall/round/{number}"


STANDINGS: Final = "hall/standings"


def match_topic(match: str, table: str) -> str:
    """Return where a table says its own side of a match."""
    return f"jetan/match/{match}/{table}"


def discovery_topic(table: str) -> str:
    """Return where a table tells Home Assistant what it has."""
    return f"homeassistant/device/jetan/{table}/config"
