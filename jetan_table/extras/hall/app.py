"""The hall's server: its routes and its link to the broker, until it is asked to end.

Anybody may watch as late as spectators do; who knows the PIN decides.
"""

import asyncio
import socket
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from rules import RECOMMENDED, Square, explain

from ...game.events import SIDE_NAMES
from ...languages import LANGUAGES
from ...page.access import (
    FRESH,
    HEADERS,
    IN_A_HALL,
    REFUSALS,
    Access,
    Guard,
    Refused,
    address_of,
    answer,
    download,
    led_here,
    read_body,
)
from ...page.asked import EntryRequest
from ...page.pages import STATIC as WEB_STATIC
from ...page.pages import Figure, catalogue_of, draw
from ...page.server import BoundedProtocol, bounded, serve
from ...page.stream import Followers
from .broker import Broker, BrokerLink
from .hall import EXPORT, ArbiterRequest, Hall
from .hub import Audience, ShownGame, game_document
from .payloads import MOST_BYTES, OF_ALL_TABLES
from .tournament import results_csv, standings_csv

STATIC: Final = Path(__file__).parent / "static"
COOKIE: Final = "jetan-arbiter"
TICK_S: Final = 0.25

TABLES_OF: Final = {"results": results_csv, "standings": standings_csv}
EMBEDDED: Final = HEADERS["content-security-policy"].replace("ancestors 'none'", "ancestors *")
"""Other sites may show one small board in a frame."""


@dataclass(frozen=True, slots=True)
class HallHouse:
    """What the routes need; without `has_arbiter` nobody is the arbiter here."""

    hall: Hall
    access: Access
    has_arbiter: bool

    def audience(self, request: Request) -> Audience:
        """Return what this one is shown: all at once to the arbiter, what is due to others."""
        return self.hall.arbiter if self.is_arbiter(request) else self.hall.public

    def is_arbiter(self, request: Request) -> bool:
        """Whether the request comes with the arbiter's token."""
        token = request.cookies.get(COOKIE)
        if token is None or not self.has_arbiter:
            return False
        try:
            self.access.check_token(token)
        except Refused:
            return False
        return True

    def shown(self, request: Request) -> ShownGame:
        """Return the table that is asked for; 404 where this one knows none of that name."""
        found = self.audience(request).shown.get(request.path_params["table"])
        if found is None:
            raise HTTPException(404, "no such table")
        return found


def make_hall_app(house: HallHouse) -> ASGIApp:
    """Return the application that serves a hall."""
    routes: list[BaseRoute] = [
        Route("/", partial(_file, STATIC / "index.html")),
        Route("/favicon.ico", partial(_file, WEB_STATIC / "favicon.svg")),
        Route("/embed/{table}", partial(_file, STATIC / "index.html")),
        Mount("/static", StaticFiles(directory=STATIC)),
        Route("/events", _Events(house)),
        Route("/board/{table}.svg", partial(_board, house)),
        Route("/api/hall", partial(_tables, house)),
        Route("/api/hall/{table}", partial(_table, house)),
        Route("/api/tournament", partial(_tournament, house)),
        Route("/api/words/{language}", _words),
        Route("/api/me", partial(_me, house)),
        Route(f"/{EXPORT}/games.jgn", partial(_games, house)),
        Route(f"/{EXPORT}/{{name}}.csv", partial(_csv, house)),
    ]
    if house.has_arbiter:
        routes += [
            Route("/api/token", partial(_token, house), methods=["POST"]),
            Route("/api/do", partial(_do, house), methods=["POST"]),
        ]
    app = Starlette(
        routes=routes, middleware=[Middleware(GZipMiddleware)], exception_handlers=REFUSALS
    )
    return Guard(app, house.access, _headers, COOKIE)


def _headers(path: str) -> Mapping[str, str]:
    """Return what stands in all answers: only some of them may other sites show."""
    shared: dict[str, str] = {}
    if path.startswith("/embed/"):
        shared["content-security-policy"] = EMBEDDED
    if path.startswith("/board/"):
        shared["cross-origin-resource-policy"] = "cross-origin"
    return {**HEADERS, **shared}


class _Events:
    """The stream of changes, for whoever asks."""

    def __init__(self, house: HallHouse) -> None:
        hall = house.hall
        self._house = house
        self._public = Followers(hall.public.stream, hall.now, IN_A_HALL)
        self._arbiter = Followers(hall.arbiter.stream, hall.now, IN_A_HALL)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_arbiter = self._house.is_arbiter(Request(scope))
        await (self._arbiter if is_arbiter else self._public)(scope, receive, send)


async def _file(path: Path, request: Request) -> Response:
    return FileResponse(path, headers=FRESH)


async def _tables(house: HallHouse, request: Request) -> Response:
    return answer(house.hall.document(house.audience(request)))


async def _table(house: HallHouse, request: Request) -> Response:
    document = game_document(house.shown(request))
    if house.is_arbiter(request):
        heard = house.hall.hub.tables.get(request.path_params["table"])
        if heard is not None:
            asks = None if heard.said_game is None else heard.said_game.asks
            document["candidates"] = [] if asks is None else asks.squares
            document["refused"] = dict(heard.refused)
            document["last_refusal"] = heard.last_refusal
    return answer(document)


