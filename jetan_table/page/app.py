"""The server's routes: who may ask what, and how it is answered."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from inspect import isawaitable
from typing import Any, TypeAlias

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request as HttpRequest
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from rules import Position, parse_position, parse_rules
from rules.sentences import _

from ..extras.commissioning.guide import SetUp
from ..journal.archive import read_kept
from ..journal.game_files import FORMATS
from ..journal.series import format_csv, read_series
from ..languages import LANGUAGES, Language, say_in
from ..session.umpire import check_help
from . import camera, documents, requests, setting_up
from .access import KNOWN_S, Access, bearer
from .analyst import Analyse, Analyst, in_a_process
from .answers import (
    FRESH,
    NEVER_KEPT,
    REFUSALS,
    Endpoint,
    NotUnderstood,
    TooSlow,
    answer,
    download,
    game_number,
    read_body,
    while_there,
)
from .api import api
from .asked import AskedTable
from .board_svg import Figure, draw
from .door import COOKIE, Guard, address_of, held_by, is_at_home, led_here
from .followers import Followers
from .frame import STATIC, page
from .health import health_of
from .mailbox import Mailbox, PageAnswer
from .piece_svg import page_pieces
from .sensors import repairs_document, sensors_document
from .sentences import catalogue_of
from .stream import Stream
from .visits import Visit

MOST_READERS = 2
"""So many documents are made at once."""

ANSWER_S = 10.0
"""The table answers within so long, or is said not to."""

UNDER_WAY = _("The table is still busy with it.")

SVG = "image/svg+xml"


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
    set_up: SetUp | None = None
    """None where this table is not to be set up anew."""
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


def make_app(house: House) -> ASGIApp:
    """Return the application that serves a table's page."""
    anybody = partial(_told, house)
    known = partial(_told, house, is_known=True)
    analyst = Analyst(house.analyse or in_a_process(house.asked.folder))
    routes = [
        Route("/", _file(page("index.html", "main.js", "table.css", "drama.css"))),
        Route("/sensors", _file(page("sensors.html", "sensors.js", "sensors.css"))),
        Route("/favicon.ico", _favicon),
        Route("/pieces.svg", _file(page_pieces(), SVG)),
        Mount("/static", StaticFiles(directory=STATIC)),
        Route("/events", Followers(house.stream, house.asked.clock.now)),
        Route("/api/games/{game}/analysis", anybody(partial(_analysis, analyst))),
        *(Route(path, anybody(make)) for path, make in OPEN.items()),
        *(Route(path, known(make)) for path, make in FOR_THE_KNOWN.items()),
        Route("/api/token", anybody(_token), methods=["POST"]),
        Route("/api/do", known(_do), methods=["POST"]),
    ]
    if house.set_up is not None:
        routes += [
            Route("/setup", _file(page("setup.html", "setup.js", "sensors.css", "setup.css"))),
            *(Route(path, known(partial(make, house.set_up))) for path, make in SET_UP.items()),
            Route("/api/setup", known(partial(_set_up, house.set_up)), methods=["POST"]),
        ]
    smaller = [Middleware(GZipMiddleware)]
    app = Starlette(routes=routes, middleware=smaller, exception_handlers=REFUSALS)
    return Guard(app, house.access)


async def _favicon(request: HttpRequest) -> Response:
    return FileResponse(STATIC / "favicon.svg", media_type=SVG, headers=FRESH)


def _file(content: str, media_type: str = "text/html") -> Endpoint:
    async def endpoint(request: HttpRequest) -> Response:
        return Response(content, media_type=media_type, headers=FRESH)

    return endpoint


def _told(house: House, make: Make, is_known: bool = False) -> Endpoint:
    """Return what answers with what `make` returns; where `is_known`, only who knows the PIN."""

    async def endpoint(request: HttpRequest) -> Response:
        if request.method == "POST":
            house.access.check_origin(*led_here(request))
        if is_known:
            house.access.check_token(bearer(request.headers.get("authorization")))
        made = make(house, request)
        made = await made if isawaitable(made) else made
        return made if isinstance(made, Response) else answer(made)

    return endpoint


