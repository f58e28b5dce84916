"""A table played on the page: the table's thread runs here, the server beside it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias

from rules import Notice, Worded, _

from ..game.record import Record
from ..light.lamps import Lighting
from ..notices import listed
from ..session.session import Certain, Guest
from ..session.view import View
from ..table.loop import OwnTime
from .access import Access
from .app import make_app
from .asked import AskedTable, Request
from .house import House, Mailbox, PageAnswer, do, page_parts
from .state import State, of_table, state_of
from .stream import Stream

LOOPBACK, EVERYWHERE = "127.0.0.1", "0.0.0.0"

BUSY_S, THINKING_S, CALM_S = 0.01, 0.05, 0.25
"""A simulated table is looked at so often: while its switches move, while somebody thinks, and
while nothing but a clock or the disk can change anything. What is asked wakes it at once."""

WAITS = _("The disk is not ready: this is done as soon as it can be saved.")

Some: TypeAlias = tuple[object, ...] | None
Shown: TypeAlias = tuple[View, Lighting, int, bool, Some, Some, Some]


@dataclass(frozen=True, slots=True)
class Address:
    """Where the page is served: to this machine, or to all that reach it; port 0 is any free."""

    port: int
    is_open: bool = False
    others: int = 0
    """How many ports after it may be taken instead."""


class PageTable(Guest):
    """Steps a table, does what pages ask, and shows them every change."""

    def __init__(
        self,
        asked: AskedTable,
        now: Callable[[], float] | None = None,
        guessed: Callable[[], int] = lambda: 0,
    ) -> None:
        """`now` tells a time that runs on whatever the table does; without, it is the table's.

        `guessed` tells how many wrong PINs are to be shown.
        """
        self._asked, self._table, self._now = asked, asked.table, now or asked.clock.now
        self._guessed = guessed
        self._own_time = asked.clock if isinstance(asked.clock, OwnTime) else None
        self._shown = _shown(asked, self._amiss)
        self.mailbox = Mailbox(*self._look())
        self._table.welcome(self)
        self._table.watch_by(asked.watch)
        # That it was off is written before anybody asks for anything.
        self._table.step(asked.clock.now())

    def step(self, wait_s: float) -> None:
        """Wait for at most `wait_s` for something asked, do it, and let the table step.

        What was asked is answered once what came of it is shown.
        """
        done = self.mailbox.serve(self._do, wait_s)
        clock = self._asked.clock  # a simulated table has to be caught up with
        for now in self._own_time.moments() if self._own_time else (clock.now(),):
            self._asked.step(now)
        self._asked.oblige()
        self.mailbox.answer(done)

    def _do(self, request: Request) -> PageAnswer:
        waited = self._table.is_unwritten
        sentences = do(self._asked, request)
        if waited or not self._table.is_unwritten:
            return PageAnswer(sentences)
        return PageAnswer([*sentences, WAITS], waits=True)

    def at_disk(self, waits: bool) -> None:
        """Let the server know, whose thread says so where it takes long."""
        self.mailbox.is_at_disk = waits

    def follow(self, certain: Certain) -> None:
        """Show pages what has changed, and monitors that the table goes on."""
        self.mailbox.last_step = self._now(), self._table.troubles
        shown = _shown(self._asked, self._amiss)
        if shown != self._shown:
            self._shown = shown
            self.mailbox.publish(*self._look())

    @property
    def wait_s(self) -> float | None:
        """How long the table may wait for something asked; None where sensors cannot wait."""
        asked = self._asked
        if asked.screen is None:
            return None
        if self._own_time is not None and self._own_time.is_busy:
            return BUSY_S
        advice = self._table.view.help.advice
        thinks = advice is not None and advice.move is None
        if thinks or asked.plays_now:
            return THINKING_S
        return CALM_S

    @property
    def _amiss(self) -> tuple[Notice, ...]:
        """What is amiss of the machine, and at the page's door."""
        found = tuple(note for part in page_parts() for note in part.amiss(self._asked)[0])
        if not (count := self._guessed()):
            return found
        many = Worded(
            _("Somebody is guessing the table’s PIN: about {count} wrong tries lately."),
            count=count,
        )
        mend = _("started without --lan, nobody else reaches the table")
        return (*found, Notice("guesses", "warn", many, mend))

    def _look(self) -> tuple[State, Record]:
        asked = self._asked
        groups = (part.state_of(asked) for part in page_parts())
        state = state_of(
            self._table,
            asked.touching,
            asked.typed is not None,
            asked.screen,
            listed((*of_table(self._table), *self._amiss), _ignored(asked)),
            _watch(asked),
            tuple(group for group in groups if group is not None),
        )
        return state, self._table.record


def _shown(asked: AskedTable, amiss: tuple[Notice, ...]) -> Shown:
    """Return what a change of which is a change of the state."""
    table, hands = asked.table, asked.touching
    touched: Some = None
    if hands is not None:
        held = tuple(hands.in_hand), tuple(hands.box)
        touched = (dict(hands.standing), held, dict(hands.ailing))
    brought = (_watch(asked), *(part.seen(asked) for part in page_parts()))
    listed_from = (amiss, _ignored(asked))
    return table.view, table.lighting, table.game, asked.is_on_screen, brought, touched, listed_from


def _ignored(asked: AskedTable) -> frozenset[str]:
    return frozenset[str]().union(*(part.amiss(asked)[1] for part in page_parts()))


def _watch(asked: AskedTable) -> State | None:
    if not asked.is_watched:
        return None
    return {"every_s": asked.pace.every_s, "is_paused": asked.pace.is_paused}


@contextmanager
def shown(
    asked: AskedTable,
    access: Access,
    address: Address,
    epoch: str,
    now: Callable[[], float],
) -> Iterator[tuple[PageTable, int]]:
    """Serve a table's page while the block runs; gives what steps the table, and the port.

    `epoch` is a word no other start has; `now` tells a time that runs on whatever the table does.
    Raises PortTaken.
    """
    page = PageTable(asked, now, lambda: access.guessed)
    house = House(page.mailbox, Stream(epoch), access, asked, now)
    from .server import (
        listen,  # which a table in a browser does without
        serving,  # which a table in a browser does without
    )

    host = EVERYWHERE if address.is_open else LOOPBACK
    with (
        listen(host, address.port, address.others) as listener,
        serving(make_app(house), listener, page.mailbox, house.stream, now),
    ):
        yield page, listener.getsockname()[1]
