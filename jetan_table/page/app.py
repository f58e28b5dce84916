"""The server's routes: what can be asked, of whom, and what makes the answer.

`ways` is the one table of them: routes are made from it, and the description that programs read.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import cache, partial
from inspect import isawaitable
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request as HttpRequest
from starlette.responses import FileResponse, Response
from starlette.routing import Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from rules import Position, _, format_rules, parse_position, parse_rules, parse_square

from ..game.texts import FORMATS, format_csv
from ..journal.archive import Archive
from ..languages import as_data, catalogue
from ..session.umpire import check_help
from . import documents
from .access import (
    COOKIE,
    FRESH,
    KNOWN_S,
    REFUSALS,
    UNANSWERED,
    Guard,
    NotUnderstood,
    Refused,
    address_of,
    answer,
    bearer,
    download,
    game_number,
    held_by,
    is_at_home,
    jpeg,
    language_asked,
    led_here,
    read_body,
)
from .asked import EntryRequest
from .documents import sensors_document
from .house import (
    Endpoint,
    House,
    Make,
    PageAnswer,
    every_request,
    health_of,
    is_listed,
    page_parts,
    panels,
)
from .openapi import description, overview
from .pages import (
    STATIC,
    Figure,
    camera_document,
    draw,
    page,
    page_pieces,
    picture,
    question_picture,
)
from .stream import Followers

MOST_MOVES = 100
"""Moves that a line asked for may have."""
POSITION = ("game", "plies", "rules", "position")
"""Parameters that tell a position."""
ANSWER_S = 10.0
"""Seconds in which the table has to answer; after that it is reported as silent."""
UNDER_WAY = _("The table is still busy with it.")
HTML, SVG = "text/html", "image/svg+xml"


def make_app(house: House) -> ASGIApp:
    """Return the application that serves a table's page."""
    routes = [Route(way.path, _endpoint(house, way), methods=[way.method]) for way in ways()]
    smaller = [Middleware(GZipMiddleware)]
    app = Starlette(routes=routes, middleware=smaller, exception_handlers=REFUSALS)
    return Guard(app, house.access)


def _endpoint(house: House, way: Endpoint) -> Callable[[HttpRequest], Awaitable[ASGIApp]]:
    async def endpoint(request: HttpRequest) -> ASGIApp:
        if request.method == "POST":
            house.access.check_origin(*led_here(request))
        if way.is_known:
            house.access.check_token(bearer(request.headers.get("authorization")))
        made = way.make(house, request)
        made = await made if isawaitable(made) else made
        return made if isinstance(made, Response | Followers) else answer(made)

    return endpoint


# Pages and what they are made of


def _page(name: str, *parts: str) -> Make:
    return lambda house, request: Response(page(name, *parts), media_type=HTML, headers=FRESH)


def _pieces(house: House, request: HttpRequest) -> Response:
    return Response(page_pieces(), media_type=SVG, headers=FRESH)


def _favicon(house: House, request: HttpRequest) -> Response:
    return FileResponse(STATIC / "favicon.svg", media_type=SVG, headers=FRESH)


async def _static(house: House, request: HttpRequest) -> Response:
    path = request.path_params["path"]
    for name, folder in panels().items():
        if path.startswith(start := f"extras/{name}/"):
            return await _files_of(folder).get_response(path.removeprefix(start), request.scope)
    return await _files_of(STATIC).get_response(path, request.scope)


@cache
def _files_of(folder: Path) -> StaticFiles:
    return StaticFiles(directory=folder)


# What anybody may read


def _events(house: House, request: HttpRequest) -> Followers:
    followers: Followers = house.shared.setdefault(
        Followers, Followers(house.stream, house.asked.clock.now)
    )
    return followers


def _health(house: House, request: HttpRequest) -> Response:
    health = health_of(house.mailbox, house.now())
    return answer(health, 200 if health["sensing"] and health["disk"] else 503)


def _overview(house: House, request: HttpRequest) -> Any:
    return overview(ways())


def _description(house: House, request: HttpRequest) -> Any:
    return description(ways())


def _words(house: House, request: HttpRequest) -> Any:
    return catalogue(language_asked(request))


def _board(house: House, request: HttpRequest) -> Any:
    return documents.board(request.path_params["name"])


def _rules(house: House, request: HttpRequest) -> Any:
    return {"rules": format_rules(parse_rules(_parameter(request, "rules")))}


def _about(house: House, request: HttpRequest) -> Mapping[str, Any]:
    return {
        **documents.about(),
        "language": house.asked.language,
        "has_camera": house.asked.eye is not None,
        "panels": [f"/static/extras/{name}/panel.js" for name in panels()],
        **{name: value for part in page_parts() for name, value in part.about(house.asked).items()},
        "since": house.stream.last_id.rpartition("-")[0],
    }


