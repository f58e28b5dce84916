"""The server's routes: who may ask what, how it is answered, and how that is described."""

import asyncio
import re
import sys
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache, partial
from inspect import isawaitable
from pathlib import Path
from typing import Any, Final

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request as HttpRequest
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from rules import Position, _, format_rules, parse_position, parse_rules, parse_square

from .. import __version__
from ..errors import TableError
from ..game.events import Ending
from ..game.texts import FORMATS, format_csv
from ..journal.archive import Archive
from ..languages import Language, say_in
from ..session.umpire import check_help
from . import documents
from .access import (
    COOKIE,
    FRESH,
    KNOWN_S,
    REFUSALS,
    UNANSWERED,
    Endpoint,
    Guard,
    NotUnderstood,
    Refused,
    Visit,
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
    while_there,
)
from .asked import EntryRequest
from .documents import sensors_document
from .house import (
    Analyse,
    House,
    Make,
    PageAnswer,
    every_request,
    health_of,
    is_listed,
    page_parts,
    panels,
    state_groups,
)
from .pages import (
    STATIC,
    Figure,
    camera_document,
    catalogue_of,
    draw,
    page,
    page_pieces,
    picture,
    question_picture,
)
from .state import QuestionShown
from .stream import Followers

ANSWER_S = 10.0
"""The table answers within so long, or is said not to."""
UNDER_WAY = _("The table is still busy with it.")
SVG = "image/svg+xml"


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
        *(
            Mount(f"/static/extras/{name}", StaticFiles(directory=folder))
            for name, folder in panels().items()
        ),
        Mount("/static", StaticFiles(directory=STATIC)),
        Route("/events", Followers(house.stream, house.asked.clock.now)),
        Route("/api/games/{game}/analysis", anybody(partial(_analysis, analyst))),
        *(Route(path, anybody(make)) for path, make in OPEN.items()),
        *(Route(path, known(make)) for path, make in FOR_THE_KNOWN.items()),
        Route("/api/token", anybody(_token), methods=["POST"]),
        Route("/api/do", known(_do), methods=["POST"]),
    ]
    for part in page_parts():
        routes += [
            *(Route(path, _file(whole)) for path, whole in part.pages(house.asked).items()),
            *(Route(path, anybody(make)) for path, make in part.open_routes().items()),
            *(Route(path, known(make)) for path, make in part.known_routes(house.asked).items()),
            *(Route(p, known(m), methods=["POST"]) for p, m in part.posted(house.asked).items()),
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


# The description of what can be asked, made from the very structs that check it


VERSIONS = {"api": "2.4", "events": "3.0"}
"""Of what is asked and answered, and of the stream's state.

Another first number breaks programs, the second only adds.
"""
WAYS = {
    "GET /events": "server-sent events: `time` on the table clock, `state` in full (State), then "
    "`change` with what differs; Last-Event-ID goes on where it was left",
    "GET /health": "whether the table goes on (Health), with 503 where it does not",
    "GET /api/about": "lamps' palettes, presets and options of the rules",
    "GET /api/words/{language}": "what the page says, English to another: de",
    "GET /api/boards/{name}": "outlines, colours and neighbours of a board",
    "GET /api/game": "the game in play, position by position; "
    f"{', '.join(f'/api/game.{form}' for form in FORMATS)} as text",
    "GET /api/games": "the games kept and saved; /api/games/3, "
    f"{', '.join(f'/api/games/3.{form}' for form in FORMATS)}, /api/saved/NAME",
    "GET /api/games/{game}/analysis": "what each move of a game kept was worth, and why; lang=de",
    "GET /api/series": "how every series stands; /api/series/NAME with its games, NAME.csv",
    "GET /api/camera": "what the camera sees, in words and pixels; /api/camera.jpg its picture; "
    "both with Authorization: Bearer TOKEN, for it sees the room",
    "GET /api/sensors": "what every switch has shown, how late the board is looked at; no secrets",
    "GET /api/explain?from=d2&to=d5": "why a piece may go there now, or why not; lang=de",
    "GET /api/cards/{language}": "how each piece moves by the rules in play, or by rules=TEXT",
    "GET /api/rules?rules=TEXT": "a rules text, checked and written shortest",
    "GET /board.svg": "the position as a picture; position=TEXT, rules=TEXT",
    "POST /api/token": "Entry in, {token} out: the key to the line below",
    "POST /api/do": "Request in, {said: [...], at: ID} out, ID that of an event which shows it; "
    "202 where it waits for the disk and is done then; Authorization: Bearer TOKEN",
}
SCHEMAS = "#/components/schemas/"
"""Where the description refers to a schema."""
PUBLISHED = {
    "QuestionShown": "Asks",
    "Ending": "Over",
    "AnswerQuestion": "Answer",
    "BoardIsRight": "Right",
    "TakeBackLast": "Back",
    "AskAdvice": "Hint",
    "OfferDraw": "Offer",
    "AcceptDraw": "Accept",
    "DeclineDraw": "Decline",
    "AgreeDraw": "Draw",
    "PauseGame": "Pause",
    "ResumeGame": "Resume",
    "PressClock": "Press",
    "SayAdjust": "Adjust",
    "ReleaseTouched": "Release",
    "RollDie": "Roll",
    "DecideFight": "Duel",
    "ChooseFirst": "First",
    "ChooseBias": "Crossing",
}
"""Names of schemas that do not follow from our structs' own; programs know them, so they stay."""


def published_name(struct: str) -> str:
    """Return the name of a struct's schema: without `Request` or `State`, which only we need."""
    return PUBLISHED.get(struct) or struct.removesuffix("Request").removesuffix("State")


def ways() -> dict[str, str]:
    """Return every way to ask, with what it is for, those of features last."""
    return WAYS | {way: how for part in page_parts() for way, how in part.ways().items()}


@lru_cache
def api() -> dict[str, Any]:
    """Return every way to ask, and the JSON schema of what goes in and comes out."""
    brought = state_groups()
    structs = (every_request(), EntryRequest, QuestionShown, Ending, *brought)
    _, schemas = msgspec.json.schema_components(structs, ref_template=f"{SCHEMAS}{{name}}")
    groups = [schemas.pop(group.__name__) for group in brought]
    named = re.compile(rf'"({SCHEMAS})?({"|".join(schemas)})"')
    text = named.sub(
        lambda found: f'"{found[1] or ""}{published_name(found[2])}"',
        msgspec.json.encode([schemas, groups]).decode(),
    )
    schemas, groups = msgspec.json.decode(text)
    described = msgspec.json.decode((STATIC.parent / "state.json").read_bytes())
    for group in groups:  # the keys of features lie among those of the state
        described["State"]["description"] += f"\n{group['description']}"
        described["State"]["properties"] |= group["properties"]
        described["State"]["required"] += group["required"]
    return {
        "name": "Jetan Table",
        "version": __version__,
        "versions": VERSIONS,
        "refusals": "any status but 200 and 202 comes with {refused: why}; nothing is done",
        "ways": ways(),
        "components": {"schemas": described | schemas},
    }


# What anybody may read


def _health(house: House, request: HttpRequest) -> Response:
    health = health_of(house.mailbox, house.now())
    return answer(health, 200 if health["sensing"] and health["disk"] else 503)


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


async def _board_svg(house: House, request: HttpRequest) -> Response:
    state, asked = house.mailbox.state, request.query_params
    if "game" in asked:
        record = await house.kept(documents.kept_record, game_number(asked["game"]))
        positions = record.game.positions
        last = len(positions) - 1
        position = positions[min(game_number(asked.get("plies", str(last))), last)]
    else:
        rules = parse_rules(asked.get("rules", state["rules"]))
        text = asked.get("position", None if "rules" in asked else state["position"])
        position = Position.start(rules) if text is None else parse_position(text, rules)
    topology, pieces = position.rules.board, position.pieces()
    figure = Figure("Jetan", topology, pieces, juggernaut=position.juggernaut)
    return Response(draw(figure), media_type=SVG)


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


OPEN: Mapping[str, Make] = {
    "/health": _health,
    "/board.svg": _board_svg,
    "/api": lambda house, request: api(),
    "/api/about": _about,
    "/api/words/{language}": lambda house, request: catalogue_of(
        language_asked(request), STATIC, *panels().values()
    ),
    "/api/boards/{name}": lambda house, request: documents.board(request.path_params["name"]),
    "/api/rules": lambda house, request: {
        "rules": format_rules(parse_rules(_parameter(request, "rules")))
    },
    "/api/cards/{language}": _cards,
    "/api/game": _game_in_play,
    **{f"/api/game.{form}": partial(_text_in_play, form) for form in FORMATS},
    "/api/games": lambda house, request: house.kept(documents.games, house.asked.folder, is_listed),
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


def _question_picture(house: House, request: HttpRequest) -> Awaitable[Response]:
    asks = house.mailbox.state["asks"]
    squares = [] if asks is None else list(map(parse_square, asks["candidates"]))
    return jpeg(house.read(question_picture, house.asked.eye, squares))


FOR_THE_KNOWN: Mapping[str, Make] = {
    "/api/camera": lambda house, request: house.read(
        camera_document, house.asked.eye, house.asked.clock.now()
    ),
    "/api/camera.jpg": lambda house, request: jpeg(house.read(picture, house.asked.eye)),
    "/api/camera/question.jpg": _question_picture,
}


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
        done = PageAnswer([say_in(house.asked.language, UNDER_WAY)], waits=True)
    return answer({"said": done.said, "at": house.stream.last_id}, 202 if done.waits else 200)


# Kept games analysed, usually each in a process of its own: the table plays on meanwhile


NODES: Final = 3000
"""So long each move of a game is thought about, twice."""
MOST_S: Final = 240.0
"""An analysis that takes longer is given up."""
MOST_KEPT: Final = 8
"""So many of the latest are remembered."""
MOST_WAITING: Final = 6
"""So many askers wait for a turn, the one whose turn it is among them."""
MOST_OF_ONE: Final = 2
"""And of one address."""
AGAIN_S: Final = 30
"""After so many seconds others may ask again."""


class AnalysisFailed(TableError, ChildProcessError):
    """An analysis whose process has ended without one."""


class _Line:
    """Askers who wait, each for the turn to have a game analysed."""

    def __init__(self) -> None:
        self.turn = asyncio.Semaphore(1)
        self._waiting = Counter[str]()

    @contextmanager
    def place(self, address: str) -> Iterator[None]:
        """Take a place in the line while the block runs; Refused where there is none."""
        if self._waiting.total() >= MOST_WAITING or self._waiting[address] >= MOST_OF_ONE:
            many = _("too many games are waiting to be analysed; ask again later")
            raise Refused(many, UNANSWERED, AGAIN_S)
        self._waiting[address] += 1
        try:
            yield
        finally:
            self._waiting[address] -= 1


class Analyst:
    """Has games of a folder analysed, and remembers the latest.

    One at a time for strangers, and one for those who are known, who so wait for no stranger.
    """

    def __init__(self, analyse: Analyse) -> None:
        self._analyse = analyse
        self._strangers, self._known = _Line(), _Line()
        self._kept = OrderedDict[tuple[int, int, Language], list[Any]]()

    async def rows(self, game: int, plies: int, language: Language, visit: Visit) -> list[Any]:
        """Return the verdicts on a kept game, as `jetan games analyse --json` has them.

        `plies` is how many there are; AnalysisFailed or Refused where there is no
        analysis. Whoever no longer wants it cancels this.
        """
        asked = game, plies, language
        if asked not in self._kept:
            line = self._known if visit.is_known else self._strangers
            with line.place(visit.address):
                async with line.turn:
                    if asked not in self._kept:
                        self._kept[asked] = await self._analyse(game, language)
        self._kept.move_to_end(asked)
        rows = self._kept[asked]
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return rows


def in_a_process(folder: Path) -> Analyse:
    """Return what has kept games of a folder analysed by another process, of little priority."""

    async def analyse(game: int, language: Language) -> list[Any]:
        what = (str(game), "--data", str(folder), "--lang", language, "--nodes", str(NODES))
        process = await asyncio.create_subprocess_exec(
            *("nice", sys.executable, "-m", "jetan_table", "games", "analyse", *what, "--json"),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            async with asyncio.timeout(MOST_S):
                printed, complaints = await process.communicate()
        except TimeoutError:
            raise Refused(_("the analysis takes too long here"), UNANSWERED) from None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode:
            *_rest, why = complaints.decode(errors="replace").strip().splitlines() or [""]
            raise AnalysisFailed(
                _("the analysis has ended (exit code {code}): {why}"),
                code=process.returncode,
                why=why,
            )
        return [msgspec.json.decode(line) for line in printed.splitlines()]

    return analyse


async def _analysis(analyst: Analyst, house: House, request: HttpRequest) -> Any:
    game, language = game_number(request.path_params["game"]), language_asked(request)
    record = await house.kept(documents.kept_record, game)
    for each in (record, house.mailbox.record):
        check_help(each)
    visit: Visit = request.scope["state"]["visit"]
    analysed = analyst.rows(game, len(record.moves), language, visit)
    return {"game": game, "rows": await while_there(request, analysed)}
