"""The table of a browser: it answers what its page asks, and steps between.

A table of a machine has a thread, and its server another. Here one loop does both: `ask` hands a
request to the same application, and `run` steps the table whenever something is due or asked. No
answer leaves before what came of the step is where the browser keeps it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Final

from ...boards.screen import POINTER_S, ScreenBoard, typed_hands
from ...game.commands import New
from ...game.record import Record
from ...journal.journal import Journal
from ...languages import Language
from ...light.lamps import LampChoice, kept_choice
from ...light.words import Speaker
from ...page.access import Access, Visit
from ...page.app import make_app
from ...page.asked import AskedTable
from ...page.house import Analyse, House, at_once
from ...page.playing import CALM_S, PageTable
from ...page.stream import Stream
from ...settings import Settings
from ...table.games import new_game, open_game
from ...table.loop import OwnTime, WallClock
from ...terminal.typed import TypedTable
from ...wiring import Seating, at_table, dice_of, guests_of, join, unguessable, usual_game

HOST: Final = "localhost"
"""By this name the page's requests reach the table, whatever the site is called."""

Start = Callable[[int, list[tuple[str, str]]], None]
Send = Callable[[bytes], None]


class BrowserTable:
    """A table on the page's own board, whose games are kept in `folder`."""

    def __init__(
        self,
        folder: Path,
        language: Language,
        analyse: Analyse,
        keep: Callable[[], Awaitable[Any]],
    ) -> None:
        settings, clock = Settings(), WallClock()
        self._keep, self._is_asked = keep, True
        """`_is_asked`: since the last look at it somebody has asked for something."""
        self._journal = journal = Journal(folder)
        self._kept_rev = -1
        begun = new_game(None, usual_game(settings), New(), None, clock.now())
        opened = open_game(journal, begun.header, begun.events)
        hands = typed_hands(journal, opened, 1, POINTER_S, settings.reed.debounce_ms)
        board = ScreenBoard(hands, simulates=False)
        dice = dice_of(journal, settings)
        seating = Seating(
            settings,
            folder,
            opened.record,
            dice,
            clock,
            Speaker(language, settings.reed.switch_of()),
            hands,
        )
        self._ends = ExitStack()
        guests = self._ends.enter_context(guests_of(seating))
        table = join(board, journal, opened, settings, dice, guests, hands)
        seating.table = self._table = table
        self._ends.enter_context(at_table(seating))
        own_time = OwnTime(clock, lambda: (board.due, table.session.due))
        look = LampChoice(settings.lamps.palette, settings.lamps.brightness)
        table.light_by(kept_choice(folder, look))
        asked = AskedTable(
            table=table,
            hands=hands,
            typed=TypedTable(table, hands, own_time, language, folder, False),
            archive=journal.archive,
            folder=folder,
            clock=own_time,
            language=language,
            look=look,
            screen=board,
        )
        access = Access(None, [], clock.now, unguessable)
        self._page = PageTable(asked, clock.now)
        stream = Stream(unguessable())
        self._page.mailbox.follow(stream.push)
        house = House(
            self._page.mailbox, stream, access, asked, clock.now, analyse=analyse, apart=at_once
        )
        self._app = make_app(house)
        self._woken, self._is_kept = asyncio.Event(), asyncio.Event()
        self._gone: dict[int, asyncio.Event] = {}

    @property
    def record(self) -> Record:
        return self._table.record

    async def run(self) -> None:
        """Step the table for ever: at once where something is asked, else when it is due."""
        while True:
            self._is_kept.clear()
            is_asked, self._is_asked = self._is_asked, False
            self._page.step(0.0)
            if is_asked or self._journal.rev != self._kept_rev:
                self._kept_rev = self._journal.rev
                await self._keep()
            self._is_kept.set()
            with suppress(TimeoutError):
                async with asyncio.timeout(self._page.wait_s or CALM_S):
                    await self._woken.wait()
            self._woken.clear()

    async def ask(
        self,
        number: int,
        method: str,
        path: str,
        query: str,
        headers: Iterable[tuple[str, str]],
        body: bytes,
        start: Start,
        send: Send,
    ) -> None:
        """Answer a request: `start` gets status and headers, and `send` each part of the body.

        `number` names the request, to cancel it if its page has gone.
        """
        gone = self._gone[number] = asyncio.Event()
        parts = [{"type": "http.request", "body": bytes(body), "more_body": False}]

        async def receive() -> dict[str, Any]:
            if parts:
                return parts.pop()
            await gone.wait()
            return {"type": "http.disconnect"}

        async def answer(message: Any) -> None:
            await self._is_kept.wait()
            if gone.is_set():
                return
            if message["type"] == "http.response.start":
                start(message["status"], [(k.decode(), v.decode()) for k, v in message["headers"]])
            elif message.get("body"):
                send(message["body"])

        own = [("host", HOST), ("origin", f"http://{HOST}")]
        kept = [(name, value) for name, value in headers if name not in ("host", "origin")]
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in [*own, *kept]],
            "client": ("127.0.0.1", number),
            "server": (HOST, 80),
            "state": {"visit": Visit("127.0.0.1", gone.set, 0.0)},
        }
        try:
            self._is_asked |= method == "POST"  # files beside the journal may change by it
            asyncio.get_running_loop().call_soon(self._woken.set)
            await self._app(scope, receive, answer)
        finally:
            self._gone.pop(number, None)

    def leave(self, number: int) -> None:
        """Know that nobody waits for a request's answer any more."""
        if number in self._gone:
            self._gone[number].set()