def _cards(house: House, request: HttpRequest) -> Any:
    rules = request.query_params.get("rules", house.mailbox.state["rules"])
    return documents.cards(parse_rules(rules), language_asked(request))


def _explain(house: House, request: HttpRequest) -> Any:
    record = house.mailbox.record
    start, end = _parameter(request, "from"), _parameter(request, "to")
    language = language_asked(request)
    check_help(record)
    return documents.explained(record.position, start, end, language)


async def _position(house: House, request: HttpRequest) -> Position:
    """Return the position that is asked for: of a kept game, by a text, or what stands."""
    state, asked = house.mailbox.state, request.query_params
    if "game" in asked:
        record = await house.kept(documents.kept_record, game_number(asked["game"]))
        positions = record.game.positions
        last = len(positions) - 1
        kept: Position = positions[min(game_number(asked.get("plies", str(last))), last)]
        return kept
    rules = parse_rules(asked.get("rules", state["rules"]))
    text = asked.get("position", None if "rules" in asked else state["position"])
    return Position.start(rules) if text is None else parse_position(text, rules)


async def _line(house: House, request: HttpRequest) -> Any:
    moves = request.query_params.get("moves", "").split(",")
    start = await _position(house, request)
    if len(moves) > MOST_MOVES:
        raise NotUnderstood(_("moves: at most {most}"), most=MOST_MOVES)
    return await house.read(documents.line_document, start, list(filter(None, moves)))


async def _board_svg(house: House, request: HttpRequest) -> Response:
    position = await _position(house, request)
    topology, pieces = position.rules.board, position.pieces()
    figure = Figure("Jetan", topology, pieces, juggernaut=position.juggernaut)
    return Response(draw(figure), media_type=SVG)


def _games(house: House, request: HttpRequest) -> Awaitable[Any]:
    return house.kept(documents.games, house.asked.folder, is_listed)


def _saved_game(house: House, request: HttpRequest) -> Awaitable[Any]:
    return house.read(documents.saved_document, house.asked.folder, request.path_params["name"])


def _all_series(house: House, request: HttpRequest) -> Awaitable[Any]:
    return house.kept(documents.all_series)


def _series(house: House, request: HttpRequest) -> Awaitable[Any]:
    return house.kept(documents.series_document, request.path_params["name"])


def _camera(house: House, request: HttpRequest) -> Awaitable[Any]:
    return house.read(camera_document, house.asked.eye, house.asked.clock.now())


def _picture(house: House, request: HttpRequest) -> Awaitable[Response]:
    return jpeg(house.read(picture, house.asked.eye))


def _game_in_play(house: House, request: HttpRequest) -> Awaitable[Any]:
    return house.read(documents.game_document, house.mailbox.record)


async def _kept_game(house: House, request: HttpRequest) -> Any:
    record = await house.kept(documents.kept_record, game_number(request.path_params["game"]))
    return await house.read(documents.game_document, record)


def _text_in_play(form: str, house: House, request: HttpRequest) -> Response:
    write, kind, _help = FORMATS[form]
    return download(write(house.mailbox.record), f"game.{form}", kind)


async def _kept_text(form: str, house: House, request: HttpRequest) -> Response:
    game = game_number(request.path_params["game"])
    text = await house.kept(documents.kept_text, game, form)
    return download(text, f"{game:05}.{form}", FORMATS[form].media_type)


def _sensors(house: House, request: HttpRequest) -> Any:
    asked = house.asked
    now, language = asked.clock.now(), language_asked(request)
    return sensors_document(asked.table, asked.watch, asked.scan_hz, now, language)


async def _series_csv(house: House, request: HttpRequest) -> Response:
    series = await house.kept(Archive.played_series, request.path_params["name"])
    return download(format_csv(series), "series.csv", "text/csv")


def _parameter(request: HttpRequest, name: str) -> str:
    if name not in request.query_params:
        raise NotUnderstood(_("{name}: must be told, as in ?{name}=..."), name=name)
    return request.query_params[name]


# What only who knows the PIN may read: a camera sees the room


def _question_picture(house: House, request: HttpRequest) -> Awaitable[Response]:
    asks = house.mailbox.state["asks"]
    squares = [] if asks is None else list(map(parse_square, asks["candidates"]))
    return jpeg(house.read(question_picture, house.asked.eye, squares))


# What is told


async def _token(house: House, request: HttpRequest) -> Response:
    entry = await read_body(request, EntryRequest)
    address = address_of(request)
    if house.access.is_own_browser(*led_here(request), address):
        token = house.access.enter_unasked()
    else:
        token = house.access.enter(entry.pin, address, held_by(request), is_at_home(request))
    response = answer({"token": token})
    response.set_cookie(COOKIE, token, max_age=int(KNOWN_S), httponly=True, samesite="strict")
    return response


