"""The hall's routes: anybody may watch as late as spectators do; who knows the PIN decides."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rules import Square
from rules.explain import explain

from ..game.events import SIDE_NAMES
from ..languages import LANGUAGES
from ..web.access import Access, Refused
from ..web.answers import REFUSALS, answer, read_body, refusal
from ..web.board_svg import Figure, draw
from ..web.followers import Followers
from ..web.frame import STATIC as WEB_STATIC
from ..web.requests import EntryRequest
from ..web.sentences import catalogue_of
from ..web.visits import IN_A_HALL
from .hall import EXPORT, Audience, Hall
from .requests import ArbiterRequest
from .showing import ShownGame, game_document
from .tournament import results_csv, standings_csv

STATIC: Final = Path(__file__).parent / "static"
COOKIE: Final = "jetan-arbiter"

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors "
)
TABLES_OF: Final = {"results": results_csv, "standings": standings_csv}
FRAMED, SHARED = "/embed/", "/board/"
"""What other sites may show in a frame, and as a picture: one small board."""


@dataclass(frozen=True, slots=True)
class HallHouse:
    """All that the routes stand on; without `access` nobody is the arbiter here."""

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
        found = self.audience(request).showing.shown.get(request.path_params["table"])
        if found is None:
            raise HTTPException(404, "no such table")
        return found


def make_hall_app(house: HallHouse) -> ASGIApp:
    """Return the application that serves a hall."""
    routes: list[BaseRoute] = [
        Route("/", _file("index.html")),
        Route("/favicon.ico", _favicon),
        Route("/embed/{table}", _file("index.html")),
        Mount("/static", StaticFiles(directory=STATIC)),
        Route("/events", _Events(house)),
        Route("/board/{table}.svg", _endpoint(house, _board)),
        Route("/api/hall", _endpoint(house, _tables)),
        Route("/api/hall/{table}", _endpoint(house, _table)),
        Route("/api/tournament", _endpoint(house, _tournament)),
        Route("/api/words/{language}", _endpoint(house, _words)),
        Route("/api/me", _endpoint(house, _me)),
        Route(f"/{EXPORT}/games.jgn", _endpoint(house, _games)),
        Route(f"/{EXPORT}/{{name}}.csv", _endpoint(house, _csv)),
    ]
    if house.has_arbiter:
        routes += [
            Route("/api/token", _endpoint(house, _token), methods=["POST"]),
            Route("/api/do", _endpoint(house, _do), methods=["POST"]),
        ]
    app = Starlette(
        routes=routes, middleware=[Middleware(GZipMiddleware)], exception_handlers=REFUSALS
    )
    return _HallGuard(app, house.access)


async def _favicon(request: Request) -> Response:
    return FileResponse(WEB_STATIC / "favicon.svg")


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


class _HallGuard:
    """Stands before everything: strange hosts get nothing, and all get headers."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        is_framed, is_shared = (scope["path"].startswith(way) for way in (FRAMED, SHARED))
        added = {
            "content-security-policy": POLICY + ("*" if is_framed else "'none'"),
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer",
            "cross-origin-resource-policy": "cross-origin" if is_shared else "same-origin",
        }
        headers = [(name.encode(), value.encode()) for name, value in added.items()]

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *headers]
            await send(message)

        try:
            self._access.check_host(Request(scope).headers.get("host"))
        except Refused as error:
            response: ASGIApp = refusal(error.status, error)
        else:
            response = self._app
        await response(scope, receive, send_with_headers)


def _endpoint(
    house: HallHouse, respond: Callable[[HallHouse, Request], Awaitable[Response]]
) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        return await respond(house, request)

    return endpoint


def _file(name: str) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        return FileResponse(STATIC / name, headers={"cache-control": "no-cache"})

    return endpoint


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


async def _words(house: HallHouse, request: Request) -> Response:
    language = request.path_params["language"]
    if language not in LANGUAGES:
        raise HTTPException(404, "no such language")
    return answer(catalogue_of(language, STATIC))


async def _me(house: HallHouse, request: Request) -> Response:
    delay = house.hall.public.showing.delay
    is_arbiter = house.is_arbiter(request)
    return answer(
        {
            "arbiter": is_arbiter,
            "may_enter": house.has_arbiter,
            "languages": list(LANGUAGES),
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
        position.rules.topology,
        position.pieces(),
        arrows=arrows,
        juggernaut=position.juggernaut,
    )
    headers = {"cache-control": "no-cache"}
    return Response(draw(figure), media_type="image/svg+xml", headers=headers)


async def _games(house: HallHouse, request: Request) -> Response:
    tournament = house.hall.tournament
    text = ""
    if tournament is not None and tournament.rounds:
        text = house.hall.round_text(tournament, len(tournament.rounds))
    headers = {"content-disposition": 'attachment; filename="games.jgn"'}
    return Response(text, media_type="application/x-jgn; charset=utf-8", headers=headers)


async def _csv(house: HallHouse, request: Request) -> Response:
    name = request.path_params["name"]
    tournament = house.hall.tournament_for(house.audience(request))
    if name not in TABLES_OF or tournament is None:
        raise HTTPException(404, "no such table")
    headers = {"content-disposition": f'attachment; filename="{name}.csv"'}
    media = "text/csv; charset=utf-8"
    return Response(TABLES_OF[name](tournament), media_type=media, headers=headers)


async def _token(house: HallHouse, request: Request) -> Response:
    house.access.check_origin(request.headers.get("origin"), request.headers.get("host"))
    entry = await read_body(request, EntryRequest)
    address = request.client.host if request.client else ""
    response = answer({"arbiter": True})
    token = house.access.enter(entry.pin, address)
    response.set_cookie(COOKIE, token, httponly=True, samesite="strict")
    return response


async def _do(house: HallHouse, request: Request) -> Response:
    house.access.check_origin(request.headers.get("origin"), request.headers.get("host"))
    house.access.check_token(request.cookies.get(COOKIE, ""))
    house.hall.do(await read_body(request, ArbiterRequest))
    return answer({"done": True})
