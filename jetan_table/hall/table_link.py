"""A table's own link to its hall, as its settings say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

from .. import __version__
from ..settings import Settings
from . import topics
from .broker import Broker, parse_broker
from .home_assistant import Bridge
from .link import Link, Links
from .teller import Teller


def broker_of(settings: Settings) -> Broker:
    """Return the broker of the settings, as this table comes to it; BadBroker, or OSError."""
    hall = settings.hall
    table = topics.check_name(hall.table)
    user = hall.user or (table if hall.password else "")
    return parse_broker(hall.broker).as_user(user, hall.password, hall.certificate)


@contextmanager
def telling(settings: Settings, since: float, steady: Callable[[], float]) -> Iterator[Teller]:
    """Give a table's teller while the block runs; MissingPackage without the client.

    `since` is when the program began, in seconds since 1970; `steady` tells the time for retries.
    """
    table, broker = settings.hall.table, broker_of(settings)
    bridge = None
    if settings.hall.home_assistant:
        bridge = Bridge(table, __version__, settings.table.language)
    teller = Teller(table, settings.table.board, __version__, since, bridge)
    reads = [topics.hall_topic(table, what) for what in (topics.SEAT, topics.WORD)]
    will = topics.table_topic(table, topics.ONLINE), b"0"
    link = Link(broker, f"jetan-{table}", reads, teller.take_in, will)
    with closing(teller), closing(Links([link], steady).start()):
        yield teller.start(link)