# What anybody may read


def _health(house: House, request: HttpRequest) -> Response:
    health = health_of(house.mailbox, house.now())
    return answer(health, 200 if health.is_well else 503)


def _about(house: House, request: HttpRequest) -> Mapping[str, Any]:
    set_up = house.set_up
    return {
        **documents.about(),
        "language": house.asked.language,
        "has_camera": house.asked.eye is not None,
        "set_up": None if set_up is None else "begun" if set_up.is_begun else "new",
        "since": house.stream.last_id.rpartition("-")[0],
    }


def _cards(house: House, request: HttpRequest) -> Any:
    rules = request.query_params.get("rules", house.mailbox.snapshot.state.game.rules)
    return documents.cards_document(rules, _language(request))


def _explain(house: House, request: HttpRequest) -> Any:
    record = house.mailbox.snapshot.record
    start, end = _parameter(request, "from"), _parameter(request, "to")
    language = _language(request)
    check_help(record)
    return documents.explained(record.position, start, end, language)


async def _board_svg(house: House, request: HttpRequest) -> Response:
    state, asked = house.mailbox.snapshot.state.game, request.query_params
    if "game" in asked:
        record = await house.kept(documents.kept_record, game_number(asked["game"]))
        positions = record.game.positions
        last = len(positions) - 1
        position = positions[min(game_number(asked.get("plies", str(last))), last)]
    else:
        rules = parse_rules(asked.get("rules", state.rules))
        text = asked.get("position", None if "rules" in asked else state.position)
        position = Position.start(rules) if text is None else parse_position(text, rules)
    topology, pieces = position.rules.topology, position.pieces()
    figure = Figure("Jetan", topology, pieces, juggernaut=position.juggernaut)
    return Response(draw(figure), media_type=SVG)


def _game_in_play(house: House, request: HttpRequest) -> Awaitable[Any]:
    return house.read(documents.game_document, house.mailbox.snapshot.record)


async def _kept_game(house: House, request: HttpRequest) -> Any:
    record = await house.kept(documents.kept_record, game_number(request.path_params["game"]))
    return await house.read(documents.game_document, record)


def _text_in_play(form: str, house: House, request: HttpRequest) -> Response:
    write, kind, _help = FORMATS[form]
    return download(write(house.mailbox.snapshot.record), f"game.{form}", kind)


async def _kept_text(form: str, house: House, request: HttpRequest) -> Response:
    game = game_number(request.path_params["game"])
    text = await house.kept(documents.kept_text, game, form)
    return download(text, f"{game:05}.{form}", FORMATS[form].media_type)


async def _analysis(analyst: Analyst, house: House, request: HttpRequest) -> Any:
    game, language = game_number(request.path_params["game"]), _language(request)
    record = await house.kept(documents.kept_record, game)
    for each in (record, house.mailbox.snapshot.record):
        check_help(each)
    visit: Visit = request.scope["state"]["visit"]
    analysed = analyst.rows(game, len(record.moves), language, visit)
    return {"game": game, "rows": await while_there(request, analysed)}


def _sensors(house: House, request: HttpRequest) -> Any:
    asked = house.asked
    now, language = asked.clock.now(), _language(request)
    return sensors_document(asked.table, asked.watch, asked.scan_hz, now, language)


async def _series_csv(house: House, request: HttpRequest) -> Response:
    series = await house.kept(read_series, request.path_params["name"])
    return download(format_csv(series), "series.csv", "text/csv")


