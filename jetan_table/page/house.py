"""The ground of the page's routes, and what features add to it.

Requests go into a mailbox from the server's thread, snapshots of the state come out of the table's.
A feature adds requests, a group of the state, routes, and what is amiss of the machine.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import cache, reduce
from operator import or_
from pathlib import Path
from queue import Empty, Full, Queue
from typing import Any, ClassVar, NamedTuple, TypeAlias

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request as HttpRequest

from rules import Notice, Worded, _

from ..extras import extras
from ..game.record import Record
from ..journal.archive import read_kept
from ..languages import Language
from ..table.supervision import SLOW_DISK_S, WATCHDOG_S
from .access import UNANSWERED, Access, Refused
from .asked import AskedTable, Handler, PageRequest, Request
from .state import State
from .stream import Stream, health

MOST_WAITING = 64
"""Requests that may wait for the table, which does hundreds in a second."""


class PageAnswer(NamedTuple):
    """The outcome of a request: sentences for people."""

    said: list[str]
    waits: bool = False
    """True if it waits for the disk, and is certain to happen once that accepts it."""


Done: TypeAlias = tuple[Future[PageAnswer], PageAnswer | Exception]
"""A request's answer to be, and what came of it."""


class Mailbox:
    """The place where the server hands requests in, and the table hands states out.

    What it holds are values that any thread may read.
    """

    def __init__(self, state: State, record: Record) -> None:
        self.state, self.record = state, record
        self.last_step: tuple[float, tuple[Notice, ...]] | None = None
        """When the table made its last step, and what kept it from going on then."""
        self.is_at_disk = False
        """Whether the table waits for its disk, and makes no step meanwhile."""
        self._asked: Queue[tuple[Request, Future[PageAnswer]]] = Queue(MOST_WAITING)
        self._tell: Callable[[State], object] = lambda state: None

    def slow_disk(self, now: float) -> Worded | None:
        """Return that the disk is waited for, where that takes long; any thread may ask."""
        step = self.last_step
        is_slow = self.is_at_disk and step is not None and now > step[0] + SLOW_DISK_S
        return Worded(_("the disk takes long to answer; it is waited for")) if is_slow else None

    # The server's side

    def ask(self, request: Request) -> Future[PageAnswer]:
        """Hand a request in; its result is what comes of it. Refused where too many wait."""
        answer: Future[PageAnswer] = Future()
        try:
            self._asked.put_nowait((request, answer))
        except Full:
            much = _("the table has too much to do just now; ask again")
            raise Refused(much, UNANSWERED, again_s=1) from None
        return answer

    def follow(self, tell: Callable[[State], object]) -> None:
        """Let `tell` be called, on the table's thread, with every state from now on."""
        self._tell = tell
        tell(self.state)

    # The table's side

    def serve(self, do: Callable[[Request], PageAnswer], wait_s: float) -> list[Done]:
        """Do what is asked, after waiting for it for at most `wait_s`; answer it by and by."""
        done: list[Done] = []
        try:
            request, answer = (
                self._asked.get(timeout=wait_s) if wait_s else self._asked.get_nowait()
            )
            while True:
                if answer.set_running_or_notify_cancel():
                    done.append((answer, _result(do, request)))
                request, answer = self._asked.get_nowait()
        except Empty:
            return done

    def answer(self, done: Iterable[Done]) -> None:
        """Answer what was done, once it can be seen."""
        for answer, result in done:
            if isinstance(result, Exception):
                answer.set_exception(result)
            else:
                answer.set_result(result)

    def publish(self, state: State, record: Record) -> None:
        """Hand out what can be seen now."""
        self.state, self.record = state, record
        self._tell(state)


def _result(do: Callable[[Request], PageAnswer], request: Request) -> PageAnswer | Exception:
    try:
        return do(request)
    except Exception as error:  # whoever asked is told; a defect of ours must not stop the table
        return error


# What the routes stand on

Analyse: TypeAlias = Callable[[int, Language], Awaitable[list[Any]]]
"""Returns the verdicts on a kept game, in a language."""

MOST_READERS = 2
"""Documents that may be made at once."""


@dataclass(frozen=True, slots=True)
class House:
    """All that the routes stand on."""

    mailbox: Mailbox
    """The place where requests go in, and states come out."""
    stream: Stream
    access: Access
    asked: AskedTable
    now: Callable[[], float]
    """Tells a time that runs on whatever the table does."""
    analyse: Analyse | None = None
    """Has a kept game analysed; None: in a process of its own."""
    apart: Callable[..., Awaitable[Any]] = run_in_threadpool
    """Calls what takes long, so that the table is not held up; `at_once` has but one thread."""
    shared: dict[object, Any] = field(default_factory=dict)
    """Objects that routes keep between requests, by their types."""
    readers: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MOST_READERS))
    """Held by whoever makes a document that takes long."""

    async def read(self, make: Callable[..., Any], *arguments: Any) -> Any:
        """Make what takes long: so few at once that the table is not held up."""
        async with self.readers:
            return await self.apart(make, *arguments)

    async def kept(self, read: Callable[..., Any], *arguments: Any) -> Any:
        """Read the journal so, with a connection of its own."""
        return await self.read(read_kept, self.asked.folder, read, *arguments)


