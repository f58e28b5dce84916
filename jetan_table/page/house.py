"""What the page's routes stand on, and what features add to it.

A feature adds requests, a group of the state, routes, and what is amiss of the machine.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, reduce
from operator import or_
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request as HttpRequest

from rules import Notice

from ..extras import extras
from ..journal.archive import read_kept
from ..languages import Language
from .access import Access
from .asked import AskedTable, Handler, PageRequest, Request
from .stream import Mailbox, Stream

Analyse: TypeAlias = Callable[[int, Language], Awaitable[list[Any]]]
"""Returns the verdicts on a kept game, in a language."""

MOST_READERS = 2
"""So many documents are made at once."""


@dataclass(frozen=True, slots=True)
class House:
    """All that the routes stand on."""

    mailbox: Mailbox
    """Where requests go in, and what can be seen comes out."""
    stream: Stream
    access: Access
    asked: AskedTable
    now: Callable[[], float]
    """Tells a time that runs on whatever the table does."""
    analyse: Analyse | None = None
    """Has a kept game analysed; None: in a process of its own."""
    apart: Callable[..., Awaitable[Any]] = run_in_threadpool
    """Calls what takes long, so that the table is not held up; `at_once` has but one thread."""
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

    def pages(self, asked: AskedTable) -> Mapping[str, str]:
        """Return whole pages by their paths, as HTML."""
        return {}

    def open_routes(self) -> Mapping[str, Make]:
        """Return what anybody may read, by its path."""
        return {}

    def known_routes(self, asked: AskedTable) -> Mapping[str, Make]:
        """Return what only those who know the PIN may read, by its path."""
        return {}

    def posted(self, asked: AskedTable) -> Mapping[str, Make]:
        """Return what only those who know the PIN may tell, by its path."""
        return {}

    def ways(self) -> Mapping[str, str]:
        """Return what its routes are for, as the API's description says it."""
        return {}

    def is_listed(self, start: str) -> bool:
        """Whether games from that position text are listed among those kept."""
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
    """Whether games from that position text are listed among those kept."""
    return all(part.is_listed(start) for part in page_parts())
