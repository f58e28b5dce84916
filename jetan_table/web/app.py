"""The server's routes: who may ask what, and how it is answered."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request as HttpRequest
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from rules import Position, parse_position, parse_rules, parse_square
from rules.numbers import whole_number
from rules.sentences import _

from ..journal.archive import Archive
from ..journal.game_files import game_text
from ..journal.series import format_csv, read_series
from ..languages import Language, say_in
from ..session.umpire import check_help
from ..setup.guide import SetUp
from . import camera, documents, frame, requests, setting_up
from .access import KNOWN_S, Access, Refused, bearer, is_here
from .analyst import Analyse, Analyst, in_a_process
from .answers import (
    REFUSALS,
    NotUnderstood,
    TooSlow,
    answer,
    read_body,
    refusal,
    while_there,
)
from .api import api
from .board_svg import Figure, draw
from .camera import TableEye
from .followers import Followers
from .frame import STATIC
from .health import Monitor
from .learning import cards_document, lessons_document, puzzles_document
from .mailbox import Mailbox, PageAnswer
from .piece_svg import page_pieces
from .seldom import note_refusal
from .stream import Stream
from .visits import Visit
from .words import PAGE_WORDS

MOST_GAMES = 10**9
"""Numbers of games go no farther, whatever is asked for."""

COOKIE = "jetan"
"""Holds the token that a browser was given last. It says who is known, and changes nothing."""

MOST_READERS = 2
"""So many documents are made at once."""

ANSWER_S = 10.0
"""The table answers within so long, or is said not to."""

UNDER_WAY = _("The table is still at it.")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
)

Endpoint: TypeAlias = Callable[[HttpRequest], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class House:
    """All that the routes stand on."""

    mailbox: Mailbox
    """Where requests go in, and what can be seen comes out."""
    stream: Stream
    access: Access
    folder: Path
    """Where games are kept and saved."""
    language: Language
    """What the table speaks, where a page does not choose."""
    now: Callable[[], float]
    """Tells the time on the table clock."""
    monitor: Monitor
    """Knows whether the table goes on."""
    eye: TableEye | None = None
    """None where no camera looks on."""
    sensors: Callable[[], Mapping[str, Any]] = dict
    """Makes the document of the board as its sensors see it."""
    set_up: SetUp | None = None
    """None where this table is not to be set up anew."""
    analyse: Analyse | None = None
    """Has a kept game analysed; None: in a process of its own."""
    apart: Callable[..., Awaitable[Any]] = run_in_threadpool
    """Calls what takes long, so that the table is not held up."""
    readers: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MOST_READERS))
    """Held by whoever makes a document that takes long."""

    def within_one_thread(self, analyse: Analyse) -> House:
        """Return the same for a machine that has no other thread, and no process."""
        return replace(self, analyse=analyse, apart=_here)

    async def read(self, make: Callable[..., Any], *arguments: Any) -> Any:
        """Make what takes long: so few at once that the table is not held up."""
        async with self.readers:
            return await self.apart(make, *arguments)


async def _here(make: Callable[..., Any], *arguments: Any) -> Any:
    """Call at once."""
    return make(*arguments)


def make_app(house: House) -> ASGIApp:
    """Return the application that serves a table's page."""
    routes = [
        Route("/", _page(frame.TABLE)),
        Route("/sensors", _page(frame.SENSORS)),
        Route("/favicon.ico", _file("favicon.svg")),
        Mount("/static", StaticFiles(directory=STATIC)),
        Route("/pieces.svg", _page_pieces),
        Route("/events", Followers(house.stream, house.now)),
        Route("/board.svg", _board_svg(house)),
        Route("/health", partial(_health, house)),
        Route("/api", _plain(api)),
        Route("/api/about", _plain(lambda: _about(house))),
        Route("/api/words/{language}", _words),
        Route("/api/boards/{name}", _board),
        Route("/api/rules", _rules),
        Route("/api/lessons/{language}", _lessons),
        Route("/api/puzzles/{language}", _puzzles),
        Route("/api/cards/{language}", partial(_cards, house)),
        *_game_routes(house),
        *_series_routes(house),
        *_camera_routes(house),
        *_set_up_routes(house),
        Route("/api/sensors", _plain(house.sensors)),
        Route("/api/explain", partial(_explain, house)),
        Route("/api/token", partial(_token, house), methods=["POST"]),
        Route("/api/do", partial(_do, house), methods=["POST"]),
    ]
    smaller = [Middleware(GZipMiddleware)]
    app = Starlette(routes=routes, middleware=smaller, exception_handlers=REFUSALS)
    return _Guard(app, house.access)