async def _do(house: House, request: HttpRequest) -> Response:
    asked = house.mailbox.ask(await read_body(request, every_request()))
    try:
        done = await asyncio.wait_for(asyncio.wrap_future(asked), ANSWER_S)
    except TimeoutError:
        if asked.cancel():
            raise Refused(_("the table does not answer"), UNANSWERED) from None
        done = PageAnswer([UNDER_WAY], waits=True)
    return answer(
        {"said": list(map(as_data, done.said)), "at": house.stream.last_id},
        202 if done.waits else 200,
    )


def _pages() -> Iterator[Endpoint]:
    """Yield the core's pages, and what stands by itself."""
    yield Endpoint("/", "the page", _page("index.html", "main.js", "table.css", "drama.css"), HTML)
    sensors = _page("sensors.html", "sensors.js", "sensors.css")
    yield Endpoint("/sensors", "the page of the sensors", sensors, HTML)
    yield Endpoint("/favicon.ico", "the page's sign", _favicon, SVG)
    yield Endpoint("/pieces.svg", "the pieces that pages draw", _pieces, SVG)
    yield Endpoint("/static/{path:path}", "scripts and styles of pages", _static, "*/*")
    yield Endpoint(
        "/events",
        "server-sent events: `time` on the table clock (Time), `state` in full (State), then "
        "`change` with what differs (Change); Last-Event-ID goes on where it was left",
        _events,
        "text/event-stream",
    )
    late = {503: "it does not go on"}
    yield Endpoint("/health", "whether the table goes on", _health, "Health", also=late)
    yield Endpoint("/board.svg", "a position as a picture", _board_svg, SVG, may=POSITION)


def _api() -> Iterator[Endpoint]:
    """Yield what the core's API can be asked."""
    yield Endpoint("/api", "every way to ask, in a line each", _overview, "Api")
    yield Endpoint("/api/openapi.json", "this description", _description, "Anything")
    yield Endpoint(
        "/api/about", "lamps' palettes, presets and options of the rules", _about, "About"
    )
    words = "what the table and its pages say, English to the language"
    yield Endpoint("/api/words/{language}", words, _words, "Words")
    outlines = "outlines, colours and neighbours of a board, such as `grid`"
    yield Endpoint("/api/boards/{name}", outlines, _board, "Board")
    checked = "a rules text, checked and written shortest"
    yield Endpoint("/api/rules", checked, _rules, "Rules", needs=("rules",))
    cards = "how each piece moves by rules"
    yield Endpoint("/api/cards/{language}", cards, _cards, "Cards", may=("rules",))
    why = "why a piece may go there now, or why not"
    yield Endpoint("/api/explain", why, _explain, "Explained", needs=("from", "to"), may=("lang",))
    yield Endpoint("/api/game", "the game in play, position by position", _game_in_play, "Game")
    line = "moves after a position, position by position"
    yield Endpoint("/api/line", line, _line, "Game", may=(*POSITION, "moves"))
    yield Endpoint("/api/games", "the games kept and saved", _games, "Games")
    for form, (_write, kind, _help) in FORMATS.items():
        in_play, kept = partial(_text_in_play, form), partial(_kept_text, form)
        yield Endpoint(f"/api/game.{form}", "the game in play as text", in_play, kind)
        yield Endpoint(f"/api/games/{{game}}.{form}", "a game kept as text", kept, kind)
    yield Endpoint("/api/games/{game}", "a game kept, position by position", _kept_game, "Game")
    yield Endpoint("/api/saved/{name}", "a game saved, position by position", _saved_game, "Game")
    yield Endpoint("/api/series", "how every series stands", _all_series, "AllSeries")
    yield Endpoint(
        "/api/series/{name}.csv", "the games of a series as rows", _series_csv, "text/csv"
    )
    yield Endpoint("/api/series/{name}", "how a series stands, with its games", _series, "Series")
    switches = "what every switch has shown, how late the board is looked at; no secrets"
    yield Endpoint("/api/sensors", switches, _sensors, "Sensors", may=("lang",))
    in_words = "what the camera sees, in words and pixels"
    yield Endpoint("/api/camera", in_words, _camera, "Camera", is_known=True)
    yield Endpoint("/api/camera.jpg", "its picture", _picture, "image/jpeg", is_known=True)
    asked = "the squares of an open question in pictures, before and now"
    yield Endpoint(
        "/api/camera/question.jpg", asked, _question_picture, "image/jpeg", is_known=True
    )
    token = "the PIN in, out comes the token that others need"
    yield Endpoint("/api/token", token, _token, "Token", takes="Entry")
    waits = {202: "it waits for the disk, and is done then"}
    done = "a request in, out comes what there is to say, and the id of an event that shows it"
    yield Endpoint("/api/do", done, _do, "Done", takes="Request", is_known=True, also=waits)


@cache
def ways() -> tuple[Endpoint, ...]:
    """Return all that can be asked, in the order in which routes are tried."""
    return (*_pages(), *_api(), *(way for part in page_parts() for way in part.ways()))