async def _tournament(house: HallHouse, request: Request) -> Response:
    tournament = house.hall.tournament_for(house.audience(request))
    if tournament is None:
        return answer(None)
    standings = msgspec.to_builtins(tournament.standings())
    return answer({**msgspec.to_builtins(tournament), "standings": standings})


async def _words(request: Request) -> Response:
    language = request.path_params["language"]
    if language not in LANGUAGES:
        raise HTTPException(404, "no such language")
    return answer(catalogue_of(language, STATIC))


async def _me(house: HallHouse, request: Request) -> Response:
    delay = house.hall.public.delay
    is_arbiter = house.is_arbiter(request)
    return answer(
        {
            "arbiter": is_arbiter,
            "may_enter": house.has_arbiter,
            "languages": list(LANGUAGES),
            "rules": RECOMMENDED,
            "late_plies": 0 if is_arbiter else delay.plies,
            "late_s": 0 if is_arbiter else delay.seconds,
        }
    )


async def _board(house: HallHouse, request: Request) -> Response:
    shown = house.shown(request)
    if shown.text is None:
        raise HTTPException(404, "no game yet")
    game = shown.text.game
    at = request.query_params.get("ply", "")
    count = min(int(at), len(game.plies)) if at.isdecimal() and len(at) < 6 else len(game.plies)
    position = game.positions[count]
    arrows: tuple[tuple[Square, ...], ...] = ()
    if count:
        start, end = game.plies[count - 1].move[:2]
        arrows = (explain(game.positions[count - 1], start, end).path or (start, end),)
    figure = Figure(
        f"{shown.table.table}: {SIDE_NAMES[position.side]}",
        position.rules.board,
        position.pieces(),
        arrows=arrows,
        juggernaut=position.juggernaut,
    )
    return Response(draw(figure), media_type="image/svg+xml", headers=FRESH)


async def _games(house: HallHouse, request: Request) -> Response:
    tournament = house.hall.tournament
    text = ""
    if tournament is not None and tournament.rounds:
        text = house.hall.round_text(tournament, len(tournament.rounds))
    return download(text, "games.jgn")


async def _csv(house: HallHouse, request: Request) -> Response:
    name = request.path_params["name"]
    tournament = house.hall.tournament_for(house.audience(request))
    if name not in TABLES_OF or tournament is None:
        raise HTTPException(404, "no such table")
    return download(TABLES_OF[name](tournament), f"{name}.csv", "text/csv")


async def _token(house: HallHouse, request: Request) -> Response:
    house.access.check_origin(*led_here(request))
    entry = await read_body(request, EntryRequest)
    response = answer({"arbiter": True})
    token = house.access.enter(entry.pin, address_of(request))
    response.set_cookie(COOKIE, token, httponly=True, samesite="strict")
    return response


async def _do(house: HallHouse, request: Request) -> Response:
    house.access.check_origin(*led_here(request))
    house.access.check_token(request.cookies.get(COOKIE, ""))
    house.hall.do(await read_body(request, ArbiterRequest))
    return answer({"done": True})


class HallProtocol(BoundedProtocol):
    """A hall has more visitors than a table."""

    room = IN_A_HALL


class HallServer:
    """Serves one hall on a socket that listens."""

    def __init__(
        self, hall: Hall, broker: Broker, access: Access, has_arbiter: bool, name: str
    ) -> None:
        """`name` is what the hall is called at the broker: no other client may have it."""
        self.hall = hall
        self._loop: asyncio.AbstractEventLoop | None = None
        self.link = BrokerLink(broker, name, OF_ALL_TABLES, self._hear)
        if has_arbiter:  # who only shows has no right to write
            hall.link = self.link
        app = make_hall_app(HallHouse(hall, access, has_arbiter))
        self._server = uvicorn.Server(bounded(app, HallProtocol))

    def run(self, listener: socket.socket, steady: Callable[[], float]) -> None:
        """Serve until a signal or `stop`; on the main thread Ctrl-C ends it."""
        asyncio.run(self._run(listener, steady))

    def stop(self) -> None:
        """End soon; may be called from any thread."""
        self._server.should_exit = True

    async def _run(self, listener: socket.socket, steady: Callable[[], float]) -> None:
        self._loop = asyncio.get_running_loop()
        self.hall.say_all()
        with closing(self.link.start(steady)):
            ticking = asyncio.create_task(self._tick())
            await serve(self._server, listener)
            ticking.cancel()

    async def _tick(self) -> None:
        while True:
            self.hall.tick()
            if self._server.should_exit:
                self.hall.public.stream.close()
                self.hall.arbiter.stream.close()
            await asyncio.sleep(TICK_S)

    def _hear(self, topic: str, content: bytes) -> None:
        """Hand a word over to the hall's own thread; more than any table says is cut."""
        assert self._loop is not None
        content = content[: MOST_BYTES + 1]
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.hall.heard, topic, content)