class _Guard:
    """Stands before everything: hosts that are not the table's get nothing; all get headers.

    It notes on a visit whether whoever asks is known.
    """

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *HEADERS]
            await send(message)

        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = HttpRequest(scope)
        try:
            self._access.check_host(request.headers.get("host"))
        except Refused as error:
            if error.status == 400:
                note_refusal(error, request.url.path)
            response: ASGIApp = refusal(error.status, error)
        else:
            response = self._app
            visit: Visit = scope["state"]["visit"]
            visit.is_known = (
                visit.is_known or self._access.knows(_held(request)) or _is_here(request)
            )
        await response(scope, receive, send_with_headers)


def _page(page: frame.FramedPage) -> Endpoint:
    html = page.html()

    async def endpoint(request: HttpRequest) -> Response:
        return Response(html, media_type="text/html", headers={"cache-control": "no-cache"})

    return endpoint


def _file(name: str) -> Endpoint:
    async def endpoint(request: HttpRequest) -> Response:
        return FileResponse(STATIC / name, headers={"cache-control": "no-cache"})

    return endpoint


async def _page_pieces(request: HttpRequest) -> Response:
    headers = {"cache-control": "no-cache"}
    return Response(page_pieces(), media_type="image/svg+xml", headers=headers)


def _plain(make: Callable[[], Mapping[str, Any]]) -> Endpoint:
    async def endpoint(request: HttpRequest) -> Response:
        return answer(make())

    return endpoint


async def _health(house: House, request: HttpRequest) -> Response:
    health = house.monitor.look()
    return answer(health, 200 if health.is_well else 503)


async def _words(request: HttpRequest) -> Response:
    return answer(PAGE_WORDS[_language(request.path_params["language"])])


async def _board(request: HttpRequest) -> Response:
    return answer(documents.board(request.path_params["name"]))


async def _rules(request: HttpRequest) -> Response:
    return answer(documents.rules_text(_parameter(request, "rules")))


async def _lessons(request: HttpRequest) -> Response:
    return answer(lessons_document(_language(request.path_params["language"])))


async def _puzzles(request: HttpRequest) -> Response:
    return answer(puzzles_document(_language(request.path_params["language"])))


async def _cards(house: House, request: HttpRequest) -> Response:
    rules = request.query_params.get("rules", house.mailbox.snapshot.state.game.rules)
    return answer(cards_document(rules, _language(request.path_params["language"])))


def _board_svg(house: House) -> Endpoint:
    async def endpoint(request: HttpRequest) -> Response:
        state = house.mailbox.snapshot.state
        if (text := request.query_params.get("game")) is not None:
            record = await house.read(_reading, house, documents.kept_record, _number(text))
            positions = record.game.positions
            plies = _number(request.query_params.get("plies", str(len(positions) - 1)))
            return _drawn(positions[min(plies, len(positions) - 1)])
        rules = parse_rules(request.query_params.get("rules", state.game.rules))
        position = parse_position(request.query_params.get("position", state.game.position), rules)
        return _drawn(position)

    return endpoint


def _drawn(position: Position) -> Response:
    topology, pieces = position.rules.topology, position.pieces()
    figure = Figure("Jetan", topology, pieces, juggernaut=position.juggernaut)
    return Response(draw(figure), media_type="image/svg+xml")