OPEN: Mapping[str, Make] = {
    "/health": _health,
    "/board.svg": _board_svg,
    "/api": lambda house, request: api(),
    "/api/about": _about,
    "/api/words/{language}": lambda house, request: catalogue_of(_language(request), STATIC),
    "/api/boards/{name}": lambda house, request: documents.board(request.path_params["name"]),
    "/api/rules": lambda house, request: documents.rules_text(_parameter(request, "rules")),
    "/api/lessons/{language}": lambda house, request: documents.lessons(_language(request)),
    "/api/puzzles/{language}": lambda house, request: documents.puzzles(_language(request)),
    "/api/cards/{language}": _cards,
    "/api/game": _game_in_play,
    **{f"/api/game.{form}": partial(_text_in_play, form) for form in FORMATS},
    "/api/games": lambda house, request: house.kept(documents.games, house.asked.folder),
    **{f"/api/games/{{game}}.{form}": partial(_kept_text, form) for form in FORMATS},
    "/api/games/{game}": _kept_game,
    "/api/saved/{name}": lambda house, request: house.read(
        documents.saved_document, house.asked.folder, request.path_params["name"]
    ),
    "/api/series": lambda house, request: house.kept(documents.all_series),
    "/api/series/{name}.csv": _series_csv,
    "/api/series/{name}": lambda house, request: house.kept(
        documents.series_document, request.path_params["name"]
    ),
    "/api/sensors": _sensors,
    "/api/explain": _explain,
}


# What only who knows the PIN may read: a camera sees the room, and a set-up touches the machine


async def _jpeg(taking: Awaitable[bytes]) -> Response:
    return Response(await taking, media_type="image/jpeg", headers=NEVER_KEPT)


def _question_picture(house: House, request: HttpRequest) -> Awaitable[Response]:
    asks = house.mailbox.snapshot.state.demands.asks
    squares = [] if asks is None else list(asks.squares)
    return _jpeg(house.read(camera.question_picture, house.asked.eye, squares))


def _repairs(house: House, request: HttpRequest) -> Any:
    if house.asked.repairs is None:
        raise NotUnderstood(_("this table cannot be mended from its page"))
    return repairs_document(house.asked.table, house.asked.repairs, _language(request))


FOR_THE_KNOWN: Mapping[str, Make] = {
    "/api/camera": lambda house, request: house.read(
        camera.camera_document, house.asked.eye, house.asked.clock.now()
    ),
    "/api/camera.jpg": lambda house, request: _jpeg(house.read(camera.picture, house.asked.eye)),
    "/api/camera/question.jpg": _question_picture,
    "/api/repairs": _repairs,
}
SET_UP: Mapping[str, Callable[[SetUp, House, HttpRequest], Awaitable[Any]]] = {
    "/api/setup": lambda set_up, house, request: house.read(set_up.document),
    "/api/setup.jpg": lambda set_up, house, request: _jpeg(house.read(set_up.picture)),
}


# What is told


async def _set_up(set_up: SetUp, house: House, request: HttpRequest) -> Any:
    return await house.read(setting_up.do, set_up, await read_body(request, setting_up.Asked))


async def _token(house: House, request: HttpRequest) -> Response:
    entry = await read_body(request, requests.EntryRequest)
    address = address_of(request)
    if house.access.is_own_browser(*led_here(request), address):
        token = house.access.enter_unasked()
    else:
        token = house.access.enter(entry.pin, address, held_by(request), is_at_home(request))
    response = answer({"token": token})
    response.set_cookie(COOKIE, token, max_age=int(KNOWN_S), httponly=True, samesite="strict")
    return response


async def _do(house: House, request: HttpRequest) -> Response:
    asked = house.mailbox.ask(await read_body(request, requests.Request))
    try:
        done = await asyncio.wait_for(asyncio.wrap_future(asked), ANSWER_S)
    except TimeoutError:
        if asked.cancel():
            raise TooSlow(_("the table does not answer")) from None
        done = PageAnswer([say_in(house.asked.language, UNDER_WAY)], waits=True)
    return answer({"said": done.said, "at": house.stream.last_id}, 202 if done.waits else 200)


def _parameter(request: HttpRequest, name: str) -> str:
    if name not in request.query_params:
        raise NotUnderstood(_("{name}: must be told, as in ?{name}=..."), name=name)
    return request.query_params[name]


def _language(request: HttpRequest) -> Language:
    text = request.path_params.get("language") or request.query_params.get("lang", "en")
    if text in LANGUAGES:
        return text
    raise NotUnderstood(
        _("{text}: no such language, there are {languages}"),
        text=text,
        languages=", ".join(LANGUAGES),
    )
