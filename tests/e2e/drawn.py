"""A page that is shown documents: what a table in this process has come to, which nobody plays at.

For tests of what a page draws of a state, however that came to be: a real server sends it.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jetan_table.page.access import Access
from jetan_table.page.app import make_app
from jetan_table.page.house import House
from jetan_table.page.playing import LOOPBACK
from jetan_table.page.server import listen, serving
from jetan_table.page.stream import Stream
from tests.e2e.served import Visitor
from tests.jetan_table.page.test_on_screen import ScreenTable, on_screen

PIN = "123456"


class Drawn:
    """A server of pages, which show whatever state they are given; `visiting` visits it."""

    pin = PIN

    def __init__(self, table: ScreenTable, url: str) -> None:
        self.url, self._mailbox, self._number = url, table.page.mailbox, 0

    def show(self, table: ScreenTable, *guests: Visitor) -> None:
        """Show what a table has come to, and wait until the guests' pages do."""
        self._number += 1
        self._mailbox.publish({**table.state, "game": self._number}, table.table.record)
        for guest in guests:
            guest.page.wait_for_selector(f'body[data-ready="{self._number}"]')


@contextmanager
def drawn(folder: Path) -> Iterator[Drawn]:
    """Serve pages that first show a game nobody has begun."""
    with on_screen(folder) as table, listen(LOOPBACK, 0) as listener:
        page, asked = table.page, table.asked
        access = Access(PIN, (), time.monotonic, lambda: "token")
        house = House(page.mailbox, Stream("drawn"), access, asked, time.monotonic)
        with serving(make_app(house), listener, page.mailbox, house.stream, time.monotonic):
            yield Drawn(table, f"http://{LOOPBACK}:{listener.getsockname()[1]}/")