def _game_routes(house: House) -> list[Route]:
    """Return the routes of games: the one in play, those kept, those saved."""

    async def in_play(request: HttpRequest) -> Response:
        record = house.mailbox.snapshot.record
        return answer(await house.read(documents.game_document, record))

    async def in_play_text(request: HttpRequest) -> Response:
        return _text(game_text(house.mailbox.snapshot.record), "game.jgn")

    async def listed(request: HttpRequest) -> Response:
        return answer(await house.read(_reading, house, documents.games, house.folder))

    async def kept(request: HttpRequest) -> Response:
        game = _number(request.path_params["game"])
        record = await house.read(_reading, house, documents.kept_record, game)
        return answer(await house.read(documents.game_document, record))

    async def kept_text(request: HttpRequest) -> Response:
        game = _number(request.path_params["game"])
        text = await house.read(_reading, house, documents.kept_text, game)
        return _text(text, f"{game:05}.jgn")

    analyst = Analyst(house.analyse or in_a_process(house.folder))

    async def analysis(request: HttpRequest) -> Response:
        game = _number(request.path_params["game"])
        language = _language(request.query_params.get("lang", "en"))
        record = await house.read(_reading, house, documents.kept_record, game)
        for each in (record, house.mailbox.snapshot.record):
            check_help(each)
        visit: Visit = request.scope["state"]["visit"]
        analysed = analyst.rows(game, len(record.moves), language, visit)
        return answer({"game": game, "rows": await while_there(request, analysed)})

    async def saved(request: HttpRequest) -> Response:
        name = request.path_params["name"]
        return answer(await house.read(documents.saved_document, house.folder, name))

    return [
        Route("/api/game", in_play),
        Route("/api/game.jgn", in_play_text),
        Route("/api/games", listed),
        Route("/api/games/{game}.jgn", kept_text),
        Route("/api/games/{game}/analysis", analysis),
        Route("/api/games/{game}", kept),
        Route("/api/saved/{name}", saved),
    ]


def _series_routes(house: House) -> list[Route]:
    """Return the routes of series: how all stand, and one with its games, also as CSV."""

    async def listed(request: HttpRequest) -> Response:
        return answer(await house.read(_reading, house, documents.all_series))

    async def one(request: HttpRequest) -> Response:
        name = request.path_params["name"]
        return answer(await house.read(_reading, house, documents.series_document, name))

    async def as_csv(request: HttpRequest) -> Response:
        series = await house.read(_reading, house, read_series, request.path_params["name"])
        headers = {"content-disposition": 'attachment; filename="series.csv"'}
        media = "text/csv; charset=utf-8"
        return Response(format_csv(series), media_type=media, headers=headers)

    return [
        Route("/api/series", listed),
        Route("/api/series/{name}.csv", as_csv),
        Route("/api/series/{name}", one),
    ]


def _camera_routes(house: House) -> list[Route]:
    """Return the routes of the camera: it sees the room, so they are for who knows the PIN."""

    async def picture(request: HttpRequest) -> Response:
        _check_token(house, request)
        taken = await house.read(camera.picture, house.eye)
        return Response(taken, media_type="image/jpeg", headers={"cache-control": "no-store"})

    async def compared(request: HttpRequest) -> Response:
        _check_token(house, request)
        asks = house.mailbox.snapshot.state.demands.asks
        squares = [] if asks is None else [parse_square(name) for name in asks.squares]
        taken = await house.read(camera.question_picture, house.eye, squares)
        return Response(taken, media_type="image/jpeg", headers={"cache-control": "no-store"})

    async def document(request: HttpRequest) -> Response:
        _check_token(house, request)
        return answer(await house.read(camera.camera_document, house.eye, house.now()))

    return [
        Route("/api/camera", document),
        Route("/api/camera.jpg", picture),
        Route("/api/camera/question.jpg", compared),
    ]