async def at_once(make: Callable[..., Any], *arguments: Any) -> Any:
    """Call where no other thread is."""
    return make(*arguments)


Make: TypeAlias = Callable[[House, HttpRequest], Any]
"""Returns a document, or a whole response, or what brings either."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One thing that can be asked: a route, and what its description says of it."""

    path: str
    """The route; each name in `{braces}` is one of `openapi.PARAMETERS`."""
    what: str
    make: Make
    answers: str
    """The name of a schema of the answer, as JSON; or another media type."""
    needs: Sequence[str] = ()
    """Required query parameters."""
    may: Sequence[str] = ()
    """Optional query parameters."""
    takes: str | None = None
    """The name of the schema of a body, which makes it a POST."""
    is_known: bool = False
    """True if it needs a token, which the PIN gives."""
    also: Mapping[int, str] = field(default_factory=dict)
    """Other statuses that come with the same kind of answer, and their meaning."""

    @property
    def method(self) -> str:
        return "GET" if self.takes is None else "POST"


class PagePart:
    """A feature's part of the page: it adds nothing, each overrides what it does add."""

    state: ClassVar[type[msgspec.Struct] | None] = None
    """One more group of the state; its fields lie flat among the others."""
    panel: ClassVar[Path | None] = None
    """The folder of its scripts and styles, served below `/static/extras/`; `panel.js` is brought
    into the page (what that may export stands in `static/features.js`)."""

    def handlers(self) -> Mapping[type[PageRequest], Handler]:
        """Return what does each request of this feature, by its type."""
        return {}

    def state_of(self, asked: AskedTable) -> msgspec.Struct | None:
        """Return its group of the state, which is one of `state`; None where it has none."""
        return None

    def seen(self, asked: AskedTable) -> object:
        """Return what its group is made of: where that is the same, the group is not made anew."""
        return None

    def amiss(self, asked: AskedTable) -> tuple[Sequence[Notice], frozenset[str]]:
        """Return what is amiss of the machine, and the ids of notices nobody wants to hear of."""
        return (), frozenset()

    def about(self, asked: AskedTable) -> Mapping[str, Any]:
        """Return what it adds to `/api/about`."""
        return {}

    def ways(self) -> Sequence[Endpoint]:
        """Return the endpoints that this feature adds."""
        return ()

    def described(self) -> Mapping[str, Any]:
        """Return the types of what it takes in besides requests, by the names of their schemas."""
        return {}

    def is_listed(self, start: str) -> bool:
        """Return True if games from that position text are listed among those kept."""
        return True


@cache
def page_parts() -> tuple[PagePart, ...]:
    """Return the parts of all features."""
    return tuple(part for extra in extras().values() if (part := extra.page()) is not None)


@cache
def brought_handlers() -> Mapping[type, Handler]:
    """Return what does the requests of features, by their types."""
    return {kind: done for part in page_parts() for kind, done in part.handlers().items()}


def do(asked: AskedTable, request: Request) -> list[str]:
    """Do what is asked and return what there is to say; a refusal of the table's if not."""
    handler = brought_handlers().get(type(request))
    return asked.do(request) if handler is None else handler(asked, request) or []


@cache
def every_request() -> Any:
    """Return the type of all that a page can ask for."""
    return reduce(or_, brought_handlers(), Request)


def panels() -> Mapping[str, Path]:
    """Return the folders of features' scripts, by the names of the features."""
    parts = {name: extra.page() for name, extra in extras().items()}
    return {name: part.panel for name, part in parts.items() if part is not None and part.panel}


def state_groups() -> tuple[type[msgspec.Struct], ...]:
    """Return the groups that features add to the state."""
    return tuple(part.state for part in page_parts() if part.state is not None)


def is_listed(start: str) -> bool:
    """Return True if games from that position text are listed among those kept."""
    return all(part.is_listed(start) for part in page_parts())


def health_of(mailbox: Mailbox, now: float) -> dict[str, Any]:
    """Return how a table is by its last step; without one for `WATCHDOG_S` it senses nothing.

    Any thread may ask; `now` runs on whatever the table does.
    """
    if mailbox.last_step is None:
        return health("the board was not scanned yet", None)
    at, troubles = mailbox.last_step
    age_s = round(max(now - at, 0.0), 3)
    late = f"no scan for {age_s:.0f} s" if age_s > WATCHDOG_S else None
    of_disk = {each.check == "disk": each.found for each in troubles}
    sensing, disk = late or of_disk.get(False), mailbox.slow_disk(now) or of_disk.get(True)
    return health(sensing, disk, age_s, mailbox.state["notices"])