def _set_up_routes(house: House) -> list[Route]:
    """Return the routes of set-up: it touches the machine, so they are for who knows the PIN."""
    set_up = house.set_up
    if set_up is None:
        return []

    async def shown(request: HttpRequest) -> Response:
        _check_token(house, request)
        return answer(await house.read(set_up.document))

    async def pictured(request: HttpRequest) -> Response:
        _check_token(house, request)
        taken = await house.read(set_up.picture)
        return Response(taken, media_type="image/jpeg", headers={"cache-control": "no-store"})

    async def asked(request: HttpRequest) -> Response:
        house.access.check_origin(request.headers.get("origin"), request.headers.get("host"))
        _check_token(house, request)
        wanted = await read_body(request, setting_up.Asked)
        return answer(await house.read(setting_up.do, set_up, wanted))

    return [
        Route("/setup", _page(frame.SET_UP)),
        Route("/api/setup.jpg", pictured),
        Route("/api/setup", shown),
        Route("/api/setup", asked, methods=["POST"]),
    ]


def _about(house: House) -> dict[str, Any]:
    set_up = house.set_up
    more = {
        "language": house.language,
        "has_camera": house.eye is not None,
        "set_up": None if set_up is None else "begun" if set_up.is_begun else "new",
        "since": house.stream.last_id.rpartition("-")[0],
    }
    return {**documents.about(), **more}


def _number(text: str) -> int:
    """Return the number of a game; NotUnderstood for what no journal counts to."""
    number = whole_number(text)
    if number is None or number > MOST_GAMES:
        raise NotUnderstood(_("{text}: must be the number of a game kept"), text=text)
    return number


def _reading(house: House, read: Callable[..., Any], *arguments: Any) -> Any:
    """Read the journal on this thread, with a connection of its own."""
    with closing(Archive.open(house.folder)) as archive:
        return read(archive, *arguments)


async def _explain(house: House, request: HttpRequest) -> Response:
    position = house.mailbox.snapshot.record.position
    start, end = _parameter(request, "from"), _parameter(request, "to")
    language = _language(request.query_params.get("lang", "en"))
    check_help(house.mailbox.snapshot.record)
    return answer(documents.explained(position, start, end, language))


async def _token(house: House, request: HttpRequest) -> Response:
    origin, host = request.headers.get("origin"), request.headers.get("host")
    house.access.check_origin(origin, host)
    entry = await read_body(request, requests.EntryRequest)
    address = _address(request)
    if house.access.is_own_browser(origin, host, address):
        token = house.access.enter_unasked()
    else:
        token = house.access.enter(entry.pin, address, _held(request), _is_here(request))
    response = answer({"token": token})
    response.set_cookie(COOKIE, token, max_age=int(KNOWN_S), httponly=True, samesite="strict")
    return response


def _address(request: HttpRequest) -> str:
    return request.client.host if request.client else ""


def _is_here(request: HttpRequest) -> bool:
    return is_here(request.headers.get("host"), _address(request))


def _held(request: HttpRequest) -> str:
    """Return the token that whoever asks holds or has held."""
    return bearer(request.headers.get("authorization")) or request.cookies.get(COOKIE, "")


def _check_token(house: House, request: HttpRequest) -> None:
    house.access.check_token(bearer(request.headers.get("authorization")))


async def _do(house: House, request: HttpRequest) -> Response:
    house.access.check_origin(request.headers.get("origin"), request.headers.get("host"))
    _check_token(house, request)
    asked = house.mailbox.ask(await read_body(request, requests.Request))
    try:
        done = await asyncio.wait_for(asyncio.wrap_future(asked), ANSWER_S)
    except TimeoutError:
        if asked.cancel():
            raise TooSlow(_("the table does not answer")) from None
        done = PageAnswer([say_in(house.language, UNDER_WAY)], waits=True)
    return answer({"said": done.said, "at": house.stream.last_id}, 202 if done.waits else 200)


def _parameter(request: HttpRequest, name: str) -> str:
    if name not in request.query_params:
        raise NotUnderstood(_("{name}: must be told, as in ?{name}=..."), name=name)
    return request.query_params[name]


def _language(text: str) -> Language:
    if text in PAGE_WORDS:
        return text
    raise NotUnderstood(
        _("{text}: no such language, there are {languages}"),
        text=text,
        languages=", ".join(PAGE_WORDS),
    )


def _text(text: str, name: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="application/x-jgn; charset=utf-8", headers=headers)
